/** What a partition leader knows of one producer, worked out from the log as a leader does. */
import type { Batch, Decision, Place } from '../observation.ts'
import type { Location } from './finding.ts'

export interface Transaction {
  /** Of its first batch. */
  readonly offset: number
  readonly place: Place
  readonly producerEpoch?: number
  readonly timestamp?: number
  /** Of its last batch. */
  lastEpoch?: number
  lastTimestamp?: number
  lastOffset: number
  records: number
  /** Offsets are missing since it began: it may have ended there. */
  uncertain: boolean
  /** Data records of the log before it. */
  readonly recordsBefore: number
  /** The end that the producer's transaction before it had here. */
  readonly after?: EndOfTransaction
}

/** A marker, and what it has ended. */
export interface EndOfTransaction {
  readonly decision: Decision | 'unknown'
  readonly at: Location
  readonly producerEpoch?: number
  readonly timestamp?: number
  /** Absent: nothing was open. */
  readonly ended?: Pick<Transaction, 'offset' | 'records' | 'lastOffset' | 'lastEpoch'>
  /** Whether what was open could be known. */
  readonly certain: boolean
}

interface Remembered {
  readonly first: number
  readonly last: number
  readonly offset: number
  readonly place: Place
}

export interface Producer {
  readonly producerId: number
  producerEpoch?: number
  /** Where the epoch was first seen. */
  epochAt?: Location
  coordinatorEpoch: number
  /** Last sequence at this epoch; undefined: none, or not known. */
  lastSequence?: number
  /** Whether all is known that a leader knows: then a missing sequence means that there was none. */
  certain: boolean
  /** Batches at this epoch, at most 5, oldest first (ProducerStateEntry.NUM_BATCHES_TO_RETAIN). */
  remembered: Remembered[]
  lastOffset: number
  lastTimestamp?: number
  open?: Transaction
  lastEnd?: EndOfTransaction
}

const rememberedMax = 5
const sequences = 2 ** 31

export const nextSequence = (last: number): number => (last + 1) % sequences

/** Sequences from `expected` up to `found`, if that is forwards; negative if it is backwards. */
export function sequenceDistance(expected: number, found: number): number {
  const forwards = (found - expected + sequences) % sequences
  return forwards < sequences / 2 ? forwards : forwards - sequences
}

/** producer.id.expiration.ms, as brokers have it by default. */
const expirationMs = 86_400_000

/** A producer that was idle for so long is forgotten, unless it has a transaction open (ProducerStateManager.isProducerExpired). */
export function mayBeExpired({ open, lastTimestamp }: Producer, { timestamp }: Batch): boolean {
  if (open !== undefined || lastTimestamp === undefined || timestamp === undefined) return false
  return timestamp - lastTimestamp >= expirationMs
}

/** ProducerStateEntry.maybeUpdateProducerEpoch: another epoch forgets the batches of the one before. */
export function takeEpoch(producer: Producer, producerEpoch: number | undefined, at: Location): void {
  if (producerEpoch === undefined || producerEpoch === producer.producerEpoch) return
  producer.producerEpoch = producerEpoch
  producer.epochAt = at
  producer.remembered = []
  delete producer.lastSequence
}

/** ProducerStateEntry.addBatch. */
export function remember(producer: Producer, batch: Batch): void {
  producer.lastOffset = batch.lastOffset
  if (batch.timestamp !== undefined) producer.lastTimestamp = batch.timestamp
  const { baseSequence: first = -1, lastSequence: last = -1, baseOffset: offset, place } = batch
  if (first < 0) return
  producer.lastSequence = last
  producer.certain = true
  producer.remembered.push({ first, last, offset, place })
  if (producer.remembered.length > rememberedMax) producer.remembered.shift()
}

/** Forgets what may have changed where the log has a hole: epochs only ever rise, the rest is not known any more. */
export function crossHole(producer: Producer): void {
  producer.certain = false
  producer.remembered = []
  delete producer.lastSequence
  if (producer.open !== undefined) producer.open.uncertain = true
}

/** A producer of which nothing is known yet. */
export const newProducer = (producerId: number, certain: boolean): Producer => ({
  producerId,
  coordinatorEpoch: -1,
  certain,
  remembered: [],
  lastOffset: -1,
})
