/** WriteTxnMarkers: what the coordinator makes of the answer for one partition (TransactionMarkerRequestCompletionHandler). */
import type { ErrorName } from '../../state.ts'

/**
 * 'acknowledged': the partition is done. 'sent again': to whoever leads it now. 'forgotten': no marker of this transaction
 * is sent any more, and the pending state stays until another coordinator loads the transaction (KAFKA-19999).
 */
export type MarkerOutcome = 'acknowledged' | 'sent again' | 'forgotten'

/** How a leader may fail to write a marker: what it answers, and whether the marker is in its log all the same. */
export const failedMarkers = {
  KAFKA_STORAGE_ERROR: { appended: false },
  NOT_LEADER_OR_FOLLOWER: { appended: false },
  REQUEST_TIMED_OUT: { appended: true },
} as const satisfies { readonly [Error in ErrorName]?: { readonly appended: boolean } }

export const failedMarkerErrors = Object.keys(failedMarkers) as (keyof typeof failedMarkers)[]

export const markerOutcomes: { readonly [Error in ErrorName]?: MarkerOutcome } = {
  NONE: 'acknowledged',
  UNSUPPORTED_FOR_MESSAGE_FORMAT: 'acknowledged',
  UNSUPPORTED_VERSION: 'acknowledged',
  UNKNOWN_TOPIC_OR_PARTITION: 'sent again',
  NOT_LEADER_OR_FOLLOWER: 'sent again',
  NOT_ENOUGH_REPLICAS: 'sent again',
  NOT_ENOUGH_REPLICAS_AFTER_APPEND: 'sent again',
  REQUEST_TIMED_OUT: 'sent again',
  KAFKA_STORAGE_ERROR: 'sent again',
  INVALID_PRODUCER_EPOCH: 'forgotten',
  TRANSACTION_COORDINATOR_FENCED: 'forgotten',
}
