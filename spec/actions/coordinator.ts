/** Steps of the transaction coordinator. */
import { type Action, action, type Step } from '../../checker/model.ts'
import { noteClaim } from '../ghost.ts'
import { coordinatorLane, partitionLane } from '../lanes.ts'
import { type Copy, copies, discardLate } from '../protocol/network.ts'
import { type Protocol, transactionalIdCount } from '../protocol/protocol.ts'
import { clientsOf, partitionsOf, verificationsAt } from '../protocol/topology.ts'
import type { Decision, Fence } from '../protocol/transaction-coordinator/decision.ts'
import { endTransaction } from '../protocol/transaction-coordinator/end.ts'
import { newEntry } from '../protocol/transaction-coordinator/entry.ts'
import { fence } from '../protocol/transaction-coordinator/fence.ts'
import {
  freshIdentity,
  initProducerId,
  refusedAtOnce,
} from '../protocol/transaction-coordinator/initialisation.ts'
import { addPartitions, verifyPartition } from '../protocol/transaction-coordinator/participants.ts'
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
import { answeredBySuccessor } from './replacement.ts'
import { reply } from './replies.ts'
import { emitDelivered, oneOf, takeUp } from './step.ts'
import { append, coordinatorOf, nameOfOpen, rename, replicate } from './transaction-log.ts'
import { refuseVerification, repeatVerification } from './verifications.ts'

/** A request of a client, live or late, and who works on it. */
interface Source {
  readonly protocol: Protocol
  readonly state: KafkaState
  readonly step: Step
  readonly id: number
  readonly client: number
  readonly copy: Copy
  readonly index: number
}

const connectionOf = ({ state, client }: Pick<Source, 'state' | 'client'>) =>
  (state.connection[client] as KafkaState['connection'][number]).coordinator

/** Carries out a decision on a client's request. */
function carryOut(source: Source, decision: Decision): void {
  const { protocol, state, step, id } = source
  switch (decision.kind) {
    case 'wait':
      return step.when(decision.because, false)
    case 'refuse':
      return answer(source, { error: decision.error })
    case 'accept':
      return answer(source, { error: 'NONE', identity: decision.identity })
    case 'fence':
      if (source.copy === 'late') discardLate(connectionOf(source), source.index)
      return beginFence(protocol, state, step, id, decision)
    case 'fail':
      raiseInMemory(state, id, decision.memoryEpoch)
      return answer(source, { error: 'UNKNOWN_SERVER_ERROR' })
    case 'write': {
      const { record, identity } = decision
      append(protocol, state, step, id, { record, answer: begin(connectionOf(source), source, identity) })
    }
  }
}

/** Answers a client's request; that of a late one goes nowhere. */
function answer(
  { protocol, state, step, id, client, copy, index }: Source,
  { error, identity }: { error: Parameters<typeof reply>[1]; identity?: Identity },
): void {
  if (copy === 'late') return discardLate(connectionOf({ state, client }), index)
  answeredBySuccessor(state, id, 'clients', client)
  reply({ protocol, state, step, client, broker: 'coordinator' }, error, identity)
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

/**
 * The new producer gets CONCURRENT_TRANSACTIONS and asks again: its request stays where it is. With a window, the lock is
 * given up between the preparation of the abort and the abort, after a timeout too
 * (TransactionCoordinator.abortTimedOutTransactions).
 */
export function beginFence(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  id: number,
  decision: Fence,
): void {
  if (decision.kind === 'fail' || !protocol.config.fenceWindow)
    return abortForFence(protocol, state, step, id, decision)
  const { entry } = coordinatorOf(state, id)
  if (entry !== null) entry.pendingState = 'PrepareEpochFence'
}

function abortForFence(protocol: Protocol, state: KafkaState, step: Step, id: number, decision: Fence): void {
  raiseInMemory(state, id, decision.memoryEpoch)
  if (decision.kind === 'fail') return
  append(protocol, state, step, id, { record: decision.record, answer: { to: 'fence' } })
}

/** The old epoch is refused from now on, whatever becomes of the write. */
function raiseInMemory(state: KafkaState, id: number, producerEpoch: number): void {
  const { entry } = coordinatorOf(state, id)
  if (entry === null || producerEpoch === entry.producerEpoch) return
  entry.lastProducerEpoch = -1
  entry.producerEpoch = producerEpoch
}

export function coordinatorActions(protocol: Protocol): Action<KafkaState>[] {
  const { config } = protocol
  const clients = { client: clientsOf(protocol), copy: copies }
  const partitions = { partition: partitionsOf(protocol) }

  return [
    action('HandleInitProducerId', clients, (state: KafkaState, { client, copy }, step) => {
      const connection = connectionOf({ state, client })
      const { request, index } = takeUp(step, connection, copy, ['InitProducerId'])
      emitDelivered(step, client, coordinatorLane, request, copy)
      const id = request.transactionalId
      const source = { protocol, state, step, id, client, copy, index }
      const takeId = () => takeProducerId(state)
      const refusal = refusedAtOnce(request)
      if (refusal !== undefined) return answer(source, { error: refusal })
      if (id < 0) return answer(source, { error: 'NONE', identity: freshIdentity(takeId) })
      const coordinator = state.coordinator[id] as Coordinator
      const entry = coordinator.entry ?? newEntry(takeId())
      if (coordinator.entry === null) coordinator.entry = entry
      noteClaim(state, request, copy)
      carryOut(source, initProducerId(protocol, entry, request, takeId))
    }),

    ...(protocol.flags.clientVersion === 1
      ? [
          action('HandleAddPartitions', clients, (state: KafkaState, { client, copy }, step) => {
            const kinds = ['AddPartitionsToTxn', 'AddOffsetsToTxn'] as const
            const { request, index } = takeUp(step, connectionOf({ state, client }), copy, kinds)
            emitDelivered(step, client, coordinatorLane, request, copy)
            const id = request.transactionalId
            const transaction = nameOfOpen(state, id, request.transaction)
            const decision = addPartitions(protocol, entryOf(state, id), { ...request, transaction })
            if (decision.kind === 'accept') rename(state, id, transaction)
            carryOut({ protocol, state, step, id, client, copy, index }, decision)
          }),
        ]
      : []),

    action('HandleEndTxn', clients, (state: KafkaState, { client, copy }, step) => {
      const { request, index } = takeUp(step, connectionOf({ state, client }), copy, ['EndTxn'])
      emitDelivered(step, client, coordinatorLane, request, copy)
      const id = request.transactionalId
      const takeId = () => takeProducerId(state)
      const decision = endTransaction(protocol, entryOf(state, id), request, takeId)
      carryOut({ protocol, state, step, id, client, copy, index }, decision)
    }),

    ...(config.fenceWindow
      ? [
          action('AbortForFence', { id: coordinators(protocol) }, (state: KafkaState, { id }, step) => {
            const { entry } = coordinatorOf(state, id)
            step.when('an abort by the coordinator is prepared', entry?.pendingState === 'PrepareEpochFence')
            const bump = protocol.protects('epoch bump at fencing abort')
            const decision = fence(protocol, entry as CoordinatorEntry, bump, () => takeProducerId(state))
            abortForFence(protocol, state, step, id, decision)
          }),
        ]
      : []),

    action('VerifyPartition', partitions, (state: KafkaState, { partition }, step) => {
      const verifications = verificationsAt(state, partition)
      const waiting = verifications.flatMap(({ phase }, index) => (phase === 'to be verified' ? [index] : []))
      step.when('a leader asks the coordinator', waiting.length > 0)
      const index = oneOf(step, 'request', waiting)
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
  if (decision.kind === 'wait')
    return repeatVerification(protocol, state, step, partition, index, decision.because)
  if (decision.kind === 'write') {
    verification.phase = 'being added'
    return append(protocol, state, step, id, {
      record: decision.record,
      answer: { to: 'partition', partition },
    })
  }
  answeredBySuccessor(state, id, 'partitions', partition)
  if (decision.kind === 'refuse')
    return refuseVerification(protocol, state, step, partition, index, decision.error)
  verification.phase = 'verified'
  if (adds) rename(state, id, name)
}
