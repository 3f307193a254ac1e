/** What becomes of an append to the transaction log that is reported as failed (TransactionStateManager.appendTransactionToLog). */
import type { TransactionRecord } from '../../state.ts'

/** How the log answers the append. */
export type LogError =
  | 'UNKNOWN_TOPIC_OR_PARTITION'
  | 'NOT_ENOUGH_REPLICAS'
  | 'NOT_ENOUGH_REPLICAS_AFTER_APPEND'
  | 'REQUEST_TIMED_OUT'
  | 'NOT_LEADER_OR_FOLLOWER'
  | 'KAFKA_STORAGE_ERROR'
  | 'MESSAGE_TOO_LARGE'
  | 'RECORD_LIST_TOO_LARGE'

export interface FailedAppend {
  /** What the coordinator makes of it for whoever waits. */
  readonly becomes: 'COORDINATOR_NOT_AVAILABLE' | 'NOT_COORDINATOR' | 'UNKNOWN_SERVER_ERROR'
  /** The record is in the leader's log all the same: it may become durable later, or survive a failover. */
  readonly appended: boolean
}

export const failedAppends: Record<LogError, FailedAppend> = {
  UNKNOWN_TOPIC_OR_PARTITION: { becomes: 'COORDINATOR_NOT_AVAILABLE', appended: false },
  NOT_ENOUGH_REPLICAS: { becomes: 'COORDINATOR_NOT_AVAILABLE', appended: false },
  NOT_ENOUGH_REPLICAS_AFTER_APPEND: { becomes: 'COORDINATOR_NOT_AVAILABLE', appended: true },
  REQUEST_TIMED_OUT: { becomes: 'COORDINATOR_NOT_AVAILABLE', appended: true },
  NOT_LEADER_OR_FOLLOWER: { becomes: 'NOT_COORDINATOR', appended: false },
  KAFKA_STORAGE_ERROR: { becomes: 'NOT_COORDINATOR', appended: false },
  MESSAGE_TOO_LARGE: { becomes: 'UNKNOWN_SERVER_ERROR', appended: false },
  RECORD_LIST_TOO_LARGE: { becomes: 'UNKNOWN_SERVER_ERROR', appended: false },
}

/** One error for each thing that can follow: the others with the same outcome are told apart by nobody. */
const distinct: readonly LogError[] = ['NOT_ENOUGH_REPLICAS', 'REQUEST_TIMED_OUT', 'MESSAGE_TOO_LARGE']

/**
 * The errors that an append can meet. Only an added partition makes a record larger than the one before it. The append of a
 * last word is repeated until it succeeds (TransactionMarkerChannelManager.txnLogAppendRetryQueue): it only comes later.
 */
export function possibleErrors({ state }: TransactionRecord): LogError[] {
  if (state === 'CompleteCommit' || state === 'CompleteAbort') return []
  return distinct.filter(
    (error) => failedAppends[error].becomes !== 'UNKNOWN_SERVER_ERROR' || state === 'Ongoing',
  )
}
