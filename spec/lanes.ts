/** How the Kafka model is shown: its participants as lanes, and what a reader need not see. */
import type { Lane, StepEvent } from '../checker/view.ts'
import type { Protocol } from './protocol/protocol.ts'
import { clientsOf, outputsOf } from './protocol/topology.ts'
import type { Request } from './state.ts'

export const appLane = (client: number) => `app-${client}`
export const coordinatorLane = 'coordinator'
export const partitionLane = ({ offsetsPartition }: Protocol, partition: number) =>
  partition === offsetsPartition ? 'offsets' : `partition-${partition}`

export function lanesOf(protocol: Protocol): Lane[] {
  const { offsetsPartition } = protocol
  const clients = clientsOf(protocol).map((client) => ({
    id: appLane(client),
    label: `App ${client}`,
    group: 'clients',
  }))
  const outputs = outputsOf(protocol).map((partition) => ({
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
