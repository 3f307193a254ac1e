/** Steps of the transaction coordinator. */
import { action, type Action, type Step } from '../../checker/model.ts'
import { coordinatorLane, partitionLane } from '../lanes.ts'
import { copies, type Copy } from '../protocol/network.ts'
import type { Protocol } from '../protocol/protocol.ts'
import {
  addPartitions,
  canTimeOut,
  type Decision,
  endTransaction,
  fence,
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
import { emitDelivered, emitReply, present, settle, spend, takeUp } from './step.ts'
import { append, replicate, writeCompletion } from './transaction-log.ts'

interface Source {
  client: number
  copy: Copy
  index: number
}

/** Carries out a decision on a client's request. */
function carryOut(protocol: Protocol, state: KafkaState, step: Step, decision: Decision, source: Source): void {
  const { client, copy, index } = source
  const connection = present(step, 'the client exists', state.connection[client]).coordinator
  if (decision.kind === 'wait') return step.when(decision.because, false)
  if (decision.kind === 'refuse' || decision.kind === 'accept') {
    const error = decision.kind === 'refuse' ? decision.error : 'NONE'
    const kind = (copy === 'live' ? connection.requests : connection.late)[index]?.kind ?? ''
    settle(connection, copy, index, error, decision.kind === 'accept' ? decision.producerEpoch : -1)
    if (copy === 'live') emitReply(step, client, coordinatorLane, kind, error)
    return
  }
  if (decision.kind === 'fence') return abortForFence(protocol, state, step, decision, source)
  const { record, lastProducerEpoch, producerEpoch } = decision
  append(protocol, state, step, { record, lastProducerEpoch, answer: begin(connection, source, producerEpoch) })
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
function abortForFence(
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
            const decision = addPartitions(protocol, state.coordinator.entry, request)
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

    action('AbortTimedOutTransaction', {}, (state: KafkaState, _, step) => {
      spend(state, step, 'transactionTimeouts')
      const { entry } = state.coordinator
      step.when('a transaction is open and nothing is pending', canTimeOut(entry))
      step.emit({ kind: 'note', lane: coordinatorLane, text: 'the transaction has timed out' })
      const decision = fence(protocol, entry as CoordinatorEntry, protocol.protects('epoch bump at timeout'))
      if (decision.kind === 'fence') abortForFence(protocol, state, step, decision, null)
    }),

    action('HandleMarkerReply', partitions, (state: KafkaState, { partition }, step) => {
      const replies = present(step, 'the partition exists', state.markers[partition]).replies
      const reply = present(step, 'a marker has been answered', replies[0])
      replies.shift()
      step.emit({
        kind: 'delivered',
        lane: coordinatorLane,
        peer: partitionLane(protocol, partition),
        message: 'WriteTxnMarkers reply',
        fields: { error: reply.error },
      })
      handleMarkerReply(protocol, state, step, partition, reply)
    }),
  ]
}

/** AddPartitionsToTxn from a leader: it verifies (version 1) or adds (version 2) (AddPartitionsToTxnManager). */
function verify(protocol: Protocol, state: KafkaState, step: Step, partition: number, index: number): void {
  const verification = state.verification[partition]?.[index] as Verification
  const { producerEpoch, transaction } = verification.request
  const adds = protocol.flags.transactionVersion === 2
  const { entry } = state.coordinator
  const decision = adds
    ? addPartitions(protocol, entry, { producerEpoch, transaction, partitions: [partition] })
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
  if (decision.kind === 'accept') verification.phase = 'verified'
  if (decision.kind === 'write') {
    verification.phase = 'being added'
    const { record, lastProducerEpoch } = decision
    append(protocol, state, step, { record, lastProducerEpoch, answer: { to: 'partition', partition } })
  }
}

/** TransactionMarkerRequestCompletionHandler. */
function handleMarkerReply(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  partition: number,
  reply: KafkaState['markers'][number]['replies'][number],
): void {
  const { coordinator } = state
  const { entry } = coordinator
  const mine = reply.coordinatorEpoch === coordinator.coordinatorEpoch && !coordinator.markersForgotten
  const preparing = entry !== null && (entry.state === 'PrepareCommit' || entry.state === 'PrepareAbort')
  if (!mine || !preparing || !protocol.protects('markers before complete')) return
  if (reply.error !== 'NONE') {
    // INVALID_PRODUCER_EPOCH and TRANSACTION_COORDINATOR_FENCED: the job is forgotten, the pending state stays (KAFKA-19999).
    coordinator.markersForgotten = true
    return
  }
  if (!entry.partitions.includes(partition)) return
  entry.partitions = entry.partitions.filter((other) => other !== partition)
  if (entry.partitions.length > 0) return
  step.when('the last record of the transaction log is replicated', state.transactionLog.tail === null)
  writeCompletion(state, step)
}
