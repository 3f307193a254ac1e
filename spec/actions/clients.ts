/** Steps of the application instances and their producers. */
import { action, type Action, type Step } from '../../checker/model.ts'
import {
  afterAbort,
  afterCommit,
  beginOrFinish,
  close,
  drain,
  endWhenDone,
  initialise,
  open,
  rewind,
  sendOffsets,
  sendWork,
  type Worker,
} from '../apps/read-process-write.ts'
import { appLane, coordinatorLane, partitionLane } from '../lanes.ts'
import { canFetch } from '../protocol/group-coordinator.ts'
import { takeReply } from '../protocol/network.ts'
import { adoptEpoch, becomeAborting, isNextExpected, severityOf } from '../protocol/producer.ts'
import type { Protocol } from '../protocol/protocol.ts'
import type { Connection, Instance, KafkaState, ProduceRequest, Reply } from '../state.ts'
import { present } from './step.ts'

export function clientActions(protocol: Protocol): Action<KafkaState>[] {
  const { config } = protocol
  const client = Array.from({ length: config.instances }, (_, index) => index)
  const partition = Array.from({ length: config.outputPartitions }, (_, index) => index)

  return [
    action('Start', { client }, (state: KafkaState, { client }, step) => {
      const instance = state.instance[client] as Instance
      const fresh = instance.status === 'not started'
      step.when('it is not at work', fresh || instance.status === 'crashed' || instance.status === 'closed')
      const idle = state.instance.every(({ status }) => status !== 'running' && status !== 'finished')
      step.when('no other instance is known to be at work', idle)
      if (!fresh) {
        step.when('budget of restarts is left', state.budget.restarts > 0)
        state.budget.restarts -= 1
      }
      state.ghost.sessions += 1
      instance.status = 'running'
      instance.session = state.ghost.sessions
      step.emit({ kind: 'started', lane: appLane(client), text: `session ${instance.session}` })
      open({ protocol, state, step, client, instance })
    }),

    action('JoinGroup', { client }, (state: KafkaState, { client }, step) => {
      const worker = atWork(protocol, state, step, client)
      step.when('it is about to join the group', worker.instance.phase === 'joining')
      state.group.generation += 1
      worker.instance.generation = state.group.generation
      worker.instance.phase = 'fetching'
    }),

    action('FetchOffsets', { client }, (state: KafkaState, { client }, step) => {
      const worker = atWork(protocol, state, step, client)
      step.when('it is about to read the committed offset', worker.instance.phase === 'fetching')
      step.when('the offset is stable', canFetch(protocol, state.group))
      worker.instance.position = state.group.committed
      const text = `starts at the committed offset ${state.group.committed}`
      step.emit({ kind: 'note', lane: appLane(client), text })
      if (worker.instance.producerEpoch < 0) initialise(worker)
      else beginOrFinish(worker)
    }),

    action('ReceiveCoordinatorReply', { client }, (state: KafkaState, { client }, step) => {
      const connection = (state.connection[client] as KafkaState['connection'][number]).coordinator
      const reply = receive(step, client, coordinatorLane, connection)
      onCoordinatorReply(atWork(protocol, state, step, client), reply)
    }),

    action('ReceiveProduceReply', { client, partition }, (state: KafkaState, { client, partition }, step) => {
      const connection = state.connection[client]?.partition[partition] as Connection
      const reply = receive(step, client, partitionLane(protocol, partition), connection)
      onProduceReply(atWork(protocol, state, step, client), partition, connection, reply)
    }),

    action('ReceiveOffsetCommitReply', { client }, (state: KafkaState, { client }, step) => {
      const partition = protocol.offsetsPartition
      const connection = state.connection[client]?.partition[partition] as Connection
      const reply = receive(step, client, partitionLane(protocol, partition), connection)
      onOffsetCommitReply(atWork(protocol, state, step, client), reply)
    }),
  ]
}

export function atWork(protocol: Protocol, state: KafkaState, step: Step, client: number): Worker {
  const instance = state.instance[client] as Instance
  step.when('the instance is running', instance.status === 'running')
  return { protocol, state, step, client, instance }
}

function receive(step: Step, client: number, lane: string, connection: Connection): Reply {
  const reply = present(step, 'a reply has arrived', connection.replies[0])
  const { request, error, producerEpoch } = reply
  step.emit({
    kind: 'delivered',
    lane: appLane(client),
    peer: lane,
    message: `${request.kind} reply`,
    fields: producerEpoch < 0 ? { error } : { error, producerEpoch },
  })
  return takeReply(connection) as Reply
}

function onCoordinatorReply(worker: Worker, { request, error, producerEpoch }: Reply): void {
  const { protocol, instance } = worker
  const severity = severityOf(request.kind, error)
  if (severity === 'fatal') return close(worker)
  if (severity === 'abortable') {
    becomeAborting(protocol, instance, true)
    instance.offsetsPending = false
    return endWhenDone(worker)
  }
  switch (request.kind) {
    case 'InitProducerId':
      return onInitialised(worker, producerEpoch)
    case 'AddPartitionsToTxn':
      return instance.result === 'abort' ? endWhenDone(worker) : sendWork(worker)
    case 'AddOffsetsToTxn':
      if (instance.result === 'commit') return sendOffsets(worker)
      instance.offsetsPending = false
      return endWhenDone(worker)
    case 'EndTxn':
      if (producerEpoch >= 0) adoptEpoch(instance, producerEpoch)
      return request.result === 'commit' ? afterCommit(worker) : afterAbort(worker)
  }
}

function onInitialised(worker: Worker, producerEpoch: number): void {
  const { protocol, instance } = worker
  adoptEpoch(instance, producerEpoch)
  if (instance.phase === 'raising the epoch') return rewind(worker)
  if (protocol.config.fetchOffsets === 'before init') return beginOrFinish(worker)
  instance.phase = 'joining'
}

function onProduceReply(worker: Worker, partition: number, connection: Connection, reply: Reply): void {
  const { protocol, instance } = worker
  const request = reply.request as ProduceRequest
  const severity = severityOf('Produce', reply.error)
  if (severity === 'fatal') return close(worker)
  const isEarly =
    reply.error === 'OUT_OF_ORDER_SEQUENCE_NUMBER' && !isNextExpected(instance, partition, request.sequence)
  if (severity === 'retriable' || isEarly) {
    // Retried batches go out in the order of their sequences (RecordAccumulator.insertInSequenceOrder).
    connection.unsent.push(request)
    connection.unsent.sort((one, other) => one.sequence - other.sequence)
  } else {
    if (severity === 'abortable') becomeAborting(protocol, instance, true)
    instance.unacknowledged[partition] = (instance.unacknowledged[partition] as number) - 1
  }
  drainInOrder(worker, partition, connection)
  endWhenDone(worker)
}

/** A retried batch goes out only when no earlier one is in flight (RecordAccumulator.shouldStopDrainBatchesForPartition). */
function drainInOrder(worker: Worker, partition: number, connection: Connection): void {
  const inFlight = [...connection.requests, ...connection.replies.map(({ request }) => request)] as ProduceRequest[]
  const first = connection.unsent[0]
  if (first === undefined || inFlight.some(({ sequence }) => sequence < first.sequence)) return
  drain(worker, partition)
}

function onOffsetCommitReply(worker: Worker, { request, error }: Reply): void {
  const { protocol, instance } = worker
  const severity = severityOf(request.kind, error)
  if (severity === 'fatal') return close(worker)
  if (request.kind === 'OffsetCommit') return afterCommit(worker)
  if (severity === 'abortable') {
    becomeAborting(protocol, instance, true)
    instance.revoked = error === 'ILLEGAL_GENERATION'
  }
  instance.offsetsPending = false
  endWhenDone(worker)
}
