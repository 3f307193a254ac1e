/** Steps towards Kafka: what a client's methods do. */
import {
  abortTransaction,
  append,
  commitTransaction,
  fenced,
  isFenced,
  isolation,
  isReplaced,
  nextOffset,
  replaced,
  stableOffsets,
} from '../kafka.ts'
import type { Entry, Group } from '../state.ts'
import { makeFresh, note, type Outcome, type Turn, take, tell, workOf } from '../turn.ts'

const groupOf = ({ state, me }: Turn): Group => state.group[me.app.name] as Group

/** initTransactions: an open transaction of the id is aborted, and older processes with it are fenced (claim-T4, claim-F1). */
export function initialise(turn: Turn): Outcome {
  const { state, me, producer, process } = turn
  const text = producer.isOpen ? 'initialise: the open transaction is aborted' : 'initialise'
  if (producer.isOpen) abortTransaction(turn, state, me.producer)
  producer.current = me.name
  process.inTransaction = false
  tell(turn, 'coordinator', text)
  return 'next'
}

/** A replaced owner learns of it when it polls. */
export function poll(turn: Turn): Outcome {
  const { state, process, me, step, defences } = turn
  const topic = me.app.reads ?? ''
  if (groupOf(turn).owner !== me.name) return replaced(turn)
  const entries = state.topic[topic] as Entry[]
  const committedOnly = me.app.isolation === 'read_committed' && defences.has(isolation)
  const offset = nextOffset(entries, process.position, committedOnly)
  step.when('there is a record to read', offset !== undefined)
  const { event, id, key, poison, value, status } = entries[offset as number] as Entry
  process.work = { event, id, key, poison, value, topic, offset: offset as number }
  process.position = (offset as number) + 1
  process.isDone = false
  process.value = value
  process.idempotencyKey = ''
  const seen = status === 'committed' ? '' : ` (${status})`
  step.emit({ kind: 'delivered', lane: me.name, peer: topic, message: `record${seen}`, fields: { event } })
  return 'next'
}

/** A request of somebody who does not repeat it: as a record whose offset is committed when it is read. */
export function acceptRequest(turn: Turn): Outcome {
  const outcome = poll(turn)
  if (outcome === 'next') groupOf(turn).committed = turn.process.position
  return outcome
}

/** Processing throws for a poison record, or for a passing reason. */
export function processWork(turn: Turn): Outcome {
  const { state, step, process, me } = turn
  const { event, poison } = workOf(turn)
  state.ghost.processed[event] = Math.min(3, (state.ghost.processed[event] ?? 0) + 1)
  const mayThrow = !poison && state.budget.errors > 0
  const throws = poison || (mayThrow && step.choose('processing', ['succeeds', 'throws']) === 'throws')
  if (throws) {
    if (!poison) take(turn, 'errors')
    note(turn, `processing of event ${event} throws`)
    return 'error'
  }
  process.value = me.app.result === 'determined' ? 0 : step.choose('result', [1, 2])
  const result = me.app.result === 'determined' ? '' : `: result ${process.value}`
  note(turn, `processes event ${event}${result}`)
  return 'next'
}

export function begin(turn: Turn): Outcome {
  turn.process.inTransaction = true
  note(turn, 'begins a transaction')
  return 'next'
}

export function send(turn: Turn, topic: string, id: 'of the event' | 'fresh'): Outcome {
  const { process, step, me } = turn
  const { topic: _, offset: __, ...message } = workOf(turn)
  if (process.inTransaction && isFenced(turn)) {
    step.emit({ kind: 'delivered', lane: topic, peer: me.name, message: 'send: refused' })
    return fenced(turn)
  }
  const name = id === 'fresh' ? makeFresh(turn) : message.id
  append(turn, topic, { ...message, id: name, value: process.value })
  return 'next'
}

/** sendOffsetsToTransaction (KIP-447). */
export function sendOffsets(turn: Turn): Outcome {
  const { process, producer, config } = turn
  if (isFenced(turn)) return fenced(turn)
  if (config.groupMetadata === 'owner' && isReplaced(turn)) return replaced(turn)
  producer.isOpen = true
  producer.offset = process.position
  tell(turn, 'coordinator', `offset ${process.position} in transaction`)
  return 'next'
}

const answers = ['answered', 'executed, the answer is lost', 'under way'] as const

/** commitTransaction. Called again after a timeout, it ends what is open, or is told that this was done (claim-T6). */
export function commit(turn: Turn): Outcome {
  const { state, step, process, producer, me } = turn
  if (isFenced(turn)) return fenced(turn)
  const answer = state.budget.commitTimeouts > 0 ? step.choose('commit', answers) : 'answered'
  if (answer !== 'answered') take(turn, 'commitTimeouts')
  if (answer === 'under way') {
    producer.lateCommit = true
    step.emit({ kind: 'delayed', lane: me.name, peer: 'coordinator', message: 'commit' })
    return 'error'
  }
  if (producer.isOpen) commitTransaction(turn, state, me.producer)
  tell(turn, 'coordinator', 'commit')
  if (answer === 'answered') {
    process.inTransaction = false
    return 'next'
  }
  step.emit({ kind: 'lost', lane: 'coordinator', peer: me.name, message: 'committed' })
  return 'error'
}

/** abortTransaction; after a commit that was executed it is refused (INVALID_TXN_STATE). */
export function abort(turn: Turn): Outcome {
  const { state, process, producer, me } = turn
  if (!process.inTransaction) return 'next'
  if (isFenced(turn)) return fenced(turn)
  const mayBeCommitted = producer.isOpen || turn.config.commitTimeouts === 0
  tell(turn, 'coordinator', mayBeCommitted ? 'abort' : 'abort: refused')
  if (!mayBeCommitted) return 'end'
  abortTransaction(turn, state, me.producer)
  process.inTransaction = false
  return 'next'
}

/** Takes longer than transaction.timeout.ms, each time: the coordinator aborts and raises the epoch (claim-F8). */
export function workPastTheTimeout(turn: Turn): Outcome {
  const { state, producer, me } = turn
  abortTransaction(turn, state, me.producer)
  producer.current = ''
  note(turn, 'works longer than the transaction timeout: its transaction is aborted')
  return 'next'
}

/** prepareTransaction (KIP-939): from now on only whoever decides ends it. */
export function prepare(turn: Turn): Outcome {
  if (isFenced(turn)) return fenced(turn)
  turn.producer.isPrepared = true
  tell(turn, 'coordinator', 'prepare')
  return 'next'
}

/** What is still open is committed if the database says that its inputs are done, and aborted otherwise. */
export function recover(turn: Turn): Outcome {
  const { state, producer, me } = turn
  producer.current = me.name
  if (!producer.isOpen) {
    note(turn, 'has no transaction to recover, and takes it for committed')
    return 'next'
  }
  const isDecided = state.database.offset >= producer.covers
  if (isDecided) commitTransaction(turn, state, me.producer)
  else abortTransaction(turn, state, me.producer)
  tell(turn, 'coordinator', isDecided ? 'recover: commit' : 'recover: abort')
  return 'next'
}

/** commitSync. */
export function commitOffset(turn: Turn): Outcome {
  if (isReplaced(turn)) return replaced(turn)
  groupOf(turn).committed = turn.process.position
  tell(turn, 'group', `commit offset ${turn.process.position}`)
  return 'next'
}

export function seekToCommitted(turn: Turn): Outcome {
  const { state, placed, process, me, step, defences } = turn
  const pending = placed.some(
    ({ app, producer }) => app.name === me.app.name && state.producer[producer]?.offset !== null,
  )
  step.when('no transaction has an offset that is undecided', !defences.has(stableOffsets) || !pending)
  process.position = groupOf(turn).committed
  note(turn, `continues at the committed offset ${process.position}`)
  return 'next'
}

export function seekToDatabase(turn: Turn): Outcome {
  turn.process.position = turn.state.database.offset
  note(turn, `continues at the offset in the database, ${turn.process.position}`)
  return 'next'
}

/** It takes the work for undone, and does it again. */
export function seekBack(turn: Turn): Outcome {
  turn.process.position = workOf(turn).offset
  note(turn, `continues at its own last record, ${turn.process.position}`)
  return 'next'
}
