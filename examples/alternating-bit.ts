/**
 * The alternating bit protocol: values cross a lossy line in order and once each, with one bit to tell them apart.
 *
 * K. A. Bartlett, R. A. Scantlebury and P. T. Wilkinson, "A note on reliable full-duplex transmission over half-duplex
 * links" (1969); the model follows Leslie Lamport, "Specifying Systems" (2002), chapter 14, and tlaplus/Examples.
 *
 * What to look at: `constraint`, the other way to make a model finite. With `fullLine: 'cuts'` a line may overfill, but
 * no step is taken from there. Such a state is still counted and checked, and the verdict is 'bounded': nobody looked
 * behind it. With `fullLine: 'refuses'` a guard keeps the line short, the model is another one, and it is proved.
 *
 * Two values and lines of two are known for 240 states, 1,392 generated, 10 levels. TLC leaves the cut states out of
 * the first number and not out of the second. Here 'cuts' finds 428 states of which 188 are cut, which leaves 240, and
 * generates 1,392; its level 11 holds cut states only. 'refuses' finds 240 / 1,204 / 10, as 1,204 + 188 = 1,392.
 */
import * as v from 'valibot'
import { action, defineModel, reachable, transition } from '../checker/index.ts'

type Bit = 0 | 1

interface State {
  sender: { bit: Bit; value: number; acknowledged: Bit }
  receiver: { bit: Bit; value: number }
  messages: { bit: Bit; value: number }[]
  acknowledgements: Bit[]
}

export const alternatingBit = defineModel({
  name: 'alternating-bit',
  summary: 'Values cross a line that loses messages, in order and once each.',
  config: v.object({
    /** How many different values there are to send. */
    values: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 2),
    /** How many messages are under way at most, in each direction. */
    lineLength: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 2),
    /** Whether a full line refuses a message, or the search is cut where a line is overfull. */
    fullLine: v.optional(v.picklist(['refuses', 'cuts']), 'cuts'),
  }),
  build({ values, lineLength, fullLine }) {
    const everyValue = Array.from({ length: values }, (_, value) => value)
    const bits: Bit[] = [0, 1]
    const initialStates = bits.flatMap((bit) =>
      everyValue.flatMap((sent) =>
        everyValue.map(
          (received): State => ({
            sender: { bit, value: sent, acknowledged: bit },
            receiver: { bit, value: received },
            messages: [],
            acknowledgements: [],
          }),
        ),
      ),
    )
    const takes = (line: unknown[]) => fullLine === 'cuts' || line.length < lineLength
    const positions = (line: unknown[]) => line.map((_, position) => position)

    return {
      initialStates,
      components: [
        'sender.bit',
        'sender.value',
        'sender.acknowledged',
        'receiver.bit',
        'receiver.value',
        'messages',
        'acknowledgements',
      ],
      actions: [
        action('SendNew', { value: everyValue }, (state: State, { value }, step) => {
          const { sender, messages } = state
          step.when('the last value is acknowledged', sender.acknowledged === sender.bit)
          step.when('the line takes a message', takes(messages))
          sender.bit = sender.bit === 0 ? 1 : 0
          sender.value = value
          messages.push({ bit: sender.bit, value })
        }),
        action('SendAgain', {}, ({ sender, messages }: State, _, step) => {
          step.when('the last value is not acknowledged', sender.acknowledged !== sender.bit)
          step.when('the line takes a message', takes(messages))
          messages.push({ bit: sender.bit, value: sender.value })
        }),
        action('Receive', {}, ({ receiver, messages }: State, _, step) => {
          step.when('a message is there', messages.length > 0)
          const message = messages.shift()!
          receiver.bit = message.bit
          receiver.value = message.value
        }),
        action('Acknowledge', {}, ({ receiver, acknowledgements }: State, _, step) => {
          step.when('the line takes an acknowledgement', takes(acknowledgements))
          acknowledgements.push(receiver.bit)
        }),
        action('ReceiveAcknowledgement', {}, ({ sender, acknowledgements }: State, _, step) => {
          step.when('an acknowledgement is there', acknowledgements.length > 0)
          sender.acknowledged = acknowledgements.shift()!
        }),
        action('LoseMessage', {}, ({ messages }: State, _, step) => {
          messages.splice(step.choose('position', positions(messages)), 1)
        }),
        action('LoseAcknowledgement', {}, ({ acknowledgements }: State, _, step) => {
          acknowledgements.splice(step.choose('position', positions(acknowledgements)), 1)
        }),
      ],
      properties: [
        transition('each value arrives once and in order', (before: State, after: State, claim) => {
          const states = { before, after }
          const { sender, receiver } = before
          const sends = after.sender.bit !== sender.bit || after.sender.value !== sender.value
          const receives = after.receiver.bit !== receiver.bit || after.receiver.value !== receiver.value
          const learns = after.sender.acknowledged !== sender.acknowledged
          claim.that(
            'a value is sent once the last one arrived',
            !sends || receiver.bit === sender.bit,
            states,
          )
          claim.that('a value arrives once', !receives || receiver.bit !== sender.bit, states)
          const intact = after.receiver.bit === sender.bit && after.receiver.value === sender.value
          claim.that('the value that arrives is the one that was sent', !receives || intact, states)
          const truthful = after.sender.acknowledged === receiver.bit
          claim.that('what is acknowledged has arrived', !learns || truthful, states)
        }),
        reachable('an old copy is still under way', ({ sender, messages }: State) => {
          return messages.some((message) => message.bit !== sender.bit)
        }),
        reachable('a value has arrived and the sender does not know', ({ sender, receiver }: State) => {
          return receiver.bit === sender.bit && sender.acknowledged !== sender.bit
        }),
      ],
      ...(fullLine === 'cuts' && {
        constraint: ({ messages, acknowledgements }: State) =>
          messages.length <= lineLength && acknowledgements.length <= lineLength,
      }),
    }
  },
})
