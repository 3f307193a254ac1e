/** Requests between their verification and their append, and the answers to requests that partitions work on. */
import type { Step } from '../../checker/model.ts'
import { executing, finishLate } from '../protocol/network.ts'
import { guardFor, guardOf, refusalOf, repetitionOf, withEntry } from '../protocol/partition-leader.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { partitionAt, verificationsAt } from '../protocol/topology.ts'
import {
  type ErrorName,
  type KafkaState,
  type PartitionRequest,
  requestName,
  type Verification,
} from '../state.ts'
import { connectionTo, reply } from './replies.ts'

/** The request takes the producer's guard, and its question to the coordinator is on its way. */
export function beginVerification(
  state: KafkaState,
  partition: number,
  request: PartitionRequest,
  sender: Pick<Verification, 'client' | 'late'>,
): void {
  const leader = partitionAt(state, partition)
  leader.guards = withEntry(leader.guards, guardFor(guardOf(leader, request.producerId), request))
  verificationsAt(state, partition).push({ request, ...sender, guard: 'current', phase: 'to be verified' })
}

/** An append and a marker clear the producer's guard: requests that were verified under it no longer hold it. */
export function clearGuard(state: KafkaState, partition: number, producerId: number): void {
  const leader = partitionAt(state, partition)
  if (guardOf(leader, producerId) === null) return
  leader.guards = leader.guards.filter((guard) => guard.producerId !== producerId)
  for (const verification of verificationsAt(state, partition)) {
    if (verification.request.producerId === producerId) verification.guard = 'cleared'
  }
}

/** A request that a partition works on, by its name. */
export interface Waiting {
  client: number
  partition: number
  request: string
}

/** Answers the request that is being worked on, if its connection still exists. */
export function answerExecuting(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  { client, partition, request: name }: Waiting,
  error: ErrorName,
): void {
  if (executing(connectionTo(state, client, partition), name) === undefined) return
  reply({ protocol, state, step, client, broker: partition }, error)
}

/** Takes a request out of its verification and answers it. */
export function answerWithoutAppend(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  partition: number,
  index: number,
  error: ErrorName,
): void {
  const [verification] = verificationsAt(state, partition).splice(index, 1)
  const { client, late, request } = verification as Verification
  const waiting = { client, partition, request: requestName(request) }
  if (late) finishLate(connectionTo(state, client, partition), waiting.request)
  else answerExecuting(protocol, state, step, waiting, error)
}

/** The coordinator refused the partition. */
export function refuseVerification(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  partition: number,
  index: number,
  error: ErrorName,
): void {
  answerWithoutAppend(protocol, state, step, partition, index, refusalOf(protocol, error))
}

/**
 * The coordinator answered CONCURRENT_TRANSACTIONS: the client sends the request again, which begins a verification of
 * its own. Only a guard that was cleared meanwhile tells that from a request that waits.
 */
export function repeatVerification(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  partition: number,
  index: number,
  because: string,
): void {
  const { guard, request } = verificationsAt(state, partition)[index] as Verification
  step.when(because, guard === 'cleared')
  answerWithoutAppend(protocol, state, step, partition, index, repetitionOf(protocol, request))
}
