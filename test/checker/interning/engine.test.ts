/** What the engine remembers, for whom, and when it may not look. */

import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { action, always, check, defineModel, type ModelBody, reachable } from '../../../checker/index.ts'
import { checkBoth } from '../tiny.ts'

interface State {
  a: number
  b: number
  c: number
}
const initial: State = { a: 0, b: 0, c: 0 }
const components = ['a', 'b', 'c']
const up = (key: keyof State, limit: number) =>
  action(`Up ${key}`, {}, (state: State, _, step) => {
    step.when('below', state[key] < limit)
    state[key] += 1
  })

describe('remembering', () => {
  test('a recipe runs once per combination of what it reads, and serves all states', async () => {
    const actions = [up('a', 20), up('b', 20), up('c', 20)]
    const { coverage, states } = await checkBoth({ initial, components, actions })
    expect(states).toEqual({ distinct: 9261, generated: 1 + 3 * 20 * 21 * 21 })
    expect(coverage.recipeRuns).toBe(63)
    // A state is found first by its first parent, and those with a larger a come first.
    expect(coverage.actions.map(({ tried, fired, newStates }) => [tried, fired, newStates])).toEqual([
      [9261, 8820, 20],
      [9261, 8820, 420],
      [9261, 8820, 8820],
    ])
    expect(coverage.components).toEqual(components.map((path) => ({ path, values: 21 })))
  })

  test('belongs to one configuration and one set of defences, also of runs at the same time', async () => {
    const model = defineModel({
      name: 'shared',
      config: v.object({ limit: v.number() }),
      defences: [{ name: 'stop', summary: 'Stops at the limit.', sources: [] }],
      build: ({ limit }, { defences }): ModelBody<State> => ({
        initial,
        components,
        actions: [
          action('Up', {}, (state: State, _, step) => {
            step.when('below', state.a < (defences.has('stop') ? limit : limit + 1))
            state.a += 1
          }),
        ],
        properties: [always('in bounds', ({ a }: State) => a <= limit)],
      }),
    })
    const results = await Promise.all([
      check(model, { limit: 3 }),
      check(model, { limit: 3 }, { defencesOff: ['stop'] }),
      check(model, { limit: 5 }),
      check(model, { limit: 3 }),
    ])
    expect(results.map(({ states, verdict }) => [states.distinct, verdict])).toEqual([
      [4, 'proved'],
      [5, 'violated'],
      [6, 'proved'],
      [4, 'proved'],
    ])
  })
})

describe('instances that a component rules out', () => {
  test('are those alone that are disabled at once: what is disabled by a second component comes back', async () => {
    const late = action('Late', {}, (state: State, _, step) => {
      step.when('a is zero', state.a === 0)
      step.when('b is up', state.b === 3)
      state.c = 1
    })
    const result = await checkBoth({
      initial,
      components,
      actions: [late, up('b', 3), up('a', 1)],
      properties: [reachable('late', ({ c }: State) => c === 1)],
    })
    expect(result.properties[0]).toMatchObject({ verdict: 'witnessed', depth: 5 })
  })

  test('are tried again with another value, and those never tried are listed everywhere', async () => {
    const first = action('First', { at: [0, 1, 2, 3] }, (state: State, { at }, step) => {
      step.when('its turn', state.a === at)
      state.a = (state.a + 1) % 4
    })
    const result = await checkBoth({ initial, components, actions: [first] })
    expect(result.states).toEqual({ distinct: 4, generated: 5 })
  })

  test('are counted as tried, with their guards, although nobody looked at them', async () => {
    const actions = [
      action('Never', {}, (_: State, __, step) => step.when('never', false)),
      action('Odd', {}, (state: State, _, step) => {
        step.when('always', true)
        step.when('a is odd', state.a % 2 === 1)
        step.when('b is up', state.b === 1)
        state.c = 1
      }),
      up('a', 9),
      up('b', 1),
    ]
    const { coverage, states } = await checkBoth({ initial, components, actions })
    // Ten values of a with two of b; nine of a are left once c is up.
    expect(states.distinct).toBe(29)
    expect(coverage.actions[0]).toEqual({ name: 'Never', tried: 29, fired: 0, newStates: 0, recipeRuns: 1 })
    expect(coverage.actions[1]).toMatchObject({ tried: 29, fired: 10, recipeRuns: 15 })
    expect(coverage.guards.slice(0, 4)).toEqual([
      { action: 'Never', guard: 'never', passed: 0, blocked: 29 },
      { action: 'Odd', guard: 'always', passed: 29, blocked: 0 },
      { action: 'Odd', guard: 'a is odd', passed: 15, blocked: 14 },
      { action: 'Odd', guard: 'b is up', passed: 10, blocked: 5 },
    ])
  })
})

describe('wide states', () => {
  test('thousands of values per component, appearing late, are kept apart while the layout grows', async () => {
    const grow = action('Grow', { by: [1, 3] }, (state: State, { by }, step) => {
      step.when('small', state.a < 3000)
      state.a += by
      state.b = state.a % 17
    })
    const result = await checkBoth({ initial, components, actions: [grow, up('c', 2)] })
    expect(result.coverage.components.map(({ values }) => values)).toEqual([3003, 17, 3])
    // 3002 takes 1000 threes and 2 ones, then c takes 2 steps.
    expect(result.depth).toBe(1 + 1002 + 2)
  })
})
