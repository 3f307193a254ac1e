/** Writing the transaction log, and what follows when a record is durable. */
import type { Step } from '../../checker/model.ts'
import { nameAfterAdd } from '../ghost.ts'
import { executing } from '../protocol/network.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { completed, completion } from '../protocol/transaction-coordinator.ts'
import type { AnswerTo, CoordinatorEntry, ErrorName, KafkaState, TransactionRecord } from '../state.ts'
import { connectionTo, reply } from './replies.ts'
import { emitRecord } from './step.ts'

export interface Transition {
  record: TransactionRecord
  lastProducerEpoch: number
  answer: AnswerTo
}

const decides = ({ state }: TransactionRecord) => state === 'PrepareCommit' || state === 'PrepareAbort'

/** Appends a record; it becomes the coordinator's state when it is replicated (TransactionStateManager.appendTransactionToLog). */
export function append(protocol: Protocol, state: KafkaState, step: Step, transition: Transition): void {
  const { record, lastProducerEpoch } = transition
  step.when('the last record of the transaction log is replicated', state.transactionLog.tail === null)
  const entry = state.coordinator.entry as CoordinatorEntry
  entry.pendingState = record.state
  state.coordinator.answer = transition.answer
  state.coordinator.nextLastProducerEpoch = lastProducerEpoch
  state.transactionLog.tail = record
  emitRecord(step, record, 'appended, not yet replicated')
  if (decides(record) && !protocol.protects('durable decision')) {
    state.transactionLog.tailInEffect = true
    takeEffect(protocol, state, step, record)
  }
}

/** The high watermark covers the record: it takes effect, and whoever waits for it is answered. */
export function replicate(protocol: Protocol, state: KafkaState, step: Step): void {
  const record = state.transactionLog.tail
  step.when('a record of the transaction log is not yet replicated', record !== null)
  if (record === null) return
  state.transactionLog.committed = record
  state.transactionLog.tail = null
  emitRecord(step, record, 'replicated')
  recordDecision(state, record)
  if (!state.transactionLog.tailInEffect) return takeEffect(protocol, state, step, record)
  state.transactionLog.tailInEffect = false
  const { entry } = state.coordinator
  if (entry !== null && decides(entry) && awaitsNothing(protocol, entry)) writeCompletion(state, step)
}

function takeEffect(protocol: Protocol, state: KafkaState, step: Step, record: TransactionRecord): void {
  const { coordinator } = state
  coordinator.entry = {
    ...record,
    lastProducerEpoch: coordinator.nextLastProducerEpoch,
    pendingState: 'none',
  }
  coordinator.nextLastProducerEpoch = -1
  const waiting = coordinator.answer
  coordinator.answer = { to: 'nobody' }
  answerTo(protocol, state, step, waiting)
  if (decides(record)) complete(protocol, state, step, coordinator.entry)
}

function answerTo(protocol: Protocol, state: KafkaState, step: Step, waiting: AnswerTo): void {
  if (waiting.to === 'client') {
    const { client, producerEpoch } = waiting
    const request = executing(connectionTo(state, client, 'coordinator'), waiting.request)
    if (request === undefined) return
    if (request.kind === 'InitProducerId') state.ghost.newestSession = request.session
    reply({ protocol, state, step, client, broker: 'coordinator' }, 'NONE', producerEpoch)
  } else if (waiting.to === 'partition') {
    const verifications = state.verification[waiting.partition] ?? []
    for (const verification of verifications) {
      if (verification.phase === 'being added') verification.phase = 'verified'
    }
  }
}

/**
 * Sends the markers of a decided transaction to every participant, and, when none is to be waited for, writes the
 * last word (TransactionMetadata.prepareComplete, TransactionMarkerChannelManager.addTxnMarkersToSend).
 */
export function complete(protocol: Protocol, state: KafkaState, step: Step, entry: CoordinatorEntry): void {
  entry.pendingState = completed(entry.state)
  const { producerEpoch, transaction } = entry
  const result = entry.state === 'PrepareCommit' ? 'commit' : 'abort'
  const { coordinatorEpoch } = state.coordinator
  for (const partition of entry.partitions) {
    state.markers[partition]?.push({ producerEpoch, result, coordinatorEpoch, transaction, late: false })
  }
  if (awaitsNothing(protocol, entry) && state.transactionLog.tail === null) writeCompletion(state, step)
}

/** Whether no participant is left whose marker must be acknowledged before the last word. */
const awaitsNothing = ({ protects }: Protocol, { partitions }: CoordinatorEntry): boolean =>
  partitions.length === 0 || !protects('markers before complete')

/**
 * A partition has the marker, or refuses it (TransactionMarkerRequestCompletionHandler). An answer to an earlier
 * coordinator means nothing to this one.
 */
export function onMarkerAnswered(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  partition: number,
  coordinatorEpoch: number,
  error: ErrorName,
): void {
  const { coordinator } = state
  const { entry } = coordinator
  const mine = coordinatorEpoch === coordinator.coordinatorEpoch && !coordinator.markersForgotten
  if (!mine || entry === null || !decides(entry) || !protocol.protects('markers before complete')) return
  if (error !== 'NONE') {
    // INVALID_PRODUCER_EPOCH and TRANSACTION_COORDINATOR_FENCED: the job is forgotten, the pending state stays (KAFKA-19999).
    coordinator.markersForgotten = true
    return
  }
  if (!entry.partitions.includes(partition)) return
  entry.partitions = entry.partitions.filter((other) => other !== partition)
  if (entry.partitions.length === 0 && state.transactionLog.tail === null) writeCompletion(state, step)
}

/** Appends the last word. */
function writeCompletion(state: KafkaState, step: Step): void {
  const entry = state.coordinator.entry as CoordinatorEntry
  state.transactionLog.tail = completion(entry)
  state.coordinator.nextLastProducerEpoch = entry.lastProducerEpoch
  emitRecord(step, completion(entry), 'appended, not yet replicated')
}

/**
 * Ghost: what the open transaction is called when a request of the transaction `claimed` adds to it. A request of a
 * transaction that is already decided names nothing.
 */
export function nameOfOpen({ coordinator, ghost }: KafkaState, claimed: string): string {
  const { entry } = coordinator
  const undecided = ghost.decisions[claimed] === undefined ? claimed : ''
  return nameAfterAdd(entry?.state === 'Ongoing' ? entry.transaction : '', undecided)
}

/** Ghost: the name of the open transaction, where a request was accepted without a write. */
export function rename({ coordinator, transactionLog }: KafkaState, name: string): void {
  if (coordinator.entry === null || coordinator.entry.transaction === name) return
  coordinator.entry.transaction = name
  const record = transactionLog.tail ?? transactionLog.committed
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
