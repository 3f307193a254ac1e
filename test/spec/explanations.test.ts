/** Where a defence is missing, the explanation of what goes wrong names it, and no other one that is missing too. */
import { describe, expect, it, test } from 'vitest'
import { check, UsageError } from '../../checker/index.ts'
import type { DefenceName } from '../../spec/defences.ts'
import { defences, kafka, scenarios } from '../../spec/index.ts'
import { type Explanation, explain, minimise, replay } from '../../traces/index.ts'

const configOf = (scenario: string, preset: string) => ({
  ...scenarios.find(({ name }) => name === scenario)?.config,
  preset,
})

async function traceWithout(name: DefenceName) {
  const { scenario, preset, property } = defences.find((one) => one.name === name)!.exercisedBy
  const options = { defencesOff: [name], properties: [property] }
  const { properties } = await check(kafka, configOf(scenario, preset), options)
  return properties[0]?.trace ?? expect.fail('nothing is violated')
}

/** Defences that could be switched off as well, and nobody would notice it in this trace. */
function irrelevantTo(trace: Awaited<ReturnType<typeof traceWithout>>): string[] {
  const off = [...trace.defencesOff]
  for (const { name } of defences) {
    if (off.includes(name) || off.length > 6) continue
    try {
      const { shows, differsFrom } = replay(kafka, { ...trace, defencesOff: [...off, name] })
      if (shows && differsFrom === undefined) off.push(name)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
    }
  }
  return off.slice(trace.defencesOff.length)
}

interface Case {
  readonly missing: DefenceName
  /** From which step on it was bound to happen, of how many; and what is different with the defence. */
  readonly sealed: readonly [step: number, steps: number]
  readonly prevented: Partial<Explanation['prevention']['defences'][number]>
}

const guard = (step: number, name: string) => ({
  step,
  blocked: { step, found: `the guard '${name}' blocks it`, guard: name },
})

const cases: readonly Case[] = [
  { missing: 'sequence check', sealed: [9, 14], prevented: { step: 14 } },
  { missing: 'duplicate waits for its original', sealed: [12, 12], prevented: { step: 11 } },
  {
    missing: 'open producers do not expire',
    sealed: [20, 20],
    prevented: guard(20, 'an idle producer is known'),
  },
  { missing: 'partition verification', sealed: [17, 17], prevented: { step: 9 } },
  { missing: 'marker epoch check', sealed: [35, 36], prevented: { step: 35 } },
  { missing: 'abort of the old transaction', sealed: [10, 13], prevented: { step: 12 } },
  { missing: 'pending check first', sealed: [21, 21], prevented: guard(21, 'no transition is pending') },
  {
    missing: 'open transactions do not expire',
    sealed: [10, 11],
    prevented: guard(10, 'nothing is open or pending'),
  },
  { missing: 'an epoch is left for the abort', sealed: [29, 32], prevented: { step: 19 } },
  { missing: 'aborted records filter', sealed: [20, 25], prevented: { events: [] } },
  { missing: 'require stable offsets', sealed: [23, 23], prevented: guard(22, 'the offset is stable') },
]

describe.each(cases)('without $missing', ({ missing, sealed, prevented }) => {
  it('is explained by what is missing, and by nothing else that is missing as well', async () => {
    const trace = await traceWithout(missing)
    const others = irrelevantTo(trace)
    expect(others.length).toBeGreaterThan(2)
    const { prevention, sealing, slice, sentence } = explain(kafka, {
      ...trace,
      defencesOff: [...others, missing],
    })
    expect(prevention.defences).toEqual([expect.objectContaining({ names: [missing], ...prevented })])
    expect([sealing.step, trace.steps.length]).toEqual(sealed)
    // It is a shortest trace: it has no step that it does not depend on.
    expect(slice).toHaveLength(trace.steps.length)
    expect(sentence).toContain(`; with "${missing}" in place `)
  })
})

test('a rule that only works with another one is named together with it', async () => {
  const trace = await traceWithout('sequence zero rule')
  const namesWithout = (...defencesOff: DefenceName[]) =>
    explain(kafka, { ...trace, defencesOff }, { maxStates: 1 }).prevention.defences.map(({ names }) => names)
  expect(namesWithout('sequence zero rule')).toEqual([['sequence zero rule']])
  expect(namesWithout('sequence zero rule', 'marker epoch check', 'sequence check')).toEqual([
    ['sequence zero rule', 'sequence check'],
  ])
})

test('a shortest counterexample cannot be minimised', async () => {
  const trace = await traceWithout('sequence check')
  const { trace: smallest, before, after } = minimise(kafka, trace)
  expect(smallest).toEqual(trace)
  expect(after).toEqual(before)
  expect(after).toMatchObject({ steps: 14, faults: 1 })
})
