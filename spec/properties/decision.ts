/** A decision is final, and the client is told the truth about it. */
import { always, alwaysForEach, type Property } from '../../checker/model.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { partitionAt, partitionsOf } from '../protocol/topology.ts'
import type { KafkaState } from '../state.ts'
import { recordsByTransaction } from './logs.ts'

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

export const markersFollowDecision = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'markers follow the decision',
    partitionsOf(protocol),
    (state: KafkaState, partition, claim) => {
      for (const record of partitionAt(state, partition).log) {
        if (record.kind !== 'marker' || record.transaction === '') continue
        const decision = state.ghost.decisions[record.transaction] ?? 'none'
        const values = { partition, transaction: record.transaction, marker: record.result, decision }
        claim.that(
          'a marker is written only for a durable decision, and says the same',
          decision === record.result,
          values,
        )
      }
    },
    {
      summary: 'Every marker in a log repeats a durable decision of the coordinator.',
      sources: ['KIP-98', 'TransactionMarkerChannelManager'],
    },
  )

/** With the one before: all markers that close records of a transaction are alike, in all partitions. */
export const closedAsDecided = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'records are closed as their transaction was decided',
    partitionsOf(protocol),
    (state: KafkaState, partition, claim) => {
      const { log } = partitionAt(state, partition)
      for (const { transaction, records } of recordsByTransaction(log)) {
        if (transaction.markerOffset < 0) continue
        const marker = transaction.aborted ? 'abort' : 'commit'
        for (const { offset, record } of records) {
          const decision = state.ghost.decisions[record.transaction] ?? 'none'
          const values = { partition, offset, transaction: record.transaction, marker, decision }
          claim.that('the marker that closes it says what was decided', decision === marker, values)
        }
      }
    },
    {
      summary:
        'The marker that closes a record says what was decided of its transaction: in all partitions the same.',
      sources: ['KIP-98', 'TransactionCoordinator.endTransaction'],
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
