/** What a partition remembers of each producer (ProducerStateManager), and how batches and markers change it. */
import type {
  MarkerRecord,
  Partition,
  PartitionRequest,
  ProducerEntry,
  VerificationGuard,
} from '../../state.ts'
import type { Protocol } from '../protocol.ts'

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
export const entryOf = ({ producers }: Pick<Partition, 'producers'>, producerId: number) =>
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

/** What an entry is changed by: a batch, by its request or its record. */
export interface Batch {
  readonly producerId: number
  readonly producerEpoch: number
  readonly transactional: boolean
  /** -1 of an offset commit, which is not remembered: the coordinator of the group writes it, not a client. */
  readonly sequence: number
}

export const batchOf = (request: PartitionRequest): Batch => ({
  producerId: request.producerId,
  producerEpoch: request.producerEpoch,
  transactional: request.kind === 'Produce' ? request.transactional : request.kind === 'TxnOffsetCommit',
  sequence: request.kind === 'Produce' ? request.sequence : -1,
})

/** ProducerStateEntry.maybeUpdateProducerEpoch, addBatch; ProducerAppendInfo.appendDataBatch. */
export function entryAfterBatch(
  { config }: Protocol,
  producer: ProducerEntry | null,
  { producerId, producerEpoch, transactional, sequence }: Batch,
  offset: number,
): ProducerEntry {
  const remembered = producer?.producerEpoch === producerEpoch ? producer.batches : []
  const batches = sequence < 0 ? remembered : [...remembered, { sequence, offset }]
  const open = producer?.openOffset ?? -1
  return {
    producerId,
    producerEpoch,
    coordinatorEpoch: producer?.coordinatorEpoch ?? -1,
    batches: batches.slice(-config.rememberedBatches),
    // A batch of a higher epoch joins the transaction that a lower one left open.
    openOffset: open < 0 && transactional ? offset : open,
  }
}

/** ProducerAppendInfo.appendEndTxnMarker: an equal epoch keeps the batches, of which a copy may still come. */
export function entryAfterMarker(
  producer: ProducerEntry | null,
  marker: Pick<MarkerRecord, 'producerId' | 'producerEpoch' | 'coordinatorEpoch'>,
): ProducerEntry {
  return {
    producerId: marker.producerId,
    producerEpoch: marker.producerEpoch,
    coordinatorEpoch: marker.coordinatorEpoch,
    batches: producer?.producerEpoch === marker.producerEpoch ? producer.batches : [],
    openOffset: -1,
  }
}
