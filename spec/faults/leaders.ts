/** Another replica becomes the leader of a partition. */
import { action, type Step } from '../../checker/model.ts'
import { connectionTo, reconnect } from '../actions/connections.ts'
import { oneOf, spend } from '../actions/step.ts'
import { onMarkerAnswered } from '../actions/transaction-log.ts'
import { partitionLane } from '../lanes.ts'
import { loadedOffsets } from '../protocol/group-coordinator.ts'
import { fromSnapshot, underNewLeader } from '../protocol/partition-leader.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { partitionAt } from '../protocol/topology.ts'
import type { AwaitingReplication, KafkaState, Marker } from '../state.ts'
import type { Fault } from './fault.ts'

/** The whole numbers from `first` to `last`. */
const range = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)

export function leaderFaults(protocol: Protocol): Fault[] {
  const outputs = range(0, protocol.config.outputPartitions - 1)
  const all = range(0, protocol.offsetsPartition)
  return [
    {
      budget: 'leaderChanges',
      actions: [
        action('ChangeLeader', { partition: all }, (state: KafkaState, { partition }, step) => {
          spend(state, step, 'leaderChanges')
          const { log, highWatermark } = partitionAt(state, partition)
          const end = chooseEnd(step, range(highWatermark, log.length))
          changeLeader(protocol, state, step, partition, end)
          lagBehind(state, step, partition, highWatermark)
        }),
      ],
    },
    {
      budget: 'snapshotReloads',
      actions: [
        action('ReloadFromSnapshot', { partition: all }, (state: KafkaState, { partition }, step) => {
          spend(state, step, 'snapshotReloads')
          changeLeader(protocol, state, step, partition, partitionAt(state, partition).log.length)
          const leader = partitionAt(state, partition)
          leader.producers = fromSnapshot(leader.producers)
        }),
      ],
    },
    {
      budget: 'uncleanElections',
      actions: [
        action('ElectUncleanly', { partition: outputs }, (state: KafkaState, { partition }, step) => {
          spend(state, step, 'uncleanElections')
          const { logStart, highWatermark } = partitionAt(state, partition)
          step.when('a replica may lack a replicated record', highWatermark > logStart)
          const end = chooseEnd(step, range(logStart, highWatermark - 1))
          changeLeader(protocol, state, step, partition, end)
        }),
      ],
    },
  ]
}

const chooseEnd = (step: Step, ends: number[]): number =>
  oneOf(step, 'the log of the new leader ends at', ends)

/**
 * The old leader answers nothing any more: what it worked on is sent again to the new one, and what came late over a
 * closed connection to it is refused and forgotten, as is a verification (NOT_LEADER_OR_FOLLOWER).
 */
function changeLeader(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  partition: number,
  end: number,
): void {
  const { awaiting } = partitionAt(state, partition)
  state.partition[partition] = underNewLeader(protocol, partitionAt(state, partition), end)
  state.verification[partition] = []
  state.markers[partition] = (state.markers[partition] as Marker[]).filter(({ late }) => !late)
  repeatMarkers(protocol, state, step, partition, awaiting)
  for (const client of state.connection.keys()) {
    const connection = connectionTo(state, client, partition)
    connection.late = []
    if (connection.requests.length > 0) reconnect({ protocol, state, step, client }, partition, 0)
  }
  if (partition === protocol.offsetsPartition) {
    state.group = { ...state.group, ...loadedOffsets(protocol, partitionAt(state, partition).log) }
  }
  const text = `another replica leads: its log ends at ${end}`
  step.emit({ kind: 'crashed', lane: partitionLane(protocol, partition), text })
}

/** Coordinators send the markers again that were not acknowledged to them. */
function repeatMarkers(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  partition: number,
  awaiting: readonly AwaitingReplication[],
): void {
  for (const waiting of awaiting) {
    if (!('markerOf' in waiting)) continue
    const { transactionalId, markerOf: coordinatorEpoch } = waiting
    const marker = { transactionalId, coordinatorEpoch, partition }
    onMarkerAnswered(protocol, state, step, marker, 'NOT_LEADER_OR_FOLLOWER')
  }
}

/**
 * A follower learns the high watermark with its next fetch: the new leader may know an earlier one. Only after the
 * last election: what is replicated then stays so, wherever the new leader believes the high watermark to be.
 */
function lagBehind(state: KafkaState, step: Step, partition: number, highWatermark: number): void {
  const { budget } = state
  const left = budget.leaderChanges + budget.snapshotReloads + budget.uncleanElections
  const leader = partitionAt(state, partition)
  if (left > 0 && budget.total > 0) return
  if (highWatermark <= leader.logStart) return
  const known = step.choose('the new leader knows the high watermark', [highWatermark, highWatermark - 1])
  leader.highWatermark = known
}
