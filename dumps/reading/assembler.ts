/** Puts records below their batch, and hands on a batch when it is known whole. */
import type { Batch, Observation, Place } from '../observation.ts'
import { offsetOfContent } from './offset-content.ts'
import type { RecordLine } from './record-line.ts'
import { transactionOfContent } from './transaction-content.ts'

const sequenceAfter = (base: number, delta: number): number => (base + delta) % 2 ** 31

/** Longer records are left undecoded: no list of partitions is as long. */
const decodedMax = 1 << 18

/** A batch that is not handed on yet. */
type Draft = { -readonly [K in keyof Batch]: Batch[K] }

export class Assembler {
  private readonly emit: (observation: Observation) => void
  private batch: Draft | undefined
  /** What the records of the batch say, to come after it. */
  private followers: Observation[] = []
  private bareRecords = 0
  private partition: string | undefined

  constructor(emit: (observation: Observation) => void) {
    this.emit = emit
  }

  /** Anything but a batch and its records. */
  other(observation: Observation): void {
    // What was left out may be records of the batch.
    if (observation.kind === 'omission' && this.batch !== undefined) {
      this.followers.push(observation)
      return
    }
    this.flush()
    if (observation.kind === 'heading') this.partition = observation.partition
    this.emit(observation)
  }

  batchLine(batch: Batch): void {
    this.flush()
    this.batch = { ...batch }
  }

  record(record: RecordLine): void {
    if (record.alone !== undefined) {
      this.flush()
      this.batch = { ...record.alone }
      this.follow(record, record.alone.baseOffset)
      this.flush()
    } else if (
      this.batch === undefined ||
      this.batch.single ||
      (record.offset ?? -1) > this.batch.lastOffset
    ) {
      // Where a record is behind the end of the batch, the line of its own batch is missing.
      this.orphan(record)
    } else {
      this.attach(this.batch, record)
    }
  }

  flush(): void {
    const { batch, followers } = this
    this.batch = undefined
    this.followers = []
    this.bareRecords = 0
    if (batch !== undefined) this.emit(batch)
    for (const follower of followers) this.emit(follower)
  }

  /** Whether a line may be what it looks like, where it could be part of the payload above it as well. */
  continues(found: Pick<Batch, 'baseOffset' | 'position'>, isBatch: boolean): boolean {
    const { batch } = this
    if (batch === undefined) return true
    if (!isBatch) return found.baseOffset > batch.baseOffset && found.baseOffset <= batch.lastOffset
    const fits = batch.position !== undefined && batch.size !== undefined && found.position !== undefined
    return (
      found.baseOffset > batch.lastOffset &&
      (!fits || found.position === (batch.position ?? 0) + (batch.size ?? 0))
    )
  }

  get hasBatch(): boolean {
    return this.batch !== undefined
  }

  private attach(batch: Draft, record: RecordLine): void {
    const offset = record.offset ?? batch.baseOffset + this.bareRecords++
    const stray = strayOf(batch, record, offset)
    batch.printed = (batch.printed ?? 0) + 1
    if (stray !== undefined) batch.stray ??= stray
    if (record.marker !== undefined) {
      batch.marker = record.marker
      batch.control = true
    }
    if (record.coordinatorEpoch !== undefined) batch.coordinatorEpoch = record.coordinatorEpoch
    this.follow(record, offset)
  }

  /** A record whose batch line is not there: nothing is known of its producer. */
  private orphan(record: RecordLine): void {
    const { place, offset, sequence, marker, coordinatorEpoch } = record
    if (offset === undefined) return
    this.flush()
    this.batch = {
      kind: 'batch',
      place,
      single: true,
      baseOffset: offset,
      lastOffset: offset,
      count: 1,
      ...(sequence === undefined ? {} : { baseSequence: sequence, lastSequence: sequence }),
      ...(marker === undefined ? {} : { marker, control: true }),
      ...(coordinatorEpoch === undefined ? {} : { coordinatorEpoch }),
    }
    this.follow(record, offset)
    this.flush()
  }

  private follow({ content, place }: RecordLine, offset: number): void {
    if (!content.startsWith('key: ') || content.length > decodedMax) return
    const said = this.decoded(content, place, offset)
    if (said !== undefined) this.followers.push(said)
  }

  private decoded(content: string, place: Place, offset: number): Observation | undefined {
    const { partition, batch } = this
    const mayBe = (topic: string) => partition === undefined || partition.startsWith(`${topic}-`)
    // A coordinator writes its records without a producer id; what a client wrote only looks like them.
    if (mayBe('__transaction_state') && (batch?.producerId ?? -1) === -1) {
      const transaction = transactionOfContent(content, place)
      const { timestamp } = batch ?? {}
      if (transaction !== undefined) {
        return { ...transaction, offset, ...(timestamp === undefined ? {} : { timestamp }) }
      }
    }
    return mayBe('__consumer_offsets') ? offsetOfContent(content, place, offset) : undefined
  }
}

function strayOf(batch: Batch, record: RecordLine, offset: number): Batch['stray'] {
  const { baseOffset, lastOffset, baseSequence = -1 } = batch
  if (offset < baseOffset) {
    return {
      place: record.place,
      found: `the record of offset ${offset} is in the batch of ${baseOffset} to ${lastOffset}`,
    }
  }
  if (baseSequence < 0 || record.sequence === undefined) return undefined
  const expected = sequenceAfter(baseSequence, offset - baseOffset)
  if (record.sequence === expected) return undefined
  return {
    place: record.place,
    found: `the record of offset ${offset} has sequence ${record.sequence}, and by its batch ${expected}`,
  }
}
