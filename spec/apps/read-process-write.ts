/**
 * The transactional read-process-write loop: one input, its outputs and the next offset in one transaction
 * (KafkaProducer, "Using Transactions" in Kafka's design documentation).
 */
import type { Step } from '../../checker/model.ts'
import { emitSent, spend } from '../actions/step.ts'
import { appLane, coordinatorLane, partitionLane } from '../lanes.ts'
import { namesMember, ownerOf } from '../protocol/group-coordinator.ts'
import { abandon, onTheWire, sendUnsent } from '../protocol/network.ts'
import {
  addRequest,
  endRequest,
  initProducerIdRequest,
  isWorkDone,
  offsetCommitRequest,
  produceRequest,
  stop,
} from '../protocol/producer.ts'
import type { Protocol } from '../protocol/protocol.ts'
import {
  type Connection,
  type CoordinatorRequest,
  type Instance,
  type KafkaState,
  type Request,
  requestName,
} from '../state.ts'

/** One instance of the application at work in a step. */
export interface Worker {
  readonly protocol: Protocol
  readonly state: KafkaState
  readonly step: Step
  readonly client: number
  readonly instance: Instance
}

const connectionTo = ({ state, client }: Worker, partition: number) =>
  state.connection[client]?.partition[partition] as Connection

export function sendToCoordinator(worker: Worker, request: CoordinatorRequest): void {
  const { state, step, client } = worker
  state.connection[client]?.coordinator.requests.push(request)
  emitSent(step, client, coordinatorLane, request)
}

/** Opens a session: joins the group first or initialises first, as configured. */
export function open(worker: Worker): void {
  const { protocol, instance } = worker
  if (protocol.config.fetchOffsets === 'before init') instance.phase = 'joining'
  else initialise(worker)
}

export function initialise(worker: Worker): void {
  worker.instance.phase = 'initialising'
  sendToCoordinator(worker, initProducerIdRequest(worker.instance))
}

/** Begins the transaction of the input at the current position, or ends when there is none left. */
export function beginOrFinish(worker: Worker): void {
  const { protocol, instance } = worker
  if (instance.position >= protocol.config.inputs) return finish(worker)
  if (instance.transaction >= protocol.config.attempts) return close(worker)
  instance.transaction += 1
  instance.result = 'commit'
  if (protocol.flags.clientVersion === 2) return sendWork(worker)
  instance.phase = 'adding partitions'
  const partitions = Array.from({ length: protocol.config.outputPartitions }, (_, partition) => partition)
  sendToCoordinator(worker, addRequest('AddPartitionsToTxn', instance, partitions))
}

/** Sends the outputs and the offset; before transaction.version 2 the offsets' partition is added first. */
export function sendWork(worker: Worker): void {
  const { protocol, instance } = worker
  const { outputPartitions, recordsPerOutput } = protocol.config
  instance.phase = 'sending'
  for (let partition = 0; partition < outputPartitions; partition += 1) {
    instance.unacknowledged[partition] = recordsPerOutput
    const connection = connectionTo(worker, partition)
    for (let part = 0; part < recordsPerOutput; part += 1) {
      connection.unsent.push(produceRequest(instance, partition, part))
    }
    drain(worker, partition)
  }
  if (!protocol.protects('offsets inside the transaction')) return
  instance.offsetsPending = true
  if (protocol.flags.clientVersion === 2) return sendOffsets(worker)
  sendToCoordinator(worker, addRequest('AddOffsetsToTxn', instance, [protocol.offsetsPartition]))
}

/** Puts waiting batches on the wire, as many as may be in flight. */
export function drain(worker: Worker, partition: number): void {
  const { protocol, step, client } = worker
  const connection = connectionTo(worker, partition)
  if (connection.unsent.length === 0) return
  const before = connection.requests.length
  sendUnsent(connection, protocol.config.maxInFlight)
  for (const request of connection.requests.slice(before)) {
    emitSent(step, client, partitionLane(protocol, partition), request)
  }
}

export const sendOffsets = (worker: Worker): void => sendOffsetCommit(worker, 'TxnOffsetCommit')

function sendOffsetCommit(worker: Worker, kind: 'TxnOffsetCommit' | 'OffsetCommit'): void {
  const { protocol, step, client, instance } = worker
  const named = namesMember(protocol, kind)
  const request = offsetCommitRequest(kind, instance, instance.position + 1, named)
  connectionTo(worker, protocol.offsetsPartition).requests.push(request)
  emitSent(step, client, partitionLane(protocol, protocol.offsetsPartition), request)
}

/** Ends the transaction when all that it sent is answered. */
export function endWhenDone(worker: Worker): void {
  const { instance } = worker
  if (!isWorkDone(instance)) return
  instance.phase = 'ending'
  sendToCoordinator(worker, endRequest(instance))
}

/** The transaction is committed: go on with the next input. */
export function afterCommit(worker: Worker): void {
  const { protocol, instance } = worker
  if (!protocol.protects('offsets inside the transaction') && instance.phase === 'ending') {
    instance.phase = 'committing offsets'
    return sendOffsetCommit(worker, 'OffsetCommit')
  }
  instance.position += 1
  beginOrFinish(worker)
}

/** The transaction is aborted: raise the epoch if an error asked for it, then go back to the committed offset. */
export function afterAbort(worker: Worker): void {
  const { instance } = worker
  if (instance.revoked && !mayRejoin(worker)) return close(worker)
  if (instance.epochBumpRequired) {
    instance.phase = 'raising the epoch'
    instance.epochBumpRequired = false
    return sendToCoordinator(worker, initProducerIdRequest(instance))
  }
  rewind(worker)
}

export function rewind(worker: Worker): void {
  const { protocol, instance } = worker
  if (instance.revoked) return rejoin(worker)
  if (protocol.protects('rewind after abort')) {
    instance.phase = 'fetching'
    return
  }
  instance.position += 1
  beginOrFinish(worker)
}

/** Whether joining the group again takes the input partition from nobody. */
function isFree({ state, instance }: Worker): boolean {
  const owner = ownerOf(state.group)
  return owner === -1 || owner === instance.memberId
}

const mayRejoin = (worker: Worker): boolean =>
  isFree(worker) || (worker.state.budget.rebalances > 0 && worker.state.budget.total > 0)

/** It has lost its input partition and takes it back, or is closed. */
export function rejoin(worker: Worker): void {
  const { state, step, instance } = worker
  if (!mayRejoin(worker)) return close(worker)
  if (!isFree(worker)) spend(state, step, 'rebalances')
  instance.revoked = false
  instance.phase = 'joining'
}

/** A fatal error: the producer can only be closed. What it sent may still be executed. */
export function close(worker: Worker): void {
  worker.step.emit({ kind: 'note', lane: appLane(worker.client), text: 'the producer is closed' })
  leave(worker, 'closed')
}

const finish = (worker: Worker): void => leave(worker, 'finished')

/** The process is gone, with all that it knew; some of what it sent may still arrive. */
export function leave(worker: Worker, status: 'crashed' | 'closed' | 'finished'): void {
  const { protocol, state, step, client, instance } = worker
  const { coordinator, partition } = state.connection[client] as KafkaState['connection'][number]
  const connections = [
    { connection: coordinator, lane: coordinatorLane },
    ...partition.map((connection, index) => ({ connection, lane: partitionLane(protocol, index) })),
  ]
  const nameOf = (request: Request, lane: string) => `${requestName(request)} to ${lane}`
  const sent = connections.flatMap(({ connection, lane }) =>
    onTheWire(connection).map((request) => nameOf(request, lane)),
  )
  const choices = subsets(sent, protocol.config.survivors)
  const survivors = sent.length === 0 ? [] : step.choose('requests that still arrive', choices)
  for (const { connection, lane } of connections) {
    abandon(connection, (request) => survivors.includes(nameOf(request, lane)))
  }
  stop(instance, status)
}

/** All subsets of at most `size` elements, the empty one first. */
function subsets(names: readonly string[], size: number): string[][] {
  const [first, ...rest] = names
  if (first === undefined || size === 0) return [[]]
  return [...subsets(rest, size), ...subsets(rest, size - 1).map((subset) => [first, ...subset])]
}
