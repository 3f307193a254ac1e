/** Which partitions a step can have changed: the others need not be compared. */
import type { Taken } from '../../checker/model.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { partitionsOf } from '../protocol/topology.ts'

/** Steps of clients and coordinators, which write to no partition. */
const elsewhere: ReadonlySet<string> = new Set([
  'Start',
  'JoinGroup',
  'FetchOffsets',
  'DecideExternally',
  'HandleInitProducerId',
  'HandleAddPartitions',
  'HandleEndTxn',
  'VerifyPartition',
  'ReplicateTransactionLog',
  'Crash',
  'Pause',
  'Resume',
  'ReceiveReply',
  'AbandonTransaction',
  'ExpireBatch',
  'LoseRequest',
  'DelayRequest',
  'DelayMarker',
  'FailOver',
  'FailAppend',
  'AbortTimedOutTransaction',
  'ExpireTransactionalId',
])

/**
 * A step with a partition among its arguments writes to that one, one of clients and coordinators to none; any other
 * may write to all. Comparing only those keeps apart, in the memory of the checker, what has nothing to do with each other.
 */
export function touchedPartitions(protocol: Protocol, { action, args }: Taken): number[] {
  if (elsewhere.has(action)) return []
  if (action === 'HandleOffsetCommit') return [protocol.offsetsPartition]
  return typeof args.partition === 'number' ? [args.partition] : partitionsOf(protocol)
}
