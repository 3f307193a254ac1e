import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { action, check, type Plain, reachable, stepper, UsageError } from '../../checker/index.ts'
import { modelOf, randomModel } from './random-model.ts'
import { tiny } from './tiny.ts'

interface State {
  n: number
  log: string[]
}
const add = action('Add', { by: [1, 2] }, (state: State, { by }, step) => {
  step.when('below four', state.n < 4)
  const what = step.choose('what', ['x', 'y', 'z'])
  step.when('no y after three', !(state.n === 3 && what === 'y'))
  state.n += by
  state.log.push(what)
  step.emit({ kind: 'appended', lane: 'log', message: what, fields: { log: state.log, n: state.n } })
})
const rest = action('Rest', {}, (_: State, __, step) => {
  step.choose('of nothing', [])
})
const model = tiny<State>({ initial: { n: 3, log: [] }, components: ['n', 'log'], actions: [add, rest] })

describe('a stepper', () => {
  const at = stepper(model, {})
  const [initial] = at.initialStates

  test('lists what can happen in a state, with choices, events and what comes of it', () => {
    const { enabled } = at.successors(initial!)
    expect(enabled.map(({ args, choices }) => [args.by, choices[0]?.value])).toEqual([
      [1, 'x'],
      [1, 'z'],
      [2, 'x'],
      [2, 'z'],
    ])
    expect(enabled[1]).toEqual({
      action: 'Add',
      args: { by: 1 },
      choices: [{ name: 'what', value: 'z' }],
      events: [{ kind: 'appended', lane: 'log', message: 'z', fields: { log: ['z'], n: 4 } }],
      next: { log: ['z'], n: 4 },
    })
  })

  test('lists what cannot, and the guard that blocks it', () => {
    expect(at.successors(initial!).blocked).toEqual([
      { action: 'Add', args: { by: 1 }, choices: [{ name: 'what', value: 'y' }], guard: 'no y after three' },
      { action: 'Add', args: { by: 2 }, choices: [{ name: 'what', value: 'y' }], guard: 'no y after three' },
      { action: 'Rest', args: {}, choices: [], guard: 'of nothing' },
    ])
    expect(at.successors({ n: 4, log: [] }).blocked.map(({ guard }) => guard)).toEqual([
      'below four',
      'below four',
      'of nothing',
    ])
  })

  test('takes a named step', () => {
    const step = { action: 'Add', args: { by: 2 }, choices: [{ name: 'what', value: 'x' }] }
    expect(at.take(initial!, step).next).toEqual({ n: 5, log: ['x'] })
    // The order of keys of a state that somebody wrote does not matter.
    expect(at.take({ log: [], n: 1 }, step).next).toEqual({ n: 3, log: ['x'] })
  })

  test.each<[string, object, Plain, RegExp]>([
    ['is blocked', {}, { n: 4, log: [] }, /Add\(by: 1\): the guard 'below four' blocks it/],
    [
      'is blocked after its choice',
      { choices: [{ name: 'what', value: 'y' }] },
      { n: 3, log: [] },
      /no y after/,
    ],
    ['has no such action', { action: 'Sub' }, { n: 3, log: [] }, /no such action/],
    ['has no such argument', { args: { by: 3 } }, { n: 3, log: [] }, /no such action or arguments/],
    ['has no such choice', { choices: [{ name: 'what', value: 'w' }] }, { n: 1, log: [] }, /does not offer/],
  ])('says why a step does not apply: it %s', (_, named, state, message) => {
    const step = { action: 'Add', args: { by: 1 }, choices: [{ name: 'what', value: 'x' }], ...named }
    expect(() => at.take(state, step)).toThrow(UsageError)
    expect(() => at.take(state, step)).toThrow(message)
  })

  test('refuses a state of another shape', () => {
    expect(() => at.successors({ n: 1 })).toThrow(/another set of keys/)
    expect(() => at.successors({ n: 0.5, log: [] })).toThrow(/0\.5/)
  })

  test('has one initial state for each declared one', () => {
    const several = tiny<{ n: number }>({ initialStates: [{ n: 1 }, { n: 2 }], components: ['n'] })
    expect(stepper(several, {}).initialStates).toEqual([{ n: 1 }, { n: 2 }])
  })
})

describe('traces', () => {
  test('of any random model replay step by step to the same states and events', async () => {
    let steps = 0
    await fc.assert(
      fc.asyncProperty(randomModel, async (random) => {
        const replayed = modelOf(random)
        const { properties } = await check(replayed, {}, { maxStates: 500, continueAfterViolation: true })
        const at = stepper(replayed, {})
        for (const { trace } of properties) {
          if (trace === undefined) continue
          expect(at.initialStates).toContainEqual(trace.states[0])
          trace.steps.forEach((step, index) => {
            const taken = at.take(trace.states[index]!, step)
            expect(taken).toEqual({ ...step, next: trace.states[index + 1] })
            steps++
          })
        }
      }),
      { numRuns: 500 },
    )
    expect(steps).toBeGreaterThan(50)
  })

  test('tell the choice that leads to the next state, not another of the same step', async () => {
    const properties = [reachable('z', ({ log }: State) => log[0] === 'z')]
    const result = await check(
      tiny({ initial: { n: 0, log: [] }, components: ['n', 'log'], actions: [add], properties }),
      {},
    )
    expect(result.properties[0]?.trace?.steps).toMatchObject([{ args: { by: 1 }, choices: [{ value: 'z' }] }])
  })
})
