/** Tries only save time: past their share of the memory the search goes on without remembering, to the same result. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { action, always, check, reachable, transition } from '../../../checker/index.ts'
import { explore } from '../../../checker/interning/engine.ts'
import { prepare } from '../../../checker/prepare.ts'
import { fencingDuel } from '../../../examples/fencing-duel.ts'
import { twoPhaseCommit } from '../../../examples/two-phase-commit.ts'
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

describe('states in a small memory', () => {
  const small = { memory: 'small' } as const
  const comparable = ({ elapsedMs: _, memoryBytes: __, ...rest }: Awaited<ReturnType<typeof check>>) => rest

  test('lead to the same results, in all that is counted and told, also of random models', async () => {
    expect(comparable(await check(model, {}, small))).toEqual(comparable(await check(model, {})))
    await fc.assert(
      fc.asyncProperty(randomModel, fc.boolean(), async (random, continueAfterViolation) => {
        const options = { maxStates: 500, continueAfterViolation }
        const usual = await check(modelOf(random), {}, options)
        expect(comparable(await check(modelOf(random), {}, { ...options, ...small }))).toEqual(
          comparable(usual),
        )
      }),
      { numRuns: 400 },
    )
  })

  test('take half of the memory or less, up to renaming too', async () => {
    const [usual, compressed] = await Promise.all(
      (['usual', 'small'] as const).map((memory) =>
        check(twoPhaseCommit, { managers: 7 }, { properties: ['consistent'], symmetry: false, memory }),
      ),
    )
    expect(comparable(compressed!)).toEqual(comparable(usual!))
    expect(compressed!.states.distinct).toBe(296_448)
    expect(compressed!.memoryBytes.engine / 296_448).toBeLessThan(17)
    expect(usual!.memoryBytes.engine / compressed!.memoryBytes.engine).toBeGreaterThan(1.9)
    const orbits = await check(twoPhaseCommit, { managers: 6 }, small)
    expect(comparable(orbits)).toEqual(comparable(await check(twoPhaseCommit, { managers: 6 })))
  })

  test('keep the graph for what must happen at last, and stop at the limit of the memory', async () => {
    const live = await check(fencingDuel, {}, small)
    expect(live.properties.some(({ kind, trace }) => kind === 'eventually' && trace !== undefined)).toBe(true)
    expect(comparable(live)).toEqual(comparable(await check(fencingDuel, {})))
    const tight = { symmetry: false, properties: ['consistent'], maxMemoryBytes: 2_500_000 }
    const stopped = await check(twoPhaseCommit, { managers: 8 }, { ...tight, ...small })
    const earlier = await check(twoPhaseCommit, { managers: 8 }, tight)
    expect([stopped.verdict, stopped.limit?.kind, earlier.limit?.kind]).toEqual([
      'bounded',
      'memory',
      'memory',
    ])
    expect(stopped.states.distinct).toBeGreaterThan(1.5 * earlier.states.distinct)
    expect(stopped.memoryBytes.engine).toBeLessThanOrEqual(2_500_000)
  })
})
