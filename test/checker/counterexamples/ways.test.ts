import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSubset } from '../../../checker/counterexamples/hitting-sets.ts'
import { waysToBreak } from '../../../checker/counterexamples/ways.ts'
import { action, always, check, reachable, transition, UsageError } from '../../../checker/index.ts'
import { explore } from '../../../checker/interning/engine.ts'
import { prepare } from '../../../checker/prepare.ts'
import type { CheckOptions, Ways } from '../../../checker/result.ts'
import { checkBoth, tiny } from '../tiny.ts'

interface State {
  happened: string[]
  hurried: boolean
}

/** A kind of faults is a step, once; it breaks when all of one of the sets have happened. */
const breaksBy = (kinds: readonly string[], sets: readonly (readonly string[])[]) =>
  tiny({
    initial: { happened: [], hurried: false } as State,
    components: ['happened', 'hurried'],
    actions: [
      action('Happen', { kind: kinds }, (state: State, { kind }, step) => {
        step.when('it has not happened', !state.happened.includes(kind))
        step.fault(kind)
        state.happened = [...state.happened, kind].sort()
      }),
    ],
    properties: [always('unbroken', ({ happened }: State) => !sets.some((set) => isSubset(set, happened)))],
  })

async function waysOf(model: ReturnType<typeof breaksBy>, options: CheckOptions = {}): Promise<Ways> {
  const { properties } = await check(model, {}, { counterexamples: 99, ...options })
  return properties[0]!.ways!
}
const setsOf = ({ found }: Ways) => found.map(({ faults }) => faults.join('+'))

describe('counterexamples that need different faults', () => {
  it('are all found, and no other is claimed', async () => {
    const ways = await waysOf(breaksBy(['a', 'b', 'c', 'd'], [['a', 'b'], ['b', 'c'], ['d']]))
    expect(setsOf(ways)).toEqual(['d', 'a+b', 'b+c'])
    expect(ways.found.every(({ isMinimal }) => isMinimal)).toBe(true)
    expect(ways.complete).toBe(true)
    expect(ways.found.map(({ trace }) => trace.steps.map(({ faults }) => faults))).toEqual([
      [['d']],
      [['a'], ['b']],
      [['b'], ['c']],
    ])
  })

  it('are those that trying every set of faults by itself finds', async () => {
    const kinds = ['a', 'b', 'c', 'd']
    const family = fc.array(fc.subarray(kinds, { minLength: 1 }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(family, async (sets) => {
        const minimal = sets.filter(
          (set) => !sets.some((other) => other.length < set.length && isSubset(other, set)),
        )
        const ways = await waysOf(breaksBy(kinds, sets))
        expect(setsOf(ways).sort()).toEqual([...new Set(minimal.map((set) => set.join('+')))].sort())
        expect(ways.complete).toBe(true)
      }),
      { numRuns: 25 },
    )
  })

  it('are minimal even where the shortest counterexample is not', async () => {
    const model = tiny({
      initial: { happened: [], hurried: false } as State,
      components: ['happened', 'hurried'],
      actions: [
        action('Hurry', {}, (state: State, _, step) => {
          step.fault('haste')
          step.fault('luck')
          state.hurried = true
        }),
        action('Wait', {}, (state: State, _, step) => {
          step.when('there is time', state.happened.length < 3)
          const how = step.choose('how', ['calmly', 'in haste'])
          if (how === 'in haste') step.fault('haste')
          state.happened.push(how)
        }),
      ],
      properties: [
        always('early', ({ hurried, happened }: State) => {
          return !hurried && happened.filter((how) => how === 'in haste').length < 3
        }),
      ],
    })
    const { properties } = await check(model, {}, { counterexamples: 9 })
    const [{ trace, ways }] = properties as [(typeof properties)[number]]
    expect(trace?.steps.map(({ action: name }) => name)).toEqual(['Hurry'])
    expect(ways?.found.map(({ faults, trace: way }) => [faults, way.steps.length])).toEqual([[['haste'], 3]])
    expect(ways?.complete).toBe(true)
  })

  it('say that it breaks without any fault', async () => {
    const ways = await waysOf(breaksBy(['a', 'b'], [[]]))
    expect(ways).toMatchObject({ found: [{ faults: [], isMinimal: true }], complete: true })
  })

  it('are not called complete when the search for others ended before', async () => {
    const ways = await waysOf(breaksBy(['a', 'b', 'c'], [['a'], ['b'], ['c']]), { counterexamples: 2 })
    expect(ways.found).toHaveLength(2)
    expect(ways).toMatchObject({ complete: false, reason: 'the search for others ended after 2' })
    const all = await waysOf(breaksBy(['a', 'b'], [['a'], ['b']]), { counterexamples: 2 })
    expect(all.complete).toBe(false)
  })

  it('are neither called complete nor minimal when a limit was hit', async () => {
    const sets = [
      ['a', 'b'],
      ['a', 'c', 'd'],
    ]
    const ways = await waysOf(breaksBy(['a', 'b', 'c', 'd'], sets), { maxDepth: 3 })
    expect(setsOf(ways)).toEqual(['a+b'])
    expect(ways).toMatchObject({ complete: false, reason: expect.stringContaining('limit of 3 levels') })
    const unsure = await waysOf(breaksBy(['a', 'b', 'c', 'd'], [['a', 'b', 'c']]), { maxStates: 2 })
    expect(unsure).toBeUndefined()
    const short = await waysOf(breaksBy(['a', 'b', 'c', 'd'], [['a', 'b']]), { maxDepth: 3, maxStates: 3 })
    expect(short).toBeUndefined()
  })

  it('end with an interruption, and say so', async () => {
    const model = breaksBy(['a', 'b'], [['a'], ['b']])
    const prepared = prepare(model, {}, {})
    const found = await explore(prepared, {})
    const limit = { kind: 'interrupted', value: 7, completeToDepth: 1 } as const
    const reason = 'the search was interrupted'
    const interrupted = {
      ...found,
      limit,
      properties: [{ ...found.properties[0]!, verdict: 'bounded' as const, reason }],
    }
    for (const last of [1, 2]) {
      let searches = 0
      const search = async (each: typeof prepared) => (++searches === last ? interrupted : explore(each, {}))
      const ways = await waysToBreak(prepared, found.properties[0]!, 9, search)
      expect(ways).toMatchObject({
        found: [{ isMinimal: last > 1 }],
        complete: false,
        reason,
        searches: last,
      })
    }
  })

  it('are looked for only where fewer faults cannot break what more leave whole', async () => {
    const model = tiny({
      initial: { happened: [], hurried: false } as State,
      components: ['happened', 'hurried'],
      actions: [
        action('Hurry', {}, (state: State, _, step) => {
          step.when('it has not', !state.hurried)
          step.fault('haste')
          state.hurried = true
        }),
      ],
      properties: [
        transition('nobody hurries', (_: State, after: State) => !after.hurried),
        always('calm', ({ hurried }: State) => !hurried),
        reachable('hurried', ({ hurried }: State) => hurried),
      ],
      properTermination: () => false,
    })
    const options = { counterexamples: 2, continueAfterViolation: true }
    const { properties } = await check(model, {}, options)
    expect(properties.map(({ name, ways }) => [name, ways && setsOf(ways), ways?.complete])).toEqual([
      ['nobody hurries', ['haste'], true],
      ['calm', ['haste'], true],
      ['hurried', undefined, undefined],
      ['deadlock freedom', ['haste'], false],
    ])
    expect(properties[3]?.ways).toMatchObject({ found: [{ isMinimal: false }], searches: 0 })
  })

  it('are of a whole number', async () => {
    const run = check(breaksBy(['a'], [['a']]), {}, { counterexamples: 0 })
    await expect(run).rejects.toThrow(UsageError)
  })
})

describe('a fault', () => {
  it('changes nothing but what is told of its step', async () => {
    const actions = [
      action('Step', {}, (state: { n: number }, _, step) => {
        step.when('it is small', state.n < 3)
        const by = step.choose('by', [1, 2])
        if (by === 2) {
          step.fault('jumps')
          step.fault('jumps')
        }
        state.n += by
      }),
    ]
    const result = await checkBoth({
      initial: { n: 0 },
      components: ['n'],
      actions,
      properties: [always('below 3', ({ n }: { n: number }) => n < 3)],
    })
    expect(result.properties[0]?.trace?.steps.map(({ faults }) => faults)).toEqual([undefined, ['jumps']])
    expect(result.coverage.guards.map(({ guard }) => guard)).toEqual(['it is small'])
  })

  it('has a kind that is a text', async () => {
    const model = tiny({
      initial: { n: 0 },
      components: ['n'],
      actions: [action('Step', {}, (_: { n: number }, __, step) => step.fault(7 as unknown as string))],
    })
    await expect(check(model, {})).rejects.toThrow('the kind of a fault is no string')
  })
})
