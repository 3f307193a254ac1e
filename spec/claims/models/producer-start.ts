/** The start of a producer: whether its settings are accepted, and what kind of producer they make. */
import * as v from 'valibot'
import { action, defineModel, reachable } from '../../../checker/model.ts'
import { type ProducerKind, producerKind } from '../../producer-settings.ts'

const config = v.strictObject({
  /** enable.idempotence; the default if nobody sets it. */
  enableIdempotence: v.optional(v.picklist(['default', 'true', 'false']), 'default'),
  acks: v.optional(v.picklist(['all', '1', '0']), 'all'),
  maxInFlight: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 5),
  retries: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 2_147_483_647),
})

interface State {
  producer: 'none yet' | 'refused' | 'idempotent' | 'plain'
}

export const refusedAtStart = 'the settings are refused at the start'
export const startsIdempotent = 'an idempotent producer starts'
export const startsPlain = 'a producer starts that is not idempotent'

export const producerStart = defineModel<v.InferOutput<typeof config>, State>({
  name: 'producer-start',
  summary: 'what a Java client makes of its settings when its producer is constructed',
  config,
  build: ({ enableIdempotence, ...settings }) => ({
    initial: { producer: 'none yet' },
    components: ['producer'],
    lanes: [{ id: 'client', label: 'client', group: 'client' }],
    actions: [
      action('ConstructProducer', {}, (state: State, _, step) => {
        step.when('there is none yet', state.producer === 'none yet')
        const asked =
          enableIdempotence === 'default' ? {} : { enableIdempotence: enableIdempotence === 'true' }
        const kind = producerKind({ ...settings, ...asked })
        state.producer = typeof kind === 'string' ? kind : 'refused'
        step.emit({ kind: 'note', lane: 'client', text: heard(kind) })
      }),
    ],
    properties: [
      reachable(refusedAtStart, ({ producer }: State) => producer === 'refused', {
        summary: 'The constructor throws, before anything is sent.',
        sources: ['ConfigException', 'KIP-679'],
      }),
      reachable(startsIdempotent, ({ producer }: State) => producer === 'idempotent', {
        summary: 'The settings make a producer that numbers its batches.',
        sources: ['enable.idempotence'],
      }),
      reachable(startsPlain, ({ producer }: State) => producer === 'plain', {
        summary: 'The settings make a producer without sequence numbers.',
        sources: ['enable.idempotence'],
      }),
    ],
  }),
})

const heard = (kind: ProducerKind): string =>
  typeof kind === 'string' ? `the producer is ${kind}` : `ConfigException: ${kind.refused}`
