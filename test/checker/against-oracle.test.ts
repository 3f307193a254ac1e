/** The engine equals the oracle: on random models, with every option, in all that both report. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CheckOptions, type CheckResult, check, type GuardCoverage } from '../../checker/index.ts'
import { naiveCoverage } from './naive-coverage.ts'
import { judgements, modelOf, type RandomModel, randomModel } from './random-model.ts'

const memory = fc.constantFrom('usual' as const, 'small' as const)
const unlimited: fc.Arbitrary<CheckOptions> = fc.record({ continueAfterViolation: fc.boolean(), memory })
const limited: fc.Arbitrary<CheckOptions> = fc.record(
  {
    continueAfterViolation: fc.boolean(),
    memory,
    maxStates: fc.integer({ min: 1, max: 60 }),
    maxDepth: fc.integer({ min: 1, max: 6 }),
  },
  { requiredKeys: [] },
)
const options = fc.oneof({ weight: 3, arbitrary: unlimited }, limited)

/** Without what the oracle does not count, and what differs between any two runs. */
function comparable({ coverage: _, elapsedMs: __, memoryBytes: ___, ...result }: CheckResult) {
  return { ...result, properties: result.properties.map(({ reason: _, ...property }) => property) }
}

/** Keeps state spaces small enough for the oracle. */
const enough = { maxStates: 1500 }

async function compare(random: RandomModel, chosen: CheckOptions): Promise<CheckResult> {
  const model = modelOf(random)
  const given = { ...enough, ...chosen }
  const [fast, naive] = await Promise.all([
    check(model, {}, given),
    check(model, {}, { ...given, engine: 'oracle' }),
  ])
  expect(comparable(fast)).toEqual(comparable(naive))
  const { distinct, generated } = fast.states
  fast.coverage.properties.forEach(({ served }, index) => {
    const { kind, depth, name } = fast.properties[index]!
    // What is settled is not judged any more.
    if (depth !== undefined || kind === 'deadlock') return
    const declared = random.properties[Number(name.replace('property ', ''))]!
    expect(served).toBe(
      kind === 'transition' ? generated - random.initial.length : distinct * judgements(declared),
    )
  })
  return fast
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
/** By action; within an action in the order of first sight. */
const byAction = (guards: readonly GuardCoverage[]) =>
  guards.toSorted((one, two) => one.action.localeCompare(two.action))

describe('on random models the engine equals the oracle', () => {
  test('in states, transitions, depth, verdicts, limits and whole counterexamples', async () => {
    const seen = { violated: 0, proved: 0, bounded: 0, deadlocks: 0, choices: 0, deep: 0, vacuous: 0 }
    await fc.assert(
      fc.asyncProperty(randomModel, options, async (random, chosen) => {
        const result = await compare(random, chosen)
        if (result.verdict in seen) seen[result.verdict as 'proved']++
        for (const { kind, verdict, vacuous, trace } of result.properties) {
          if (kind === 'deadlock' && verdict === 'violated') seen.deadlocks++
          if (vacuous && kind !== 'reachable') seen.vacuous++
          if (trace?.steps.some(({ choices }) => choices.length > 0)) seen.choices++
          if (trace !== undefined && trace.steps.length >= 3) seen.deep++
        }
      }),
      { numRuns: 2500 },
    )
    // Against a generator that makes nothing of interest.
    for (const [what, times] of Object.entries(seen)) expect([what, times > 5]).toEqual([what, true])
  })

  test('what it counts per action and guard is what a naive count gives', async () => {
    let guards = 0
    await fc.assert(
      fc.asyncProperty(randomModel, fc.integer({ min: 1, max: 8 }), async (random, maxDepth) => {
        const model = modelOf({ ...random, properties: [], termination: undefined })
        const { coverage, states } = await check(model, {}, { maxDepth })
        const naive = naiveCoverage(model, maxDepth)
        const actions = coverage.actions.map(({ recipeRuns: _, ...counts }) => counts)
        expect(actions).toEqual(naive.actions)
        expect(coverage.guards).toEqual(byAction(naive.guards))
        expect(coverage.components.map(({ values }) => values)).toEqual(naive.values)
        const fired = sum(coverage.actions.map((each) => each.fired))
        expect(fired).toBe(states.generated - random.initial.length)
        guards += coverage.guards.length
      }),
      { numRuns: 1500 },
    )
    expect(guards).toBeGreaterThan(3000)
  })
})
