/** The transactions of a log, and how far readers of decided records may read. */
import type { LogRecord, Partition } from '../../state.ts'

/** A transaction in a log: from its first record to its marker. */
export interface LoggedTransaction {
  readonly producerId: number
  readonly firstOffset: number
  /** -1 while it is open. */
  readonly markerOffset: number
  readonly aborted: boolean
}

const isTransactional = (record: LogRecord): boolean => record.kind !== 'marker' && record.transactional

/**
 * The transactions of a log, the open ones last: what the aborted index and the open and unreplicated transactions
 * come from.
 */
export function transactionsOf(log: readonly LogRecord[]): LoggedTransaction[] {
  const transactions: LoggedTransaction[] = []
  const open = new Map<number, number>()
  log.forEach((record, offset) => {
    const { producerId } = record
    const firstOffset = open.get(producerId)
    if (record.kind !== 'marker') {
      if (firstOffset === undefined && isTransactional(record)) open.set(producerId, offset)
    } else if (firstOffset !== undefined) {
      transactions.push({ producerId, firstOffset, markerOffset: offset, aborted: record.result === 'abort' })
      open.delete(producerId)
    }
  })
  for (const [producerId, firstOffset] of open)
    transactions.push({ producerId, firstOffset, markerOffset: -1, aborted: false })
  return transactions
}

/**
 * UnifiedLog.lastStableOffset: below the first record of every transaction that is open, or whose marker is not
 * yet below the high watermark.
 */
export function lastStableOffset({ log, highWatermark }: Pick<Partition, 'log' | 'highWatermark'>): number {
  const unstable = transactionsOf(log).filter(
    ({ markerOffset }) => markerOffset < 0 || markerOffset >= highWatermark,
  )
  return Math.min(highWatermark, ...unstable.map(({ firstOffset }) => firstOffset))
}
