/** Every defence, removed where it is said to show, breaks the stated property, and the trace shows the stated reason. */
import { describe, expect, it } from 'vitest'
import { check } from '../../checker/index.ts'
import type { DefenceName } from '../../spec/defences.ts'
import { defences, kafka, presets, scenarios } from '../../spec/index.ts'
import { momentsOf } from './reasons/moments.ts'
import { reasons } from './reasons.ts'

const minutes = 60_000

describe.each(defences)('without $name', ({ name, exercisedBy }) => {
  const { scenario: where, preset, property, together = [] } = exercisedBy
  const scenario = scenarios.find((one) => one.name === where)
  const config = { ...scenario?.config, preset }
  const removed = [name, ...together]

  it(
    `'${property}' falls in ${where} under ${preset}, for the stated reason`,
    async () => {
      const result = await check(kafka, config, { defencesOff: removed, properties: [property] })
      const found = result.properties.find((one) => one.name === property)
      expect(found?.verdict).toBe('violated')
      const moments = momentsOf(found?.trace ?? expect.fail('no trace'))
      for (const missing of removed) {
        expect(
          moments.some(reasons[missing as DefenceName]),
          `the trace shows that '${missing}' is off`,
        ).toBe(true)
      }
    },
    5 * minutes,
  )

  it.each(together.length > 0 ? removed : [])(
    `is covered: with only '%s' removed the property stands`,
    async (alone) => {
      const result = await check(kafka, config, { defencesOff: [alone], properties: [property] })
      expect(result.properties.find((one) => one.name === property)?.verdict).toBe('proved')
    },
    5 * minutes,
  )
})

describe('the catalogue of defences', () => {
  it('names scenarios, presets and defences that exist', () => {
    for (const { exercisedBy } of defences) {
      expect(scenarios.map(({ name }) => name)).toContain(exercisedBy.scenario)
      expect(presets.map(({ name }) => name)).toContain(exercisedBy.preset)
      for (const other of exercisedBy.together ?? [])
        expect(defences.map(({ name }) => name)).toContain(other)
    }
  })

  it('says of each what it is for and where it stands', () => {
    for (const { summary, sources } of defences) {
      expect(summary).toMatch(/^[A-Z].*\.$/)
      expect(sources.length).toBeGreaterThan(0)
    }
  })
})
