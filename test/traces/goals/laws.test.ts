import fc from 'fast-check'
import { expect, test } from 'vitest'
import { check, type Model, type Plain, stepper } from '../../../checker/index.ts'
import { reach } from '../../../traces/index.ts'
import { modelOf, type RandomState, randomModel } from '../../checker/random-model.ts'

/** An expression that is true of one value alone. */
function expressionOf(path: string, value: Plain): string {
  if (Array.isArray(value)) {
    const elements = value.map((element, index) => expressionOf(`${path}[${index}]`, element))
    return [`${path}.length == ${value.length}`, ...elements].join(' and ')
  }
  if (typeof value !== 'object' || value === null) {
    return `${path} == ${typeof value === 'string' ? `'${value}'` : value}`
  }
  const entries = Object.entries(value)
  if (entries.length === 0) return 'true'
  return entries.map(([key, each]) => expressionOf(path === '' ? key : `${path}.${key}`, each)).join(' and ')
}

/** The model, asked whether a state is reached. */
const asked = (model: ReturnType<typeof modelOf>, wanted: Plain): Model<unknown, RandomState> => {
  const text = sorted(wanted)
  return {
    ...(model as unknown as Model<unknown, RandomState>),
    build: (config, context) => ({
      ...(model as unknown as Model<unknown, RandomState>).build(config, context),
      properties: [{ kind: 'reachable', name: 'it', holds: (state: RandomState) => sorted(state) === text }],
      questions: [],
    }),
  }
}

/** JSON with keys in order. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  )

test('of any model and any state of it: the expression for it is reached at the depth of the state', async () => {
  const depths = new Set<number>()
  await fc.assert(
    fc.asyncProperty(randomModel, fc.array(fc.nat(), { maxLength: 8 }), async (random, picks) => {
      const model = modelOf({ ...random, constraint: undefined })
      const at = stepper(model, {})
      let state: Plain = at.initialStates[0]!
      for (const pick of picks) {
        const { enabled } = at.successors(state)
        if (enabled.length > 0) state = enabled[pick % enabled.length]!.next
      }
      const { properties } = await check(asked(model, state), {})
      const found = await reach(model, {}, expressionOf('', state))
      expect(found.properties[0]).toMatchObject({ verdict: 'witnessed', depth: properties[0]?.depth })
      expect(sorted(found.properties[0]?.trace?.states.at(-1))).toBe(sorted(state))
      depths.add(properties[0]?.depth ?? 0)
    }),
    { numRuns: 150 },
  )
  expect(depths.size).toBeGreaterThan(2)
})
