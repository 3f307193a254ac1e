/** What is found of all dumps together: plain data, to be shown or written in any form. */
import type { TransactionValue, Unread } from '../observation.ts'
import type { LineCounts } from '../reading/reader.ts'
import type { IdState } from './coordinator.ts'
import type { Blame, Doubt, Finding, Location, Note } from './finding.ts'
import type { CommittedOffset } from './groups.ts'
import type { OpenTransaction } from './open.ts'
import type { PartitionLog } from './partition-log.ts'
import type { RuleName } from './rules.ts'
import type { Shown } from './strip.ts'

/**
 * - explained: everything that was read is as the protocol has it
 * - findings: something is not
 * - unreadable: nothing was recognised in a file, or a line of a dump is damaged
 * - inconclusive: nothing was found, and something could not be judged
 */
export type Outcome = 'explained' | 'findings' | 'unreadable' | 'inconclusive'

export interface FileSummary {
  readonly file: string
  readonly lines: LineCounts
}

export interface LogSummary {
  readonly name: string
  readonly at: Location
  readonly firstOffset?: number
  /** One above the last one. */
  readonly endOffset: number
  readonly batches: number
  readonly producers: number
  /** Places where offsets or lines are missing. */
  readonly holes: number
  readonly transactions: { readonly committed: number; readonly aborted: number; readonly open: number }
  readonly markersWithoutTransaction: number
  /** As far as the log goes: the high watermark is not printed. */
  readonly lastStableOffset: number
  readonly readers: {
    /** Records that a reader with read_uncommitted is given. */
    readonly uncommitted: number
    /** Records that a reader with read_committed is given; absent where the dump does not tell. */
    readonly committed?: number
    /** Records of aborted transactions, which only the former is given. */
    readonly aborted: number
    /** Records from the last stable offset on, which the latter has to wait for. */
    readonly waiting: number
  }
  readonly strip: {
    readonly first: readonly Shown[]
    readonly hidden: number
    readonly last: readonly Shown[]
    readonly aborted: readonly {
      readonly producerId: number
      readonly firstOffset: number
      readonly lastOffset: number
    }[]
  }
}

export interface IdSummary {
  readonly transactionalId: string
  readonly at: Location
  /** Absent: expired. */
  readonly value?: TransactionValue
}

export interface Validation {
  readonly outcome: Outcome
  readonly files: readonly FileSummary[]
  readonly unread: readonly Unread[]
  /** Lines that were not read, also those that are not listed. */
  readonly unreadCount: number
  readonly logs: readonly LogSummary[]
  readonly transactionalIds: readonly IdSummary[]
  readonly open: readonly OpenTransaction[]
  readonly offsets: readonly CommittedOffset[]
  readonly findings: readonly Finding[]
  /** By rule, also those that are not listed. */
  readonly counts: Readonly<Partial<Record<RuleName, number>>>
  readonly doubts: readonly Doubt[]
  readonly notes: readonly Note[]
}

/** Of the pictures, aborted transactions that are marked. */
const markedMax = 1000

export function summaryOf(log: PartitionLog): LogSummary {
  const open = [...log.producers.values()].flatMap((producer) =>
    producer.open === undefined ? [] : [producer.open],
  )
  const first = open.sort((one, other) => one.offset - other.offset)[0]
  const lastStableOffset = first?.offset ?? Math.max(log.endOffset, 0)
  const waiting = first === undefined ? 0 : log.records - first.recordsBefore
  const committed = committedRecords(log, lastStableOffset, waiting)
  return {
    name: log.name,
    at: { ...log.place, log: log.name },
    ...(log.firstOffset === undefined ? {} : { firstOffset: log.firstOffset }),
    endOffset: Math.max(log.endOffset, 0),
    batches: log.batches,
    producers: log.producers.size,
    holes: log.holes,
    transactions: {
      committed: log.committedTransactions,
      aborted: log.abortedTransactions,
      open: open.length,
    },
    markersWithoutTransaction: log.markersWithoutTransaction,
    lastStableOffset,
    readers: {
      uncommitted: log.records,
      ...(committed === undefined ? {} : { committed }),
      aborted: log.abortedRecords,
      waiting,
    },
    strip: {
      first: log.strip.first,
      hidden: log.strip.hidden,
      last: log.strip.last,
      aborted: log.aborted
        .slice(0, markedMax)
        .map(({ producerId, firstOffset, lastOffset }) => ({ producerId, firstOffset, lastOffset })),
    },
  }
}

/** Below the last stable offset, without those of aborted transactions; undefined where one lies on both sides of it. */
function committedRecords(log: PartitionLog, lastStableOffset: number, waiting: number): number | undefined {
  if (log.undecidedRecords > 0 || log.aborted.length < log.abortedTransactions) return undefined
  const before = log.aborted.filter(({ firstOffset }) => firstOffset < lastStableOffset)
  if (before.some(({ lastData }) => lastData >= lastStableOffset)) return undefined
  return log.records - waiting - before.reduce((sum, { records }) => sum + records, 0)
}

export const idSummaryOf = ({ transactionalId, last, value }: IdState): IdSummary => ({
  transactionalId,
  at: last,
  ...(value === undefined ? {} : { value }),
})

/** With the transactional.id, where the coordinator or a table names it. */
export const named = (producer: Blame, idOf: (producerId: number) => string | undefined): Blame => {
  const transactionalId = producer.transactionalId ?? idOf(producer.producerId)
  return transactionalId === undefined ? producer : { ...producer, transactionalId }
}
