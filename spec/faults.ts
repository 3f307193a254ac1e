/** What can go wrong. Each fault takes from a budget of its own and from the budget of all faults. */
import { action, type Action } from '../checker/model.ts'
import { atWork } from './actions/clients.ts'
import { spend } from './actions/step.ts'
import { complete, recordDecision } from './actions/transaction-log.ts'
import { endWhenDone, leave } from './apps/read-process-write.ts'
import { appLane, coordinatorLane, partitionLane } from './lanes.ts'
import { answer, executing, nextRequest, reconnect } from './protocol/network.ts'
import { becomeAborting } from './protocol/producer.ts'
import type { Protocol } from './protocol/protocol.ts'
import { loaded } from './protocol/transaction-coordinator.ts'
import type { Connection, Instance, KafkaState, Marker } from './state.ts'

/** The broker that a connection leads to. */
const destinations = (protocol: Protocol) =>
  Array.from({ length: protocol.offsetsPartition + 2 }, (_, index) =>
    index === 0 ? coordinatorLane : partitionLane(protocol, index - 1),
  )

function connectionTo(protocol: Protocol, state: KafkaState, client: number, broker: string): Connection {
  const connections = state.connection[client] as KafkaState['connection'][number]
  if (broker === coordinatorLane) return connections.coordinator
  return connections.partition[destinations(protocol).indexOf(broker) - 1] as Connection
}

export function faultActions(protocol: Protocol): Action<KafkaState>[] {
  const { config, offsetsPartition } = protocol
  const client = Array.from({ length: config.instances }, (_, index) => index)
  const output = Array.from({ length: config.outputPartitions }, (_, index) => index)
  const partition = Array.from({ length: offsetsPartition + 1 }, (_, index) => index)
  const broker = destinations(protocol)
  const faults: { budget: keyof KafkaState['budget'] & keyof typeof config; actions: Action<KafkaState>[] }[] = [
    {
      budget: 'crashes',
      actions: [
        action('Crash', { client }, (state: KafkaState, { client }, step) => {
          const instance = state.instance[client] as Instance
          step.when('it is running or paused', instance.status === 'running' || instance.status === 'paused')
          spend(state, step, 'crashes')
          step.emit({ kind: 'crashed', lane: appLane(client) })
          leave({ protocol, state, step, client, instance }, 'crashed')
        }),
      ],
    },
    {
      budget: 'pauses',
      actions: [
        action('Pause', { client }, (state: KafkaState, { client }, step) => {
          const { instance } = atWork(protocol, state, step, client)
          spend(state, step, 'pauses')
          instance.status = 'paused'
          step.emit({ kind: 'paused', lane: appLane(client), text: 'stops answering; believed to be dead' })
        }),
        action('Resume', { client }, (state: KafkaState, { client }, step) => {
          const instance = state.instance[client] as Instance
          step.when('it is paused', instance.status === 'paused')
          instance.status = 'running'
          step.emit({ kind: 'resumed', lane: appLane(client), text: 'goes on as if nothing had happened' })
        }),
      ],
    },
    {
      budget: 'lostRequests',
      actions: [
        action('LoseRequest', { client, broker }, (state: KafkaState, { client, broker }, step) => {
          const connection = connectionTo(protocol, state, client, broker)
          step.when('a request is on the wire', nextRequest(connection) !== undefined)
          spend(state, step, 'lostRequests')
          const message = connection.requests[0]?.kind ?? ''
          step.emit({ kind: 'lost', lane: appLane(client), peer: broker, message, text: 'sent again' })
          reconnect(connection)
        }),
      ],
    },
    {
      budget: 'lostReplies',
      actions: [
        action('LoseReply', { client, broker }, (state: KafkaState, { client, broker }, step) => {
          const connection = connectionTo(protocol, state, client, broker)
          step.when('a reply is on the wire', connection.replies.length > 0)
          spend(state, step, 'lostReplies')
          const message = `${connection.replies[0]?.request.kind} reply`
          step.emit({ kind: 'lost', lane: broker, peer: appLane(client), message, text: 'the request is sent again' })
          reconnect(connection)
        }),
      ],
    },
    {
      budget: 'lateRequests',
      actions: [
        action('DelayRequest', { client, broker }, (state: KafkaState, { client, broker }, step) => {
          const connection = connectionTo(protocol, state, client, broker)
          const request = connection.requests[0]
          step.when('a request is on the wire', request !== undefined)
          spend(state, step, 'lateRequests')
          const message = request?.kind ?? ''
          const text = 'its connection is closed, it may still be executed; sent again'
          step.emit({ kind: 'delayed', lane: appLane(client), peer: broker, message, text })
          if (request !== undefined && !request.executing) connection.late.push({ ...request })
          reconnect(connection)
        }),
      ],
    },
    {
      budget: 'lateMarkers',
      actions: [
        action('DelayMarker', { partition }, (state: KafkaState, { partition }, step) => {
          const { requests } = state.markers[partition] as KafkaState['markers'][number]
          const index = requests.findIndex(({ late }) => !late)
          step.when('a marker is on the wire', index >= 0)
          spend(state, step, 'lateMarkers')
          const lane = partitionLane(protocol, partition)
          const text = 'its connection is closed, it may still be executed; sent again'
          step.emit({ kind: 'delayed', lane: coordinatorLane, peer: lane, message: 'WriteTxnMarkers', text })
          requests.push({ ...(requests[index] as Marker), late: true })
        }),
      ],
    },
    {
      budget: 'coordinatorFailovers',
      actions: [
        action('FailOver', {}, (state: KafkaState, _, step) => {
          spend(state, step, 'coordinatorFailovers')
          const { tail } = state.transactionLog
          const kept = tail !== null && step.choose('the record not yet replicated is', ['lost', 'kept']) === 'kept'
          failOver(protocol, state, kept)
          step.emit({ kind: 'crashed', lane: coordinatorLane, text: 'another broker takes over' })
          const { entry } = state.coordinator
          const preparing = entry?.state === 'PrepareCommit' || entry?.state === 'PrepareAbort'
          if (entry !== null && preparing) complete(protocol, state, step, entry)
        }),
      ],
    },
    {
      budget: 'deliveryTimeouts',
      actions: [
        action('ExpireBatch', { client, partition: output }, (state: KafkaState, { client, partition }, step) => {
          const worker = atWork(protocol, state, step, client)
          const { instance } = worker
          step.when('a batch is not acknowledged', (instance.unacknowledged[partition] as number) > 0)
          spend(state, step, 'deliveryTimeouts')
          const connection = state.connection[client]?.partition[partition] as Connection
          step.emit({ kind: 'delayed', lane: appLane(client), peer: partitionLane(protocol, partition), message: 'Produce', text: 'given up by the client' })
          connection.late.push(...connection.requests.filter((request) => !request.executing))
          connection.requests = []
          connection.replies = []
          connection.unsent = []
          becomeAborting(protocol, instance, true)
          instance.unacknowledged[partition] = 0
          endWhenDone(worker)
        }),
      ],
    },
    {
      budget: 'applicationAborts',
      actions: [
        action('AbandonTransaction', { client }, (state: KafkaState, { client }, step) => {
          const worker = atWork(protocol, state, step, client)
          const { instance } = worker
          const open = instance.phase === 'sending' || instance.phase === 'adding partitions'
          step.when('its transaction is open', open && instance.result === 'commit')
          spend(state, step, 'applicationAborts')
          becomeAborting(protocol, instance, false)
          step.emit({ kind: 'note', lane: appLane(client), text: 'the application decides to abort' })
        }),
      ],
    },
    {
      budget: 'refusedBatches',
      actions: [
        action('RefuseBatch', { client, partition: output }, (state: KafkaState, { client, partition }, step) => {
          const connection = state.connection[client]?.partition[partition] as Connection
          const request = nextRequest(connection)
          step.when('a batch is on the wire', request?.kind === 'Produce')
          spend(state, step, 'refusedBatches')
          const lane = partitionLane(protocol, partition)
          step.emit({ kind: 'sent', lane, peer: appLane(client), message: 'Produce reply', fields: { error: 'NOT_ENOUGH_REPLICAS' } })
          answer(connection, 'NOT_ENOUGH_REPLICAS')
        }),
      ],
    },
  ]
  return faults.flatMap(({ budget, actions }) => (config[budget] > 0 && config.faults > 0 ? actions : []))
}

/**
 * A new coordinator reads the transaction log to its end: a record that was not yet replicated may be there or not.
 * What was only in memory is gone; requests that it was working on are repeated by their senders.
 */
function failOver(protocol: Protocol, state: KafkaState, kept: boolean): void {
  const { coordinator, transactionLog } = state
  if (kept && transactionLog.tail !== null) {
    transactionLog.committed = transactionLog.tail
    recordDecision(state, transactionLog.tail)
  }
  transactionLog.tail = null
  const waiting = coordinator.answer
  coordinator.coordinatorEpoch += 1
  coordinator.entry = transactionLog.committed === null ? null : loaded(transactionLog.committed)
  coordinator.answer = { to: 'nobody' }
  coordinator.nextLastProducerEpoch = -1
  coordinator.markersForgotten = false
  if (waiting.to === 'client') {
    const connection = state.connection[waiting.client]?.coordinator as Connection
    const request = executing(connection, waiting.request)
    if (request !== undefined) request.executing = false
  }
  if (waiting.to === 'partition') {
    for (const verification of state.verification[waiting.partition] ?? []) {
      if (verification.phase === 'being added') verification.phase = 'to be verified'
    }
  }
}
