/**
 * What the two kinds of reader see of a partition. They are taken to have read in time what has been deleted since:
 * the start of the log means nothing to them.
 */
import type { DataRecord, LogRecord, OffsetRecord, Partition } from '../state.ts'
import { lastStableOffset, transactionsOf } from './partition-leader.ts'
import type { Protocol } from './protocol.ts'

export interface Seen {
  readonly offset: number
  readonly record: DataRecord | OffsetRecord
}

const isData = (record: LogRecord): record is DataRecord | OffsetRecord => record.kind !== 'marker'

function below(log: readonly LogRecord[], end: number): Seen[] {
  return log.slice(0, end).flatMap((record, offset) => (isData(record) ? [{ offset, record }] : []))
}

/** isolation.level=read_uncommitted: everything below the high watermark, markers apart. */
export const readUncommitted = ({ log, highWatermark }: Partition): Seen[] => below(log, highWatermark)

/** How far a fetch with isolation.level=read_committed gets (UnifiedLog.fetchLastStableOffsetMetadata). */
export const fetchEnd = ({ protects }: Protocol, partition: Partition): number =>
  protects('last stable offset') ? lastStableOffset(partition) : partition.highWatermark

/**
 * isolation.level=read_committed: records below the last stable offset, without those between the first offset
 * and the marker of an aborted transaction (CompletedFetch.nextFetchedRecord, TransactionIndex.collectAbortedTxns).
 * What is hidden is decided by the producer id alone, whatever the epoch; what is not transactional is never hidden.
 */
export function readCommitted(protocol: Protocol, partition: Partition): Seen[] {
  const { log } = partition
  const end = fetchEnd(protocol, partition)
  if (!protocol.protects('aborted records filter')) return below(log, end)
  const aborted = transactionsOf(log).filter((transaction) => transaction.aborted)
  return below(log, end).filter(
    ({ offset, record }) =>
      !record.transactional ||
      !aborted.some(
        ({ producerId, firstOffset, markerOffset }) =>
          producerId === record.producerId && firstOffset <= offset && offset < markerOffset,
      ),
  )
}

/** What the readers of the application get; offsets are read by the group, which knows no isolation level. */
export const readBy = (protocol: Protocol, partition: Partition): Seen[] =>
  protocol.config.isolation === 'read_uncommitted' && !partition.log.some(({ kind }) => kind === 'offset')
    ? readUncommitted(partition)
    : readCommitted(protocol, partition)
