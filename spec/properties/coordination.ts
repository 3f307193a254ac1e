/** What a coordinator has in memory is what it has written, and what it has under way. */
import { alwaysForEach, type Property } from '../../checker/model.ts'
import { coordinators } from '../actions/coordinator.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { completed, isPrepared } from '../protocol/transaction-coordinator/decision.ts'
import type { Coordinator, KafkaState, TransactionLog, TransactionRecord } from '../state.ts'

const coordinatorAt = (state: KafkaState, id: number) => state.coordinator[id] as Coordinator
const logAt = (state: KafkaState, id: number) => state.transactionLog[id] as TransactionLog

export const memoryFollowsLog = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'the coordinator remembers what it wrote last',
    coordinators(protocol),
    (state: KafkaState, id, claim) => {
      const { entry } = coordinatorAt(state, id)
      if (entry === null || entry.pendingState !== 'none' || entry.failedEpochFence) return
      const { committed, tail, tailInEffect, reportedFailed } = logAt(state, id)
      // An entry that is new in memory, whose first append has failed, is nowhere in the log.
      if (entry.producerEpoch === -1) return
      const written = tailInEffect && tail !== null ? tail : committed
      const values = {
        memory: summaryOf(entry),
        log: summaryOf(written),
        reportedFailed: summaryOf(reportedFailed),
      }
      claim.that('memory and log are the same when nothing is pending', values.memory === values.log, values)
    },
    {
      summary: 'When nothing is pending, the memory of the coordinator is its last durable record.',
      sources: ['TransactionMetadata.completeTransitionTo', 'TransactionStateManager.appendTransactionToLog'],
    },
  )

const summaryOf = (record: TransactionRecord | null): string =>
  record === null
    ? 'nothing'
    : `${record.state}(${record.producerId}, ${record.producerEpoch}) {${record.partitions.join(', ')}}`

export const pendingIsUnderWay = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'what is pending is under way',
    coordinators(protocol),
    (state: KafkaState, id, claim) => {
      const { entry, markersForgotten } = coordinatorAt(state, id)
      const { tail, tailInEffect } = logAt(state, id)
      // Its abort is a step of its own where a request may come between (`fenceWindow`).
      if (entry === null || entry.pendingState === 'PrepareEpochFence') return
      const { pendingState } = entry
      const appends = tail !== null && !tailInEffect
      const completes = isPrepared(entry.state) && pendingState === completed(entry.state)
      const values = { state: entry.state, pendingState, tail: tail?.state ?? 'none' }
      if (pendingState === 'none') {
        claim.that(
          'without a pending state nothing is under way',
          !appends && !isPrepared(entry.state),
          values,
        )
      } else if (completes) {
        const waits = entry.partitions.length > 0 || tail !== null || markersForgotten
        claim.that('a completion waits for markers, or its record is appended', waits, values)
      } else {
        claim.that(
          'the record of the pending state is appended',
          appends && tail?.state === pendingState,
          values,
        )
      }
    },
    {
      summary: 'A pending state has exactly one append or one set of markers under way.',
      sources: ['TransactionMetadata.prepareTransitionTo', 'TransactionMarkerChannelManager'],
    },
  )

/** Every participant of a decided transaction has its marker on the way, or waits for its replication. */
export const markersAreUnderWay = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'every participant gets its marker',
    coordinators(protocol),
    (state: KafkaState, id, claim) => {
      const { entry, coordinatorEpoch, markersForgotten } = coordinatorAt(state, id)
      if (
        entry === null ||
        markersForgotten ||
        (entry.pendingState !== 'CompleteCommit' && entry.pendingState !== 'CompleteAbort')
      )
        return
      if (!protocol.protects('markers before complete')) return
      for (const partition of entry.partitions) {
        const sent = state.markers[partition]?.some(
          (marker) =>
            marker.transactionalId === id && marker.coordinatorEpoch === coordinatorEpoch && !marker.late,
        )
        const written =
          sent ||
          state.partition[partition]?.awaiting.some(
            (one) => 'markerOf' in one && one.transactionalId === id && one.markerOf === coordinatorEpoch,
          )
        claim.that('it is sent or written', written === true, { partition, state: entry.state })
      }
    },
    {
      summary: 'While a decided transaction is not complete, each partition left has its marker under way.',
      sources: ['TransactionMarkerChannelManager.addTxnMarkersToSend'],
    },
  )
