/** The partition of __transaction_state gets another leader: another broker becomes coordinator. */
import type { Step } from '../../checker/model.ts'
import { stayBehind } from '../actions/replacement.ts'
import { spend } from '../actions/step.ts'
import { complete, coordinatorOf, logOf, recordDecision } from '../actions/transaction-log.ts'
import { coordinatorLane } from '../lanes.ts'
import { executing } from '../protocol/network.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { isPrepared } from '../protocol/transaction-coordinator/decision.ts'
import { durablePart, loaded } from '../protocol/transaction-coordinator/entry.ts'
import type { AnswerTo, Connection, KafkaState, TransactionLog, TransactionRecord } from '../state.ts'

/** TransactionCoordinator.onElection: what the new coordinator finds undecided it completes under its own epoch. */
export function failOver(protocol: Protocol, state: KafkaState, step: Step, id: number): void {
  spend(state, step, 'coordinatorFailovers')
  const log = logOf(state, id)
  const kept = survivors(log, step).map((record) => durablePart(protocol, record))
  const read = readable(protocol, kept, step)
  const coordinator = coordinatorOf(state, id)
  const former = coordinator.entry === null ? null : { ...coordinator.entry }
  const survivor = takeOver(protocol, state, id, { kept, read })
  step.emit({ kind: 'crashed', lane: coordinatorLane, text: 'another broker takes over' })
  if (survivor !== null && survivor.state !== 'Dead') {
    recordDecision(state, survivor)
    coordinator.entry = loaded(protocol, survivor)
    if (isPrepared(survivor.state) && protocol.protects('completion by the next coordinator'))
      complete(protocol, state, step, id, coordinator.entry)
  }
  coordinator.former = null
  if (staysBehind(state, step)) stayBehind(protocol, state, id, former)
}

/** A fault: the old coordinator does not learn of it yet. */
function staysBehind(state: KafkaState, step: Step): boolean {
  if (state.budget.staleCoordinators === 0 || state.budget.total === 0) return false
  const stays = step.choose('the former coordinator', ['knows', 'does not know']) === 'does not know'
  if (stays) spend(state, step, 'staleCoordinators')
  return stays
}

/** Of what is not yet replicated any prefix is left. */
function survivors({ reportedFailed, tail }: TransactionLog, step: Step): TransactionRecord[] {
  const records = [reportedFailed, tail].filter((record) => record !== null)
  if (records.length === 0) return []
  const fates = records.length === 1 ? ['lost', 'kept'] : ['lost', 'kept', 'kept up to the failed one']
  const fate = step.choose('the record not yet replicated is', fates)
  if (fate === 'lost') return []
  return fate === 'kept' ? records : records.slice(0, 1)
}

/**
 * How much of that the new coordinator reads: all of it, to the end of its log, or what its high watermark covers by then
 * (TransactionStateManager.loadTransactionMetadata).
 */
function readable({ flags }: Protocol, kept: readonly TransactionRecord[], step: Step): TransactionRecord[] {
  if (flags.loadsUpTo === 'log end' || kept.length === 0) return [...kept]
  const counts = [...kept.keys(), kept.length]
  return kept.slice(0, step.choose('records below the high watermark', counts))
}

interface Found {
  /** Records that are in the log of the new coordinator. */
  readonly kept: readonly TransactionRecord[]
  readonly read: readonly TransactionRecord[]
}

/**
 * A new coordinator reads its transaction log: a record that was not yet replicated may be there or not. What was only in
 * memory is gone; requests that it was working on are repeated by their senders. Returns what it read last.
 */
function takeOver(protocol: Protocol, state: KafkaState, id: number, found: Found): TransactionRecord | null {
  const coordinator = coordinatorOf(state, id)
  const lastMove = state.budget.coordinatorFailovers === 0
  const log = logOf(state, id)
  const survivor = found.read.at(-1) ?? log.committed
  if (protocol.flags.loadsUpTo === 'log end' && !lastMove) keepAtRisk(log, found)
  else keepReplicated(log, found, lastMove)
  if (log.committed !== null) log.committed = durablePart(protocol, log.committed)
  const waiting = coordinator.answer
  coordinator.coordinatorEpoch += 1
  coordinator.entry = null
  coordinator.answer = { to: 'nobody' }
  coordinator.markersForgotten = false
  if (lastMove) {
    // What is late lies on connections to the former coordinator, which executes nothing any more.
    for (const { coordinator: connection } of state.connection) {
      connection.late = connection.late.filter(([request]) => request?.transactionalId !== id)
    }
  }
  releaseWaiting(state, id, waiting)
  return survivor
}

/** What was read is in effect, and a later move may lose it all the same. */
function keepAtRisk(log: TransactionLog, { kept }: Found): void {
  log.tail = kept.at(-1) ?? null
  log.tailInEffect = log.tail !== null
  log.reportedFailed = kept.length > 1 ? (kept[0] ?? null) : null
}

/** What was read stays. What is in the log beyond that, only a later coordinator would read. */
function keepReplicated(log: TransactionLog, { kept, read }: Found, lastMove: boolean): void {
  const last = read.at(-1)
  if (last !== undefined) log.committed = last.state === 'Dead' ? null : last
  log.tail = null
  log.tailInEffect = false
  log.reportedFailed = lastMove ? null : (kept.slice(read.length).at(-1) ?? null)
}

/** What waited for the append is taken up again. */
export function releaseWaiting(state: KafkaState, id: number, waiting: AnswerTo): void {
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
