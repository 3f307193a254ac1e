/** How the Kafka model is shown: its participants as lanes, and what a reader need not see. */
import type { Lane, StepEvent } from '../checker/view.ts'
import type { Protocol } from './protocol/protocol.ts'
import type { Request } from './state.ts'

export const appLane = (client: number) => `app-${client}`
export const coordinatorLane = 'coordinator'
export const partitionLane = ({ offsetsPartition }: Protocol, partition: number) =>
  partition === offsetsPartition ? 'offsets' : `partition-${partition}`

export function lanesOf(protocol: Protocol): Lane[] {
  const { config, offsetsPartition } = protocol
  const clients = Array.from({ length: config.instances }, (_, client) => ({
    id: appLane(client),
    label: `App ${client}`,
    group: 'clients',
  }))
  const outputs = Array.from({ length: config.outputPartitions }, (_, partition) => ({
    id: partitionLane(protocol, partition),
    label: `Partition ${partition}`,
    group: 'partitions',
  }))
  return [
    ...clients,
    { id: coordinatorLane, label: 'Transaction coordinator', group: 'transaction coordinator' },
    ...outputs,
    { id: partitionLane(protocol, offsetsPartition), label: 'Group offsets', group: 'group coordinator' },
  ]
}

const hidden = new Set([
  'kind',
  'session',
  'transaction',
  'transactionalId',
  'producerId',
  'transactional',
  'executing',
  'retried',
  'givenUp',
  'reset',
])

/** The fields of a request that matter to a reader. */
export function keyFields(request: Request): NonNullable<StepEvent['fields']> {
  return Object.fromEntries(Object.entries(request).filter(([name]) => !hidden.has(name)))
}

/** What a reader of a trace need not see: the network, whose messages the events tell, and bookkeeping. */
export const background = [
  'connection',
  'markers',
  'verification',
  'budget',
  'ghost',
  'coordinator[].answer',
  'coordinator[].entry.transaction',
  'transactionLog',
  'partition[].awaiting',
  'partition[].guards',
  'instance[].session',
  'instance[].nextSequence',
  'instance[].unacknowledged',
  'instance[].offsetsPending',
  'instance[].transaction',
]
