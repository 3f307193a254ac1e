/** Writing the transaction log, and what follows when a record is durable. */
import type { Step } from '../../checker/model.ts'
import { nameAfterAdd } from '../ghost.ts'
import { executing } from '../protocol/network.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { completed, isPrepared } from '../protocol/transaction-coordinator/decision.ts'
import { completion } from '../protocol/transaction-coordinator/entry.ts'
import { markerOutcomes } from '../protocol/transaction-coordinator/markers.ts'
import type {
  AnswerTo,
  Coordinator,
  CoordinatorEntry,
  ErrorName,
  KafkaState,
  Marker,
  TransactionLog,
  TransactionRecord,
} from '../state.ts'
import { answeredBySuccessor } from './replacement.ts'
import { connectionTo, reply } from './replies.ts'
import { emitRecord } from './step.ts'

export interface Transition {
  record: TransactionRecord
  answer: AnswerTo
}

export const coordinatorOf = (state: KafkaState, id: number) => state.coordinator[id] as Coordinator
export const logOf = (state: KafkaState, id: number) => state.transactionLog[id] as TransactionLog

export const decides = ({ state }: TransactionRecord) => isPrepared(state)

/** Appends a record; it becomes the coordinator's state when it is replicated (TransactionStateManager.appendTransactionToLog). */
export function append(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  id: number,
  { record, answer }: Transition,
): void {
  const log = logOf(state, id)
  const coordinator = coordinatorOf(state, id)
  step.when('the last record of the transaction log is replicated', log.tail === null)
  const entry = coordinator.entry as CoordinatorEntry
  entry.pendingState = record.state
  coordinator.answer = answer
  log.tail = record
  emitRecord(step, record, 'appended, not yet replicated')
  if (!waitsForReplicas(protocol, record)) {
    log.tailInEffect = true
    takeEffect(protocol, state, step, id, record)
  }
}

/** Whether nobody acts on a record, or is told of it, before it is durable. A last word only makes room for the next record. */
function waitsForReplicas({ protects }: Protocol, { state }: TransactionRecord): boolean {
  switch (state) {
    case 'Empty':
      return protects('durable identity')
    case 'Ongoing':
      return protects('durable participants')
    case 'PrepareCommit':
    case 'PrepareAbort':
      return protects('durable decision')
    default:
      return true
  }
}

/** The high watermark covers the record: it takes effect, and whoever waits for it is answered. */
export function replicate(protocol: Protocol, state: KafkaState, step: Step, id: number): void {
  const log = logOf(state, id)
  const record = log.tail
  step.when('a record of the transaction log is not yet replicated', record !== null)
  if (record === null) return
  log.committed = record.state === 'Dead' ? null : record
  log.reportedFailed = null
  log.tail = null
  emitRecord(step, record, 'replicated')
  recordDecision(state, record)
  if (!log.tailInEffect) return takeEffect(protocol, state, step, id, record)
  log.tailInEffect = false
  const { entry } = coordinatorOf(state, id)
  if (entry !== null && decides(entry) && awaitsNothing(protocol, entry)) writeCompletion(state, step, id)
}

function takeEffect(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  id: number,
  record: TransactionRecord,
): void {
  const coordinator = coordinatorOf(state, id)
  const expired = record.state === 'Dead'
  coordinator.entry = expired ? null : { ...record, pendingState: 'none', failedEpochFence: false }
  const waiting = coordinator.answer
  coordinator.answer = { to: 'nobody' }
  answerTo(protocol, state, step, id, waiting)
  if (coordinator.entry !== null && decides(record)) complete(protocol, state, step, id, coordinator.entry)
}

function answerTo(protocol: Protocol, state: KafkaState, step: Step, id: number, waiting: AnswerTo): void {
  if (waiting.to === 'client') {
    const { client, producerId, producerEpoch } = waiting
    answeredBySuccessor(state, id, 'clients', client)
    const request = executing(connectionTo(state, client, 'coordinator'), waiting.request)
    if (request === undefined) return
    if (request.kind === 'InitProducerId') state.ghost.newestSession[id] = request.session
    reply({ protocol, state, step, client, broker: 'coordinator' }, 'NONE', { producerId, producerEpoch })
  } else if (waiting.to === 'partition') {
    answeredBySuccessor(state, id, 'partitions', waiting.partition)
    const verifications = state.verification[waiting.partition] ?? []
    for (const verification of verifications) {
      const added = verification.phase === 'being added' && verification.request.transactionalId === id
      if (added) verification.phase = 'verified'
    }
  }
}

/**
 * Sends the markers of a decided transaction to every participant, and, when none is to be waited for, writes the
 * last word (TransactionMetadata.prepareComplete, TransactionMarkerChannelManager.addTxnMarkersToSend).
 */
export function complete(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  id: number,
  entry: CoordinatorEntry,
): void {
  entry.pendingState = completed(entry.state)
  for (const partition of entry.partitions) state.markers[partition]?.push(markerFor(state, id, entry))
  if (awaitsNothing(protocol, entry) && logOf(state, id).tail === null) writeCompletion(state, step, id)
}

/** The marker of a decided transaction for one of its participants. */
function markerFor(
  state: KafkaState,
  id: number,
  { producerId, producerEpoch, state: decided, transactionVersion, transaction }: TransactionRecord,
): Marker {
  return {
    transactionalId: id,
    producerId,
    producerEpoch,
    result: decided === 'PrepareCommit' ? 'commit' : 'abort',
    coordinatorEpoch: coordinatorOf(state, id).coordinatorEpoch,
    transactionVersion,
    transaction,
    late: false,
  }
}

/** Whether no participant is left whose marker must be acknowledged before the last word. */
const awaitsNothing = ({ protects }: Protocol, { partitions }: CoordinatorEntry): boolean =>
  partitions.length === 0 || !protects('markers before complete')

/** A marker that a partition has, or refuses, with its coordinator. */
export interface AnsweredMarker {
  transactionalId: number
  coordinatorEpoch: number
  partition: number
}

/**
 * A partition has the marker, or refuses it (TransactionMarkerRequestCompletionHandler). An answer to an earlier
 * coordinator means nothing to this one, and an administrator's marker is of no coordinator.
 */
export function onMarkerAnswered(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  { transactionalId: id, coordinatorEpoch, partition }: AnsweredMarker,
  error: ErrorName,
): void {
  const coordinator = state.coordinator[id]
  if (coordinator === undefined) return
  const { entry } = coordinator
  const mine = coordinatorEpoch === coordinator.coordinatorEpoch && !coordinator.markersForgotten
  if (!mine || entry === null || !decides(entry) || !protocol.protects('markers before complete')) return
  if (protocol.config.ignoredMarkerReply === error) return
  const outcome = markerOutcomes[error]
  if (outcome === 'forgotten') {
    coordinator.markersForgotten = true
    return
  }
  if (!entry.partitions.includes(partition)) return
  if (outcome === 'sent again') {
    if (protocol.protects('markers are sent again'))
      state.markers[partition]?.push(markerFor(state, id, entry))
    return
  }
  entry.partitions = entry.partitions.filter((other) => other !== partition)
  if (entry.partitions.length === 0 && logOf(state, id).tail === null) writeCompletion(state, step, id)
}

/** Appends the last word. */
function writeCompletion(state: KafkaState, step: Step, id: number): void {
  const record = completion(coordinatorOf(state, id).entry as CoordinatorEntry)
  logOf(state, id).tail = record
  emitRecord(step, record, 'appended, not yet replicated')
}

/**
 * Ghost: what the open transaction is called when a request of the transaction `claimed` adds to it. A request of a
 * transaction that is already decided names nothing.
 */
export function nameOfOpen({ coordinator, ghost }: KafkaState, id: number, claimed: string): string {
  const entry = coordinator[id]?.entry
  const undecided = ghost.decisions[claimed] === undefined ? claimed : ''
  return nameAfterAdd(entry?.state === 'Ongoing' ? entry.transaction : '', undecided)
}

/** Ghost: the name of the open transaction, where a request was accepted without a write. */
export function rename(state: KafkaState, id: number, name: string): void {
  const { entry } = coordinatorOf(state, id)
  if (entry === null || entry.transaction === name) return
  entry.transaction = name
  const { tail, committed } = logOf(state, id)
  const record = tail ?? committed
  if (record !== null) record.transaction = name
}

/** Ghost: the first durable decision of a transaction stands. */
export function recordDecision(state: KafkaState, record: TransactionRecord): void {
  if (!decides(record) || record.transaction === '') return
  const result = record.state === 'PrepareCommit' ? 'commit' : 'abort'
  const known = state.ghost.decisions[record.transaction]
  if (known === undefined) state.ghost.decisions[record.transaction] = result
  else if (known !== result) state.ghost.decisions[record.transaction] = 'contradicted'
}
