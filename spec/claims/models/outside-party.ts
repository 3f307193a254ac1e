/**
 * A client that wants one thing done by a party that cannot tell a repeated request from a new one, over a network
 * that loses and delays.
 */
import * as v from 'valibot'
import { action, always, defineModel } from '../../../checker/model.ts'

const policies = ['never retry', 'retry', 'ask first'] as const

const config = v.object({
  /** What the client does when it hears nothing: give up, send again, or ask whether it was done and send if not. */
  policy: v.picklist(policies),
  /** How many times it sends at most. */
  attempts: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)), 2),
  /** Requests and answers that the network loses. */
  losses: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(5)), 1),
})

interface State {
  client: { doing: 'nothing' | 'waiting' | 'asking' | 'done' | 'has given up'; attempts: number }
  /** On their way; what is not lost may take any time. */
  network: { requests: number; answers: number; questions: number; replies: string[] }
  party: { effects: number }
  losses: number
}

export const notLost = 'what was to be done is done'
export const notTwice = 'it is done once only'

export const outsideParty = defineModel<v.InferOutput<typeof config>, State>({
  name: 'outside-party',
  summary: 'one effect at a party that cannot deduplicate, over a network that loses and delays',
  config,
  build: ({ policy, attempts, losses }) => ({
    initial: {
      client: { doing: 'nothing', attempts: 0 },
      network: { requests: 0, answers: 0, questions: 0, replies: [] },
      party: { effects: 0 },
      losses,
    },
    components: ['client', 'network', 'party', 'losses'],
    lanes: [
      { id: 'client', label: 'client', group: 'client' },
      { id: 'party', label: 'outside party', group: 'party' },
    ],
    actions: [
      action('Send', {}, ({ client, network }: State, _, step) => {
        step.when('nothing was sent yet', client.doing === 'nothing')
        send(client, network)
        step.emit({ kind: 'sent', lane: 'client', peer: 'party', message: 'do it' })
      }),

      action('DoIt', {}, ({ network, party }: State, _, step) => {
        step.when('a request arrives', network.requests > 0)
        network.requests -= 1
        network.answers += 1
        party.effects += 1
        step.emit({ kind: 'delivered', lane: 'party', peer: 'client', message: 'do it' })
        step.emit({ kind: 'note', lane: 'party', text: `done, for the ${ordinals[party.effects]} time` })
        step.emit({ kind: 'sent', lane: 'party', peer: 'client', message: 'done' })
      }),

      action('HearOfIt', {}, ({ client, network }: State, _, step) => {
        step.when('an answer arrives', network.answers > 0)
        network.answers -= 1
        if (client.doing !== 'has given up') client.doing = 'done'
        step.emit({ kind: 'delivered', lane: 'client', peer: 'party', message: 'done' })
      }),

      action('TimeOut', {}, ({ client, network }: State, _, step) => {
        step.when('the client waits', client.doing === 'waiting')
        step.emit({ kind: 'note', lane: 'client', text: 'hears nothing for too long' })
        if (policy === 'never retry' || client.attempts >= attempts) client.doing = 'has given up'
        else if (policy === 'retry') {
          send(client, network)
          step.emit({ kind: 'sent', lane: 'client', peer: 'party', message: 'do it' })
        } else {
          client.doing = 'asking'
          network.questions = 1
          step.emit({ kind: 'sent', lane: 'client', peer: 'party', message: 'was it done?' })
        }
      }),

      action('Answer', {}, ({ network, party }: State, _, step) => {
        step.when('a question arrives', network.questions > 0)
        network.questions = 0
        network.replies.push(party.effects > 0 ? 'yes' : 'no')
        step.emit({ kind: 'delivered', lane: 'party', peer: 'client', message: 'was it done?' })
      }),

      action('HearAnswer', {}, ({ client, network }: State, _, step) => {
        step.when('the answer to a question arrives', network.replies.length > 0)
        const reply = network.replies.pop() as string
        step.emit({ kind: 'delivered', lane: 'client', peer: 'party', message: reply })
        if (client.doing !== 'asking') return
        if (reply === 'yes') client.doing = 'done'
        else {
          send(client, network)
          step.emit({ kind: 'sent', lane: 'client', peer: 'party', message: 'do it' })
        }
      }),

      action('Lose', {}, (state: State, _, step) => {
        step.when('the network may lose something', state.losses > 0)
        const lost = step.choose(
          'lost',
          (['requests', 'answers'] as const).filter((kind) => state.network[kind] > 0),
        )
        state.losses -= 1
        state.network[lost] -= 1
        const [lane, peer, message] =
          lost === 'requests' ? ['client', 'party', 'do it'] : ['party', 'client', 'done']
        step.emit({ kind: 'lost', lane: lane as string, peer: peer as string, message: message as string })
      }),
    ],
    properties: [
      always(
        notLost,
        ({ client, network, party }: State, claim) => {
          const over = client.doing === 'done' || client.doing === 'has given up'
          claim.given('the client does no more', over)
          claim.given('no request is on its way', network.requests === 0)
          claim.that('it has been done', party.effects > 0)
        },
        { summary: 'When nothing more is sent or on its way, the effect is there.' },
      ),
      always(notTwice, ({ party }: State) => party.effects < 2, {
        summary: 'The effect is there at most once.',
      }),
    ],
  }),
})

const ordinals = ['', 'first', 'second', 'third', 'fourth', 'fifth']

function send(client: State['client'], network: State['network']): void {
  client.doing = 'waiting'
  client.attempts += 1
  network.requests += 1
}
