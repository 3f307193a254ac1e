/** The Kafka model: participants, their steps, faults and guarantees. */
import { defineModel } from '../checker/model.ts'
import { clientActions, resumedActions } from './actions/clients.ts'
import { coordinatorActions } from './actions/coordinator.ts'
import { partitionActions } from './actions/partitions.ts'
import { configSchema, initialBudget, type KafkaConfig } from './config.ts'
import { defences } from './defences.ts'
import { faultActions } from './faults/index.ts'
import { background, lanesOf } from './lanes.ts'
import { propertiesOf } from './properties/index.ts'
import { questionsOf } from './properties/questions/index.ts'
import { newGroup } from './protocol/group-coordinator.ts'
import { newConnection } from './protocol/network.ts'
import { emptyPartition } from './protocol/partition-leader.ts'
import { newInstance } from './protocol/producer.ts'
import { type Protocol, protocolOf, transactionalIdCount } from './protocol/protocol.ts'
import { canTimeOut } from './protocol/transaction-coordinator/fence.ts'
import type { Coordinator, Ghost, KafkaState, TransactionLog } from './state.ts'
import { symmetryOf } from './symmetry.ts'
import { viewOf } from './view.ts'

/** The split into components: an action touches few of them. */
const components = [
  'instance[]',
  'connection[].coordinator',
  'connection[].partition[]',
  'nextProducerId',
  'coordinator[]',
  'transactionLog[]',
  'markers[]',
  'partition[]',
  'verification[]',
  'group',
  'budget[]',
  'ghost[]',
]

const times = <Value>(count: number, make: () => Value): Value[] => Array.from({ length: count }, make)

const newCoordinator = (): Coordinator => ({
  coordinatorEpoch: 0,
  entry: null,
  answer: { to: 'nobody' },
  markersForgotten: false,
  former: null,
})
const newLog = (): TransactionLog => ({
  committed: null,
  reportedFailed: null,
  tail: null,
  tailInEffect: false,
})

const newGhost = (ids: number): Ghost => ({
  sessions: 0,
  newestSession: times(ids, () => 0),
  decisions: {},
  told: {},
  external: {},
  fenced: false,
  claimedForNobody: false,
  fencedWithoutRival: false,
  acknowledged: {},
})

/** Before anything has happened: no instance runs, all logs are empty. */
function initialState(protocol: Protocol): KafkaState {
  const { config, offsetsPartition } = protocol
  const partitions = offsetsPartition + 1
  const ids = Math.max(1, transactionalIdCount(config))
  return {
    instance: times(config.instances, () => newInstance(config.outputPartitions)),
    connection: times(config.instances, () => ({
      coordinator: newConnection(),
      partition: times(partitions, newConnection),
    })),
    nextProducerId: 0,
    coordinator: times(ids, newCoordinator),
    transactionLog: times(ids, newLog),
    markers: times(partitions, () => []),
    partition: times(partitions, emptyPartition),
    verification: times(partitions, () => []),
    group: newGroup(protocol),
    budget: initialBudget(config),
    ghost: newGhost(ids),
  }
}

/**
 * Nothing more can happen only when no instance is at work any more, or when those that are wait for the timeout of a
 * transaction that nobody ends and the budget of timeouts is used up.
 */
function isProperEnd({ instance, coordinator, group }: KafkaState): boolean {
  const timesOut = coordinator.some(({ entry }) => canTimeOut(entry))
  const waitsForTimeout = (phase: string) => timesOut && group.pending.length > 0 && phase === 'fetching'
  return instance.every(({ status, phase }) => status !== 'running' || waitsForTimeout(phase))
}

export const kafka = defineModel<KafkaConfig, KafkaState>({
  name: 'kafka',
  summary:
    "Kafka's exactly-once machinery: a transactional read-process-write application and the brokers it talks to",
  config: configSchema,
  defences,
  build: (config, context) => {
    const protocol = protocolOf(config, context.defences)
    const steps = [...clientActions(protocol), ...coordinatorActions(protocol), ...partitionActions(protocol)]
    const faults = faultActions(protocol)
    // What an instance does once it has gone on is no fault.
    const resumed = resumedActions(protocol).map(({ name }) => name)
    const fair = [...steps, ...faults.filter(({ name }) => resumed.includes(name))].map(({ name }) => name)
    return {
      initial: initialState(protocol),
      components,
      actions: [...steps, ...faults],
      properties: propertiesOf(protocol, fair),
      questions: questionsOf(protocol, fair),
      properTermination: isProperEnd,
      lanes: lanesOf(protocol),
      view: viewOf(protocol),
      background,
      symmetry: symmetryOf(protocol),
    }
  },
})
