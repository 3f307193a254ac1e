import { expect, it } from 'vitest'
import { check } from '../../checker/index.ts'
import { alternativesOf } from '../../cli/alternatives.ts'
import type { Catalogue } from '../../cli/catalogue.ts'
import { kafka, presets, scenarios } from '../../spec/index.ts'
import { explain } from '../../traces/index.ts'

const catalogue = { presets } as unknown as Catalogue

it('tries each rule that another version has in another form, one at a time', () => {
  const alternatives = alternativesOf(catalogue, { preset: 'kafka-4.1', flags: { requireStable: false } })
  const labels = alternatives.map(({ label }) => label)
  expect(labels).toContain('flags.markerCheck=strict')
  expect(labels).not.toContain('flags.markerCheck=ge')
  expect(labels).toContain('flags.requireStable=true')
  expect(alternatives.find(({ label }) => label === 'flags.clientVersion=1')?.config).toEqual({
    preset: 'kafka-4.1',
    flags: { requireStable: false, clientVersion: 1 },
  })
})

it('finds the rule by which the next version prevents what happens in this one', async () => {
  const scenario = scenarios.find(({ name }) => name === 'late-marker')
  const config = { ...scenario?.config, preset: 'kafka-4.1' }
  const { properties } = await check(kafka, config, {
    properties: ['aborted and open records stay invisible'],
  })
  const trace = properties[0]?.trace ?? expect.fail('nothing is violated')
  const alternatives = alternativesOf(catalogue, trace.config)
  const { prevention, sealing } = explain(kafka, trace, { alternatives })
  expect(prevention.defences).toEqual([])
  expect(prevention.alternatives.map(({ names, step }) => [names, step])).toEqual([
    [['flags.markerCheck=strict'], 35],
  ])
  expect(sealing.step).toBe(35)
})
