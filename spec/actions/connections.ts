/** The connections of the clients: where they lead, and what it means that one is closed. */
import type { Step } from '../../checker/model.ts'
import { coordinatorLane, partitionLane } from '../lanes.ts'
import { closeConnection, onTheWire } from '../protocol/network.ts'
import { closeGap, complete, drainBatches, reenqueue } from '../protocol/producer.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { partitionAt, partitionsOf, verificationsAt } from '../protocol/topology.ts'
import {
  type Connection,
  type Instance,
  type KafkaState,
  type ProduceRequest,
  type Request,
  requestName,
} from '../state.ts'
import { emitSent } from './step.ts'

/** Whom a connection leads to: the transaction coordinator or the leader of a partition. */
export type Broker = 'coordinator' | number

export const brokers = (protocol: Protocol): Broker[] => ['coordinator', ...partitionsOf(protocol)]

export function connectionTo(state: KafkaState, client: number, broker: Broker): Connection {
  const connections = state.connection[client] as KafkaState['connection'][number]
  return broker === 'coordinator' ? connections.coordinator : (connections.partition[broker] as Connection)
}

export const laneOf = (protocol: Protocol, broker: Broker): string =>
  broker === 'coordinator' ? coordinatorLane : partitionLane(protocol, broker)

/** One end of a connection. */
export interface End {
  readonly protocol: Protocol
  readonly state: KafkaState
  readonly step: Step
  readonly client: number
}

/** How many of several requests on the wire arrive although their connection is closed: the first ones. */
export function chooseSurviving(step: Step, connection: Connection, least: number): number {
  const sent = onTheWire(connection).length
  if (sent <= least) return sent
  return step.choose(
    'how many of the requests on the wire still arrive',
    Array.from({ length: sent - least + 1 }, (_, index) => least + index),
  )
}

/**
 * Closes a connection and returns what was not answered on it; the first `surviving` requests on the wire
 * come late.
 */
export function cut({ state, client }: End, broker: Broker, surviving: number): Request[] {
  const connection = connectionTo(state, client, broker)
  const working = connection.requests[0]
  const goesOn = working?.executing === true && broker !== 'coordinator'
  return closeConnection(connection, surviving, goesOn && disown(state, client, broker, working))
}

/**
 * What a partition works on for a connection that is closed goes on, and is answered to nobody. Says whether
 * it is being verified: the next request waits for that. Once it is appended nothing that follows can tell
 * when it is replicated.
 */
function disown(state: KafkaState, client: number, partition: number, request: Request): boolean {
  const name = requestName(request)
  const verification = verificationsAt(state, partition).find(
    (other) => other.client === client && !other.late && requestName(other.request) === name,
  )
  if (verification !== undefined) {
    verification.late = true
    return true
  }
  const leader = partitionAt(state, partition)
  const others = leader.awaiting.filter(
    (waiting) => 'markerOf' in waiting || waiting.client !== client || waiting.request !== name,
  )
  if (others.length < leader.awaiting.length) leader.awaiting = others
  return false
}

/**
 * The client finds a connection closed and sends on a new one what was not answered, batches by their own
 * rules.
 */
export function reconnect(end: End, broker: Broker, surviving: number): void {
  const { protocol, state, client } = end
  const unanswered = cut(end, broker, surviving)
  const connection = connectionTo(state, client, broker)
  if (broker === 'coordinator' || broker === protocol.offsetsPartition) {
    connection.requests = unanswered
    return
  }
  // With acks=0 nothing is ever waited for, and nothing sent again.
  const batches = protocol.config.acks === '0' ? [] : (unanswered as ProduceRequest[])
  for (const batch of batches) if (batch.givenUp === undefined) sendBatchAgain(end, broker, batch)
  drainBatches(protocol, state.instance[client] as Instance, broker, connection)
}

/**
 * A batch waits to be sent again: to its partition, or by a client that has this defect as a new one to the next
 * partition; the sequence that it had is the next one's there, as such a client counts what was acknowledged.
 */
export function sendBatchAgain(end: End, partition: number, batch: ProduceRequest): void {
  const { protocol, state, step, client } = end
  const connection = connectionTo(state, client, partition)
  if (protocol.config.partitioning !== 'another partition at each retry')
    return reenqueue(protocol, connection, batch)
  const instance = state.instance[client] as Instance
  const other = (partition + 1) % protocol.config.outputPartitions
  if (protocol.config.producer === 'idempotent') closeGap(instance, partition, connection, batch)
  complete(instance, partition, 1)
  complete(instance, other, -1)
  const { reset: _reset, ...sent } = batch
  const next = connectionTo(state, client, other)
  next.unsent.push({ ...sent, producerId: -1, producerEpoch: -1, sequence: -1, executing: false })
  for (const request of drainBatches(protocol, instance, other, next))
    emitSent(step, client, partitionLane(protocol, other), request)
}
