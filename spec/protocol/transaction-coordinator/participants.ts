/** Which partitions take part in a transaction: AddPartitionsToTxn, AddOffsetsToTxn and the question of a leader. */
import type { CoordinatorEntry, Identity } from '../../state.ts'
import type { Protocol } from '../protocol.ts'
import {
  completionFirst,
  type Decision,
  isPrepared,
  noIdentity,
  pendingFirst,
  refuse,
  wait,
} from './decision.ts'
import { following } from './entry.ts'

interface Claimed extends Identity {
  partitions: readonly number[]
  /** Ghost: what the transaction is called when the partitions are added. */
  transaction: string
}

/** AddPartitionsToTxn and AddOffsetsToTxn, from the client or from a partition leader (TransactionCoordinator.handleAddPartitionsToTransaction). */
export function addPartitions(
  protocol: Protocol,
  entry: CoordinatorEntry | null,
  request: Claimed,
): Decision {
  if (entry === null) return refuse('INVALID_PRODUCER_ID_MAPPING')
  const { flags, protects } = protocol
  const pending = entry.pendingState !== 'none' && protects('one transition at a time')
  if (flags.pendingCheckFirst && protects('pending check first') && pending) return wait(pendingFirst)
  if (request.producerId !== entry.producerId) return refuse('INVALID_PRODUCER_ID_MAPPING')
  if (protects('coordinator epoch check') && request.producerEpoch !== entry.producerEpoch) {
    return refuse('PRODUCER_FENCED')
  }
  if (pending) return wait(pendingFirst)
  if (isPrepared(entry.state) && protects('completion first')) return wait(completionFirst)
  const open = entry.state === 'Ongoing'
  const known = open ? entry.partitions : []
  const added = request.partitions.filter((partition) => !known.includes(partition))
  if (open && added.length === 0) return { kind: 'accept', identity: noIdentity }
  return {
    kind: 'write',
    record: following(entry, {
      state: 'Ongoing',
      transactionVersion: flags.clientVersion,
      partitions: [...known, ...added].sort((one, other) => one - other),
      transaction: request.transaction,
    }),
    identity: noIdentity,
  }
}

/**
 * The question of a partition leader whether it takes part in a transaction, before transaction.version 2
 * (TransactionCoordinator.handleVerifyPartitionsInTransaction). The pending state is deliberately not consulted (KAFKA-14904).
 */
export function verifyPartition(
  protocol: Protocol,
  entry: CoordinatorEntry | null,
  { producerId, producerEpoch }: Identity,
  partition: number,
): Decision {
  if (entry === null || producerId !== entry.producerId) return refuse('INVALID_PRODUCER_ID_MAPPING')
  if (protocol.protects('coordinator epoch check') && producerEpoch !== entry.producerEpoch) {
    return refuse('PRODUCER_FENCED')
  }
  if (isPrepared(entry.state)) return wait(completionFirst)
  const present = entry.state === 'Ongoing' && entry.partitions.includes(partition)
  return present ? { kind: 'accept', identity: noIdentity } : refuse('TRANSACTION_ABORTABLE')
}
