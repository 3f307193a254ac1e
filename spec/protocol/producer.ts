/** The producer client: what it makes of an error, and the requests it builds. */
import { transactionName } from '../ghost.ts'
import type {
  AddPartitionsRequest,
  EndTxnRequest,
  ErrorName,
  Identity,
  InitProducerIdRequest,
  Instance,
  OffsetCommitRequest,
  ProduceRequest,
  Request,
} from '../state.ts'
import type { Protocol } from './protocol.ts'

/** 'abortable': the transaction must be aborted. 'fatal': the producer can only be closed. */
export type Severity = 'none' | 'retriable' | 'abortable' | 'fatal'

const abortableForBatches: readonly ErrorName[] = [
  'INVALID_PRODUCER_EPOCH',
  'INVALID_TXN_STATE',
  'TRANSACTION_ABORTABLE',
  'OUT_OF_ORDER_SEQUENCE_NUMBER',
]

/**
 * Sender.handleProduceResponse and the handlers of TransactionManager. INVALID_PRODUCER_EPOCH from a partition
 * leader is abortable, from a coordinator it is as fatal as PRODUCER_FENCED.
 */
export function severityOf(kind: Request['kind'], error: ErrorName): Severity {
  if (error === 'NONE') return 'none'
  if (kind === 'Produce') {
    if (error === 'NOT_ENOUGH_REPLICAS') return 'retriable'
    return abortableForBatches.includes(error) ? 'abortable' : 'fatal'
  }
  if (error === 'TRANSACTION_ABORTABLE' && kind !== 'InitProducerId') return 'abortable'
  if (kind === 'TxnOffsetCommit' && isNoOwner(error)) return 'abortable'
  return 'fatal'
}

/** The group refuses the commit: another owner has the partition (CommitFailedException). */
export const isNoOwner = (error: ErrorName): boolean =>
  error === 'ILLEGAL_GENERATION' || error === 'UNKNOWN_MEMBER_ID' || error === 'GROUP_ID_NOT_FOUND'

export const newInstance = (outputPartitions: number): Instance => ({
  status: 'not started',
  phase: 'none',
  session: 0,
  transactionalId: -1,
  producerId: -1,
  producerEpoch: -1,
  memberId: -1,
  generation: -1,
  position: -1,
  processed: 0,
  transaction: 0,
  result: 'commit',
  nextSequence: Array.from({ length: outputPartitions }, () => 0),
  unacknowledged: Array.from({ length: outputPartitions }, () => 0),
  offsetsPending: false,
  epochBumpRequired: false,
  revoked: false,
})

/** Forgets all that a producer object knows: it crashed, was closed or has finished. */
export function stop(instance: Instance, status: 'crashed' | 'closed' | 'finished'): void {
  Object.assign(instance, newInstance(instance.nextSequence.length), { status })
}

/** A new identity starts all sequences at 0 (TransactionManager.resetSequenceNumbers). */
export function adopt(instance: Instance, { producerId, producerEpoch }: Identity): void {
  instance.producerId = producerId
  instance.producerEpoch = producerEpoch
  instance.nextSequence = instance.nextSequence.map(() => 0)
}

/** The transaction has to be aborted. */
export function becomeAborting(instance: Instance): void {
  instance.result = 'abort'
}

/**
 * A batch failed: the transaction has to be aborted, and the epoch is raised after that, unless the transaction is
 * already being completed (KIP-360, TransactionManager.maybeTransitionToErrorState).
 */
export function failBatch(protocol: Protocol, instance: Instance): void {
  const raises = protocol.flags.clientEpochBump && protocol.protects('epoch bump after an error')
  if (raises && !isCompleting(protocol, instance)) instance.epochBumpRequired = true
  becomeAborting(instance)
}

/** commitTransaction is called when sendOffsetsToTransaction returns, with batches still in flight unless they are flushed. */
function isCompleting({ config }: Protocol, { phase, result, offsetsPending }: Instance): boolean {
  const commitCalled = !config.flushBeforeCommit && phase === 'sending' && !offsetsPending
  return phase === 'ending' || result === 'abort' || commitCalled
}

const originOf = ({ session, transaction, transactionalId }: Instance) => ({
  session,
  transaction: transactionName(session, transaction),
  transactionalId,
  executing: false,
})

/** From a producer that has an identity the request raises its epoch (KIP-360), else it asks for one. */
export const initProducerIdRequest = (instance: Instance): InitProducerIdRequest => ({
  kind: 'InitProducerId',
  ...originOf(instance),
  expectedProducerId: instance.producerId,
  expectedEpoch: instance.producerEpoch,
})

export const addRequest = (
  kind: AddPartitionsRequest['kind'],
  instance: Instance,
  partitions: number[],
): AddPartitionsRequest => ({
  kind,
  ...originOf(instance),
  producerId: instance.producerId,
  producerEpoch: instance.producerEpoch,
  partitions,
})

export const endRequest = (instance: Instance): EndTxnRequest => ({
  kind: 'EndTxn',
  ...originOf(instance),
  producerId: instance.producerId,
  producerEpoch: instance.producerEpoch,
  result: instance.result,
})

/** The batch for `part` of the outputs of the current input; takes the next sequence of the partition. */
export function produceRequest(instance: Instance, partition: number, part: number): ProduceRequest {
  const sequence = instance.nextSequence[partition] as number
  instance.nextSequence[partition] = sequence + 1
  return {
    kind: 'Produce',
    ...originOf(instance),
    producerId: instance.producerId,
    producerEpoch: instance.producerEpoch,
    transactional: instance.transactionalId >= 0,
    sequence,
    input: instance.position,
    part,
  }
}

export const offsetCommitRequest = (
  kind: OffsetCommitRequest['kind'],
  instance: Instance,
  offset: number,
  named: boolean,
): OffsetCommitRequest => ({
  kind,
  ...originOf(instance),
  producerId: instance.producerId,
  producerEpoch: instance.producerEpoch,
  memberId: named ? instance.memberId : -1,
  generation: instance.generation,
  offset,
})

/** EndTxn is sent when no batch and no offset commit is outstanding (TransactionManager.nextRequest). */
export const isWorkDone = ({ unacknowledged, offsetsPending }: Instance): boolean =>
  !offsetsPending && unacknowledged.every((batches) => batches === 0)

/** An out-of-order answer is final for the batch that comes next, and repeated for later ones (Sender.canRetry). */
export function isNextExpected(instance: Instance, partition: number, sequence: number): boolean {
  const acknowledged =
    (instance.nextSequence[partition] as number) - (instance.unacknowledged[partition] as number)
  return sequence === acknowledged
}
