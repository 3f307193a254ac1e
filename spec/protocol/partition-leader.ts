/**
 * A partition leader: how it validates and appends batches and markers, and how far readers may read.
 *
 * The order of the checks is that of
 * UnifiedLog.analyzeAndValidateProducerState and ProducerAppendInfo.
 */
import type {
  ErrorName,
  LogRecord,
  Marker,
  Partition,
  PartitionRequest,
  ProduceRequest,
  ProducerEntry,
  VerificationGuard,
} from '../state.ts'
import type { Protocol } from './protocol.ts'

export const emptyPartition = (): Partition => ({
  log: [],
  logStart: 0,
  highWatermark: 0,
  leaderEpoch: 0,
  producers: [],
  guards: [],
  awaiting: [],
})

/** What the partition remembers of a producer. */
export const entryOf = ({ producers }: Partition, producerId: number): ProducerEntry | null =>
  producers.find((entry) => entry.producerId === producerId) ?? null

export const guardOf = ({ guards }: Partition, producerId: number): VerificationGuard | null =>
  guards.find((guard) => guard.producerId === producerId) ?? null

/** Puts what is remembered of a producer in the place of what was. */
export function withEntry<Entry extends { producerId: number }>(
  entries: readonly Entry[],
  entry: Entry,
): Entry[] {
  const others = entries.filter(({ producerId }) => producerId !== entry.producerId)
  return [...others, entry].sort((one, other) => one.producerId - other.producerId)
}

const sequenceOf = (request: PartitionRequest) => (request.kind === 'Produce' ? request.sequence : -1)

/** What phase A makes of a transactional request (UnifiedLog.maybeStartTransactionVerification). */
export type Start = 'refuse' | 'append' | 'verify'

export function startVerification(
  protocol: Protocol,
  partition: Partition,
  request: PartitionRequest,
): Start {
  const producer = entryOf(partition, request.producerId)
  const { flags } = protocol
  if (!asksCoordinator(protocol, request)) return 'append'
  if (flags.verification === 'epochAware' && isStale(protocol, producer, request.producerEpoch))
    return 'refuse'
  return hasOpenTransaction(protocol, producer, request.producerEpoch) ? 'append' : 'verify'
}

/** With transaction.version 2 the question is what adds the partition: it cannot be left out. */
function asksCoordinator({ flags, protects }: Protocol, { kind }: PartitionRequest): boolean {
  if (flags.clientVersion === 2) return true
  if (flags.verification === 'off' || !protects('partition verification')) return false
  return kind === 'Produce' || flags.verifyOffsets
}

/** Whether the batch goes on with a transaction that this partition already takes part in. */
function hasOpenTransaction(
  { flags }: Protocol,
  producer: ProducerEntry | null,
  producerEpoch: number,
): boolean {
  if (producer === null || producer.openOffset < 0) return false
  return flags.verification === 'epochBlind' || producer.producerEpoch === producerEpoch
}

function isStale(protocol: Protocol, producer: ProducerEntry | null, producerEpoch: number): boolean {
  return (
    protocol.protects('partition epoch check') && producer !== null && producerEpoch < producer.producerEpoch
  )
}

/**
 * The guard after another request has begun its verification: shared by all of the producer's
 * (VerificationStateEntry.maybeUpdateLowestSequenceAndEpoch). Sequences of an older epoch say nothing about this one's.
 */
export function guardFor(guard: VerificationGuard | null, request: PartitionRequest): VerificationGuard {
  const sequence = sequenceOf(request)
  const { producerId, producerEpoch } = request
  if (guard === null || producerEpoch > guard.producerEpoch)
    return { producerId, producerEpoch, lowestSequence: sequence }
  if (producerEpoch < guard.producerEpoch) return guard
  return { ...guard, lowestSequence: Math.min(guard.lowestSequence, sequence) }
}

export type Append =
  | { kind: 'refused'; error: ErrorName }
  /** Already in the log, at `offset`: answered as a success once that is replicated. */
  | { kind: 'duplicate'; offset: number }
  | { kind: 'append'; producer: ProducerEntry }

/** What the append path knows of the verification: none was needed, or whether the guard given then is still the partition's. */
export type GuardHeld = 'not needed' | 'current' | 'cleared'

/** Validates a transactional batch in Kafka's order; the caller writes it. */
export function validateBatch(
  protocol: Protocol,
  partition: Partition,
  request: PartitionRequest,
  guardHeld: GuardHeld,
): Append {
  const { producerId, producerEpoch } = request
  const producer = entryOf(partition, producerId)
  const duplicate = request.kind === 'Produce' ? duplicateOf(protocol, producer, request) : -1
  if (duplicate >= 0) return { kind: 'duplicate', offset: duplicate }
  const stale = isStale(protocol, producer, producerEpoch)
  if (protocol.flags.earlyEpochCheck && stale) return refused(protocol.flags.staleEpochError)
  const mustHoldGuard = asksCoordinator(protocol, request) && protocol.protects('verification guard')
  if (mustHoldGuard && guardHeld === 'cleared' && !hasOpenTransaction(protocol, producer, producerEpoch)) {
    return refused('INVALID_TXN_STATE')
  }
  if (stale) return refused(protocol.flags.staleEpochError)
  if (
    request.kind === 'Produce' &&
    protocol.protects('sequence check') &&
    !isInSequence(protocol, partition, request)
  ) {
    return refused('OUT_OF_ORDER_SEQUENCE_NUMBER')
  }
  return { kind: 'append', producer: entryAfterBatch(protocol, partition, request) }
}

const refused = (error: ErrorName): Append => ({ kind: 'refused', error })

/** ProducerStateEntry.findDuplicateBatch: same epoch and exactly the same sequence among the remembered batches. */
function duplicateOf(protocol: Protocol, producer: ProducerEntry | null, request: ProduceRequest): number {
  if (!protocol.protects('duplicate check') || producer === null) return -1
  if (producer.producerEpoch !== request.producerEpoch) return -1
  return producer.batches.find(({ sequence }) => sequence === request.sequence)?.offset ?? -1
}

/** ProducerAppendInfo.checkSequence. */
function isInSequence({ flags }: Protocol, partition: Partition, request: ProduceRequest): boolean {
  const { producerId, producerEpoch, sequence } = request
  const producer = entryOf(partition, producerId)
  const guard = guardOf(partition, producerId)
  const remembered = producer?.batches ?? []
  if (flags.sequenceZeroRule && guard !== null && remembered.length === 0 && sequence !== 0) return false
  // A later batch in flight must not overtake the first one while its verification is repeated (KAFKA-14920).
  if (guard !== null && sequence > guard.lowestSequence) return false
  if (producer === null) return true
  if (producer.producerEpoch !== producerEpoch) return sequence === 0
  return sequence === (remembered.at(-1)?.sequence ?? -1) + 1
}

/** ProducerStateEntry.maybeUpdateProducerEpoch, addBatch; ProducerAppendInfo.appendDataBatch. */
function entryAfterBatch(protocol: Protocol, partition: Partition, request: PartitionRequest): ProducerEntry {
  const offset = partition.log.length
  const { producerId, producerEpoch } = request
  const producer = entryOf(partition, producerId)
  const same = producer !== null && producer.producerEpoch === producerEpoch
  const remembered = same ? producer.batches : []
  const batches =
    request.kind === 'Produce' ? [...remembered, { sequence: request.sequence, offset }] : remembered
  return {
    producerId,
    producerEpoch,
    coordinatorEpoch: producer?.coordinatorEpoch ?? -1,
    batches: batches.slice(-protocol.config.rememberedBatches),
    openOffset: producer !== null && producer.openOffset >= 0 ? producer.openOffset : offset,
  }
}

/** ProducerAppendInfo.appendEndTxnMarker: the error, or the entry after the marker. */
export function validateMarker(
  protocol: Protocol,
  partition: Partition,
  marker: Marker,
): { kind: 'refused'; error: ErrorName } | { kind: 'append'; producer: ProducerEntry } {
  const producer = entryOf(partition, marker.producerId)
  if (protocol.protects('marker epoch check') && isMarkerStale(protocol, producer, marker)) {
    return { kind: 'refused', error: 'INVALID_PRODUCER_EPOCH' }
  }
  const seen = producer?.coordinatorEpoch ?? -1
  if (protocol.protects('marker coordinator epoch check') && marker.coordinatorEpoch < seen) {
    return { kind: 'refused', error: 'TRANSACTION_COORDINATOR_FENCED' }
  }
  return {
    kind: 'append',
    producer: {
      producerId: marker.producerId,
      producerEpoch: marker.producerEpoch,
      coordinatorEpoch: marker.coordinatorEpoch,
      batches: producer !== null && producer.producerEpoch === marker.producerEpoch ? producer.batches : [],
      openOffset: -1,
    },
  }
}

/**
 * With the strict rule a marker must raise the epoch, unless it repeats one that has done its work (KIP-1228, KAFKA-19999).
 * The rule presupposes that every end raises the epoch: without that it would refuse the markers that it is to let in.
 */
function isMarkerStale(protocol: Protocol, producer: ProducerEntry | null, marker: Marker): boolean {
  if (producer === null) return false
  const strict = protocol.flags.markerCheck === 'strict' && everyEndRaisesEpoch(protocol)
  if (!strict) return marker.producerEpoch < producer.producerEpoch
  const repeats = marker.producerEpoch === producer.producerEpoch && producer.openOffset < 0
  return marker.producerEpoch <= producer.producerEpoch && !repeats
}

const everyEndRaisesEpoch = ({ flags, protects }: Protocol): boolean =>
  flags.clientVersion === 2 &&
  protects('epoch bump at every end') &&
  protects('epoch bump at fencing abort') &&
  protects('epoch bump at timeout')

/** A marker clears the guard, unless that belongs to a batch of the next transaction that came early (KAFKA-18654). */
export const guardSurvives = ({ flags }: Protocol, guard: VerificationGuard, marker: Marker): boolean =>
  flags.guardSurvivesMarker && guard.producerEpoch === marker.producerEpoch

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
export function lastStableOffset({ log, highWatermark }: Partition): number {
  const unstable = transactionsOf(log).filter(
    ({ markerOffset }) => markerOffset < 0 || markerOffset >= highWatermark,
  )
  return Math.min(highWatermark, ...unstable.map(({ firstOffset }) => firstOffset))
}
