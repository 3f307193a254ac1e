/** A decision is final, and the client is told the truth about it. */
import { always, type Property, transition } from '../../checker/model.ts'
import type { KafkaState } from '../state.ts'

export const decisionIsFinal: Property<KafkaState> = always(
  'a durable decision never changes',
  (state: KafkaState, claim) => {
    for (const [transaction, decision] of Object.entries(state.ghost.decisions)) {
      claim.that('it is not contradicted', decision !== 'contradicted', { transaction })
    }
  },
  {
    summary: 'After PrepareCommit or PrepareAbort of a transaction is durable, the opposite is never written.',
    sources: ['KIP-98', 'TransactionState.validPreviousStates'],
  },
)

export const markersFollowDecision: Property<KafkaState> = always(
  'markers follow the decision',
  (state: KafkaState, claim) => {
    for (const [partition, { log }] of state.partition.entries()) {
      for (const record of log) {
        if (record.kind !== 'marker') continue
        const decision = state.ghost.decisions[record.transaction] ?? 'none'
        const values = { partition, transaction: record.transaction, marker: record.result, decision }
        claim.that('a marker is written only for a durable decision, and says the same', decision === record.result, values)
      }
    }
  },
  {
    summary: 'Every marker in a log repeats a durable decision of the coordinator.',
    sources: ['KIP-98', 'TransactionMarkerChannelManager'],
  },
)

export const outcomesAreTrue: Property<KafkaState> = transition(
  'reported outcomes are true',
  (before: KafkaState, _after: KafkaState, claim, taken) => {
    if (taken.action !== 'ReceiveCoordinatorReply') return
    const reply = before.connection[taken.args.client as number]?.coordinator.replies[0]
    if (reply?.request.kind !== 'EndTxn' || reply.error !== 'NONE') return
    const { transaction, result } = reply.request
    const decision = before.ghost.decisions[transaction] ?? 'none'
    // An abort of a transaction that the coordinator never saw is no decision.
    const holds = decision === result || (result === 'abort' && decision === 'none')
    claim.that('what the client is told is what was decided', holds, { transaction, told: result, decision })
  },
  {
    summary: 'A commit (an abort) that succeeded at the client is decided so at the coordinator.',
    sources: ['KafkaProducer.commitTransaction', 'KafkaProducer.abortTransaction'],
  },
)
