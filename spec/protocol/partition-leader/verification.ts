/**
 * Phase A of a transactional request: the partition leader asks the transaction coordinator before a transaction
 * begins in its partition (KIP-890), and leaves a guard by which it knows later whether the answer still counts.
 *
 * AddPartitionsToTxnManager keeps one waiting question of a transactional.id and answers the others itself: an older
 * epoch with INVALID_PRODUCER_EPOCH, as the coordinator would, an equal one with an error that makes the client repeat it.
 * So each question is asked by itself here.
 */
import type { ErrorName, Marker, Partition, PartitionRequest, VerificationGuard } from '../../state.ts'
import type { Protocol } from '../protocol.ts'
import { batchOf, entryOf } from './entries.ts'
import { hasOpenTransaction, isStale } from './epochs.ts'

/** What phase A makes of a request (UnifiedLog.maybeStartTransactionVerification). */
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
export function asksCoordinator({ flags, protects }: Protocol, request: PartitionRequest): boolean {
  if (!batchOf(request).transactional) return false
  if (flags.clientVersion === 2) return true
  if (flags.verification === 'off' || !protects('partition verification')) return false
  return request.kind === 'Produce' || flags.verifyOffsets
}

/**
 * What the producer gets when the coordinator refuses the partition (ReplicaManager.handleProduceAppend).
 * PRODUCER_FENCED becomes the partition's own error, which a client survives; TRANSACTION_ABORTABLE is
 * INVALID_TXN_STATE to a client that does not know it (Produce before version 11).
 */
export function refusalOf({ flags }: Protocol, error: ErrorName): ErrorName {
  if (error === 'PRODUCER_FENCED') return 'INVALID_PRODUCER_EPOCH'
  return error === 'TRANSACTION_ABORTABLE' && !flags.knowsAbortable ? 'INVALID_TXN_STATE' : error
}

/**
 * What makes the producer send a request again when the coordinator answers CONCURRENT_TRANSACTIONS: with
 * transaction.version 2 the same (AddPartitionsToTxnConfig: after some repetitions by the leader itself), before that
 * an error that every client knows (ReplicaManager.handleProduceAppend, CoordinatorOperationExceptionHelper).
 */
export function repetitionOf({ flags }: Protocol, { kind }: PartitionRequest): ErrorName {
  if (flags.clientVersion === 2) return 'CONCURRENT_TRANSACTIONS'
  return kind === 'Produce' ? 'NOT_ENOUGH_REPLICAS' : 'COORDINATOR_NOT_AVAILABLE'
}

/**
 * The guard after another request has begun its verification: shared by all of the producer's
 * (VerificationStateEntry.maybeUpdateLowestSequenceAndEpoch). Sequences of an older epoch say nothing about this one's.
 */
export function guardFor(guard: VerificationGuard | null, request: PartitionRequest): VerificationGuard {
  const { producerId, producerEpoch, sequence } = batchOf(request)
  if (guard === null || producerEpoch > guard.producerEpoch)
    return { producerId, producerEpoch, lowestSequence: sequence }
  if (producerEpoch < guard.producerEpoch) return guard
  return { ...guard, lowestSequence: Math.min(guard.lowestSequence, sequence) }
}

/**
 * A marker clears the guard, unless that belongs to a batch of the next transaction that came early: with
 * transaction.version 2 the marker has the epoch of the next one (KAFKA-18654, UnifiedLog.updateProducers).
 */
export const guardSurvives = (
  { flags }: Protocol,
  guard: VerificationGuard,
  { producerEpoch }: Pick<Marker, 'producerEpoch'>,
): boolean => flags.guardSurvivesMarker && flags.clientVersion === 2 && guard.producerEpoch === producerEpoch
