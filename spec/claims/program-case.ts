/** Short ways to say which programs a claim is about. */

import { programs } from '../outside/model.ts'
import type { WrittenStep } from '../outside/program.ts'
import { everyInput, noneTwice, together } from '../outside/questions.ts'
import { anyModel, type ClaimCase } from './claim.ts'

const model = anyModel(programs)

export const documented = 'Kafka documentation, Design: Message Delivery Semantics'

/** A case in the model of applications as programs. */
export const programCase = (one: Omit<ClaimCase, 'model'>): ClaimCase => ({ model, ...one })

/** Reads `input` and commits its offsets by itself, where its program says so. */
export const reader = (...loop: readonly WrittenStep[]) => ({
  name: 'app',
  reads: 'input',
  onStart: ['seek to committed offset'],
  loop,
})

/** Reads `input` with a transactional producer. */
export const transactional = (...loop: readonly WrittenStep[]) => ({
  ...reader(...loop),
  onStart: ['initialise', 'seek to committed offset'],
})

/** One that keeps its offset in the database. */
export const seeking = (...loop: readonly WrittenStep[]) => ({
  ...reader(...loop),
  onStart: ['seek to offset in database'],
})

/** Two instances, so that the second can take over while the first is alive. */
export const twice = <App extends object>(app: App) => ({ ...app, instances: 2 })

/** Receives events and keeps a row of each id that it has seen. */
export const deduplicating = (remembers: 'remember id' | 'remember offset' = 'remember id') => ({
  name: 'receiver',
  reads: 'events',
  onStart: ['seek to committed offset'],
  loop: ['poll', { database: [remembers, 'insert row'] }, 'commit offset'],
})

export const twoEvents = [{ event: 0 }, { event: 1 }]

/** What the others are compared with. */
export const exactlyOnceLoop = [
  'poll',
  'process',
  'begin',
  { send: 'output' },
  'send offsets',
  'commit',
] as const
export const readProcessWrite = transactional(...exactlyOnceLoop)

export const exactlyOnce = { [together]: 'proved', [everyInput]: 'proved', [noneTwice]: 'proved' } as const

/** Processing may throw when the transaction has begun. */
export const throwingLoop = [
  'poll',
  'begin',
  'process',
  { send: 'output' },
  'send offsets',
  'commit',
] as const
