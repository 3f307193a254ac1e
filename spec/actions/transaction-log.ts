/** Writing the transaction log, and what follows when a record is durable. */
import type { Step } from '../../checker/model.ts'
import { coordinatorLane } from '../lanes.ts'
import { answer, executing } from '../protocol/network.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { completed, completion } from '../protocol/transaction-coordinator.ts'
import type { AnswerTo, CoordinatorEntry, KafkaState, TransactionRecord } from '../state.ts'
import { emitRecord, emitReply } from './step.ts'

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
  if (decides(record) && !protocol.protects('durable decision')) takeEffect(protocol, state, step, record)
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
  const done = decides(record) && !protocol.protects('durable decision')
  if (!done) takeEffect(protocol, state, step, record)
}

function takeEffect(protocol: Protocol, state: KafkaState, step: Step, record: TransactionRecord): void {
  const { coordinator } = state
  coordinator.entry = { ...record, lastProducerEpoch: coordinator.nextLastProducerEpoch, pendingState: 'none' }
  coordinator.nextLastProducerEpoch = -1
  const waiting = coordinator.answer
  coordinator.answer = { to: 'nobody' }
  reply(state, step, waiting)
  if (decides(record)) complete(protocol, state, step, coordinator.entry)
}

function reply(state: KafkaState, step: Step, waiting: AnswerTo): void {
  if (waiting.to === 'client') {
    const connection = state.connection[waiting.client]?.coordinator
    const request = connection && executing(connection, waiting.request)
    if (connection === undefined || request === undefined) return
    answer(connection, 'NONE', waiting.producerEpoch)
    emitReply(step, waiting.client, coordinatorLane, request.kind, 'NONE')
    if (request.kind === 'InitProducerId') state.ghost.newestSession = request.session
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
    const channel = state.markers[partition] as KafkaState['markers'][number]
    // Replies to an earlier coordinator mean nothing to this one.
    channel.replies = []
    channel.requests.push({ producerEpoch, result, coordinatorEpoch, transaction, late: false })
  }
  if (entry.partitions.length === 0 || !protocol.protects('markers before complete')) writeCompletion(state, step)
}

/** Appends the last word; without waiting where the record before it is still being replicated. */
export function writeCompletion(state: KafkaState, step: Step): void {
  const entry = state.coordinator.entry as CoordinatorEntry
  state.transactionLog.tail = completion(entry)
  emitRecord(step, completion(entry), 'appended, not yet replicated')
}

/** Ghost: the first durable decision of a transaction stands. */
export function recordDecision(state: KafkaState, record: TransactionRecord): void {
  if (!decides(record) || record.transaction === '') return
  const result = record.state === 'PrepareCommit' ? 'commit' : 'abort'
  const known = state.ghost.decisions[record.transaction]
  if (known === undefined) state.ghost.decisions[record.transaction] = result
  else if (known !== result) state.ghost.decisions[record.transaction] = 'contradicted'
}
