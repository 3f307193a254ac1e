/** A search up to renaming finds one state of each orbit and says what the whole search says: on random models. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type CheckResult,
  check,
  type Model,
  type Plain,
  stepper,
  transition,
} from '../../../checker/index.ts'
import { modelOf, type State, type SymmetricModel, symmetricModel } from './random-symmetric-model.ts'

const enough = { maxStates: 3000, continueAfterViolation: true }

/** All orders of some names. */
function permutations(names: readonly number[]): number[][] {
  if (names.length === 0) return [[]]
  return names.flatMap((first) =>
    permutations(names.filter((name) => name !== first)).map((rest) => [first, ...rest]),
  )
}

/** The state with every name replaced by its image; written by hand, not by what the model declares. */
function renamed({ local, told, leader, waiting, marks, shared }: State, images: readonly number[]): State {
  const place = <Value>(values: readonly Value[]): Value[] => {
    const moved: Value[] = []
    values.forEach((value, name) => {
      moved[images[name]!] = value
    })
    return moved
  }
  return {
    local: place(local),
    told: place(told.map(place)),
    leader: leader < 0 ? leader : images[leader]!,
    waiting: waiting.map((name) => images[name]!).sort(),
    marks: Object.fromEntries(Object.entries(marks).map(([name, mark]) => [images[Number(name)]!, mark])),
    shared,
  }
}

const textOf = (state: State) =>
  JSON.stringify([state.local, state.told, state.leader, state.waiting, state.marks, state.shared])

/** The smallest text of a state under all renamings. */
const orbitOf = (state: State, orders: readonly number[][]) =>
  orders.map((images) => textOf(renamed(state, images))).sort()[0]!

/** The orbits of all states that a whole search comes to. */
async function orbits(random: SymmetricModel, model: Model<unknown, State>): Promise<number> {
  const orders = permutations(Array.from({ length: random.members }, (_, name) => name))
  const { initialStates } = stepper(model, {})
  const seen = new Set(initialStates.map((state) => orbitOf(state as unknown as State, orders)))
  const collects = transition('is counted', (_: State, after: State) => {
    seen.add(orbitOf(after, orders))
  })
  const counting = {
    ...model,
    build: (...given: Parameters<typeof model.build>) => ({
      ...model.build(...given),
      properties: [collects],
    }),
  }
  await check(counting, {}, { ...enough, symmetry: false })
  return seen.size
}

const facts = ({ properties, verdict }: CheckResult) => ({
  verdict,
  properties: properties.map(({ name, verdict, depth, vacuous }) => ({ name, verdict, depth, vacuous })),
})

/** A story must be one of the model, and end where it says that it does. */
function expectReal(model: Model<unknown, State>, result: CheckResult): void {
  const { initialStates, take } = stepper(model, {})
  for (const { trace, kind, failed } of result.properties) {
    if (trace === undefined) continue
    expect(initialStates).toContainEqual(trace.states[0])
    let state: Plain = trace.states[0]!
    for (const step of trace.steps) state = take(state, step).next
    expect(state).toEqual(trace.states.at(-1))
    if (kind !== 'transition') continue
    const [before, after] = trace.states.slice(-2) as unknown as [State, State]
    const { args } = trace.steps.at(-1)!
    const marked = Object.keys(after.marks).filter((name) => before.marks[name] !== after.marks[name])
    expect(failed?.values).toEqual({ marked: marked.map(Number), by: args.one })
    expect(marked.map(Number)).toContain(before.leader)
  }
}

test('as many states as there are orbits, and the same verdicts at the same depths', async () => {
  const seen = { reduced: 0, violated: 0, proved: 0, choices: 0, incomplete: 0, oddAtFirst: 0 }
  await fc.assert(
    fc.asyncProperty(symmetricModel, async (random) => {
      const model = modelOf(random)
      const whole = await check(model, {}, { ...enough, symmetry: false })
      fc.pre(whole.limit?.kind !== 'states')
      const reduced = await check(model, {}, enough)
      expect(facts(reduced)).toEqual(facts(whole))
      expect(reduced.states.distinct).toBe(await orbits(random, model))
      expectReal(model, reduced)
      if (reduced.states.distinct < whole.states.distinct) seen.reduced++
      if (reduced.verdict === 'violated') seen.violated++
      if (reduced.verdict === 'proved') seen.proved++
      if (!reduced.symmetry?.complete) seen.incomplete++
      if (random.odd > 0) seen.oddAtFirst++
      if (reduced.properties.some(({ trace }) => trace?.steps.some(({ choices }) => choices.length > 0)))
        seen.choices++
    }),
    { numRuns: 250 },
  )
  // Against a generator that makes nothing of interest.
  for (const [what, times] of Object.entries(seen)) {
    if (what !== 'incomplete') expect([what, times > 5]).toEqual([what, true])
  }
}, 120_000)
