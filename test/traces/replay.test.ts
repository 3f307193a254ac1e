import { describe, expect, it } from 'vitest'
import { action, always, check, eventually, UsageError } from '../../checker/index.ts'
import { minimise, replay } from '../../traces/index.ts'
import { tiny } from '../checker/tiny.ts'
import { walk } from './walk.ts'

interface State {
  n: number
  log: (number | null)[]
}

/** Counts by steps; another version of it has another guard, or another effect. */
const counter = ({ max = 9, by = 1, limit = 2 } = {}) =>
  tiny<State>({
    initial: { n: 0, log: [] },
    components: ['n', 'log'],
    actions: [
      action('Add', {}, (state: State, _, step) => {
        step.when('there is room', state.n < max)
        const what = step.choose('what', ['number', 'nothing'])
        state.n += by
        state.log.push(what === 'number' ? state.n : null)
      }),
    ],
    properties: [always('small', ({ n }: State) => n < limit)],
  })

const given = walk(counter(), 'small', [
  ['Add', {}, { what: 'nothing' }],
  ['Add', {}, { what: 'number' }],
])

describe('a trace', () => {
  it('is what the model still does', () => {
    expect(replay(counter(), given)).toEqual({ trace: given, shows: true })
  })

  it('leads to other states than it did, from the first one on that is named', () => {
    const { trace, differsFrom, shows } = replay(counter({ by: 3 }), given)
    expect({ states: trace.states, differsFrom, shows }).toEqual({
      states: [
        { log: [], n: 0 },
        { log: [null], n: 3 },
        { log: [null, 6], n: 6 },
      ],
      differsFrom: 1,
      shows: true,
    })
  })

  it('does not violate its property any more', () => {
    expect(replay(counter({ limit: 3 }), given)).toEqual({ trace: given, shows: false })
  })

  it('does not apply any more: the step and the guard that blocks it are named', () => {
    const replaying = () => replay(counter({ max: 1 }), given)
    expect(replaying).toThrow(UsageError)
    expect(replaying).toThrow("step 2 of 2, Add: the guard 'there is room' blocks it")
  })

  it('does not apply any more: its choices are not offered', () => {
    const changed = { ...given.steps[0]!, choices: [{ name: 'what', value: 'something' }] }
    expect(() => replay(counter(), { ...given, steps: [changed] })).toThrow(
      'step 1 of 1, Add: it does not offer these choices',
    )
  })

  it('is of a property or of none', () => {
    const { property: _, ...ofNone } = given
    expect(replay(counter(), ofNone)).toEqual({ trace: ofNone })
  })

  it('may be of a question, which is judged only if it is asked for', () => {
    const asking = tiny<{ n: number }>({
      initial: { n: 0 },
      components: ['n'],
      actions: [action('Add', {}, (state: { n: number }) => void state.n++)],
      questions: [always('none', ({ n }: { n: number }) => n === 0)],
    })
    const trace = walk(asking, 'none', [['Add']])
    expect(replay(asking, trace)).toEqual({ trace, shows: true })
    expect(minimise(asking, trace).trace).toEqual(trace)
  })

  it('begins in one of several initial states', () => {
    const two = tiny<{ n: number }>({
      initialStates: [{ n: 1 }, { n: 5 }],
      components: ['n'],
      actions: [action('Add', {}, (state: { n: number }) => void state.n++)],
      properties: [always('small', ({ n }: { n: number }) => n < 6)],
    })
    const from = (n: number) => ({
      ...walk(two, 'small', [['Add']]),
      states: [{ n }, { n: n + 1 }],
    })
    expect(replay(two, from(5))).toEqual({ trace: from(5), shows: true })
    expect(() => replay(two, from(3))).toThrow('the model does not begin in this state')
  })
})

describe('a lasso', () => {
  interface Round {
    at: number
  }
  const rounds = (size: number) =>
    tiny<Round>({
      initial: { at: 0 },
      components: ['at'],
      actions: [
        action('Go', {}, (state: Round) => {
          state.at = (state.at + 1) % size
        }),
      ],
      properties: [eventually('gets to 9', ({ at }: Round) => at === 9)],
    })

  it('is taken once round, and has to close', async () => {
    const { properties } = await check(rounds(3), {})
    const trace = properties[0]!.trace!
    expect(trace.loop).toBe(0)
    expect(replay(rounds(3), trace)).toEqual({ trace })
    expect(() => replay(rounds(4), trace)).toThrow('the loop: the last state is not state 0 any more')
    expect(() => minimise(rounds(3), trace)).toThrow('only a behaviour without an end violates it')
  })
})
