/** Tries only save time: past their share of the memory the search goes on without remembering, to the same result. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { action, always, check, reachable, transition } from '../../../checker/index.ts'
import { explore } from '../../../checker/interning/engine.ts'
import { prepare } from '../../../checker/prepare.ts'
import { modelOf, randomModel } from '../random-model.ts'
import { tiny } from '../tiny.ts'

interface State {
  x: number
  y: number
  z: number
  sum: number
}

/** Everything that happens depends on everything, so that there is a combination for every state. */
const model = tiny<State>({
  initial: { x: 0, y: 0, z: 0, sum: 0 },
  components: ['x', 'y', 'z', 'sum'],
  actions: [
    ...(['x', 'y', 'z'] as const).map((key) =>
      action(`Up ${key}`, {}, (state: State, _, step) => {
        step.when('room', state[key] < 24)
        step.when('in order', state.x + state.y + state.z - state[key] <= 2 * state[key] + 30)
        state[key] += 1
      }),
    ),
    action('Sum', {}, (state: State, _, step) => {
      const sum = state.x + state.y + state.z
      step.when('large', sum > 60)
      state.sum = (sum * step.choose('times', [1, 2])) % 50
    }),
  ],
  properties: [
    always('never 49', ({ x, y, z }: State) => x + y + z !== 99),
    transition(
      'upwards',
      (before: State, after: State) => before.x + before.y + before.z <= after.x + after.y + after.z,
    ),
    reachable('the corner', ({ x, y, z }: State) => x + y + z === 72),
  ],
})

describe('past the memory for tries', () => {
  test('recipes run directly: more often, to the same states, verdicts, counterexamples and counts', async () => {
    const free = await check(model, {})
    const tight = await check(model, {}, { maxMemoryBytes: 6_000_000 })
    expect(tight.limit).toBeUndefined()
    expect(tight.memoryBytes.engine).toBeLessThan(6_000_000)
    expect(free.memoryBytes.engine).toBeGreaterThan(6_000_000)
    expect(tight.states).toEqual(free.states)
    expect(tight.properties).toEqual(free.properties)
    expect(tight.coverage.guards).toEqual(free.coverage.guards)
    const counts = ({ coverage }: typeof free) => coverage.actions.map(({ recipeRuns: _, ...rest }) => rest)
    expect(counts(tight)).toEqual(counts(free))
    expect(tight.coverage.recipeRuns).toBeGreaterThan(free.coverage.recipeRuns)
    expect(tight.coverage.properties[0]!.evaluations).toBeGreaterThan(1000)
  })

  test('nothing changes for random models if nothing is remembered from the start', async () => {
    await fc.assert(
      fc.asyncProperty(randomModel, async (random) => {
        const prepared = prepare(modelOf(random), {})
        const options = { maxStates: 500, continueAfterViolation: true }
        const usual = await explore(prepared, options)
        const forgetful = await explore(prepared, { ...options, memoBytes: 0 })
        expect(forgetful.states).toEqual(usual.states)
        expect(forgetful.properties).toEqual(usual.properties)
        expect(forgetful.coverage.guards).toEqual(usual.coverage.guards)
        expect(forgetful.coverage.actions.map(({ fired }) => fired)).toEqual(
          usual.coverage.actions.map(({ fired }) => fired),
        )
      }),
      { numRuns: 400 },
    )
  })
})
