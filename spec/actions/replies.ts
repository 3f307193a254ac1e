/**
 * Replies, and what a producer and its application make of them.
 *
 * A running instance takes a reply at once: its delay could only delay what the instance sends next, which
 * may be under way for any time in any case. A paused instance finds its replies when it goes on.
 */
import { abortTransaction, drain, initialise, onBatchAnswered } from '../apps/batches.ts'
import { close } from '../apps/leaving.ts'
import { onOffsetsAnswered, sendOffsets } from '../apps/read-process-write.ts'
import {
  abortUnknown,
  endWhenDone,
  onEnded,
  onInitialised,
  onOffsetCommitted,
  work,
} from '../apps/session.ts'
import type { Worker } from '../apps/worker.ts'
import { noteFenced } from '../ghost.ts'
import { appLane } from '../lanes.ts'
import { answer } from '../protocol/network.ts'
import { isNoOwner, severityOf } from '../protocol/producer.ts'
import { noIdentity } from '../protocol/transaction-coordinator/decision.ts'
import type { ErrorName, Identity, Instance, ProduceRequest, Reply, Request } from '../state.ts'
import { type Broker, chooseSurviving, connectionTo, type End, laneOf, reconnect } from './connections.ts'
import { spend } from './step.ts'

export { type Broker, brokers, connectionTo } from './connections.ts'

interface Answered extends End {
  readonly broker: Broker
}

/** Answers the first request of a live connection. */
export function reply(answered: Answered, error: ErrorName, identity: Identity = noIdentity): void {
  const { protocol, state, step, client, broker } = answered
  const connection = connectionTo(state, client, broker)
  const kind = connection.requests[0]?.kind
  if (kind === 'Produce' && protocol.config.acks === '0') {
    connection.requests.shift()
    return
  }
  const message = `${kind} reply`
  const lost = isLost(answered)
  answer(connection, error, identity)
  if (lost) {
    spend(state, step, 'lostReplies')
    const text = `${error}; the request is sent again`
    step.emit({ kind: 'lost', lane: laneOf(protocol, broker), peer: appLane(client), message, text })
    return reconnect(answered, broker, chooseSurviving(step, connection, 0))
  }
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
  if (!isIgnored(taken)) noteFenced(protocol, state, taken)
  step.emit({
    kind: 'delivered',
    lane: appLane(client),
    peer: laneOf(protocol, broker),
    message: `${taken.request.kind} reply`,
    fields: { error: taken.error, ...identityFields(taken) },
  })
  if (broker === 'coordinator') onCoordinatorReply(worker, taken)
  else if (broker === protocol.offsetsPartition) onOffsetCommitReply(worker, taken)
  else onProduceReply(worker, broker, taken)
}

function onCoordinatorReply(worker: Worker, taken: Reply): void {
  const { request, error } = taken
  const { instance } = worker
  if (request.kind === 'Produce') return
  if (isKeepingRefused(taken)) return initialise(worker, false)
  const severity = severityOf(worker.protocol, request, error)
  if (severity === 'fatal') return closeAfter(worker, request)
  if (severity === 'retriable') return sendAgain(worker, 'coordinator', request)
  if (severity === 'abortable') return abortAfter(worker, request.kind, error)
  switch (request.kind) {
    case 'InitProducerId':
      return onInitialised(worker, taken)
    case 'AddPartitionsToTxn':
      return instance.result === 'abort' ? endWhenDone(worker) : work(worker)
    case 'AddOffsetsToTxn':
      if (instance.result === 'commit') return sendOffsets(worker)
      instance.offsetsPending = false
      return endWhenDone(worker)
    case 'EndTxn':
      return onEnded(worker, taken)
  }
}

/** The application has no other way than a producer that does not ask to keep what is prepared (KIP-939). */
const isKeepingRefused = ({ request, error }: Reply): boolean =>
  request.kind === 'InitProducerId' && request.keepPreparedTxn === true && error === 'UNSUPPORTED_VERSION'

/** The same request once more, on the same connection. */
function sendAgain({ state, client }: Worker, broker: Broker, request: Request): void {
  connectionTo(state, client, broker).requests.push(request)
}

/** The coordinator or the group refuses: the transaction is aborted. */
function abortAfter(worker: Worker, kind: Request['kind'], error: ErrorName): void {
  const { instance } = worker
  if (error === 'INVALID_PRODUCER_ID_MAPPING') instance.mappingLost = true
  instance.revoked = isNoOwner(error)
  // It joins again under a new member id (AbstractCoordinator.resetStateOnResponseError).
  if (error === 'UNKNOWN_MEMBER_ID' && worker.protocol.config.staticMembers) instance.memberId = -1
  instance.offsetsPending = false
  abortTransaction(worker)
  if (kind === 'AddPartitionsToTxn' && !instance.mappingLost) return abortUnknown(worker)
  endWhenDone(worker)
}

/** A fatal error closes the producer. */
function closeAfter(worker: Worker, { session, transactionalId }: Request): void {
  const { ghost } = worker.state
  if (transactionalId >= 0 && session !== ghost.newestSession[transactionalId]) ghost.fenced = true
  close(worker)
}

/** The answer to a batch that was given up: it only makes room for the next one on the connection. */
const isIgnored = ({ request }: Reply): boolean => request.kind === 'Produce' && request.givenUp === true

function onProduceReply(worker: Worker, partition: number, taken: Reply): void {
  if (isIgnored(taken)) return drain(worker, partition)
  const { request, error } = taken
  const batch = request as ProduceRequest
  if (!onBatchAnswered(worker, partition, batch, error)) return closeAfter(worker, batch)
  drain(worker, partition)
  endWhenDone(worker)
}

function onOffsetCommitReply(worker: Worker, { request, error }: Reply): void {
  if (request.kind === 'Produce') return
  const severity = severityOf(worker.protocol, request, error)
  if (severity === 'fatal') return closeAfter(worker, request)
  if (severity === 'retriable') return sendAgain(worker, worker.protocol.offsetsPartition, request)
  if (request.kind === 'OffsetCommit') return onOffsetCommitted(worker)
  if (severity === 'abortable') return abortAfter(worker, request.kind, error)
  onOffsetsAnswered(worker)
  endWhenDone(worker)
}
