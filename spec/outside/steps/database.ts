/** Steps towards a database. A transaction of it is one step: serialisable, and a crash is before it or after it. */
import type { Operation } from '../program.ts'
import type { Row, State } from '../state.ts'
import { makeFresh, note, type Outcome, type Turn, tell, workOf } from '../turn.ts'

type Effect = 'done' | 'known' | 'refused'

/** A duplicate or a refusal rolls all of it back. */
export function database(turn: Turn, operations: readonly Operation[]): Outcome {
  const work = workOf(turn)
  const refusal = operations.map((operation) => judge(turn, operation)).find((effect) => effect !== 'done')
  const what = operations.join(', ')
  if (refusal === undefined) {
    for (const operation of operations) apply(turn, operation)
    tell(turn, 'database', what, work)
    return 'next'
  }
  tell(turn, 'database', `${what}: rolled back`, work)
  turn.process.isDone = true
  note(turn, refusal === 'known' ? 'recognises the duplicate' : 'finds that another has advanced the offset')
  return refusal === 'known' ? 'next' : 'end'
}

const offsetId = (turn: Turn): string => {
  const { topic, offset } = workOf(turn)
  return `${topic}-${offset}`
}

function judge(turn: Turn, operation: Operation): Effect {
  const { database: stored } = turn.state
  const work = workOf(turn)
  if (operation === 'remember id') return stored.remembered.includes(work.id) ? 'known' : 'done'
  if (operation === 'remember offset') return stored.remembered.includes(offsetId(turn)) ? 'known' : 'done'
  if (operation === 'advance offset') return stored.offset === work.offset ? 'done' : 'refused'
  return 'done'
}

function apply(turn: Turn, operation: Operation) {
  const { state, process } = turn
  const { database: stored } = state
  const work = workOf(turn)
  const row: Row = { event: work.event, id: work.id, key: work.key }
  switch (operation) {
    case 'insert row':
      stored.rows.push(row)
      return
    case 'insert row unless its id is there':
      if (!stored.rows.some(({ id }) => id === row.id)) stored.rows.push(row)
      return
    case 'insert row unless its key is there':
      if (!stored.rows.some(({ key }) => key === row.key)) stored.rows.push(row)
      return
    case 'overwrite row':
      stored.rows = [...stored.rows.filter(({ key }) => key !== row.key), row]
      return
    case 'overwrite older row':
      if (!stored.rows.some(({ key, event }) => key === row.key && event > row.event))
        stored.rows = [...stored.rows.filter(({ key }) => key !== row.key), row]
      return
    case 'remember id':
      stored.remembered.push(work.id)
      return
    case 'remember offset':
      stored.remembered.push(offsetId(turn))
      return
    case 'store offset':
    case 'advance offset':
      stored.offset = process.position
      return
    case 'insert outbox row': {
      const { topic: _, offset: __, ...message } = work
      stored.outbox.push({ ...message, isSent: false, claimedBy: '' })
      return
    }
    case 'store idempotency key':
      if (keyOf(state, work.event) === '') stored.keys.push({ event: work.event, key: makeFresh(turn) })
      process.idempotencyKey = keyOf(state, work.event)
  }
}

export const keyOf = ({ database: { keys } }: State, event: number): string =>
  keys.find((one) => one.event === event)?.key ?? ''

export function lookUpRow(turn: Turn): Outcome {
  const { event, key } = workOf(turn)
  const isThere = turn.state.database.rows.some((row) => row.key === key)
  turn.process.isDone = isThere
  tell(turn, 'database', `look up row: ${isThere ? 'there' : 'not there'}`, { event })
  return 'next'
}

export function lookUpKey(turn: Turn): Outcome {
  const { event } = workOf(turn)
  turn.process.idempotencyKey = keyOf(turn.state, event)
  const found = turn.process.idempotencyKey === '' ? 'none' : turn.process.idempotencyKey
  tell(turn, 'database', `look up idempotency key: ${found}`, { event })
  return 'next'
}

/** Nothing keeps two processes from creating one each. */
export function createKey(turn: Turn): Outcome {
  const { event } = workOf(turn)
  if (turn.process.idempotencyKey !== '') return 'next'
  const key = makeFresh(turn)
  turn.process.idempotencyKey = key
  turn.state.database.keys.push({ event, key })
  tell(turn, 'database', `create idempotency key ${key}`, { event })
  return 'next'
}

/** The first row of the outbox that is not sent, whoever else may be at it. */
export function readOutbox(turn: Turn): Outcome {
  return takeRow(turn, false)
}

/** The first one that is not claimed by anybody either. */
export function claimRow(turn: Turn): Outcome {
  return takeRow(turn, true)
}

function takeRow(turn: Turn, claims: boolean): Outcome {
  const { state, process, step, me } = turn
  const index = state.database.outbox.findIndex(
    ({ isSent, claimedBy }) => !isSent && (!claims || claimedBy === ''),
  )
  step.when('a row of the outbox is left', index >= 0)
  const row = state.database.outbox[index]
  if (row === undefined) return 'next'
  const { event, id, key, poison, value } = row
  process.work = { event, id, key, poison, value, topic: 'outbox', offset: index }
  process.isDone = false
  process.value = value
  if (claims) row.claimedBy = me.name
  tell(turn, 'database', claims ? 'claim outbox row' : 'read outbox', { event })
  return 'next'
}

export function markSent(turn: Turn): Outcome {
  const { event, offset } = workOf(turn)
  const row = turn.state.database.outbox[offset]
  if (row !== undefined) row.isSent = true
  tell(turn, 'database', 'mark sent', { event })
  return 'next'
}

/** Held by a session of the database, so that it is free when its holder dies. */
export function takeLock(turn: Turn): Outcome {
  const { state, step, me } = turn
  step.when('the lock is free', state.database.lock === '')
  step.when(
    'a row of the outbox is left',
    state.database.outbox.some(({ isSent }) => !isSent),
  )
  state.database.lock = me.name
  tell(turn, 'database', 'take lock')
  return 'next'
}

export function releaseLock(turn: Turn): Outcome {
  turn.state.database.lock = ''
  tell(turn, 'database', 'release lock')
  return 'next'
}
