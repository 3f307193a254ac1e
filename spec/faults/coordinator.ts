/** What can happen to the transaction coordinators. */
import { action, type Step } from '../../checker/model.ts'
import { beginFence, coordinators, takeProducerId } from '../actions/coordinator.ts'
import { formerCoordinatorActions } from '../actions/former-coordinator.ts'
import { connectionTo, reply } from '../actions/replies.ts'
import { spend } from '../actions/step.ts'
import { append, coordinatorOf, logOf } from '../actions/transaction-log.ts'
import { answerWithoutAppend } from '../actions/verifications.ts'
import { coordinatorLane } from '../lanes.ts'
import { executing } from '../protocol/network.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { canExpire, tombstone } from '../protocol/transaction-coordinator/entry.ts'
import { canTimeOut, fence } from '../protocol/transaction-coordinator/fence.ts'
import { failedAppends, possibleErrors } from '../protocol/transaction-coordinator/log-errors.ts'
import type { AnswerTo, CoordinatorEntry, KafkaState, TransactionRecord } from '../state.ts'
import { failOver, releaseWaiting } from './coordinator-failover.ts'
import type { Fault } from './fault.ts'

export function coordinatorFaults(protocol: Protocol): Fault[] {
  const id = coordinators(protocol)
  return [
    {
      budget: 'coordinatorFailovers',
      actions: [
        action('FailOver', { id }, (state: KafkaState, { id }, step) => failOver(protocol, state, step, id)),
      ],
    },
    { budget: 'staleCoordinators', actions: formerCoordinatorActions(protocol) },
    {
      budget: 'failedAppends',
      actions: [
        action('FailAppend', { id }, (state: KafkaState, { id }, step) => {
          failAppend(protocol, state, step, id)
        }),
      ],
    },
    {
      budget: 'transactionTimeouts',
      actions: [
        action('AbortTimedOutTransaction', { id }, (state: KafkaState, { id }, step) => {
          spend(state, step, 'transactionTimeouts')
          const { entry } = coordinatorOf(state, id)
          step.when('a transaction is open and nothing is pending', canTimeOut(entry))
          step.emit({ kind: 'note', lane: coordinatorLane, text: 'the transaction has timed out' })
          const bump = protocol.protects('epoch bump at timeout')
          const decision = fence(protocol, entry as CoordinatorEntry, bump, () => takeProducerId(state))
          beginFence(protocol, state, step, id, decision)
        }),
      ],
    },
    {
      budget: 'idExpirations',
      actions: [
        action('ExpireTransactionalId', { id }, (state: KafkaState, { id }, step) => {
          spend(state, step, 'idExpirations')
          const { entry } = coordinatorOf(state, id)
          const spared = protocol.protects('open transactions do not expire') || !canTimeOut(entry)
          step.when('nothing is open or pending', canExpire(entry) || !spared)
          step.emit({ kind: 'note', lane: coordinatorLane, text: 'the transactional.id expires' })
          const record = tombstone(entry as CoordinatorEntry)
          append(protocol, state, step, id, { record, answer: { to: 'nobody' } })
        }),
      ],
    },
  ]
}

/**
 * An append is reported as failed: the memory stays as it was, and who waits tries again, or is told of an error that is not
 * retriable. The record may be in the log all the same (TransactionStateManager.appendTransactionToLog).
 */
function failAppend(protocol: Protocol, state: KafkaState, step: Step, id: number): void {
  spend(state, step, 'failedAppends')
  const log = logOf(state, id)
  const record = log.tail
  step.when('an append waits for its replication', record !== null && !log.tailInEffect)
  const errors = possibleErrors(record as TransactionRecord)
  step.when('its failure is reported', errors.length > 0)
  const error = step.choose('the log answers', errors)
  step.emit({ kind: 'note', lane: coordinatorLane, text: `the append fails: ${error}` })
  log.tail = null
  // Only another coordinator ever reads it.
  const isRead = failedAppends[error].appended && canMove(state)
  if (isRead) log.reportedFailed = record
  const coordinator = coordinatorOf(state, id)
  const { entry, answer } = coordinator
  coordinator.answer = { to: 'nobody' }
  if (entry !== null) {
    if (protocol.protects('failed append ends its transition')) entry.pendingState = 'none'
    // The epoch stays raised in memory, and is not raised again (TransactionMetadata.hasFailedEpochFence).
    if (answer.to === 'fence' && protocol.flags.fenceBump !== 'single') entry.failedEpochFence = true
  }
  if (failedAppends[error].becomes === 'UNKNOWN_SERVER_ERROR')
    refuseWaiting(protocol, state, step, id, answer)
  else releaseWaiting(state, id, answer)
}

const canMove = ({ budget }: KafkaState) => budget.coordinatorFailovers > 0 && budget.total > 0

function refuseWaiting(
  protocol: Protocol,
  state: KafkaState,
  step: Step,
  id: number,
  waiting: AnswerTo,
): void {
  const error = 'UNKNOWN_SERVER_ERROR'
  if (waiting.to === 'client') {
    const { client } = waiting
    if (executing(connectionTo(state, client, 'coordinator'), waiting.request) === undefined) return
    reply({ protocol, state, step, client, broker: 'coordinator' }, error)
  }
  if (waiting.to === 'partition') {
    const { partition } = waiting
    const index = (state.verification[partition] ?? []).findIndex(
      ({ phase, request }) => phase === 'being added' && request.transactionalId === id,
    )
    if (index >= 0) answerWithoutAppend(protocol, state, step, partition, index, error)
  }
}
