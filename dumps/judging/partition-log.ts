/** One log of one partition, folded batch by batch as a leader does, and what is wrong with it. */
import type { AbortedTransaction, Batch, Decision, Place, ProducerSnapshot } from '../observation.ts'
import { checkBatch } from './batch-itself.ts'
import type { Ledger, Location } from './finding.ts'
import { judgeData, judgeMarker } from './judge-batch.ts'
import { crossHole, type EndOfTransaction, newProducer, type Producer } from './producer.ts'
import { compareSnapshot, producerOf } from './snapshots.ts'
import { Strip } from './strip.ts'

/** Told of each marker, to compare it with other partitions and with the coordinator. */
export type OnEnd = (log: PartitionLog, producer: Producer, end: EndOfTransaction) => void

/** Producers that are remembered; those that were idle for longest are forgotten first. */
const producersMax = 100_000
const abortedMax = 100_000

export interface AbortedRange {
  readonly producerId: number
  readonly firstOffset: number
  /** Of the marker. */
  readonly lastOffset: number
  /** Of the last data. */
  readonly lastData: number
  readonly records: number
  readonly place: Place
}

/** What the name of a log begins with that no heading names. */
export const unnamed = 'unnamed log of '

export class PartitionLog {
  readonly name: string
  readonly place: Place
  readonly ledger: Ledger
  readonly onEnd: OnEnd
  readonly producers = new Map<number, Producer>()
  readonly strip = new Strip()
  readonly aborted: AbortedRange[] = []
  readonly index: AbortedTransaction[] = []
  /** First offsets of the segments that are there, and of those whose transaction index is. */
  readonly segments = new Set<number>()
  readonly indexed = new Set<number>()
  /** By the offset that they were taken at. */
  readonly snapshots = new Map<number, ProducerSnapshot[]>()
  private isSeeded = false
  startOffset: number | undefined
  firstOffset: number | undefined
  /** One above the last offset. */
  endOffset = -1
  holes = 0
  private lastHole = -1
  private lastLoss = -1
  /** In the file. */
  private endPosition: number | undefined
  batches = 0
  records = 0
  abortedRecords = 0
  /** Of transactions that ended one way or the other. */
  undecidedRecords = 0
  abortedTransactions = 0
  committedTransactions = 0
  markersWithoutTransaction = 0
  lastTimestamp: number | undefined
  /** Records of a coordinator were in it. */
  hasTransactions = false
  /** Whether the epochs of all producers are printed. */
  knowsEpochs = true
  private leaderEpoch = -1

  constructor(name: string, place: Place, ledger: Ledger, onEnd: OnEnd) {
    this.name = name
    this.place = place
    this.ledger = ledger
    this.onEnd = onEnd
  }

  /** Topics of which the records are the metadata of brokers. */
  get isCoordinatorLog(): boolean {
    return this.name.startsWith('__transaction_state') || this.hasTransactions
  }

  /** The partition, of which there may be several copies; undefined if nothing names it. */
  get partition(): string | undefined {
    return this.name.startsWith(unnamed) ? undefined : this.name.replace(/ \(copy \d+\)$/, '')
  }

  get isOffsetsLog(): boolean {
    return this.name.startsWith('__consumer_offsets')
  }

  get startsAtZero(): boolean {
    return this.firstOffset === 0 || (this.firstOffset === undefined && this.startOffset === 0)
  }

  /** Every offset from 0 on is there, or from one on of which a snapshot tells what was known. */
  get isWhole(): boolean {
    return (this.startsAtZero || this.isSeeded) && this.holes === 0
  }

  hasHoleAfter(offset: number): boolean {
    return this.lastHole > offset
  }

  /** Whether more is missing than what the cleaner takes out, which is never the last record of a key. */
  hasLossAfter(offset: number): boolean {
    return this.lastLoss > offset
  }

  location({ place, baseOffset }: Pick<Batch, 'place' | 'baseOffset'>): Location {
    return { ...place, log: this.name, offset: baseOffset }
  }

  locationAt(known: { readonly place: Place; readonly offset: number } | undefined): Location {
    return {
      ...(known?.place ?? this.place),
      log: this.name,
      ...(known === undefined ? {} : { offset: known.offset }),
    }
  }

  /** Lines were left out here. */
  omission(place: Place): void {
    this.breakAt(Math.max(this.endOffset, 0))
    this.ledger.doubt('lines were left out', 'the dump goes on after a mark that lines were left out', {
      ...place,
      log: this.name,
    })
  }

  batch(batch: Batch): void {
    const at = this.location(batch)
    checkBatch(batch, at, this.ledger, this.leaderEpoch)
    this.leaderEpoch = Math.max(this.leaderEpoch, batch.leaderEpoch ?? -1)
    if (this.firstOffset === undefined) this.begin(batch, at)
    if (batch.baseOffset < this.endOffset) return this.outOfOrder(batch, at)
    if (batch.baseOffset > this.endOffset && this.endOffset >= 0) this.hole(batch, at)
    if (this.snapshots.has(batch.baseOffset)) compareSnapshot(this, batch.baseOffset)
    this.endOffset = batch.lastOffset + 1
    this.endPosition = endPositionOf(batch)
    this.batches += 1
    if (batch.timestamp !== undefined) this.lastTimestamp = Math.max(this.lastTimestamp ?? 0, batch.timestamp)
    this.strip.add(batch)
    this.checkPrinted(batch, at)
    const isControl = this.isControl(batch, at)
    if (isControl === undefined) return this.unclear(batch)
    if (isControl) return this.marker(batch)
    this.records += batch.count ?? batch.lastOffset - batch.baseOffset + 1
    this.data(batch)
  }

  /** A marker has ended a transaction, or came without one. */
  ended(producer: Producer, end: EndOfTransaction, decision: Decision | 'unknown'): void {
    if (end.ended === undefined) this.noteEmpty(producer, end)
    else if (decision === 'COMMIT') {
      this.committedTransactions += 1
    } else if (decision === 'ABORT') {
      this.abortedTransactions += 1
      this.abortedRecords += end.ended.records
      this.keepAborted(producer, end, end.ended)
    } else this.undecidedRecords += end.ended.records
    this.onEnd(this, producer, end)
  }

  /** ProducerAppendInfo.appendEndTxnMarker: such a marker is appended all the same. */
  private noteEmpty(
    { producerId }: Producer,
    { certain, decision, producerEpoch, at }: EndOfTransaction,
  ): void {
    this.markersWithoutTransaction += 1
    const why = certain
      ? 'it was sent again, or nothing was written to a partition that was added'
      : 'what it ended may stand where the dump does not reach'
    const epoch = producerEpoch === undefined ? '' : `, epoch ${producerEpoch}`
    this.ledger.note(
      `a marker (${decision}) of producer ${producerId}${epoch} has no transaction here: ${why}`,
      at,
    )
  }

  private keepAborted(
    producer: Producer,
    end: EndOfTransaction,
    ended: NonNullable<EndOfTransaction['ended']>,
  ) {
    if (this.aborted.length >= abortedMax) {
      return this.ledger.doubt('too many to remember', `more than ${abortedMax} aborted transactions`, end.at)
    }
    this.aborted.push({
      producerId: producer.producerId,
      firstOffset: ended.offset,
      lastOffset: end.at.offset ?? -1,
      lastData: ended.lastOffset,
      records: ended.records,
      place: { file: end.at.file, line: end.at.line },
    })
  }

  private begin(batch: Batch, at: Location): void {
    this.firstOffset = batch.baseOffset
    const isLate = batch.baseOffset > 0
    this.seed(batch.baseOffset)
    if (isLate && !this.isSeeded && (batch.producerId ?? -1) >= 0) {
      this.ledger.doubt('the log begins later', `the first offset is ${batch.baseOffset}`, at)
    }
  }

  /** A snapshot tells what a leader knew where the log begins. */
  private seed(offset: number): void {
    const snapshots = this.snapshots.get(offset)
    if (offset === 0 || snapshots === undefined) return
    this.isSeeded = true
    for (const snapshot of snapshots) this.producers.set(snapshot.producerId, producerOf(snapshot, this))
  }

  private hole(batch: Batch, at: Location): void {
    const missing = batch.baseOffset - this.endOffset
    // Where the file goes on without a gap, the cleaner has taken out what later records of the same keys replace.
    const isCompacted = batch.position !== undefined && batch.position === this.endPosition
    if (!isCompacted || !(this.isCoordinatorLog || this.isOffsetsLog)) {
      this.ledger.doubt('offsets are missing', `${missing} before offset ${batch.baseOffset}`, at)
    }
    if (isCompacted) this.holeAt(batch.baseOffset)
    else this.breakAt(batch.baseOffset)
  }

  /** Records of a producer may be missing. */
  private holeAt(offset: number): void {
    this.holes += 1
    this.lastHole = Math.max(this.lastHole, offset)
  }

  /** Records of any key may be missing. */
  private breakAt(offset: number): void {
    this.holeAt(offset)
    this.lastLoss = Math.max(this.lastLoss, offset)
  }

  private outOfOrder(batch: Batch, at: Location): void {
    this.ledger.find(
      'offsets out of order',
      `offset ${batch.baseOffset} comes after offset ${this.endOffset - 1}`,
      at,
    )
    // Where it belongs is not known, so that nothing else can be said of it, nor of its neighbours.
    this.breakAt(this.endOffset)
  }

  /** undefined: not known, and nothing can be made of the batch. */
  private isControl({ control, transactional, baseSequence, producerId = -1 }: Batch, at: Location) {
    if (control !== undefined) return control
    if (producerId < 0 || transactional !== true || baseSequence !== -1) return false
    // What a client writes has a sequence; only the coordinator of a group writes offsets without one.
    const isNamed = this.partition !== undefined
    if (isNamed && !this.isOffsetsLog) return true
    this.ledger.doubt('no control batches', 'a batch without sequences is a marker or an offset commit', at)
    return undefined
  }

  /** A marker or data: what is known of its producer may not hold any more. */
  private unclear({ producerId = -1 }: Batch): void {
    const producer = this.producers.get(producerId)
    if (producer !== undefined) crossHole(producer)
  }

  /** Records that are not printed may be any, of a coordinator or of a producer that is not known. */
  private checkPrinted(
    { count = 1, printed = 0, single, producerId, transactional, valid }: Batch,
    at: Location,
  ): void {
    const isOrphan = single && producerId === undefined && transactional === undefined && valid === undefined
    const mayBeOne = this.partition === undefined && producerId === -1 && transactional === false
    if (isOrphan) {
      this.ledger.doubt(
        'records without their batch',
        `nothing is known of who wrote offset ${at.offset}`,
        at,
      )
    } else if (single || printed >= count || !(this.isCoordinatorLog || mayBeOne)) return
    else
      this.ledger.doubt(
        'records may be missing',
        `a batch of ${count} records, of which ${printed} are printed`,
        at,
      )
    this.breakAt(this.endOffset - 1)
  }

  private data(batch: Batch): void {
    const { producerId = -1, producerEpoch } = batch
    if (producerId >= 0 && producerEpoch === undefined) this.knowsEpochs = false
    if (producerId >= 0) judgeData(this, this.producer(producerId), batch, this.isNew)
  }

  private marker(batch: Batch): void {
    const { producerId = -1 } = batch
    // Control records of a Raft log have no producer.
    if (producerId >= 0) judgeMarker(this, this.producer(producerId), batch)
  }

  private isNew = false

  /** What is known of a producer, which becomes the one seen last. */
  private producer(producerId: number): Producer {
    const known = this.producers.get(producerId)
    this.isNew = known === undefined
    const producer = known ?? newProducer(producerId, this.isWhole)
    if (known !== undefined && this.hasHoleAfter(known.lastOffset)) crossHole(known)
    this.producers.delete(producerId)
    this.producers.set(producerId, producer)
    if (this.producers.size > producersMax) this.forgetOne()
    return producer
  }

  private forgetOne(): void {
    for (const [producerId, { open }] of this.producers) {
      if (open !== undefined) continue
      this.producers.delete(producerId)
      // Those that come again are not known to be new.
      this.breakAt(this.endOffset)
      return this.ledger.doubt('too many to remember', `more than ${producersMax} producers`, {
        ...this.place,
        log: this.name,
      })
    }
  }
}

const endPositionOf = ({ position, size }: Batch): number | undefined =>
  position === undefined || size === undefined ? undefined : position + size
