/** Takes all observations in their order, and says at the end what is wrong. */
import type { Batch, Heading, Observation, Place, TransactionRecord, Unread } from '../observation.ts'
import { DumpReader, type LineCounts } from '../reading/reader.ts'
import { Across } from './across.ts'
import { Coordinator, type RecordSource } from './coordinator.ts'
import { Ledger, type Location } from './finding.ts'
import { Groups } from './groups.ts'
import { judgeOpen } from './open.ts'
import { PartitionLog, unnamed } from './partition-log.ts'
import { Rows } from './rows.ts'
import { compareIndex, compareSnapshot } from './snapshots.ts'
import { type FileSummary, idSummaryOf, named, type Outcome, summaryOf, type Validation } from './summary.ts'

/** Of the lines that were not read, so many are kept; all are counted. */
const unreadMax = 1000
const listedMax = 10_000

export class Validator {
  private readonly ledger = new Ledger()
  private readonly across = new Across(this.ledger)
  private readonly coordinator = new Coordinator(this.ledger)
  private readonly rows = new Rows(this.ledger)
  private readonly groups = new Groups()
  private readonly logs = new Map<string, PartitionLog>()
  private readonly files: FileSummary[] = []
  private readonly unread: Unread[] = []
  private unreadCount = 0
  private heading: Heading | undefined
  private current: PartitionLog | undefined
  private lastBatch: Batch | undefined
  private formatterTimestamp: number | undefined

  /** A reader for the lines of a file; its `end` is to be called before the next file. */
  reader(file: string): DumpReader {
    this.heading = undefined
    this.current = undefined
    const reader = new DumpReader(file, (observation) => this.observe(observation))
    this.files.push({ file, lines: reader.counts })
    return reader
  }

  private observe(observation: Observation): void {
    switch (observation.kind) {
      case 'heading':
        return this.begin(observation)
      case 'start offset':
        return this.startsAt(observation.startOffset)
      case 'omission':
        return this.current?.omission(observation.place)
      case 'batch':
        this.lastBatch = observation
        return this.logFor(observation).batch(observation)
      case 'transaction':
        return this.transaction(observation)
      case 'offset':
        return this.groups.record(
          observation,
          this.lastBatch,
          this.locationOf(observation.place, observation.recordOffset),
        )
      case 'snapshot': {
        const offset = this.heading?.startOffset ?? -1
        const log = this.namedLog(observation.place)
        const known = log.snapshots.get(offset)
        if (known === undefined) log.snapshots.set(offset, [observation])
        else known.push(observation)
        return
      }
      case 'aborted':
        this.namedLog(observation.place).index.push(observation)
        return
      case 'row':
        return this.rows.add(observation)
      case 'invalid bytes':
        return this.ledger.doubt(
          'the end is not known',
          `the tool found ${observation.bytes} bytes that are no batch`,
          this.locationOf(observation.place),
        )
      case 'unread':
        return this.leaveUnread(observation)
    }
  }

  private begin(heading: Heading): void {
    this.heading = heading
    this.current = undefined
    const { partition, startOffset = -1, path = '' } = heading
    if (partition === undefined) return
    if (path.includes('.txnindex')) this.namedLog(heading.place).indexed.add(startOffset)
    else if (path.includes('.log')) this.logs.get(partition)?.segments.add(startOffset)
  }

  private startsAt(offset: number): void {
    // A heading has been lost: what comes next is of another file.
    if (this.current !== undefined) this.forgetHeading()
    else if (this.heading !== undefined) this.heading = { ...this.heading, startOffset: offset }
  }

  /** The log of the partition that the heading names, or one without a name. */
  private namedLog(place: Place): PartitionLog {
    const name = this.heading?.partition ?? `${unnamed}${place.file}`
    return this.logNamed(name, place)
  }

  private logNamed(name: string, place: Place): PartitionLog {
    const known = this.logs.get(name)
    if (known !== undefined) return known
    const log = new PartitionLog(name, place, this.ledger, (ended, producer, end) => {
      this.across.add(ended, producer, end)
      if (ended.isOffsetsLog) this.groups.ended(producer.producerId, end.decision)
    })
    this.logs.set(name, log)
    return log
  }

  /** The log goes on with a further segment, or it begins again: another replica, or a second dump. */
  private logFor(batch: Batch): PartitionLog {
    const { current } = this
    if (current !== undefined && (batch.position !== 0 || batch.baseOffset >= current.endOffset))
      return current
    if (current !== undefined) this.loseHeading(current, batch)
    const first = this.namedLog(batch.place)
    let log = first
    for (let copy = 2; batch.baseOffset < log.endOffset; copy += 1) {
      log = this.logNamed(`${first.name} (copy ${copy})`, batch.place)
    }
    if (log !== first && log.endOffset < 0) {
      const found = `${first.name} begins again at offset ${batch.baseOffset}: another replica, a second dump, or segments in another order; it is judged by itself`
      this.ledger.note(found, log.location(batch))
    }
    const { startOffset } = this.heading ?? {}
    if (startOffset !== undefined) {
      log.startOffset ??= startOffset
      log.segments.add(startOffset)
    }
    this.current = log
    return log
  }

  private loseHeading(current: PartitionLog, batch: Batch): void {
    this.ledger.doubt(
      'a heading is missing',
      `a file begins at offset ${batch.baseOffset}`,
      current.location(batch),
    )
    this.forgetHeading()
  }

  private forgetHeading(): void {
    this.heading = undefined
    this.current = undefined
  }

  private transaction(record: TransactionRecord): void {
    const { offset, place, value } = record
    const log = offset === undefined ? undefined : this.current
    if (log !== undefined) log.hasTransactions = true
    const start = value?.lastUpdate ?? -1
    if (log === undefined) this.formatterTimestamp = Math.max(this.formatterTimestamp ?? start, start)
    this.coordinator.record(
      record,
      this.locationOf(place, offset),
      log === undefined ? this.formatter : sourceOf(log),
    )
  }

  private readonly formatter: RecordSource = {
    hasOffsets: false,
    isWhole: () => false,
    hasLossAfter: () => false,
    lastTimestamp: () => this.formatterTimestamp,
  }

  private locationOf(place: Place, offset?: number): Location {
    const log = this.current?.name ?? this.heading?.partition
    return { ...place, ...(log === undefined ? {} : { log }), ...(offset === undefined ? {} : { offset }) }
  }

  private leaveUnread(unread: Unread): void {
    this.unreadCount += 1
    if (this.unread.length < unreadMax) this.unread.push(unread)
    if (unread.damaged) {
      this.current?.omission(unread.place)
      this.ledger.doubt('damaged lines', unread.why, this.locationOf(unread.place))
    }
  }

  /** After the last file. */
  finish(): Validation {
    const logs = [...this.logs.values()].filter(({ batches }) => batches > 0)
    const [file] = this.files
    if (logs.length === 0 && this.coordinator.ids.size === 0 && file !== undefined) {
      this.ledger.doubt(
        'nothing to judge',
        this.files.length === 1 ? '1 file' : `${this.files.length} files`,
        { file: file.file, line: 1 },
      )
    }
    const data = logs.filter(({ isCoordinatorLog }) => !isCoordinatorLog)
    for (const log of data) {
      compareSnapshot(log, log.endOffset)
      compareIndex(log)
    }
    this.across.judge(this.coordinator, this.logs)
    this.coordinator.judgeEnd()
    const { coordinator, across, rows, ledger } = this
    const open = data.flatMap((log) => judgeOpen(log, { coordinator, across, rows }))
    this.findUnseen(new Set(data.map(({ name }) => name)))
    const idOf = (producerId: number) =>
      coordinator.idOf(producerId)?.transactionalId ?? rows.idOf(producerId)
    return {
      outcome: this.outcome(),
      files: this.files,
      unread: this.unread,
      unreadCount: this.unreadCount,
      logs: data.map(summaryOf),
      transactionalIds: [...coordinator.ids.values()].slice(0, listedMax).map(idSummaryOf),
      open: open.slice(0, listedMax),
      offsets: this.groups.offsets.slice(0, listedMax),
      findings: ledger.findings.map((finding) =>
        finding.producer === undefined ? finding : { ...finding, producer: named(finding.producer, idOf) },
      ),
      counts: Object.fromEntries(ledger.counts),
      doubts: ledger.doubts,
      notes: ledger.notes,
    }
  }

  private findUnseen(logs: ReadonlySet<string>): void {
    for (const { partition, producerId, at } of this.rows.unseen(logs)) {
      this.ledger.find(
        'reported as hanging',
        `a transaction in ${partition}, of which the log is not given`,
        at,
        {
          producer: { producerId },
        },
      )
    }
  }

  /** What was found stands, however much could not be read. */
  private outcome(): Outcome {
    if (this.ledger.findings.length > 0) return 'findings'
    const isUnreadable = ({ read, damaged }: LineCounts) => read === 0 || damaged > 0
    if (this.files.some(({ lines }) => isUnreadable(lines))) return 'unreadable'
    return this.ledger.doubts.length > 0 ? 'inconclusive' : 'explained'
  }
}

const sourceOf = (log: PartitionLog): RecordSource => ({
  hasOffsets: true,
  isWhole: () => log.isWhole,
  hasLossAfter: (offset) => log.hasLossAfter(offset),
  lastTimestamp: () => log.lastTimestamp,
})
