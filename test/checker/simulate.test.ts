import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  action,
  always,
  check,
  type ModelBody,
  ModelError,
  reachable,
  type SimulateOptions,
  simulate,
  stepper,
  type Trace,
  transition,
  UsageError,
} from '../../checker/index.ts'
import { prepare } from '../../checker/prepare.ts'
import { Random } from '../../checker/simulation/random.ts'
import { walkAtRandom } from '../../checker/simulation/simulate.ts'
import { leaseLock } from '../../examples/lease-lock.ts'
import { modelOf, randomModel } from './random-model.ts'
import { errorOf, tiny } from './tiny.ts'

interface Two {
  left: number
  right: number
}
const left = action('Left', {}, (state: Two) => {
  state.left++
})
const right = action('Right', {}, (state: Two) => {
  state.right++
})
/** Two counters that grow for ever: far too many states to explore. */
const endless = (body: Partial<ModelBody<Two>> = {}) =>
  tiny<Two>({
    initial: { left: 0, right: 0 },
    components: ['left', 'right'],
    actions: [left, right],
    ...body,
  })

/** What is the same in equal runs. */
async function repeatable(options: SimulateOptions) {
  const { elapsedMs: _, memoryBytes: __, ...result } = await simulate(leaseLock, { leases: 3 }, options)
  return result
}

function expectToReplay(at: ReturnType<typeof stepper>, trace: Trace): void {
  expect(at.initialStates).toContainEqual(trace.states[0])
  trace.steps.forEach((step, index) => {
    expect(at.take(trace.states[index]!, step)).toEqual({ ...step, next: trace.states[index + 1] })
  })
}

const broken = { defencesOff: ['fencing token'], walks: 300 }

describe('the random numbers', () => {
  const first = (seed: number, stream: number) => {
    const random = new Random(seed, stream)
    return Array.from({ length: 4 }, () => random.below(1000))
  }

  test('are the same on every machine', () => {
    expect(first(1, 0)).toEqual([788, 825, 99, 76])
    expect(first(2 ** 53 - 1, 7)).toEqual([709, 327, 590, 439])
  })

  test('differ by every part of the seed and by stream', () => {
    const starts = [first(1, 0), first(2, 0), first(2 ** 32 + 1, 0), first(1, 1)].map(String)
    expect(new Set(starts).size).toBe(4)
  })

  test('are spread evenly', () => {
    const random = new Random(5, 0)
    const counts = [0, 0, 0, 0, 0]
    for (let number = 0; number < 10_000; number++) counts[random.below(5)]!++
    for (const count of counts) expect(Math.abs(count - 2000)).toBeLessThan(200)
  })
})

describe('a simulation', () => {
  test('finds a planted bug, and its trace ends there and replays', async () => {
    const result = await simulate(leaseLock, { leases: 3 }, broken)
    expect(result.verdict).toBe('violated')
    const [property] = result.properties
    expect(property).toMatchObject({ verdict: 'violated', failed: { values: { before: 3, after: 2 } } })
    expect(property?.depth).toBe(property?.trace?.states.length)
    expectToReplay(stepper(leaseLock, { leases: 3 }, broken), property!.trace!)
    expect(result.sample!.walks).toBeLessThan(300)
  })

  test('gives equal results for equal seeds, and others for others', async () => {
    const one = await repeatable({ ...broken, seed: 8 })
    expect(await repeatable({ ...broken, seed: 8 })).toEqual(one)
    expect(await repeatable({ ...broken, seed: 9 })).not.toEqual(one)
  })

  test('makes the same walks however many there are', async () => {
    const { walks } = (await repeatable(broken)).sample!
    expect(walks).toBeGreaterThan(1)
    expect((await repeatable({ ...broken, walks })).properties[0]?.verdict).toBe('violated')
    expect((await repeatable({ ...broken, walks: walks - 1 })).properties[0]?.verdict).toBe('sampled')
  })

  test('keeps the shortest counterexample of each property when it goes on', async () => {
    const first = await simulate(leaseLock, { leases: 3 }, broken)
    const all = await simulate(leaseLock, { leases: 3 }, { ...broken, continueAfterViolation: true })
    const shortest = await check(leaseLock, { leases: 3 }, broken)
    expect(all.sample!.walks).toBe(300)
    expect(all.properties[0]!.depth!).toBeLessThan(first.properties[0]!.depth!)
    expect(all.properties[0]!.depth!).toBeGreaterThanOrEqual(shortest.properties[0]!.depth!)
    expectToReplay(stepper(leaseLock, { leases: 3 }, broken), all.properties[0]!.trace!)
  })

  test('walks the same way when nothing more can be remembered', async () => {
    const { coverage, ...remembering } = await repeatable({ ...broken, continueAfterViolation: true })
    const options = { ...broken, continueAfterViolation: true, memoBytes: 0 }
    const result = await walkAtRandom(prepare(leaseLock, { leases: 3 }, broken), options)
    expect(result).toMatchObject(remembering)
    expect(result.coverage.recipeRuns).toBeGreaterThan(10 * coverage.recipeRuns)
  })

  test('never proves, however little there is to see', async () => {
    const properties = [always('true', () => true), reachable('true somewhere', () => true)]
    const model = tiny({ initial: { n: 0 }, components: ['n'], properties })
    const result = await simulate(model, {}, { walks: 2 })
    expect(result.verdict).toBe('sampled')
    expect(result.properties.map(({ verdict }) => verdict)).toEqual(['sampled', 'witnessed'])
    expect((await simulate(model, {}, { properties: ['true somewhere'] })).verdict).toBe('sampled')
  })

  test('says what it did not see or put to the test, and does not call it unwitnessed', async () => {
    const properties = [
      reachable('never', () => false),
      always('of nothing', (_: Two, claim) => {
        claim.given('never', false)
      }),
    ]
    const result = await simulate(endless({ properties }), {}, { walks: 3, depth: 4 })
    expect(result.verdict).toBe('sampled')
    const reason = '3 random walks of at most 4 levels did not settle it'
    expect(result.properties).toEqual([
      { name: 'never', kind: 'reachable', verdict: 'sampled', vacuous: true, reason },
      { name: 'of nothing', kind: 'always', verdict: 'sampled', vacuous: true, reason },
    ])
  })

  test('judges the steps that it takes', async () => {
    const properties = [
      transition('the third step is not to the right', (before: Two, after, claim, taken) => {
        claim.that('left', before.left < 2 || taken.action === 'Left', { right: after.right })
      }),
    ]
    const { properties: found } = await simulate(endless({ properties }), {})
    const { failed, trace } = found[0]!
    expect(failed).toEqual({ part: 'left', values: { right: (trace!.states.at(-1) as never as Two).right } })
    expect(trace!.steps.at(-1)!.action).toBe('Right')
  })

  test('finds a deadlock, and takes neither its own limits nor those of the model for one', async () => {
    const stuck = action('Stop', {}, (state: Two, _, step) => {
      step.when('on the left', state.left < 2)
      state.left++
    })
    const properTermination = () => false
    const result = await simulate(endless({ actions: [stuck], properTermination }), {})
    expect(result.properties[0]).toMatchObject({ name: 'deadlock freedom', verdict: 'violated', depth: 3 })
    const constraint = ({ left: steps }: Two) => steps < 3
    for (const [body, options] of [
      [{}, { depth: 5 }],
      [{ constraint }, {}],
      [{}, { bias: { Left: 0, Right: 0 } }],
    ] as const) {
      const { verdict } = await simulate(
        endless({ properTermination, ...body }),
        {},
        { walks: 9, ...options },
      )
      expect(verdict).toBe('sampled')
    }
  })

  test('counts walks, steps, states and depth', async () => {
    const result = await simulate(endless(), {}, { walks: 5, depth: 11 })
    expect(result.sample).toEqual({
      seed: 1,
      walks: 5,
      steps: 50,
      reachedMaxDepth: 5,
      maxDepth: 11,
      bias: {},
    })
    expect(result.depth).toBe(11)
    expect(result.states.generated).toBe(51)
    expect(result.states.distinct).toBeGreaterThan(11)
    expect(result.states.distinct).toBeLessThan(51)
    expect(result.coverage.actions.reduce((sum, { fired }) => sum + fired, 0)).toBe(50)
  })

  test('takes steps as often as their weights say', async () => {
    const share = async (bias: Record<string, number>) => {
      const { coverage } = await simulate(endless(), {}, { walks: 200, depth: 101, bias })
      return coverage.actions[0]!.fired / 20_000
    }
    expect(await share({})).toBeCloseTo(0.5, 1)
    expect(await share({ Left: 0.25 })).toBeCloseTo(0.2, 1)
    expect(await share({ Left: 9 })).toBeCloseTo(0.9, 1)
    expect(await share({ Left: 0 })).toBe(0)
    expect(await share({ Right: 0 })).toBe(1)
  })

  test('stops when it is interrupted, and says so', async () => {
    const controller = new AbortController()
    controller.abort()
    const result = await simulate(endless(), {}, { signal: controller.signal })
    expect(result).toMatchObject({ verdict: 'sampled', limit: { kind: 'interrupted' }, sample: { walks: 0 } })
  })

  test('stops when its time is over, and says so', async () => {
    const result = await simulate(endless(), {}, { timeoutMs: Number.MIN_VALUE })
    expect(result).toMatchObject({ verdict: 'sampled', limit: { kind: 'time' }, sample: { walks: 0 } })
  })

  test('tells the way to where the model fails', async () => {
    const failing = action('Left', {}, (state: Two) => {
      if (state.left === 2) throw new Error('broken')
      state.left++
    })
    const error = await errorOf(simulate(endless({ actions: [failing] }), {}))
    expect(error).toBeInstanceOf(ModelError)
    expect(error.trace?.states).toEqual([0, 1, 2].map((steps) => ({ left: steps, right: 0 })))
  })

  test.each<[string, SimulateOptions, RegExp]>([
    ['an action that does not exist', { bias: { Lift: 1 } }, /no action 'Lift'[\s\S]*did you mean 'Left'/],
    ['a negative weight', { bias: { Left: -1 } }, /option bias of Left: it is -1/],
    ['a weight that is none', { bias: { Left: Number.NaN } }, /a number from 0/],
    ['no time', { timeoutMs: 0 }, /option timeoutMs: it is 0/],
    ['half a walk', { walks: 0.5 }, /option walks: it is 0.5/],
    ['no depth', { depth: 0 }, /option depth: it is 0/],
    ['a seed below 0', { seed: -1 }, /option seed: it is -1/],
  ])('refuses %s', async (_, options, message) => {
    const run = simulate(endless(), {}, options)
    await expect(run).rejects.toThrow(UsageError)
    await expect(run).rejects.toThrow(message)
  })
})

test('of any random model, a simulation finds nothing that a search does not', async () => {
  let found = 0
  await fc.assert(
    fc.asyncProperty(randomModel, fc.nat(), async (random, seed) => {
      const model = modelOf(random)
      const options = { seed, walks: 20, depth: 12, continueAfterViolation: true }
      const searched = await check(model, {}, { continueAfterViolation: true, maxStates: 500 })
      const explored = await check(model, {}, { properties: [], maxStates: 500 })
      const sampled = await simulate(model, {}, options)
      if (explored.limit?.kind !== 'states') {
        expect(sampled.states.distinct).toBeLessThanOrEqual(explored.states.distinct)
      }
      sampled.properties.forEach(({ verdict, depth, trace }, index) => {
        if (trace === undefined) return
        expectToReplay(stepper(model, {}), trace)
        if (searched.limit?.kind === 'states') return
        expect(searched.properties[index]!.verdict).toBe(verdict)
        expect(searched.properties[index]!.depth!).toBeLessThanOrEqual(depth!)
        found++
      })
    }),
    { numRuns: 200, seed: 3 },
  )
  expect(found).toBeGreaterThan(20)
})
