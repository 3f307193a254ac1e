/** Steps towards a provider: a payment, a mail, any call that has an effect elsewhere. */
import type { Key } from '../program.ts'
import type { Call, State } from '../state.ts'
import { makeFresh, note, type Outcome, type Turn, take, tell, workOf } from '../turn.ts'
import { keyOf } from './database.ts'

/** It recognises a key, and executes a call without one every time. */
export function execute({ provider }: State, call: Call): boolean {
  const isKnown = call.key !== '' && provider.executed.some(({ key }) => key === call.key)
  if (!isKnown) provider.executed.push({ event: call.event, key: call.key })
  return !isKnown
}

export const outcomeText = (isNew: boolean) => (isNew ? 'call' : 'call: recognised by its key')

export function call(turn: Turn, key: Key): Outcome {
  const { state, step, me } = turn
  const { event } = workOf(turn)
  const made: Call = { event, key: keyFor(turn, key) }
  const fates = [
    'answered',
    ...(state.budget.lostAnswers > 0 ? ['the answer is lost'] : []),
    ...(state.budget.lateCalls > 0 ? ['late'] : []),
  ]
  const fate = fates.length > 1 ? step.choose('call', fates) : 'answered'
  if (fate === 'late') {
    take(turn, 'lateCalls')
    state.provider.late.push(made)
    step.emit({ kind: 'delayed', lane: me.name, peer: 'provider', message: 'call', fields: { event } })
    return 'error'
  }
  tell(turn, 'provider', outcomeText(execute(state, made)), { event })
  if (fate === 'answered') return 'next'
  take(turn, 'lostAnswers')
  step.emit({ kind: 'lost', lane: 'provider', peer: me.name, message: 'answer' })
  return 'error'
}

function keyFor(turn: Turn, key: Key): string {
  const { state, process } = turn
  const { event, id } = workOf(turn)
  if (key === 'none') return ''
  if (key === 'id of the event') return id
  if (key === 'stored') return process.idempotencyKey || keyOf(state, event)
  if (process.idempotencyKey === '') process.idempotencyKey = makeFresh(turn)
  return process.idempotencyKey
}

/** Whether it has executed a call for the event: what is still under way it does not know. */
export function askProvider(turn: Turn): Outcome {
  const { event } = workOf(turn)
  const isThere = turn.state.provider.executed.some((one) => one.event === event)
  turn.process.isDone = isThere
  tell(turn, 'provider', `ask: ${isThere ? 'executed' : 'not executed'}`, { event })
  return 'next'
}

/** A local store on disk counts the event at once, whatever becomes of the transaction. */
export function updateStore(turn: Turn): Outcome {
  const { event } = workOf(turn)
  turn.process.store.push(event)
  note(turn, `counts event ${event} in its local store: ${turn.process.store.length}`)
  return 'next'
}

/** The local store is thrown away and made anew from what is committed in its changelog. */
export function restoreStore(turn: Turn): Outcome {
  const changelog = turn.state.topic.changelog ?? []
  turn.process.store = changelog.flatMap(({ status, event }) => (status === 'committed' ? [event] : []))
  note(turn, `restores its store from the changelog: ${turn.process.store.length}`)
  return 'next'
}
