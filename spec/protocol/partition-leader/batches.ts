/**
 * Phase B of a batch: its validation, in the order of UnifiedLog.analyzeAndValidateProducerState and
 * ProducerAppendInfo.append.
 */
import type { ErrorName, Partition, PartitionRequest, ProducerEntry } from '../../state.ts'
import type { Protocol } from '../protocol.ts'
import { batchOf, entryAfterBatch, entryOf } from './entries.ts'
import { hasOpenTransaction, isStale } from './epochs.ts'
import { duplicateOf, sequenceError } from './sequences.ts'
import { asksCoordinator } from './verification.ts'

export type Append =
  | { kind: 'refused'; error: ErrorName }
  /** Already in the log, at `offset`: answered as a success once that is replicated. */
  | { kind: 'duplicate'; offset: number }
  /** `producer` is null if the partition remembers nothing of the batch, as it has no producer id. */
  | { kind: 'append'; producer: ProducerEntry | null }

/** What the append path knows of the verification: none was needed, or whether the guard given then is still the partition's. */
export type GuardHeld = 'not needed' | 'current' | 'cleared'

/** Validates a batch in Kafka's order; the caller writes it. */
export function validateBatch(
  protocol: Protocol,
  partition: Partition,
  request: PartitionRequest,
  guardHeld: GuardHeld,
): Append {
  const { producerId, producerEpoch } = request
  if (producerId < 0 || request.kind === 'OffsetCommit') return { kind: 'append', producer: null }
  const producer = entryOf(partition, producerId)
  const duplicate = request.kind === 'Produce' ? duplicateOf(protocol, producer, request) : -1
  if (duplicate >= 0) return { kind: 'duplicate', offset: duplicate }
  const { flags } = protocol
  const stale = isStale(protocol, producer, producerEpoch)
  if (stale && flags.earlyEpochCheck) return refused(flags.staleEpochError)
  if (missesGuard(protocol, producer, request, guardHeld)) return refused('INVALID_TXN_STATE')
  if (stale) return refused(flags.staleEpochError)
  const error = request.kind === 'Produce' ? sequenceError(protocol, partition, request) : 'NONE'
  if (error !== 'NONE') return refused(error)
  const batch = batchOf(request)
  // A batch outside transactions does not slip into the open one of its producer.
  if (!batch.transactional && (producer?.openOffset ?? -1) >= 0) return refused('INVALID_TXN_STATE')
  return { kind: 'append', producer: entryAfterBatch(protocol, producer, batch, partition.log.length) }
}

const refused = (error: ErrorName): Append => ({ kind: 'refused', error })

/** The batch would begin a transaction, and since its verification a marker or another append has come. */
function missesGuard(
  protocol: Protocol,
  producer: ProducerEntry | null,
  request: PartitionRequest,
  guardHeld: GuardHeld,
): boolean {
  const mustHold = asksCoordinator(protocol, request) && protocol.protects('verification guard')
  return mustHold && guardHeld === 'cleared' && !hasOpenTransaction(protocol, producer, request.producerEpoch)
}
