/** What a producer makes of an error. */
import type { ErrorName, Request } from '../../state.ts'
import type { Protocol } from '../protocol.ts'

/** 'abortable': the transaction must be aborted. 'fatal': the producer can only be closed. */
export type Severity = 'none' | 'retriable' | 'abortable' | 'fatal'

/** Errors whose exception is a RetriableException. */
const retriable: readonly ErrorName[] = [
  'NOT_ENOUGH_REPLICAS',
  'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
  'NOT_LEADER_OR_FOLLOWER',
  'UNKNOWN_TOPIC_OR_PARTITION',
  'REQUEST_TIMED_OUT',
  'KAFKA_STORAGE_ERROR',
  'COORDINATOR_NOT_AVAILABLE',
  'CONCURRENT_TRANSACTIONS',
]

/**
 * The group refuses the commit: another owner has the partition (CommitFailedException, or FencedInstanceIdException to a
 * static member that was replaced).
 */
export const isNoOwner = (error: ErrorName): boolean =>
  error === 'ILLEGAL_GENERATION' ||
  error === 'UNKNOWN_MEMBER_ID' ||
  error === 'GROUP_ID_NOT_FOUND' ||
  error === 'FENCED_INSTANCE_ID'

/** What matters of a request whose answer is an error; `result` of an EndTxn. */
type Answered = Pick<Exclude<Request, { kind: 'Produce' }>, 'kind'> & { readonly result?: string }

/**
 * The handlers of TransactionManager. INVALID_PRODUCER_EPOCH from a coordinator is as fatal as
 * PRODUCER_FENCED. The application can do no more about an abort that fails than about a fatal error.
 */
export function severityOf(protocol: Protocol, { kind, result }: Answered, error: ErrorName): Severity {
  if (error === 'NONE') return 'none'
  if (retriable.includes(error)) return 'retriable'
  const isAbort = kind === 'EndTxn' && result === 'abort'
  // It is uninitialised again, and the application calls initTransactions once more.
  if (error === 'TRANSACTIONAL_ID_AUTHORIZATION_FAILED')
    return kind === 'InitProducerId' ? 'retriable' : 'fatal'
  if (error === 'TRANSACTION_ABORTABLE') return isAbort ? 'fatal' : 'abortable'
  if (error === 'INVALID_PRODUCER_ID_MAPPING') {
    const known = kind === 'AddPartitionsToTxn' || kind === 'AddOffsetsToTxn' || kind === 'EndTxn'
    return known && !isAbort && !isMappingFatal(protocol) ? 'abortable' : 'fatal'
  }
  if (kind === 'TxnOffsetCommit' && isNoOwner(error)) return 'abortable'
  return kind === 'AddPartitionsToTxn' && !isFencing(error) ? 'abortable' : 'fatal'
}

const isFencing = (error: ErrorName): boolean =>
  error === 'PRODUCER_FENCED' || error === 'INVALID_PRODUCER_EPOCH' || error === 'INVALID_TXN_STATE'

/**
 * A client that can raise its epoch recovers from it (TransactionManager.abortableErrorIfPossible), until
 * KAFKA-18019.
 */
const isMappingFatal = ({ flags }: Protocol): boolean => flags.mappingIsFatal || !flags.clientEpochBump

/** What becomes of a batch that was answered. */
export type Outcome =
  | 'acknowledged'
  | 'retry'
  /** Retried after all batches in flight to the partition have been numbered from 0. */
  | 'renumber'
  /**
   * Retried with the producer's own next epoch (TransactionManager.requestIdempotentEpochBumpForPartition).
   */
  | 'raise own epoch'
  /** Only the batch fails. */
  | 'failed'
  | 'abortable'
  | 'fatal'

export interface Answer {
  readonly error: ErrorName
  /** It has the producer's present identity. */
  readonly isCurrent: boolean
  /** Its sequence follows the one acknowledged last. */
  readonly isNext: boolean
  /**
   * The client has given it another sequence since it was first sent (ProducerBatch.sequenceHasBeenReset).
   */
  readonly wasReset: boolean
  /** Earlier batches may be in the log or not (TransactionManager.hasUnresolvedSequence). */
  readonly unresolved: boolean
  /** The log begins after the batch that was acknowledged last. */
  readonly recordsDeleted: () => boolean
}

/** Sender.completeBatch. Before KIP-360 nothing is sent again once the producer id has changed. */
export function outcomeOf(protocol: Protocol, answer: Answer): Outcome {
  const outcome = outcomeByError(protocol, answer)
  const { producer } = protocol.config
  const isStranded = producer === 'idempotent' && !isOwnEpochRaised(protocol) && !answer.isCurrent
  return outcome === 'retry' && isStranded ? 'failed' : outcome
}

/** Sender.canRetry, TransactionManager.canRetry, TransactionManager.handleFailedBatch. */
function outcomeByError(protocol: Protocol, answer: Answer): Outcome {
  const { error } = answer
  const { producer, sequenceErrors } = protocol.config
  if (error === 'NONE') return 'acknowledged'
  const transactional = producer === 'transactional'
  const recovers = isOwnEpochRaised(protocol)
  if (retriable.includes(error)) return 'retry'
  if (producer === 'plain') return 'failed'
  if (error === 'OUT_OF_ORDER_SEQUENCE_NUMBER') {
    if (!answer.unresolved && (answer.wasReset || !answer.isNext)) return 'retry'
    if (sequenceErrors === 'the producer is closed') return 'fatal'
    if (!transactional && recovers) return 'raise own epoch'
  }
  if (error === 'UNKNOWN_PRODUCER_ID') {
    if (sequenceErrors === 'the producer is closed') return 'fatal'
    if (sequenceErrors === 'the sequence is reset') return 'renumber'
    if (answer.wasReset) return 'retry'
    if (!transactional && recovers) return 'raise own epoch'
    if (answer.recordsDeleted()) return 'renumber'
  }
  if (error === 'PRODUCER_FENCED' || error === 'UNSUPPORTED_VERSION') return 'fatal'
  if (error === 'TRANSACTIONAL_ID_AUTHORIZATION_FAILED') return 'fatal'
  if (error === 'INVALID_PRODUCER_ID_MAPPING' && protocol.flags.mappingIsFatal) return 'fatal'
  return transactional ? 'abortable' : 'failed'
}

/**
 * An idempotent producer raises its epoch by itself since KIP-360; before that it asks for another producer
 * id.
 */
export const isOwnEpochRaised = ({ flags }: Protocol): boolean =>
  flags.clientEpochBump || flags.clientVersion === 2
