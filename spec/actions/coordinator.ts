/** Steps of the transaction coordinator. */
import { type Action, action, type Step } from '../../checker/model.ts'
import { coordinatorLane, partitionLane } from '../lanes.ts'
import { type Copy, copies, discardLate } from '../protocol/network.ts'
import { type Protocol, transactionalIdCount } from '../protocol/protocol.ts'
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
  type Coordinator,
  type CoordinatorEntry,
  type Identity,
  type KafkaState,
  requestName,
  type Verification,
} from '../state.ts'
import { answerWithoutAppend } from './partitions.ts'
import { reply } from './replies.ts'
import { emitDelivered, present, takeUp } from './step.ts'
import { append, nameOfOpen, rename, replicate } from './transaction-log.ts'

interface Source {
  id: number
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
    if (copy === 'late') return discardLate(connection, index)
    const answered = { protocol, state, step, client, broker: 'coordinator' } as const
    if (decision.kind === 'refuse') return reply(answered, decision.error)
    return reply(answered, 'NONE', decision.identity)
  }
  if (decision.kind === 'fence') {
    if (copy === 'late') discardLate(connection, index)
    return abortForFence(protocol, state, step, source.id, decision)
  }
  const { record, lastProducerEpoch, identity } = decision
  const answer = begin(connection, source, identity)
  append(protocol, state, step, source.id, { record, lastProducerEpoch, answer })
}

/** The broker begins to work on a request; says who is to be answered. */
function begin(connection: Connection, { client, copy, index }: Source, identity: Identity): AnswerTo {
  const request = connection.requests[0]
  if (copy === 'late' || request === undefined) {
    discardLate(connection, index)
    return { to: 'nobody' }
  }
  request.executing = true
  return { to: 'client', client, request: requestName(request), ...identity }
}

/** The new producer gets CONCURRENT_TRANSACTIONS and asks again: its request stays where it is. */
export function abortForFence(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  id: number,
  { record, lastProducerEpoch, memoryEpoch }: Extract<Decision, { kind: 'fence' }>,
): void {
  const entry = state.coordinator[id]?.entry as CoordinatorEntry
  if (memoryEpoch !== entry.producerEpoch) entry.lastProducerEpoch = -1
  entry.producerEpoch = memoryEpoch
  append(protocol, state, step, id, { record, lastProducerEpoch, answer: { to: 'nobody' } })
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
      const id = request.transactionalId
      const coordinator = state.coordinator[id] as Coordinator
      const entry = coordinator.entry ?? newEntry(takeProducerId(state))
      if (coordinator.entry === null) coordinator.entry = entry
      carryOut(protocol, state, step, initProducerId(protocol, entry, request), { id, client, copy, index })
    }),

    ...(protocol.flags.clientVersion === 1
      ? [
          action('HandleAddPartitions', clients, (state: KafkaState, { client, copy }, step) => {
            const kinds = ['AddPartitionsToTxn', 'AddOffsetsToTxn'] as const
            const { request, index } = takeUp(step, coordinatorOf(state, client), copy, kinds)
            emitDelivered(step, client, coordinatorLane, request, copy)
            const id = request.transactionalId
            const transaction = nameOfOpen(state, id, request.transaction)
            const decision = addPartitions(protocol, entryOf(state, id), { ...request, transaction })
            if (decision.kind === 'accept') rename(state, id, transaction)
            carryOut(protocol, state, step, decision, { id, client, copy, index })
          }),
        ]
      : []),

    action('HandleEndTxn', clients, (state: KafkaState, { client, copy }, step) => {
      const { request, index } = takeUp(step, coordinatorOf(state, client), copy, ['EndTxn'])
      emitDelivered(step, client, coordinatorLane, request, copy)
      const id = request.transactionalId
      const decision = endTransaction(protocol, entryOf(state, id), request)
      carryOut(protocol, state, step, decision, { id, client, copy, index })
    }),

    action('VerifyPartition', partitions, (state: KafkaState, { partition }, step) => {
      const verifications = state.verification[partition] as Verification[]
      const waiting = verifications.flatMap(({ phase }, index) => (phase === 'to be verified' ? [index] : []))
      step.when('a leader asks the coordinator', waiting.length > 0)
      const index = waiting.length === 1 ? (waiting[0] as number) : step.choose('request', waiting)
      verify(protocol, state, step, partition, index)
    }),

    action('ReplicateTransactionLog', { id: coordinators(protocol) }, (state: KafkaState, { id }, step) =>
      replicate(protocol, state, step, id),
    ),
  ]
}

/** The transactional.ids, each with its coordinator. */
export const coordinators = ({ config }: Protocol): number[] =>
  Array.from({ length: transactionalIdCount(config) }, (_, id) => id)

const entryOf = (state: KafkaState, id: number): CoordinatorEntry | null =>
  state.coordinator[id]?.entry ?? null

/** The next producer id, which nobody else gets (ProducerIdManager). */
export function takeProducerId(state: KafkaState): number {
  state.nextProducerId += 1
  return state.nextProducerId - 1
}

/** AddPartitionsToTxn from a leader: it verifies (version 1) or adds (version 2) (AddPartitionsToTxnManager). */
function verify(protocol: Protocol, state: KafkaState, step: Step, partition: number, index: number): void {
  const verification = state.verification[partition]?.[index] as Verification
  const { transactionalId: id, producerId, producerEpoch, transaction } = verification.request
  const identity = { producerId, producerEpoch }
  const adds = protocol.flags.clientVersion === 2
  const name = nameOfOpen(state, id, transaction)
  const entry = entryOf(state, id)
  const decision = adds
    ? addPartitions(protocol, entry, { ...identity, partitions: [partition], transaction: name })
    : verifyPartition(protocol, entry, identity, partition)
  step.emit({
    kind: 'delivered',
    lane: coordinatorLane,
    peer: partitionLane(protocol, partition),
    message: adds ? 'AddPartitionsToTxn' : 'AddPartitionsToTxn (verify only)',
    fields: { ...identity, partitions: [partition] },
  })
  if (decision.kind === 'wait') step.when(decision.because, false)
  if (decision.kind === 'refuse') {
    // RM maps the coordinator's PRODUCER_FENCED to the partition's own error.
    const error = decision.error === 'PRODUCER_FENCED' ? 'INVALID_PRODUCER_EPOCH' : decision.error
    answerWithoutAppend(protocol, state, step, partition, index, error)
  }
  if (decision.kind === 'accept') {
    verification.phase = 'verified'
    if (adds) rename(state, id, name)
  }
  if (decision.kind === 'write') {
    verification.phase = 'being added'
    const { record, lastProducerEpoch } = decision
    append(protocol, state, step, id, { record, lastProducerEpoch, answer: { to: 'partition', partition } })
  }
}
