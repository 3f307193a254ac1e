/** Steps of the transaction coordinator. */
import { type Action, action, type Step } from '../../checker/model.ts'
import { coordinatorLane, partitionLane } from '../lanes.ts'
import { type Copy, copies } from '../protocol/network.ts'
import type { Protocol } from '../protocol/protocol.ts'
import {
  addPartitions,
  type Decision,
  endTransaction,
  initProducerId,
  newEntry,
  verifyPartition,
} from '../protocol/transaction-coordinator.ts'
import {
  type AnswerTo,
  type Connection,
  type CoordinatorEntry,
  type KafkaState,
  requestName,
  type Verification,
} from '../state.ts'
import { answerWithoutAppend } from './partitions.ts'
import { reply } from './replies.ts'
import { emitDelivered, present, takeUp } from './step.ts'
import { append, nameOfOpen, rename, replicate } from './transaction-log.ts'

interface Source {
  client: number
  copy: Copy
  index: number
}

/** Carries out a decision on a client's request. */
function carryOut(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  decision: Decision,
  source: Source,
): void {
  const { client, copy, index } = source
  const connection = present(step, 'the client exists', state.connection[client]).coordinator
  if (decision.kind === 'wait') return step.when(decision.because, false)
  if (decision.kind === 'refuse' || decision.kind === 'accept') {
    const error = decision.kind === 'refuse' ? decision.error : 'NONE'
    const producerEpoch = decision.kind === 'accept' ? decision.producerEpoch : -1
    if (copy === 'late') connection.late.splice(index, 1)
    else reply({ protocol, state, step, client, broker: 'coordinator' }, error, producerEpoch)
    return
  }
  if (decision.kind === 'fence') return abortForFence(protocol, state, step, decision, source)
  const { record, lastProducerEpoch, producerEpoch } = decision
  append(protocol, state, step, {
    record,
    lastProducerEpoch,
    answer: begin(connection, source, producerEpoch),
  })
}

/** The broker begins to work on a request; says who is to be answered. */
function begin(connection: Connection, { client, copy, index }: Source, producerEpoch: number): AnswerTo {
  const request = connection.requests[0]
  if (copy === 'late' || request === undefined) {
    connection.late.splice(index, 1)
    return { to: 'nobody' }
  }
  request.executing = true
  return { to: 'client', client, request: requestName(request), producerEpoch }
}

/** The new producer gets CONCURRENT_TRANSACTIONS and asks again: its request stays where it is. */
export function abortForFence(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  decision: Extract<Decision, { kind: 'fence' }>,
  source: Source | null,
): void {
  const entry = state.coordinator.entry as CoordinatorEntry
  if (decision.memoryEpoch !== entry.producerEpoch) entry.lastProducerEpoch = -1
  entry.producerEpoch = decision.memoryEpoch
  if (source?.copy === 'late') state.connection[source.client]?.coordinator.late.splice(source.index, 1)
  append(protocol, state, step, {
    record: decision.record,
    lastProducerEpoch: decision.lastProducerEpoch,
    answer: { to: 'nobody' },
  })
}

export function coordinatorActions(protocol: Protocol): Action<KafkaState>[] {
  const { config, offsetsPartition } = protocol
  const clients = { client: Array.from({ length: config.instances }, (_, client) => client), copy: copies }
  const partitions = { partition: Array.from({ length: offsetsPartition + 1 }, (_, partition) => partition) }
  const coordinatorOf = (state: KafkaState, client: number) =>
    (state.connection[client] as KafkaState['connection'][number]).coordinator

  return [
    action('HandleInitProducerId', clients, (state: KafkaState, { client, copy }, step) => {
      const { request, index } = takeUp(step, coordinatorOf(state, client), copy, ['InitProducerId'])
      emitDelivered(step, client, coordinatorLane, request, copy)
      const entry = state.coordinator.entry ?? newEntry()
      if (state.coordinator.entry === null) state.coordinator.entry = entry
      carryOut(protocol, state, step, initProducerId(protocol, entry, request), { client, copy, index })
    }),

    ...(protocol.flags.transactionVersion === 1
      ? [
          action('HandleAddPartitions', clients, (state: KafkaState, { client, copy }, step) => {
            const kinds = ['AddPartitionsToTxn', 'AddOffsetsToTxn'] as const
            const { request, index } = takeUp(step, coordinatorOf(state, client), copy, kinds)
            emitDelivered(step, client, coordinatorLane, request, copy)
            const transaction = nameOfOpen(state, request.transaction)
            const decision = addPartitions(protocol, state.coordinator.entry, { ...request, transaction })
            if (decision.kind === 'accept') rename(state, transaction)
            carryOut(protocol, state, step, decision, { client, copy, index })
          }),
        ]
      : []),

    action('HandleEndTxn', clients, (state: KafkaState, { client, copy }, step) => {
      const { request, index } = takeUp(step, coordinatorOf(state, client), copy, ['EndTxn'])
      emitDelivered(step, client, coordinatorLane, request, copy)
      const decision = endTransaction(protocol, state.coordinator.entry, request)
      carryOut(protocol, state, step, decision, { client, copy, index })
    }),

    action('VerifyPartition', partitions, (state: KafkaState, { partition }, step) => {
      const verifications = state.verification[partition] as Verification[]
      const waiting = verifications.flatMap(({ phase }, index) => (phase === 'to be verified' ? [index] : []))
      step.when('a leader asks the coordinator', waiting.length > 0)
      const index = waiting.length === 1 ? (waiting[0] as number) : step.choose('request', waiting)
      verify(protocol, state, step, partition, index)
    }),

    action('ReplicateTransactionLog', {}, (state: KafkaState, _, step) => replicate(protocol, state, step)),
  ]
}

/** AddPartitionsToTxn from a leader: it verifies (version 1) or adds (version 2) (AddPartitionsToTxnManager). */
function verify(protocol: Protocol, state: KafkaState, step: Step, partition: number, index: number): void {
  const verification = state.verification[partition]?.[index] as Verification
  const { producerEpoch, transaction } = verification.request
  const adds = protocol.flags.transactionVersion === 2
  const name = nameOfOpen(state, transaction)
  const { entry } = state.coordinator
  const decision = adds
    ? addPartitions(protocol, entry, { producerEpoch, partitions: [partition], transaction: name })
    : verifyPartition(protocol, entry, producerEpoch, partition)
  step.emit({
    kind: 'delivered',
    lane: coordinatorLane,
    peer: partitionLane(protocol, partition),
    message: adds ? 'AddPartitionsToTxn' : 'AddPartitionsToTxn (verify only)',
    fields: { producerEpoch, partitions: [partition] },
  })
  if (decision.kind === 'wait') step.when(decision.because, false)
  if (decision.kind === 'refuse') {
    // RM maps the coordinator's PRODUCER_FENCED to the partition's own error.
    const error = decision.error === 'PRODUCER_FENCED' ? 'INVALID_PRODUCER_EPOCH' : decision.error
    answerWithoutAppend(protocol, state, step, partition, index, error)
  }
  if (decision.kind === 'accept') {
    verification.phase = 'verified'
    if (adds) rename(state, name)
  }
  if (decision.kind === 'write') {
    verification.phase = 'being added'
    const { record, lastProducerEpoch } = decision
    append(protocol, state, step, { record, lastProducerEpoch, answer: { to: 'partition', partition } })
  }
}
