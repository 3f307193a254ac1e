/** A decision is final, and the client is told the truth about it. */
import { always, type Property } from '../../checker/model.ts'
import type { KafkaState } from '../state.ts'

export const decisionIsFinal: Property<KafkaState> = always(
  'a durable decision never changes',
  (state: KafkaState, claim) => {
    for (const [transaction, decision] of Object.entries(state.ghost.decisions)) {
      claim.that('it is not contradicted', decision !== 'contradicted', { transaction })
    }
  },
  {
    summary:
      'After PrepareCommit or PrepareAbort of a transaction is durable, the opposite is never written.',
    sources: ['KIP-98', 'TransactionState.validPreviousStates'],
  },
)

export const markersFollowDecision: Property<KafkaState> = always(
  'markers follow the decision',
  (state: KafkaState, claim) => {
    for (const [partition, { log }] of state.partition.entries()) {
      for (const record of log) {
        if (record.kind !== 'marker' || record.transaction === '') continue
        const decision = state.ghost.decisions[record.transaction] ?? 'none'
        const values = { partition, transaction: record.transaction, marker: record.result, decision }
        claim.that(
          'a marker is written only for a durable decision, and says the same',
          decision === record.result,
          values,
        )
      }
    }
  },
  {
    summary: 'Every marker in a log repeats a durable decision of the coordinator.',
    sources: ['KIP-98', 'TransactionMarkerChannelManager'],
  },
)

export const outcomesAreTrue: Property<KafkaState> = always(
  'reported outcomes are true',
  ({ ghost }: KafkaState, claim) => {
    for (const [transaction, told] of Object.entries(ghost.told)) {
      const decision = ghost.decisions[transaction] ?? 'none'
      // An abort of a transaction that the coordinator never saw needs no decision.
      const holds = decision === told || (told === 'abort' && decision === 'none')
      claim.that('what the client was told is what was decided', holds, { transaction, told, decision })
    }
  },
  {
    summary: 'A commit (an abort) that succeeded at the client is decided so at the coordinator.',
    sources: ['KafkaProducer.commitTransaction', 'KafkaProducer.abortTransaction'],
  },
)
