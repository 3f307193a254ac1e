/**
 * What participants send each other: requests, replies and error codes.
 *
 * The fields of `Origin` are bookkeeping of the model: no rule of the protocol reads them, but for the state of work
 * on a request and the transactional.id that it is of.
 */
export type Result = 'commit' | 'abort'

/** Error codes of the protocol, by their names in org.apache.kafka.common.protocol.Errors. */
export type ErrorName =
  | 'NONE'
  | 'INVALID_PRODUCER_EPOCH'
  | 'PRODUCER_FENCED'
  | 'INVALID_PRODUCER_ID_MAPPING'
  | 'INVALID_TXN_STATE'
  | 'TRANSACTION_ABORTABLE'
  | 'OUT_OF_ORDER_SEQUENCE_NUMBER'
  | 'UNKNOWN_PRODUCER_ID'
  | 'NOT_ENOUGH_REPLICAS'
  | 'NOT_ENOUGH_REPLICAS_AFTER_APPEND'
  | 'NOT_LEADER_OR_FOLLOWER'
  | 'UNKNOWN_TOPIC_OR_PARTITION'
  | 'REQUEST_TIMED_OUT'
  | 'KAFKA_STORAGE_ERROR'
  | 'UNSUPPORTED_VERSION'
  | 'UNSUPPORTED_FOR_MESSAGE_FORMAT'
  | 'ILLEGAL_GENERATION'
  | 'UNKNOWN_MEMBER_ID'
  | 'FENCED_INSTANCE_ID'
  | 'GROUP_ID_NOT_FOUND'
  | 'REBALANCE_IN_PROGRESS'
  | 'INVALID_TRANSACTION_TIMEOUT'
  | 'COORDINATOR_NOT_AVAILABLE'
  | 'CONCURRENT_TRANSACTIONS'
  | 'TRANSACTION_COORDINATOR_FENCED'
  | 'TRANSACTIONAL_ID_AUTHORIZATION_FAILED'
  | 'TOPIC_AUTHORIZATION_FAILED'
  | 'UNKNOWN_SERVER_ERROR'

/** Who sent a request: the ghost part of every request. */
interface Origin {
  /** Ghost: the session (one producer object, from its start to its end) that sent it. */
  session: number
  /** Ghost: the transaction that the session was in, 's1.2' for the second of session 1. */
  transaction: string
  /** Position of the transactional.id in the configuration; -1 for a producer without one. */
  transactionalId: number
  /** The broker has begun to work on it: the next request of the connection waits (SocketServer mutes the channel). */
  executing: boolean
}

export interface InitProducerIdRequest extends Origin {
  kind: 'InitProducerId'
  /** The identity that a client raises after an error (KIP-360); -1 and -1 from a new producer. */
  expectedProducerId: number
  expectedEpoch: number
  /** An external store decides its transactions, so that none may time out (KIP-939). */
  enable2Pc?: true
  /** The transaction that is open is to stay as it is, for it may be prepared (KIP-939). */
  keepPreparedTxn?: true
  /** Its transaction.timeout.ms is longer than the brokers allow. */
  timeoutAboveMaximum?: true
}
export interface AddPartitionsRequest extends Origin {
  kind: 'AddPartitionsToTxn' | 'AddOffsetsToTxn'
  producerId: number
  producerEpoch: number
  partitions: number[]
}
export interface EndTxnRequest extends Origin {
  kind: 'EndTxn'
  producerId: number
  producerEpoch: number
  result: Result
}
export interface ProduceRequest extends Origin {
  kind: 'Produce'
  /** -1, like epoch and sequence, from a producer that is not idempotent. */
  producerId: number
  producerEpoch: number
  transactional: boolean
  sequence: number
  /** Which input record the batch was made from, and the how-manieth of the outputs for this partition it is. */
  input: number
  part: number
  /** It was sent before; noted only where batches can be given up, as nothing else depends on it. */
  retried?: true
  /** The client has given it up while it is on the wire: its reply is ignored, and it is not sent again. */
  givenUp?: true
  /** What the client has renumbered it to since it was sent: the next attempt carries this (ProducerBatch.resetProducerState). */
  reset?: Identity & { sequence: number }
}
export interface OffsetCommitRequest extends Origin {
  kind: 'TxnOffsetCommit' | 'OffsetCommit'
  producerId: number
  producerEpoch: number
  /** Who commits; -1, and no generation on the wire either, if it names only the group. */
  memberId: number
  /** The sender's: of the group, or of the member with the consumer protocol. */
  generation: number
  /** group.instance.id of a static member that names itself (KIP-345). */
  groupInstanceId?: string
  /** The next input to read. */
  offset: number
}
export type CoordinatorRequest = InitProducerIdRequest | AddPartitionsRequest | EndTxnRequest
export type PartitionRequest = ProduceRequest | OffsetCommitRequest
export type Request = CoordinatorRequest | PartitionRequest

/** Names a request of a session: the copies of one request have the same name. */
export function requestName(request: Request): string {
  const number =
    request.kind === 'Produce'
      ? ` #${request.sequence < 0 ? `${request.input}.${request.part}` : request.sequence}`
      : request.kind === 'TxnOffsetCommit' || request.kind === 'OffsetCommit'
        ? ` ${request.offset}`
        : ''
  return `${request.kind}${number} of ${request.transaction === '' ? `s${request.session}` : request.transaction}`
}

export interface Reply {
  request: Request
  error: ErrorName
  /** The identity to go on with, where the reply carries one, else -1 and -1. */
  producerId: number
  producerEpoch: number
}

/** Who a producer is to the brokers. */
export interface Identity {
  producerId: number
  producerEpoch: number
}
