/** The entry: what is validated, what is refused, how a run ends. */
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  action,
  always,
  type CheckOptions,
  check,
  defineModel,
  type Model,
  type ModelBody,
  ModelError,
  type Progress,
  reachable,
  UsageError,
} from '../../checker/index.ts'
import { checkBoth, tiny } from './tiny.ts'

interface Counter {
  n: number
}

const counter = defineModel({
  name: 'counter',
  config: v.object({
    limit: v.pipe(v.number(), v.integer(), v.minValue(1)),
    nested: v.optional(v.object({ deep: v.string() })),
  }),
  defences: [
    { name: 'upper bound', summary: 'Stops at the limit.', sources: [] },
    { name: 'lower bound', summary: 'Unused.', sources: [], appliesTo: ({ limit }) => limit > 5 },
  ],
  build: ({ limit }, { defences }): ModelBody<Counter> => ({
    initial: { n: 0 },
    components: ['n'],
    actions: [
      action('Up', {}, (state: Counter, _, step) => {
        if (defences.has('upper bound')) step.when('below the limit', state.n < limit)
        step.when('far below', state.n < limit + 3)
        state.n += 1
      }),
    ],
    properties: [
      always('within the limit', ({ n }: Counter) => n <= limit),
      reachable('the limit', ({ n }: Counter) => n === limit),
    ],
    properTermination: () => true,
  }),
})

/** What `check` rejects with. */
async function errorOf(model: Model<never, never> | unknown, config: unknown, options?: CheckOptions) {
  return check(model as Model<unknown, unknown>, config, options).then(
    () => expect.fail('it should have been refused'),
    (error: UsageError | ModelError) => error,
  )
}

describe('configuration', () => {
  test('is validated, completed and reported', async () => {
    const result = await check(counter, { limit: 2 })
    expect(result).toMatchObject({ model: 'counter', config: { limit: 2 }, verdict: 'proved', workers: 1 })
    expect(result.states).toEqual({ distinct: 3, generated: 3 })
  })

  test('an impossible one is a usage error that says where and what was expected', async () => {
    const error = await errorOf(counter, { limit: 2, nested: { deep: 3 } })
    expect(error).toBeInstanceOf(UsageError)
    expect(error.code).toBe('invalid-configuration')
    expect(error.message).toMatch(/configuration of counter, nested\.deep: .*\n {2}expected: string/)
    expect((await errorOf(counter, {})).code).toBe('invalid-configuration')
    expect((await errorOf(counter, undefined)).code).toBe('invalid-configuration')
  })
})

describe('defences', () => {
  test('that are off are skipped and reported, and belong to that run alone', async () => {
    const off = await check(counter, { limit: 2 }, { defencesOff: ['upper bound'] })
    expect(off.defencesOff).toEqual(['upper bound'])
    expect(off.properties[0]).toMatchObject({ verdict: 'violated', depth: 4 })
    expect(off.properties[0]?.trace?.defencesOff).toEqual(['upper bound'])
    expect((await check(counter, { limit: 2 })).verdict).toBe('proved')
    expect((await check(counter, { limit: 7 })).states.distinct).toBe(8)
  })

  test('an unknown one is a usage error with the nearest name', async () => {
    const error = await errorOf(counter, { limit: 2 }, { defencesOff: ['uper bound'] })
    expect(error).toBeInstanceOf(UsageError)
    expect(error.code).toBe('unknown-name')
    expect(error.message).toMatch(/no defence 'uper bound'[\s\S]*did you mean 'upper bound'/)
  })

  test('one that the configuration lacks is a usage error', async () => {
    const error = await errorOf(counter, { limit: 2 }, { defencesOff: ['lower bound'] })
    expect(error).toBeInstanceOf(UsageError)
    expect(error.message).toMatch(/this configuration has no defence 'lower bound'/)
    expect((await check(counter, { limit: 6 }, { defencesOff: ['lower bound'] })).verdict).toBe('proved')
  })

  test('one that the configuration lacks is not active', async () => {
    const active: boolean[] = []
    const model = {
      ...counter,
      build: (...[config, context]: Parameters<typeof counter.build>) => {
        active.push(context.defences.has('lower bound'))
        return counter.build(config, context)
      },
    }
    await check(model, { limit: 2 })
    await check(model, { limit: 6 })
    await check(model, { limit: 6 }, { defencesOff: ['lower bound'] })
    expect(active).toEqual([false, true, false])
  })

  test('a model that asks for one that it does not declare is wrong', async () => {
    const model = { ...counter, defences: counter.defences!.slice(1) }
    const error = await errorOf(model, { limit: 2 })
    expect(error).toBeInstanceOf(ModelError)
    expect(error.message).toMatch(/no defence 'upper bound'/)
  })
})

describe('properties', () => {
  test('can be selected', async () => {
    const names = async (properties: string[]) =>
      (await check(counter, { limit: 2 }, { properties })).properties.map(({ name }) => name)
    expect(await names(['the limit'])).toEqual(['the limit'])
    expect(await names(['deadlock freedom', 'within the limit'])).toEqual([
      'within the limit',
      'deadlock freedom',
    ])
    expect(await names([])).toEqual([])
  })

  test('that are questions are judged only if they are selected', async () => {
    const model = defineModel({
      ...counter,
      build: (config: { limit: number }, context) => {
        const { properties, ...body } = counter.build(config, context)
        return { ...body, properties: properties.slice(1), questions: properties.slice(0, 1) }
      },
    })
    const names = async (options: object) =>
      (await check(model, { limit: 2 }, options)).properties.map(({ name }) => name)
    expect(await names({})).not.toContain('within the limit')
    expect(await names({ properties: ['within the limit'] })).toEqual(['within the limit'])
  })

  test('an unknown one is a usage error with the nearest name', async () => {
    const error = await errorOf(counter, { limit: 2 }, { properties: ['deadlock fredom'] })
    expect(error).toBeInstanceOf(UsageError)
    expect(error.message).toMatch(/no property 'deadlock fredom'[\s\S]*did you mean 'deadlock freedom'/)
  })
})

describe('options', () => {
  const impossible: [string, object, RegExp][] = [
    ['an engine', { engine: 'interming' }, /no engine 'interming'[\s\S]*did you mean 'interning'/],
    ['a memory', { memory: 'smal' }, /no memory 'smal'[\s\S]*did you mean 'small'/],
    ['workers', { workers: 2 }, /option workers: it is 2/],
    ['a limit of nothing', { maxStates: 0 }, /option maxStates: it is 0/],
    ['a negative limit', { maxDepth: -1 }, /option maxDepth/],
    ['a limit that is no number', { maxMemoryBytes: Number.NaN }, /option maxMemoryBytes/],
    ['no time', { timeoutMs: 0 }, /option timeoutMs/],
    ['a memory that holds no table', { maxMemoryBytes: 5 }, /maxMemoryBytes: 5 bytes do not hold/],
  ]
  test.each(impossible)(
    '%s that does not exist or is impossible is a usage error',
    async (_, options, message) => {
      const error = await errorOf(counter, { limit: 2 }, options)
      expect(error).toBeInstanceOf(UsageError)
      expect(error.message).toMatch(message)
    },
  )

  test('the oracle can be asked for, and counts no coverage', async () => {
    const result = await check(counter, { limit: 2 }, { engine: 'oracle' })
    expect(result.states.distinct).toBe(3)
    expect(result.coverage).toMatchObject({ recipeRuns: 0, actions: [{ name: 'Up', tried: 0 }] })
  })

  test('the memory of the process is reported where somebody tells it', async () => {
    expect((await check(counter, { limit: 2 })).memoryBytes.process).toBe(0)
    expect((await check(counter, { limit: 2 }, { processMemoryBytes: () => 7 })).memoryBytes.process).toBe(7)
  })
})

describe('a model that cannot be', () => {
  const initial = { n: 0 }
  const up = action('Up', {}, (_: Counter) => {})
  const wrong: [string, Partial<ModelBody<Counter>>, RegExp][] = [
    ['no initial state', {}, /no initial state/],
    ['no initial state among several', { initialStates: [] }, /no initial state/],
    ['two ways to begin', { initial, initialStates: [initial] }, /both/],
    [
      'initial states of different shape',
      { initialStates: [initial, { n: 0, m: 1 } as Counter] },
      /initial state 1/,
    ],
    [
      'an initial state that is no data',
      { initial: { n: Number.NaN } },
      /initial state 0\.n: the number NaN/,
    ],
    ['two actions of one name', { initial, actions: [up, up] }, /two actions 'Up'/],
    [
      'two properties of one name',
      { initial, properties: [always('x', () => true), always('x', () => true)] },
      /'x'/,
    ],
    [
      'a property with a reserved name',
      { initial, properties: [always('deadlock freedom', () => true)] },
      /taken/,
    ],
    [
      'a domain that is no array',
      { initial, actions: [{ ...up, parameters: { x: 3 as unknown as [] } }] },
      /domain/,
    ],
    [
      'an argument that is no data',
      { initial, actions: [{ ...up, parameters: { x: [0.5] } }] },
      /argument x: the/,
    ],
  ]
  test.each(wrong)('has %s', async (_, body, message) => {
    const error = await errorOf(tiny<Counter>({ components: ['n'], ...body }), {})
    expect(error).toBeInstanceOf(ModelError)
    expect(error.message).toMatch(message)
  })

  test('throws while it is built', async () => {
    const model = tiny<Counter>(() => {
      throw new RangeError('no such thing')
    })
    const error = await errorOf(model, {})
    expect(error).toBeInstanceOf(ModelError)
    expect(error.message).toMatch(/model tiny: building it throws RangeError: no such thing/)
  })
})

describe('limits', () => {
  const grid = (
    side: number,
  ): Partial<ModelBody<{ x: number; y: number; z: number }>> & { components: string[] } => ({
    initial: { x: 0, y: 0, z: 0 },
    components: ['x', 'y', 'z'],
    actions: (['x', 'y', 'z'] as const).map((key) =>
      action(`Up ${key}`, {}, (state: { x: number; y: number; z: number }, _, step) => {
        step.when('room', state[key] < side)
        state[key] += 1
      }),
    ),
    properties: [
      always('inside', ({ x }) => x <= side),
      reachable('the corner', ({ x, y, z }) => x + y + z === 3 * side),
      reachable('one', ({ x }) => x === 1),
    ],
  })
  const verdicts = ({ properties }: Awaited<ReturnType<typeof check>>) =>
    properties.map(({ verdict }) => verdict)

  test('states: the level in which it is reached is finished, and no verdict overstates', async () => {
    const result = await checkBoth(grid(9), { maxStates: 12 })
    expect(result.states.distinct).toBe(1 + 3 + 6 + 10)
    expect(result.limit).toEqual({ kind: 'states', value: 12, completeToDepth: 3 })
    expect(verdicts(result)).toEqual(['bounded', 'bounded', 'witnessed'])
    expect(result.verdict).toBe('bounded')
    expect(result.properties[0]?.reason).toBe(
      'the limit of 12 states was reached; the search is complete to level 3',
    )
  })

  test('depth', async () => {
    const result = await checkBoth(grid(9), { maxDepth: 4 })
    expect(result).toMatchObject({ depth: 4, verdict: 'bounded' })
    expect(result.limit).toEqual({ kind: 'depth', value: 4, completeToDepth: 3 })
  })

  test('memory, tries and values included, ends the search inside a level', async () => {
    const result = await check(tiny(grid(200)), {}, { maxMemoryBytes: 3_000_000 })
    expect(result.limit).toMatchObject({ kind: 'memory', value: 3_000_000 })
    // Values and tries grow between two looks at the memory; states never do without asking.
    expect(result.memoryBytes.engine).toBeLessThan(3_100_000)
    expect(result.memoryBytes.engine).toBeGreaterThan(2_000_000)
    expect(result.states.distinct).toBeGreaterThan(20_000)
    expect(verdicts(result)).toEqual(['bounded', 'bounded', 'witnessed'])
    expect(result.depth).toBe(result.limit!.completeToDepth + 2)
  })

  test('time', async () => {
    const result = await check(tiny(grid(250)), {}, { timeoutMs: 1 })
    expect(result.limit).toMatchObject({ kind: 'time', value: 1 })
    expect(result.verdict).toBe('bounded')
  })

  test('interruption, which arrives while the search runs, keeps what was found', async () => {
    const stop = new AbortController()
    const seen: Progress[] = []
    const result = await check(
      tiny(grid(250)),
      {},
      {
        signal: stop.signal,
        onProgress(progress) {
          seen.push(progress)
          // Not at once, but when the search next lets timers run.
          setTimeout(() => stop.abort(), 0)
        },
      },
    )
    expect(result.limit).toMatchObject({ kind: 'interrupted', value: result.states.distinct })
    expect(result.properties[0]?.reason).toMatch(
      /interrupted after \d+ states; the search is complete to level/,
    )
    expect(seen[0]!.distinct).toBeGreaterThan(1)
    expect(seen[0]!.frontier).toBeGreaterThan(0)
    // A cube of states: every level has the size of a triangle, until a corner is met.
    const triangles = seen[0]!.levels!.map((_, level) => ((level + 1) * (level + 2)) / 2)
    expect(seen[0]!.levels!.slice(0, 251)).toEqual(triangles.slice(0, 251))
    expect(seen[0]!.levels).toHaveLength(seen[0]!.depth)
    expect(seen[0]!.memory!.used).toBeGreaterThan(0)
    expect(result.states.distinct).toBeLessThan(251 ** 3)
  })

  test('a constraint: exhausted, and yet only bounded', async () => {
    const result = await checkBoth({ ...grid(3), constraint: ({ x }) => x < 2 })
    expect(result.limit).toEqual({ kind: 'constraint', value: 16, completeToDepth: 2 })
    expect(result.verdict).toBe('bounded')
    expect(result.coverage.actions[0]).toMatchObject({ tried: 32, fired: 32 })
  })
})

describe('violations', () => {
  const initial = { n: 0 }
  const up = action('Up', {}, (state: Counter, _, step) => {
    step.when('below', state.n < 6)
    state.n += step.choose('by', [1, 2])
  })
  const below = (limit: number) => always(`below ${limit}`, ({ n }: Counter) => n < limit)

  test('end the search when their level is finished; what is not settled then is inconclusive', async () => {
    const result = await checkBoth({
      initial,
      components: ['n'],
      actions: [up],
      properties: [below(3), below(4), below(7), reachable('seven', ({ n }: Counter) => n === 7)],
    })
    expect(result.properties.map(({ verdict, depth }) => [verdict, depth])).toEqual([
      ['violated', 3],
      ['violated', 3],
      ['inconclusive', undefined],
      ['inconclusive', undefined],
    ])
    expect(result.properties[2]?.reason).toMatch(/ended at level 3/)
    expect(result.verdict).toBe('violated')
    expect(result.depth).toBe(3)
  })

  test('on request the search goes on until every property is settled or the space is exhausted', async () => {
    const body = { initial, components: ['n'], actions: [up] }
    const all = await checkBoth(
      { ...body, properties: [below(3), below(5)] },
      { continueAfterViolation: true },
    )
    expect(all.properties.map(({ depth }) => depth)).toEqual([3, 4])
    expect(all.depth).toBe(4)
    const rest = await checkBoth(
      { ...body, properties: [below(3), below(9)] },
      { continueAfterViolation: true },
    )
    expect(rest.properties.map(({ verdict }) => verdict)).toEqual(['violated', 'proved'])
    expect(rest.states.distinct).toBe(8)
  })
})
