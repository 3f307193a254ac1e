/** What read_committed readers may see. */
import { alwaysForEach, type Property } from '../../checker/model.ts'
import { readBy } from '../protocol/consumer.ts'
import { lastStableOffset, transactionsOf } from '../protocol/partition-leader.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { outputsOf, partitionAt, partitionsOf } from '../protocol/topology.ts'
import type { KafkaState, LogRecord, MarkerRecord } from '../state.ts'
import { isWritten } from './logs.ts'

/** The marker that closes each record's transaction in this log, if it is closed. */
function markerOf(log: readonly LogRecord[], offset: number): MarkerRecord | undefined {
  const closed = transactionsOf(log).find(
    ({ producerId, firstOffset, markerOffset }) =>
      producerId === log[offset]?.producerId && firstOffset <= offset && offset < markerOffset,
  )
  return closed === undefined ? undefined : (log[closed.markerOffset] as MarkerRecord)
}

/**
 * A visible record belongs to a transaction that was committed: it is closed by the COMMIT marker of its own
 * transaction, not by that of another one into which it slipped.
 */
export const onlyCommittedVisible = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'aborted and open records stay invisible',
    outputsOf(protocol),
    (state: KafkaState, index, claim) => {
      const partition = partitionAt(state, index)
      for (const { offset, record } of readBy(protocol, partition)) {
        if (!record.transactional) continue
        const marker = markerOf(partition.log, offset)
        const values = { offset, transaction: record.transaction, closedBy: marker?.transaction ?? 'nothing' }
        claim.that('its transaction is closed', marker !== undefined, values)
        claim.that('it was closed by a commit', marker?.result === 'commit', values)
        claim.that(
          'it was closed as part of its own transaction',
          marker?.transaction === record.transaction,
          values,
        )
      }
    },
    {
      summary: 'A read_committed reader never returns a record of an open or aborted transaction.',
      sources: ['KIP-98', 'Kafka documentation, Design: Using Transactions'],
    },
  )

export const committedVisible = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'decided records are visible',
    partitionsOf(protocol),
    (state: KafkaState, index, claim) => {
      const partition = partitionAt(state, index)
      const { log } = partition
      const visible = readBy(protocol, partition).map(({ offset }) => offset)
      claim.that(
        'records are read in the order of the log, each once',
        visible.every((offset, position) => position === 0 || offset > (visible[position - 1] as number)),
        { partition: index, visible },
      )
      for (const [offset, record] of log.slice(0, lastStableOffset(partition)).entries()) {
        if (!isWritten(record)) continue
        const stays = !record.transactional || markerOf(log, offset)?.result === 'commit'
        const values = { partition: index, offset, transaction: record.transaction }
        claim.that('what is not aborted is read', !stays || visible.includes(offset), values)
      }
    },
    {
      summary:
        'A read_committed reader returns every record below the last stable offset that no ABORT marker closes, once and in order.',
      sources: ['CompletedFetch.nextFetchedRecord', 'KIP-98'],
    },
  )
