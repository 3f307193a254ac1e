/** What the applications share: an instance at work, and what it does with its producer. */
import type { Step } from '../../checker/model.ts'
import { emitSent } from '../actions/step.ts'
import { coordinatorLane, partitionLane } from '../lanes.ts'
import { namesMember } from '../protocol/offset-commit.ts'
import { offsetCommitRequest } from '../protocol/producer.ts'
import type { Protocol } from '../protocol/protocol.ts'
import type { Connection, CoordinatorRequest, Instance, KafkaState, OffsetCommitRequest } from '../state.ts'

/** One instance of the application at work in a step. */
export interface Worker {
  readonly protocol: Protocol
  readonly state: KafkaState
  readonly step: Step
  readonly client: number
  readonly instance: Instance
}

export const partitionConnection = ({ state, client }: Worker, partition: number): Connection =>
  state.connection[client]?.partition[partition] as Connection

export function sendToCoordinator({ state, step, client }: Worker, request: CoordinatorRequest): void {
  state.connection[client]?.coordinator.requests.push(request)
  emitSent(step, client, coordinatorLane, request)
}

/** Commits the offset after the current input. */
export function sendOffsetCommit(worker: Worker, kind: OffsetCommitRequest['kind']): void {
  const { protocol, step, client, instance } = worker
  const request = offsetCommitRequest(kind, instance, instance.position + 1, namesMember(protocol, kind))
  partitionConnection(worker, protocol.offsetsPartition).requests.push(request)
  emitSent(step, client, partitionLane(protocol, protocol.offsetsPartition), request)
}
