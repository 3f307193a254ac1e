/**
 * What can go wrong. Each fault takes from a budget of its own and from the budget of all faults. The loss of a reply
 * is a choice of the step that answers (`reply` in actions/replies.ts).
 */
import { type Action, action } from '../checker/model.ts'
import { atWork, resumedActions } from './actions/clients.ts'
import { abortForFence } from './actions/coordinator.ts'
import { answerWithoutAppend } from './actions/partitions.ts'
import { brokers, connectionTo, laneOf, reply } from './actions/replies.ts'
import { spend } from './actions/step.ts'
import { complete, recordDecision } from './actions/transaction-log.ts'
import { endWhenDone, leave } from './apps/read-process-write.ts'
import { appLane, coordinatorLane, partitionLane } from './lanes.ts'
import { executing, nextRequest, reconnect } from './protocol/network.ts'
import { startVerification } from './protocol/partition-leader.ts'
import { becomeAborting, failBatch } from './protocol/producer.ts'
import type { Protocol } from './protocol/protocol.ts'
import { canTimeOut, fence, loaded } from './protocol/transaction-coordinator.ts'
import type {
  Connection,
  CoordinatorEntry,
  Instance,
  KafkaState,
  Marker,
  Partition,
  Verification,
} from './state.ts'

export function faultActions(protocol: Protocol): Action<KafkaState>[] {
  const { config, offsetsPartition } = protocol
  const client = Array.from({ length: config.instances }, (_, index) => index)
  const output = Array.from({ length: config.outputPartitions }, (_, index) => index)
  const partition = Array.from({ length: offsetsPartition + 1 }, (_, index) => index)
  const broker = brokers(protocol)
  const faults: {
    budget: keyof KafkaState['budget'] & keyof typeof config
    actions: Action<KafkaState>[]
  }[] = [
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
        ...resumedActions(protocol),
      ],
    },
    {
      budget: 'lostRequests',
      actions: [
        action('LoseRequest', { client, broker }, (state: KafkaState, { client, broker }, step) => {
          const connection = connectionTo(state, client, broker)
          step.when('a request is on the wire', nextRequest(connection) !== undefined)
          spend(state, step, 'lostRequests')
          const message = connection.requests[0]?.kind ?? ''
          step.emit({
            kind: 'lost',
            lane: appLane(client),
            peer: laneOf(protocol, broker),
            message,
            text: 'sent again',
          })
          reconnect(connection)
        }),
      ],
    },
    {
      budget: 'lateRequests',
      actions: [
        action('DelayRequest', { client, broker }, (state: KafkaState, { client, broker }, step) => {
          const connection = connectionTo(state, client, broker)
          const request = connection.requests[0]
          step.when('a request is not yet answered', request !== undefined)
          spend(state, step, 'lateRequests')
          const message = request?.kind ?? ''
          const text = 'its connection is closed, it may still be executed; sent again'
          step.emit({ kind: 'delayed', lane: appLane(client), peer: laneOf(protocol, broker), message, text })
          if (request !== undefined && !request.executing) connection.late.push({ ...request })
          reconnect(connection)
        }),
      ],
    },
    {
      budget: 'lateMarkers',
      actions: [
        action('DelayMarker', { partition }, (state: KafkaState, { partition }, step) => {
          const requests = state.markers[partition] as Marker[]
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
          const kept =
            tail !== null && step.choose('the record not yet replicated is', ['lost', 'kept']) === 'kept'
          failOver(state, kept)
          step.emit({ kind: 'crashed', lane: coordinatorLane, text: 'another broker takes over' })
          const { entry } = state.coordinator
          const preparing = entry?.state === 'PrepareCommit' || entry?.state === 'PrepareAbort'
          if (entry !== null && preparing) complete(protocol, state, step, entry)
        }),
      ],
    },
    {
      budget: 'transactionTimeouts',
      actions: [
        action('AbortTimedOutTransaction', {}, (state: KafkaState, _, step) => {
          spend(state, step, 'transactionTimeouts')
          const { entry } = state.coordinator
          step.when('a transaction is open and nothing is pending', canTimeOut(entry))
          step.emit({ kind: 'note', lane: coordinatorLane, text: 'the transaction has timed out' })
          const decision = fence(
            protocol,
            entry as CoordinatorEntry,
            protocol.protects('epoch bump at timeout'),
          )
          if (decision.kind === 'fence') abortForFence(protocol, state, step, decision, null)
        }),
      ],
    },
    {
      budget: 'deliveryTimeouts',
      actions: [
        action(
          'ExpireBatch',
          { client, partition: output },
          (state: KafkaState, { client, partition }, step) => {
            const worker = atWork(protocol, state, step, client)
            const { instance } = worker
            step.when('a batch is not acknowledged', (instance.unacknowledged[partition] as number) > 0)
            spend(state, step, 'deliveryTimeouts')
            const connection = state.connection[client]?.partition[partition] as Connection
            step.emit({
              kind: 'delayed',
              lane: appLane(client),
              peer: partitionLane(protocol, partition),
              message: 'Produce',
              text: 'given up by the client',
            })
            connection.late.push(...connection.requests.filter((request) => !request.executing))
            connection.requests = []
            connection.replies = []
            connection.unsent = []
            failBatch(protocol, instance)
            instance.unacknowledged[partition] = 0
            endWhenDone(worker)
          },
        ),
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
          becomeAborting(instance)
          step.emit({ kind: 'note', lane: appLane(client), text: 'the application decides to abort' })
        }),
      ],
    },
    {
      budget: 'refusedBatches',
      actions: [
        action(
          'RefuseBatch',
          { client, partition: output },
          (state: KafkaState, { client, partition }, step) => {
            const leader = state.partition[partition] as Partition
            const request = nextRequest(connectionTo(state, client, partition))
            const isBatch =
              request?.kind === 'Produce' && startVerification(protocol, leader, request) === 'append'
            step.when('a batch that needs no verification is on the wire', isBatch)
            spend(state, step, 'refusedBatches')
            reply({ protocol, state, step, client, broker: partition }, 'NOT_ENOUGH_REPLICAS')
          },
        ),
        action('RefuseVerifiedBatch', { partition: output }, (state: KafkaState, { partition }, step) => {
          const verifications = state.verification[partition] as Verification[]
          const index = verifications.findIndex(({ phase }) => phase === 'verified')
          step.when('a verified batch waits for its append', index >= 0)
          spend(state, step, 'refusedBatches')
          answerWithoutAppend(protocol, state, step, partition, index, 'NOT_ENOUGH_REPLICAS')
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
function failOver(state: KafkaState, kept: boolean): void {
  const { coordinator, transactionLog } = state
  const lastMove = state.budget.coordinatorFailovers === 0
  const survivor = kept ? transactionLog.tail : transactionLog.committed
  if (kept && transactionLog.tail !== null) recordDecision(state, transactionLog.tail)
  if (lastMove || !kept) {
    // No later move can lose what this one kept.
    transactionLog.committed = survivor
    transactionLog.tail = null
  }
  transactionLog.tailInEffect = transactionLog.tail !== null
  const waiting = coordinator.answer
  coordinator.coordinatorEpoch += 1
  coordinator.entry = survivor === null ? null : loaded(survivor)
  coordinator.answer = { to: 'nobody' }
  coordinator.nextLastProducerEpoch = -1
  coordinator.markersForgotten = false
  if (lastMove) {
    // What is late lies on connections to the former coordinator, which executes nothing any more.
    for (const { coordinator: connection } of state.connection) connection.late = []
  }
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
