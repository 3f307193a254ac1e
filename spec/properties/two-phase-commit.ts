/** Kafka and an external store decide alike (KIP-939). */
import { always, type Property } from '../../checker/model.ts'
import type { KafkaState } from '../state.ts'

export const decidedExternally: Property<KafkaState> = always(
  'the external decision is what Kafka decided',
  ({ ghost }: KafkaState, claim) => {
    for (const [transaction, decision] of Object.entries(ghost.decisions)) {
      const external = ghost.external[transaction] ?? 'none'
      const values = { transaction, external, decision }
      claim.that(
        'nothing is committed but by the store',
        decision !== 'commit' || external === 'commit',
        values,
      )
      claim.that(
        'what the store committed is not aborted',
        decision === 'commit' || external !== 'commit',
        values,
      )
    }
  },
  {
    summary:
      'Where an external store decides a prepared transaction, Kafka decides it in the same way or not yet.',
    sources: ['KIP-939', 'KafkaProducer.completeTransaction'],
  },
)
