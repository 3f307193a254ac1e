/** What the leader of a partition does with a request or a marker: verify, validate, write, and have it acknowledged. */
import type { Step } from '../../checker/model.ts'
import { coordinatorLane, partitionLane } from '../lanes.ts'
import { afterCommit, afterMarker } from '../protocol/group-coordinator.ts'
import { beginLate, type Copy, discardLate, executing, finishLate } from '../protocol/network.ts'
import { validateCommit } from '../protocol/offset-commit.ts'
import {
  type GuardHeld,
  guardOf,
  guardSurvives,
  startVerification,
  validateBatch,
  validateMarker,
  withEntry,
} from '../protocol/partition-leader.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { partitionAt } from '../protocol/topology.ts'
import {
  type AwaitingReplication,
  type DataRecord,
  type ErrorName,
  type Ghost,
  type KafkaState,
  type Marker,
  type OffsetRecord,
  type PartitionRequest,
  requestName,
} from '../state.ts'
import { connectionTo, reply } from './replies.ts'
import { type AnsweredMarker, onMarkerAnswered } from './transaction-log.ts'
import { answerExecuting, beginVerification, clearGuard } from './verifications.ts'

/** A request that a partition has taken up. */
export interface Arrival {
  client: number
  partition: number
  copy: Copy
  /** Position among the late requests of the connection. */
  index: number
  request: PartitionRequest
}

/** Phase A (ReplicaManager.handleProduceAppend): appended at once, refused, or verified first. */
export function start(protocol: Protocol, state: KafkaState, step: Step, arrival: Arrival): void {
  const { client, partition, copy, index } = arrival
  const request = { ...arrival.request }
  const leader = partitionAt(state, partition)
  const connection = connectionTo(state, client, partition)
  const next = startVerification(protocol, leader, request)
  if (next === 'refuse') {
    if (copy === 'late') return discardLate(connection, index)
    return reply({ protocol, state, step, client, broker: partition }, protocol.flags.staleEpochError)
  }
  if (copy === 'late') beginLate(connection, index)
  else (connection.requests[0] as { executing: boolean }).executing = true
  if (next === 'append') return write(protocol, state, step, { ...arrival, request }, 'not needed')
  beginVerification(state, partition, request, { client, late: copy === 'late' })
}

/** Phase B: validation and append. The reply waits until the high watermark covers the record. */
export function write(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  arrival: Arrival,
  guardHeld: GuardHeld,
): void {
  const { partition, request } = arrival
  const leader = partitionAt(state, partition)
  const error = request.kind === 'Produce' ? 'NONE' : validateCommit(protocol, state.group, request)
  if (error !== 'NONE') return answerLive(protocol, state, step, arrival, error)
  const outcome = validateBatch(protocol, leader, request, guardHeld)
  const lane = partitionLane(protocol, partition)
  if (outcome.kind === 'refused') return answerLive(protocol, state, step, arrival, outcome.error)
  if (outcome.kind === 'duplicate') {
    step.emit({ kind: 'note', lane, text: `recognised as a duplicate of offset ${outcome.offset}` })
    return protocol.protects('duplicate waits for its original')
      ? answerWhenReplicated(protocol, state, step, arrival, outcome.offset)
      : answerLive(protocol, state, step, arrival, 'NONE')
  }
  if (outcome.producer !== null) {
    leader.producers = withEntry(leader.producers, outcome.producer)
    clearGuard(state, partition, request.producerId)
  }
  const record = recordOf(request, state.ghost)
  const offset = leader.log.push(record) - 1
  if (request.kind !== 'Produce') state.group = afterCommit(state.group, request, offset, protocol.protects)
  const fields = { offset, producerEpoch: record.producerEpoch }
  step.emit({ kind: 'appended', lane, message: record.kind, fields })
  answerAppended(protocol, state, step, arrival, offset)
}

/** acks=all waits for the replicas, acks=1 does not, and acks=0 asks for no answer. */
function answerAppended(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  arrival: Arrival,
  offset: number,
): void {
  const { acks } = protocol.config
  if (acks === 'all' && protocol.protects('acknowledgement after replication'))
    return answerWhenReplicated(protocol, state, step, arrival, offset)
  if (acks !== '0') return answerLive(protocol, state, step, arrival, 'NONE')
  const { client, partition, copy, request } = arrival
  const connection = connectionTo(state, client, partition)
  if (copy === 'late') finishLate(connection, requestName(request))
  else if (executing(connection, requestName(request)) !== undefined) connection.requests.shift()
}

function answerWhenReplicated(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  arrival: Arrival,
  offset: number,
): void {
  const { client, partition, copy, request } = arrival
  const leader = partitionAt(state, partition)
  if (copy === 'late') return finishLate(connectionTo(state, client, partition), requestName(request))
  if (offset < leader.highWatermark) return answerLive(protocol, state, step, arrival, 'NONE')
  leader.awaiting.push({ client, request: requestName(request) })
}

function answerLive(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  arrival: Arrival,
  error: ErrorName,
): void {
  const { client, partition, copy, request } = arrival
  const waiting = { client, partition, request: requestName(request) }
  if (copy === 'late') finishLate(connectionTo(state, client, partition), waiting.request)
  else answerExecuting(protocol, state, step, waiting, error)
}

function recordOf(request: PartitionRequest, { newestSession }: Ghost): DataRecord | OffsetRecord {
  const { producerId, producerEpoch, session, transaction, transactionalId } = request
  const fenced = transactionalId >= 0 && session !== newestSession[transactionalId]
  const ghost = { session, transaction, fenced }
  if (request.kind === 'Produce') {
    const { transactional, sequence, input, part } = request
    return { kind: 'data', producerId, producerEpoch, transactional, sequence, input, part, ...ghost }
  }
  const { offset, generation } = request
  return {
    kind: 'offset',
    producerId,
    producerEpoch,
    offset,
    generation,
    transactional: request.kind === 'TxnOffsetCommit',
    ...ghost,
  }
}

/** WriteTxnMarkers: validated and appended; the sender hears of it when it is replicated. */
export function writeMarker(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  partition: number,
  marker: Marker,
  isAnswered = !marker.late,
): void {
  const leader = partitionAt(state, partition)
  const lane = partitionLane(protocol, partition)
  const { transactionalId, producerId, producerEpoch, result, coordinatorEpoch, transaction } = marker
  const told = { result, producerEpoch, coordinatorEpoch }
  const late = marker.late ? ({ late: true } as const) : {}
  step.emit({
    kind: 'delivered',
    lane,
    peer: coordinatorLane,
    message: 'WriteTxnMarkers',
    fields: told,
    ...late,
  })
  const outcome = validateMarker(protocol, leader, marker)
  if (outcome.kind === 'refused') {
    const answered = { transactionalId, coordinatorEpoch, partition }
    if (isAnswered) onMarkerAnswered(protocol, state, step, answered, outcome.error)
    return
  }
  leader.producers = withEntry(leader.producers, outcome.producer)
  const guard = guardOf(leader, producerId)
  if (guard !== null && !guardSurvives(protocol, guard, marker)) clearGuard(state, partition, producerId)
  const record = { kind: 'marker', producerId, producerEpoch, result, coordinatorEpoch, transaction } as const
  const offset = leader.log.push(record) - 1
  if (partition === protocol.offsetsPartition)
    state.group = afterMarker(state.group, producerId, result, protocol.protects)
  if (isAnswered) acknowledgeMarker(protocol, state, step, { transactionalId, coordinatorEpoch, partition })
  step.emit({ kind: 'appended', lane, message: `marker ${result}`, fields: { offset, producerEpoch } })
}

/** The coordinator hears of its marker when that is replicated: until then a new leader may lack it. */
function acknowledgeMarker(protocol: Protocol, state: KafkaState, step: Step, written: AnsweredMarker): void {
  if (!protocol.protects('marker acknowledged after replication'))
    return onMarkerAnswered(protocol, state, step, written, 'NONE')
  const { partition, coordinatorEpoch: markerOf, transactionalId } = written
  state.partition[partition]?.awaiting.push({ markerOf, transactionalId })
}

/** The record is replicated: its sender is answered. */
export function acknowledge(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  partition: number,
  waiting: AwaitingReplication,
): void {
  if ('markerOf' in waiting) {
    const { transactionalId, markerOf: coordinatorEpoch } = waiting
    return onMarkerAnswered(protocol, state, step, { transactionalId, coordinatorEpoch, partition }, 'NONE')
  }
  answerExecuting(protocol, state, step, { ...waiting, partition }, 'NONE')
}
