/**
 * Replies, and what a producer and its application make of them.
 *
 * A running instance takes a reply at once: its delay could only delay what the instance sends next, which may be
 * under way for any time in any case. A paused instance finds its replies when it goes on.
 */
import type { Step } from '../../checker/model.ts'
import {
  afterAbort,
  afterCommit,
  beginOrFinish,
  close,
  drain,
  endWhenDone,
  rewind,
  sendOffsets,
  sendWork,
  type Worker,
} from '../apps/read-process-write.ts'
import { appLane, coordinatorLane, partitionLane } from '../lanes.ts'
import { answer, reconnect } from '../protocol/network.ts'
import { adopt, becomeAborting, failBatch, isNextExpected, isNoOwner, severityOf } from '../protocol/producer.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { noIdentity } from '../protocol/transaction-coordinator/decision.ts'
import type {
  Connection,
  ErrorName,
  Identity,
  Instance,
  KafkaState,
  ProduceRequest,
  Reply,
  Request,
} from '../state.ts'
import { spend } from './step.ts'

/** Whom a connection leads to: the transaction coordinator or the leader of a partition. */
export type Broker = 'coordinator' | number

export const brokers = ({ offsetsPartition }: Protocol): Broker[] => [
  'coordinator',
  ...Array.from({ length: offsetsPartition + 1 }, (_, partition) => partition),
]

export function connectionTo(state: KafkaState, client: number, broker: Broker): Connection {
  const connections = state.connection[client] as KafkaState['connection'][number]
  return broker === 'coordinator' ? connections.coordinator : (connections.partition[broker] as Connection)
}

export const laneOf = (protocol: Protocol, broker: Broker): string =>
  broker === 'coordinator' ? coordinatorLane : partitionLane(protocol, broker)

interface Answered {
  readonly protocol: Protocol
  readonly state: KafkaState
  readonly step: Step
  readonly client: number
  readonly broker: Broker
}

/** Answers the first request of a live connection. */
export function reply(answered: Answered, error: ErrorName, identity: Identity = noIdentity): void {
  const { protocol, state, step, client, broker } = answered
  const connection = connectionTo(state, client, broker)
  const message = `${connection.requests[0]?.kind} reply`
  if (isLost(answered)) {
    spend(state, step, 'lostReplies')
    const text = `${error}; the request is sent again`
    step.emit({ kind: 'lost', lane: laneOf(protocol, broker), peer: appLane(client), message, text })
    return reconnect(connection)
  }
  answer(connection, error, identity)
  step.emit({
    kind: 'sent',
    lane: laneOf(protocol, broker),
    peer: appLane(client),
    message,
    fields: { error, ...identityFields(identity) },
  })
  const instance = state.instance[client] as Instance
  if (instance.status === 'running') receive({ protocol, state, step, client, instance }, broker)
}

/** The identity in a reply, where it carries one. */
const identityFields = ({ producerId, producerEpoch }: Identity): Record<string, number> =>
  producerEpoch < 0 ? {} : { producerId, producerEpoch }

/** A fault: the connection breaks with the reply on it. */
function isLost({ protocol, state, step, client }: Answered): boolean {
  if (protocol.config.lostReplies === 0) return false
  if (state.budget.lostReplies === 0 || state.budget.total === 0) return false
  return step.choose(`the reply to ${appLane(client)}`, ['arrives', 'is lost']) === 'is lost'
}

/** Takes the first reply off a connection and acts on it. */
export function receive(worker: Worker, broker: Broker): void {
  const { protocol, state, step, client } = worker
  const connection = connectionTo(state, client, broker)
  const taken = connection.replies.shift()
  if (taken === undefined) return
  step.emit({
    kind: 'delivered',
    lane: appLane(client),
    peer: laneOf(protocol, broker),
    message: `${taken.request.kind} reply`,
    fields: { error: taken.error, ...identityFields(taken) },
  })
  if (broker === 'coordinator') onCoordinatorReply(worker, taken)
  else if (broker === protocol.offsetsPartition) onOffsetCommitReply(worker, taken)
  else onProduceReply(worker, broker, connection, taken)
}

function onCoordinatorReply(worker: Worker, taken: Reply): void {
  const { request, error } = taken
  const { instance } = worker
  const severity = severityOf(request.kind, error)
  if (severity === 'fatal') return closeAfter(worker, request)
  if (severity === 'abortable') {
    becomeAborting(instance)
    instance.offsetsPending = false
    return endWhenDone(worker)
  }
  switch (request.kind) {
    case 'InitProducerId':
      return onInitialised(worker, taken)
    case 'AddPartitionsToTxn':
      return instance.result === 'abort' ? endWhenDone(worker) : sendWork(worker)
    case 'AddOffsetsToTxn':
      if (instance.result === 'commit') return sendOffsets(worker)
      instance.offsetsPending = false
      return endWhenDone(worker)
    case 'EndTxn':
      worker.state.ghost.told[request.transaction] = request.result
      if (taken.producerEpoch >= 0) adopt(instance, taken)
      return request.result === 'commit' ? afterCommit(worker) : afterAbort(worker)
  }
}

/** A fatal error closes the producer. */
function closeAfter(worker: Worker, { session, transactionalId }: Request): void {
  const { ghost } = worker.state
  if (transactionalId >= 0 && session !== ghost.newestSession[transactionalId]) ghost.fenced = true
  close(worker)
}

function onInitialised(worker: Worker, identity: Identity): void {
  const { protocol, instance } = worker
  adopt(instance, identity)
  if (instance.phase === 'raising the epoch') return rewind(worker)
  if (protocol.config.fetchOffsets === 'before init') return beginOrFinish(worker)
  instance.phase = 'joining'
}

function onProduceReply(worker: Worker, partition: number, connection: Connection, taken: Reply): void {
  const { protocol, instance } = worker
  const request = taken.request as ProduceRequest
  const severity = severityOf('Produce', taken.error)
  if (severity === 'fatal') return closeAfter(worker, request)
  const isEarly =
    taken.error === 'OUT_OF_ORDER_SEQUENCE_NUMBER' && !isNextExpected(instance, partition, request.sequence)
  if (severity === 'retriable' || isEarly) {
    // Retried batches go out in the order of their sequences (RecordAccumulator.insertInSequenceOrder).
    connection.unsent.push(request)
    connection.unsent.sort((one, other) => one.sequence - other.sequence)
  } else {
    if (severity === 'abortable') failBatch(protocol, instance)
    instance.unacknowledged[partition] = (instance.unacknowledged[partition] as number) - 1
  }
  drainInOrder(worker, partition, connection)
  endWhenDone(worker)
}

/** A retried batch goes out only when no earlier one is in flight (RecordAccumulator.shouldStopDrainBatchesForPartition). */
function drainInOrder(worker: Worker, partition: number, connection: Connection): void {
  const inFlight = [
    ...connection.requests,
    ...connection.replies.map(({ request }) => request),
  ] as ProduceRequest[]
  const first = connection.unsent[0]
  if (first === undefined || inFlight.some(({ sequence }) => sequence < first.sequence)) return
  drain(worker, partition)
}

function onOffsetCommitReply(worker: Worker, { request, error }: Reply): void {
  const { instance } = worker
  const severity = severityOf(request.kind, error)
  if (severity === 'fatal') return closeAfter(worker, request)
  if (request.kind === 'OffsetCommit') return afterCommit(worker)
  if (severity === 'abortable') {
    becomeAborting(instance)
    instance.revoked = isNoOwner(error)
  }
  instance.offsetsPending = false
  endWhenDone(worker)
}
