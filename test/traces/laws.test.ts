/** What holds of every model and every walk that violates something. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { simulate, type Trace } from '../../checker/index.ts'
import { explain, minimise, replay } from '../../traces/index.ts'
import { numbered, rehearsalOf } from '../../traces/replay/rehearsal.ts'
import { modelOf, randomModel } from '../checker/random-model.ts'

type RandomModel = ReturnType<typeof modelOf>

/** Random walks through random models, each up to a violation. */
async function violations(model: RandomModel, seed: number): Promise<Trace[]> {
  const { properties } = await simulate(model, {}, { seed, walks: 30, depth: 25 })
  return properties.flatMap(({ verdict, trace }) =>
    verdict === 'violated' && trace !== undefined ? [trace] : [],
  )
}

const steps = ({ steps: taken }: Pick<Trace, 'steps'>) =>
  taken.map(({ action, args, choices }) => ({ action, args, choices }))

/** Runs a check on many violating walks; says how many there were, and how many steps they had. */
async function forWalks(judge: (model: RandomModel, trace: Trace) => void) {
  const seen = { walks: 0, steps: 0 }
  await fc.assert(
    fc.asyncProperty(randomModel, fc.nat(1000), async (random, seed) => {
      const model = modelOf(random)
      for (const trace of await violations(model, seed)) {
        judge(model, trace)
        seen.walks++
        seen.steps += trace.steps.length
      }
    }),
    { numRuns: 300 },
  )
  expect(seen.walks).toBeGreaterThan(50)
  expect(seen.steps).toBeGreaterThan(100)
}

describe('of any model and any walk that violates a property', () => {
  test('the minimised trace can be replayed and violates it, and no step can be left out of it', async () => {
    let smaller = 0
    await forWalks((model, given) => {
      const { trace, kept, before, after } = minimise(model, given)
      expect(replay(model, trace)).toEqual({ trace, shows: true })
      expect(trace.property?.name).toBe(given.property?.name)
      expect(kept).toHaveLength(trace.steps.length)
      expect(kept).toEqual([...kept].sort((one, other) => one - other))
      expect(after.steps).toBe(trace.steps.length)
      expect(before.steps).toBe(given.steps.length)
      if (after.steps < before.steps) smaller++

      const rehearsal = rehearsalOf(model, trace)
      numbered(trace).forEach((_, index, all) => {
        expect(rehearsal.takeWhatApplies(all.toSpliced(index, 1))).toBeUndefined()
      })
      expect(steps(minimise(model, trace).trace)).toEqual(steps(trace))
    })
    expect(smaller).toBeGreaterThan(10)
  })

  test('the steps that it depends on come to it alone, and none of them can be left out', async () => {
    let incidentals = 0
    await forWalks((model, given) => {
      const { trace, slice, incidental } = explain(model, given, { maxStates: 1 })
      const numbers = slice.map(({ number }) => number)
      expect([...numbers, ...incidental].sort((one, other) => one - other)).toEqual(
        trace.steps.map((_, index) => index + 1),
      )
      incidentals += incidental.length

      const rehearsal = rehearsalOf(model, given)
      const alone = numbered(trace).filter(({ number }) => numbers.includes(number))
      const { shown, refused, taken } = rehearsal.takeAll(alone)
      expect({ refused, steps: taken.length }).toEqual({ refused: undefined, steps: alone.length })
      expect(shown).toBeDefined()
      alone.forEach((_, index) => {
        const fewer = rehearsal.takeAll(alone.toSpliced(index, 1))
        const goesOn = fewer.refused === undefined && fewer.shown !== undefined
        expect(goesOn && fewer.taken.length === alone.length - 1).toBe(false)
      })
    })
    expect(incidentals).toBeGreaterThan(20)
  })
})
