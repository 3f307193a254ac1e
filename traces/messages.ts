/** The messages of a trace: where each was sent, and what became of it. */
import type { Trace } from '../checker/trace.ts'
import type { StepEvent } from '../checker/view.ts'
import { fieldTexts } from './text/event.ts'

/** An event with its place: the number of its step, counted from 1, and its position among the events of the step. */
export interface Occurrence {
  readonly step: number
  readonly position: number
  readonly event: StepEvent
}

export interface Message {
  readonly name: string
  readonly from: string
  readonly to: string
  /**
   * How it came to be on its way: it was sent, or sent again after the loss or delay that `start` is, or it is another copy
   * of one that arrived before; `unsaid` where the trace tells of it only as it arrives or is lost.
   */
  readonly origin: 'sent' | 'sent again' | 'copy' | 'unsaid'
  /** Of `unsaid`, the event that tells of it. */
  readonly start: Occurrence
  /** Where its connection was closed: it may arrive late. */
  delayed?: Occurrence
  /** Its arrival or loss; absent while it is under way. */
  end?: Occurrence
}

/** Tells occurrences apart: one event may be told of in several steps. */
export const placeOf = ({ step, position }: Occurrence): string => `${step}.${position}`

/** All events in their order. */
export const occurrencesOf = ({ steps }: Pick<Trace, 'steps'>): Occurrence[] =>
  steps.flatMap(({ events }, index) =>
    events.map((event, position) => ({ step: index + 1, position, event })),
  )

/**
 * Pairs what arrives, is lost or is delayed with what was sent: the oldest message of that name between the two that is
 * under way, if possible with the same fields. What arrives late was delayed before, if any such was.
 */
export function messagesOf(trace: Pick<Trace, 'steps'>): Message[] {
  const messages: Message[] = []
  const troubles: Occurrence[] = []
  for (const occurrence of occurrencesOf(trace)) {
    const { event } = occurrence
    const { kind, lane, peer, message: name = '' } = event
    if (peer === undefined) continue
    if (kind === 'sent') {
      messages.push({ name, from: lane, to: peer, origin: 'sent', start: occurrence })
    } else if (kind === 'delivered' || kind === 'lost' || kind === 'delayed') {
      const [from, to] = kind === 'delivered' ? [peer, lane] : [lane, peer]
      const route = { name, from, to }
      const open = underWay(messages, route, event)
      // Of what has arrived, only the answer gets lost when its connection is closed.
      const isAnswerOnly = open === undefined && kind === 'delayed' && hasArrived(messages, route)
      if (!isAnswerOnly) {
        const message = open ?? arisen(messages, troubles, route, occurrence)
        if (open === undefined) messages.push(message)
        if (kind === 'delayed') message.delayed = occurrence
        else message.end = occurrence
      }
      if (kind !== 'delivered') troubles.push(occurrence)
    }
  }
  return messages
}

type Route = Pick<Message, 'name' | 'from' | 'to'>

const sameRoute = (one: Route, other: Route): boolean =>
  one.name === other.name && one.from === other.from && one.to === other.to

const hasArrived = (messages: readonly Message[], route: Route): boolean =>
  messages.some(
    ({ origin, end, ...other }) => origin !== 'unsaid' && end !== undefined && sameRoute(other, route),
  )

function underWay(messages: readonly Message[], route: Route, event: StepEvent): Message | undefined {
  const open = messages.filter((message) => message.end === undefined && sameRoute(message, route))
  const [delayed, prompt] = [open.filter((one) => one.delayed), open.filter((one) => !one.delayed)]
  // What is delayed is sent again in most cases: the copy on the new connection is not the late one.
  const candidates = event.late ? [...delayed, ...prompt] : prompt
  const wanted = fieldsKey(event)
  return candidates.find(({ start }) => fieldsKey(start.event) === wanted) ?? candidates[0]
}

/** A message that nothing said was sent: again, after the last thing that went wrong between the two, or a copy. */
function arisen(
  messages: readonly Message[],
  troubles: readonly Occurrence[],
  route: Route,
  occurrence: Occurrence,
): Message {
  const earlier = messages.filter((message) => sameRoute(message, route))
  const trouble = troubles.findLast(({ event }) => isAbout(route, event))
  const isUsed = earlier.some(({ origin, start }) => origin === 'sent again' && start === trouble)
  // Where a model says nothing of sending, it says nothing of sending again.
  const isSaid = earlier.some(({ origin }) => origin === 'sent')
  if (isSaid && trouble !== undefined && !isUsed) {
    return { ...route, origin: 'sent again', start: trouble }
  }
  const wanted = fieldsKey(occurrence.event)
  const same = earlier.find(({ origin, start }) => origin !== 'unsaid' && fieldsKey(start.event) === wanted)
  if (same === undefined) return { ...route, origin: 'unsaid', start: occurrence }
  return { ...route, origin: 'copy', start: same.start }
}

/** Whether it says what went wrong with the message, or with the reply to it. */
const isAbout = ({ name, from, to }: Route, { lane, peer, message = '' }: StepEvent): boolean =>
  (lane === from && peer === to && message === name) ||
  (lane === to && peer === from && message.startsWith(name))

const fieldsKey = ({ fields }: StepEvent): string => fieldTexts(fields).join(' ')
