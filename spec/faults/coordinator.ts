/** What can happen to the transaction coordinators. */
import { action } from '../../checker/model.ts'
import { abortForFence, coordinators } from '../actions/coordinator.ts'
import { spend } from '../actions/step.ts'
import { complete, coordinatorOf, logOf, recordDecision } from '../actions/transaction-log.ts'
import { coordinatorLane } from '../lanes.ts'
import { executing } from '../protocol/network.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { canTimeOut, fence, loaded } from '../protocol/transaction-coordinator.ts'
import type { Connection, CoordinatorEntry, KafkaState } from '../state.ts'
import type { Fault } from './fault.ts'

export function coordinatorFaults(protocol: Protocol): Fault[] {
  const id = coordinators(protocol)
  return [
    {
      budget: 'coordinatorFailovers',
      actions: [
        action('FailOver', { id }, (state: KafkaState, { id }, step) => {
          spend(state, step, 'coordinatorFailovers')
          const { tail } = logOf(state, id)
          const kept =
            tail !== null && step.choose('the record not yet replicated is', ['lost', 'kept']) === 'kept'
          failOver(state, id, kept)
          step.emit({ kind: 'crashed', lane: coordinatorLane, text: 'another broker takes over' })
          const { entry } = coordinatorOf(state, id)
          const preparing = entry?.state === 'PrepareCommit' || entry?.state === 'PrepareAbort'
          if (entry !== null && preparing) complete(protocol, state, step, id, entry)
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
          const decision = fence(
            protocol,
            entry as CoordinatorEntry,
            protocol.protects('epoch bump at timeout'),
          )
          if (decision.kind === 'fence') abortForFence(protocol, state, step, id, decision)
        }),
      ],
    },
  ]
}

/**
 * A new coordinator reads the transaction log to its end: a record that was not yet replicated may be there or not.
 * What was only in memory is gone; requests that it was working on are repeated by their senders.
 */
function failOver(state: KafkaState, id: number, kept: boolean): void {
  const coordinator = coordinatorOf(state, id)
  const log = logOf(state, id)
  const lastMove = state.budget.coordinatorFailovers === 0
  const survivor = kept ? log.tail : log.committed
  if (kept && log.tail !== null) recordDecision(state, log.tail)
  if (lastMove || !kept) {
    // No later move can lose what this one kept.
    log.committed = survivor
    log.tail = null
  }
  log.tailInEffect = log.tail !== null
  const waiting = coordinator.answer
  coordinator.coordinatorEpoch += 1
  coordinator.entry = survivor === null ? null : loaded(survivor)
  coordinator.answer = { to: 'nobody' }
  coordinator.nextLastProducerEpoch = -1
  coordinator.markersForgotten = false
  if (lastMove) {
    // What is late lies on connections to the former coordinator, which executes nothing any more.
    for (const { coordinator: connection } of state.connection) {
      connection.late = connection.late.filter(([request]) => request?.transactionalId !== id)
    }
  }
  if (waiting.to === 'client') {
    const connection = state.connection[waiting.client]?.coordinator as Connection
    const request = executing(connection, waiting.request)
    if (request !== undefined) request.executing = false
  }
  if (waiting.to === 'partition') {
    for (const verification of state.verification[waiting.partition] ?? []) {
      const asked = verification.phase === 'being added' && verification.request.transactionalId === id
      if (asked) verification.phase = 'to be verified'
    }
  }
}
