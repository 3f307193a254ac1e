/** The search for fair lassos equals its oracle, on random graphs and random models, under random fairness. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  action,
  alwaysEventually,
  check,
  eventually,
  type LivenessProperty,
  leadsTo,
  type Model,
  type Plain,
} from '../../../checker/index.ts'
import { modelOf, randomModel } from '../random-model.ts'
import { tiny } from '../tiny.ts'
import { expectLasso, plainGraphOf } from './lasso-facts.ts'
import { shortestStem } from './oracle.ts'

const actionNames = ['Act0', 'Act1', 'Act2', 'Act3']
const fairness = fc.record({
  weak: fc.subarray(actionNames),
  strong: fc.subarray(actionNames),
  mayStop: fc.boolean(),
})

interface Seen {
  violated: number
  proved: number
  onlyByFairness: number
  terminal: number
  stopped: number
  vacuous: number
}

/** Checks one property, and demands what the oracle says of it. */
async function compare<Config, State>(
  model: Model<Config, State>,
  property: LivenessProperty<State>,
  seen: Seen,
): Promise<void> {
  const result = await check(model, {}, { properties: [property.name] })
  const known = plainGraphOf(model)
  const fair = known.fairOf(property)
  const question = property as unknown as LivenessProperty<Plain>
  const stem = shortestStem(known.graph, known.initial, question, fair)
  const [found] = result.properties
  expect(found!.verdict).toBe(stem === undefined ? 'proved' : 'violated')
  expect(result.verdict).toBe(found!.verdict)
  expect(result.states.distinct).toBe(known.graph.size)
  seen[found!.verdict as 'proved']++
  if (found!.vacuous) seen.vacuous++
  if (stem === undefined) {
    const unfair = shortestStem(known.graph, known.initial, question, {
      weak: [],
      strong: [],
      mayStop: false,
    })
    if (unfair !== undefined) seen.onlyByFairness++
    return
  }
  const { trace } = found!
  expect(trace!.loop! + 1).toBe(stem)
  expect(found!.depth).toBe(trace!.states.length)
  if (trace!.loop === trace!.steps.length) {
    const { length } = known.graph.get(JSON.stringify(trace!.states.at(-1)))!
    seen[length === 0 ? 'terminal' : 'stopped']++
  }
  expectLasso(trace!, property, fair, known)
}

const places = 7
const place = fc.nat({ max: places - 1 })
const somePlaces = fc.uniqueArray(place, { maxLength: 4 })

interface At {
  at: number
}

const kinds = fc.constantFrom('eventually' as const, 'leadsTo' as const, 'alwaysEventually' as const)

/** A graph by its edges: the action, from where, to where. */
const graphModel = fc
  .record({
    edges: fc.array(fc.tuple(fc.nat({ max: 3 }), place, place), { maxLength: 16, size: 'max' }),
    initial: fc.uniqueArray(place, { minLength: 1, maxLength: 2 }),
    kind: kinds,
    from: somePlaces,
    to: somePlaces,
    fairness,
  })
  .map(({ edges, initial, kind, from, to, fairness }) => {
    const asked = ({ at }: At) => from.includes(at)
    const kept = ({ at }: At) => to.includes(at)
    const promises = {
      eventually: eventually('promise', kept, { fairness }),
      leadsTo: leadsTo('promise', asked, kept, { fairness }),
      alwaysEventually: alwaysEventually('promise', kept, { fairness }),
    }
    const property = promises[kind]
    const model = tiny<At>({
      initialStates: initial.map((at) => ({ at })),
      components: ['at'],
      actions: actionNames.map((name, number) =>
        action(name, {}, (state: At, _, step) => {
          const targets = edges.filter(([by, source]) => by === number && source === state.at)
          state.at = step.choose(
            'to',
            targets.map(([, , target]) => target),
          )
        }),
      ),
      properties: [property],
    })
    return { model, property }
  })

describe('liveness equals its oracle', () => {
  test('on random graphs: verdicts, shortest stems, and loops that are fair', async () => {
    const seen: Seen = { violated: 0, proved: 0, onlyByFairness: 0, terminal: 0, stopped: 0, vacuous: 0 }
    await fc.assert(
      fc.asyncProperty(graphModel, ({ model, property }) => compare(model, property, seen)),
      { numRuns: 1500, seed: 4 },
    )
    // Against a generator that makes nothing of interest.
    for (const [what, times] of Object.entries(seen)) expect([what, times > 20]).toEqual([what, true])
  })

  test('on random models, with everything that recipes may do', async () => {
    const seen: Seen = { violated: 0, proved: 0, onlyByFairness: 0, terminal: 0, stopped: 0, vacuous: 0 }
    await fc.assert(
      fc.asyncProperty(randomModel, fc.nat({ max: 2 }), fairness, async (random, value, chosen) => {
        const plain = modelOf({ ...random, properties: [], constraint: undefined, termination: undefined })
        const { states, limit } = await check(plain, {}, { maxStates: 60 })
        if (limit !== undefined || states.distinct > 60) return
        const known = actionNames.filter((_, index) => index < random.actions.length)
        const only = (names: readonly string[]) => names.filter((name) => known.includes(name))
        const property = leadsTo(
          'promise',
          (state: { cells: number[] }) => state.cells[0] !== value,
          (state) => state.cells[0] === value,
          { fairness: { ...chosen, weak: only(chosen.weak), strong: only(chosen.strong) } },
        )
        const model: typeof plain = {
          ...plain,
          build: (config, context) => ({ ...plain.build(config, context), properties: [property] }),
        }
        await compare(model, property, seen)
      }),
      { numRuns: 300, seed: 4 },
    )
    expect(seen.violated).toBeGreaterThan(20)
    expect(seen.proved).toBeGreaterThan(20)
  })
})
