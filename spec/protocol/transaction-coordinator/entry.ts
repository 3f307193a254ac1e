/** The coordinator's memory of a transactional.id: how it begins, goes over into the log, is read back and forgotten. */
import type { CoordinatorEntry, TransactionRecord } from '../../state.ts'
import type { Protocol } from '../protocol.ts'
import { completed, isPrepared } from './decision.ts'

/** A transactional.id that has never been seen: in memory only (TransactionCoordinator.handleInitProducerId). */
export const newEntry = (producerId: number): CoordinatorEntry => ({
  producerId,
  previousProducerId: -1,
  nextProducerId: -1,
  producerEpoch: -1,
  lastProducerEpoch: -1,
  state: 'Empty',
  transactionVersion: 1,
  partitions: [],
  transaction: '',
  pendingState: 'none',
  failedEpochFence: false,
})

/**
 * A record as a new coordinator reads it: without what this version does not write (KAFKA-20310, KAFKA-20357). A previous
 * producer id that is still the current one tells nothing, and stays.
 */
export function durablePart({ flags, protects }: Protocol, record: TransactionRecord): TransactionRecord {
  const { producerId, previousProducerId } = record
  const previous = producerId === previousProducerId ? producerId : -1
  const knowsIds = flags.durableProducerIds && protects('next producer id is durable')
  return {
    ...record,
    ...(knowsIds ? {} : { previousProducerId: previous, nextProducerId: -1 }),
    ...(flags.durableLastEpoch ? {} : { lastProducerEpoch: -1 }),
  }
}

/**
 * What a new coordinator makes of a record that it has read (TransactionStateManager.loadTransactionMetadata): what was
 * only in memory is gone.
 */
export const loaded = (protocol: Protocol, record: TransactionRecord): CoordinatorEntry => ({
  ...durablePart(protocol, record),
  pendingState: 'none',
  failedEpochFence: false,
})

/** The record that a transition from the entry leads to; the producer id until now becomes the previous one. */
export function following(entry: CoordinatorEntry, changes: Partial<TransactionRecord>): TransactionRecord {
  const { pendingState: _pending, failedEpochFence: _failed, ...record } = entry
  return { ...record, previousProducerId: entry.producerId, ...changes }
}

/**
 * The last word on a transaction, once all of its markers are acknowledged. Where the epochs were used up the next
 * producer id takes over, at epoch 0 (TransactionMetadata.prepareComplete).
 */
export const completion = (entry: CoordinatorEntry): TransactionRecord =>
  following(entry, {
    ...(entry.nextProducerId < 0
      ? {}
      : { producerId: entry.nextProducerId, nextProducerId: -1, producerEpoch: 0 }),
    state: completed(entry.state),
    partitions: [],
    transaction: '',
  })

/**
 * Whether a transactional.id may expire: nothing is open or pending
 * (TransactionStateManager.removeExpiredTransactionalIds).
 */
export const canExpire = (entry: CoordinatorEntry | null): entry is CoordinatorEntry =>
  entry !== null && entry.pendingState === 'none' && entry.state !== 'Ongoing' && !isPrepared(entry.state)

/** What takes the place of an expired transactional.id in the log. */
export const tombstone = (entry: CoordinatorEntry): TransactionRecord =>
  following(entry, { state: 'Dead', partitions: [], transaction: '' })
