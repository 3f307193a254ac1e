/** Steps of the partition leaders, the group's partition among them. */
import { type Action, action, type Step } from '../../checker/model.ts'
import { coordinatorLane, partitionLane } from '../lanes.ts'
import { afterCommit, afterMarker, validateCommit } from '../protocol/group-coordinator.ts'
import { type Copy, copies, discardLate, executing } from '../protocol/network.ts'
import {
  type GuardHeld,
  guardFor,
  guardOf,
  guardSurvives,
  startVerification,
  validateBatch,
  validateMarker,
  withEntry,
} from '../protocol/partition-leader.ts'
import type { Protocol } from '../protocol/protocol.ts'
import {
  type DataRecord,
  type ErrorName,
  type Ghost,
  type KafkaState,
  type Marker,
  type OffsetRecord,
  type Partition,
  type PartitionRequest,
  requestName,
  type Verification,
} from '../state.ts'
import { connectionTo, reply } from './replies.ts'
import { emitDelivered, takeUp } from './step.ts'
import { onMarkerAnswered } from './transaction-log.ts'

export function partitionActions(protocol: Protocol): Action<KafkaState>[] {
  const { config, offsetsPartition } = protocol
  const all = Array.from({ length: offsetsPartition + 1 }, (_, partition) => partition)
  const clients = Array.from({ length: config.instances }, (_, client) => client)

  return [
    action(
      'HandleProduce',
      { client: clients, partition: all.slice(0, -1), copy: copies },
      (state: KafkaState, { client, partition, copy }, step) => {
        const { request, index } = takeUp(step, connectionTo(state, client, partition), copy, ['Produce'])
        emitDelivered(step, client, partitionLane(protocol, partition), request, copy)
        start(protocol, state, step, { client, partition, copy, index, request })
      },
    ),

    action(
      'HandleOffsetCommit',
      { client: clients, copy: copies },
      (state: KafkaState, { client, copy }, step) => {
        const partition = offsetsPartition
        const kinds = ['TxnOffsetCommit', 'OffsetCommit'] as const
        const { request, index } = takeUp(step, connectionTo(state, client, partition), copy, kinds)
        emitDelivered(step, client, partitionLane(protocol, partition), request, copy)
        start(protocol, state, step, { client, partition, copy, index, request })
      },
    ),

    action('AppendVerified', { partition: all }, (state: KafkaState, { partition }, step) => {
      const verifications = state.verification[partition] as Verification[]
      const ready = verifications.flatMap(({ phase }, index) => (phase === 'verified' ? [index] : []))
      step.when('a verified request waits for its append', ready.length > 0)
      const index = ready.length === 1 ? (ready[0] as number) : step.choose('request', ready)
      const { request, client, late, guard } = verifications[index] as Verification
      verifications.splice(index, 1)
      const copy = late ? 'late' : 'live'
      write(protocol, state, step, { client, partition, copy, index: -1, request }, guard)
    }),

    action('AppendMarker', { partition: all }, (state: KafkaState, { partition }, step) => {
      const requests = state.markers[partition] as Marker[]
      step.when('a marker has arrived', requests.length > 0)
      const index = requests.length === 1 ? 0 : step.choose('marker', [...requests.keys()])
      const marker = { ...(requests[index] as Marker) }
      requests.splice(index, 1)
      writeMarker(protocol, state, step, partition, marker)
    }),

    action('AdvanceHighWatermark', { partition: all }, (state: KafkaState, { partition }, step) => {
      const leader = state.partition[partition] as Partition
      step.when('records are not yet replicated', leader.highWatermark < leader.log.length)
      leader.highWatermark = leader.log.length
      step.emit({
        kind: 'note',
        lane: partitionLane(protocol, partition),
        text: `high watermark ${leader.log.length}`,
      })
      const { awaiting } = leader
      leader.awaiting = []
      for (const waiting of awaiting) acknowledge(protocol, state, step, partition, waiting)
    }),
  ]
}

interface Arrival {
  client: number
  partition: number
  copy: Copy
  /** Position among the late requests of the connection. */
  index: number
  request: PartitionRequest
}

/** Phase A (ReplicaManager.handleProduceAppend): appended at once, refused, or verified first. */
function start(protocol: Protocol, state: KafkaState, step: Step, arrival: Arrival): void {
  const { client, partition, copy, index } = arrival
  const request = { ...arrival.request }
  const leader = state.partition[partition] as Partition
  const connection = connectionTo(state, client, partition)
  const next = request.kind === 'OffsetCommit' ? 'append' : startVerification(protocol, leader, request)
  if (next === 'refuse') {
    if (copy === 'late') return discardLate(connection, index)
    return reply({ protocol, state, step, client, broker: partition }, protocol.flags.staleEpochError)
  }
  if (copy === 'late') discardLate(connection, index)
  else (connection.requests[0] as { executing: boolean }).executing = true
  if (next === 'append') return write(protocol, state, step, { ...arrival, request }, 'not needed')
  leader.guards = withEntry(leader.guards, guardFor(guardOf(leader, request.producerId), request))
  const verifications = state.verification[partition] as Verification[]
  verifications.push({ request, client, late: copy === 'late', guard: 'current', phase: 'to be verified' })
}

/** Phase B: validation and append. The reply waits until the high watermark covers the record. */
function write(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  arrival: Arrival,
  guardHeld: GuardHeld,
): void {
  const { client, partition, copy, request } = arrival
  const leader = state.partition[partition] as Partition
  if (request.kind !== 'Produce') {
    const error = validateCommit(protocol, state.group, request)
    if (error !== 'NONE') return answerLive(protocol, state, step, arrival, error)
  }
  if (request.kind !== 'OffsetCommit') {
    const outcome = validateBatch(protocol, leader, request, guardHeld)
    if (outcome.kind === 'refused') return answerLive(protocol, state, step, arrival, outcome.error)
    if (outcome.kind === 'duplicate') {
      const lane = partitionLane(protocol, partition)
      step.emit({ kind: 'note', lane, text: `recognised as a duplicate of offset ${outcome.offset}` })
      if (copy === 'late') return
      if (outcome.offset < leader.highWatermark) return answerLive(protocol, state, step, arrival, 'NONE')
      leader.awaiting.push({ client, request: requestName(request) })
      return
    }
    leader.producers = withEntry(leader.producers, outcome.producer)
    clearGuard(state, partition, request.producerId)
  }
  const record = recordOf(request, state.ghost)
  leader.log.push(record)
  if (request.kind !== 'Produce') state.group = afterCommit(state.group, request, leader.log.length - 1)
  if (copy === 'live') leader.awaiting.push({ client, request: requestName(request) })
  step.emit({
    kind: 'appended',
    lane: partitionLane(protocol, partition),
    message: record.kind,
    fields: { offset: leader.log.length - 1, producerEpoch: record.producerEpoch },
  })
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

/** An append and a marker clear the producer's guard: requests that were verified under it no longer hold it. */
function clearGuard(state: KafkaState, partition: number, producerId: number): void {
  const leader = state.partition[partition] as Partition
  if (guardOf(leader, producerId) === null) return
  leader.guards = leader.guards.filter((guard) => guard.producerId !== producerId)
  for (const verification of state.verification[partition] as Verification[]) {
    if (verification.request.producerId === producerId) verification.guard = 'cleared'
  }
}

function writeMarker(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  partition: number,
  marker: Marker,
): void {
  const leader = state.partition[partition] as Partition
  const lane = partitionLane(protocol, partition)
  const { transactionalId, producerId, producerEpoch, result, coordinatorEpoch, transaction } = marker
  const fields = { result, producerEpoch, coordinatorEpoch }
  step.emit({ kind: 'delivered', lane, peer: coordinatorLane, message: 'WriteTxnMarkers', fields })
  const outcome = validateMarker(protocol, leader, marker)
  if (outcome.kind === 'refused') {
    const answered = { transactionalId, coordinatorEpoch, partition }
    if (!marker.late) onMarkerAnswered(protocol, state, step, answered, outcome.error)
    return
  }
  leader.producers = withEntry(leader.producers, outcome.producer)
  const guard = guardOf(leader, producerId)
  if (guard !== null && !guardSurvives(protocol, guard, marker)) clearGuard(state, partition, producerId)
  leader.log.push({ kind: 'marker', producerId, producerEpoch, result, coordinatorEpoch, transaction })
  if (partition === protocol.offsetsPartition) state.group = afterMarker(state.group, producerId, result)
  if (!marker.late) leader.awaiting.push({ markerOf: coordinatorEpoch, transactionalId })
  step.emit({
    kind: 'appended',
    lane,
    message: `marker ${result}`,
    fields: { offset: leader.log.length - 1, producerEpoch },
  })
}

function acknowledge(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  partition: number,
  waiting: Partition['awaiting'][number],
): void {
  if ('markerOf' in waiting) {
    const { transactionalId, markerOf: coordinatorEpoch } = waiting
    return onMarkerAnswered(protocol, state, step, { transactionalId, coordinatorEpoch, partition }, 'NONE')
  }
  answerExecuting(protocol, state, step, { ...waiting, partition }, 'NONE')
}

function answerLive(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  arrival: Arrival,
  error: ErrorName,
): void {
  if (arrival.copy === 'late') return
  const { client, partition, request } = arrival
  answerExecuting(protocol, state, step, { client, partition, request: requestName(request) }, error)
}

/** Answers the request that is being worked on, if its connection still exists. */
function answerExecuting(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  { client, partition, request: name }: { client: number; partition: number; request: string },
  error: ErrorName,
): void {
  if (executing(connectionTo(state, client, partition), name) === undefined) return
  reply({ protocol, state, step, client, broker: partition }, error)
}

/** The coordinator refused the partition: the request is answered without an append. */
export function answerWithoutAppend(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  partition: number,
  index: number,
  error: ErrorName,
): void {
  const verifications = state.verification[partition] as Verification[]
  const { client, late, request } = verifications[index] as Verification
  const name = requestName(request)
  verifications.splice(index, 1)
  if (!late) answerExecuting(protocol, state, step, { client, partition, request: name }, error)
}
