/** What the properties of partitions have in common. */
import { type LoggedTransaction, transactionsOf } from '../protocol/partition-leader.ts'
import type { DataRecord, LogRecord, OffsetRecord, Partition } from '../state.ts'

/** A record that a client sent. */
export type Written = DataRecord | OffsetRecord

export const isData = (record: LogRecord): record is DataRecord => record.kind === 'data'
export const isWritten = (record: LogRecord): record is Written => record.kind !== 'marker'

/** Everything is replicated and no transaction is open. */
export const isQuiet = ({ log, highWatermark, producers }: Partition): boolean =>
  highWatermark === log.length && producers.every(({ openOffset }) => openOffset < 0)

export interface Closed {
  readonly transaction: LoggedTransaction
  /** The records that a client sent, between the first one and the marker. */
  readonly records: { readonly offset: number; readonly record: Written }[]
}

/** The transactions of a log with their records, the open ones last. */
export const recordsByTransaction = (log: readonly LogRecord[]): Closed[] =>
  transactionsOf(log).map((transaction) => ({ transaction, records: recordsIn(log, transaction) }))

function recordsIn(
  log: readonly LogRecord[],
  { producerId, firstOffset, markerOffset }: LoggedTransaction,
): Closed['records'] {
  const end = markerOffset < 0 ? log.length : markerOffset
  return log
    .map((record, offset) => ({ offset, record }))
    .slice(firstOffset, end)
    .filter(
      (one): one is Closed['records'][number] =>
        isWritten(one.record) && one.record.transactional && one.record.producerId === producerId,
    )
}
