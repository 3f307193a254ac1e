/** The requests that a producer builds. */
import { transactionName } from '../../ghost.ts'
import type {
  AddPartitionsRequest,
  EndTxnRequest,
  InitProducerIdRequest,
  Instance,
  OffsetCommitRequest,
  ProduceRequest,
} from '../../state.ts'
import type { Protocol } from '../protocol.ts'

const originOf = ({ session, transaction, transactionalId }: Instance) => ({
  session,
  transaction: transactionName(session, transaction),
  transactionalId,
  executing: false,
})

/** From a producer that has an identity the request raises its epoch (KIP-360), else it asks for one. */
export const initProducerIdRequest = (
  { config }: Protocol,
  instance: Instance,
  { keepPrepared = false } = {},
): InitProducerIdRequest => ({
  kind: 'InitProducerId',
  ...originOf(instance),
  expectedProducerId: config.nextEpoch === 'names nothing' ? -1 : instance.producerId,
  expectedEpoch: config.nextEpoch === 'names nothing' ? -1 : instance.producerEpoch,
  ...(config.twoPhaseCommit ? { enable2Pc: true } : {}),
  ...(config.transactionTimeout === 'allowed' ? {} : { timeoutAboveMaximum: true }),
  ...(keepPrepared ? { keepPreparedTxn: true } : {}),
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

/** A batch that waits for its first attempt: it gets its sequence and identity when it is drained. */
export const produceRequest = (instance: Instance, input: number, part: number): ProduceRequest => ({
  kind: 'Produce',
  ...originOf(instance),
  producerId: -1,
  producerEpoch: -1,
  transactional: instance.transactionalId >= 0,
  sequence: -1,
  input,
  part,
})

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
  ...(named && instance.groupInstanceId !== undefined ? { groupInstanceId: instance.groupInstanceId } : {}),
  offset,
})
