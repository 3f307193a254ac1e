import { describe, expect, it } from 'vitest'
import { presetFlags } from '../../../spec/presets.ts'
import { presets, rulesOf } from './rules.ts'

describe.each(presets)('%s: what the rules depend on', (preset) => {
  it('is the version, the topology and the active defences', () => {
    const rules = rulesOf(preset, { config: { outputPartitions: 3 }, without: ['sequence check'] })
    expect(rules.flags).toBe(presetFlags[preset])
    expect(rules.offsetsPartition).toBe(3)
    expect([rules.protects('sequence check'), rules.protects('duplicate check')]).toEqual([false, true])
  })
})

it('a defence that a version does not have does not protect', () => {
  expect(presets.map((preset) => rulesOf(preset).protects('epoch bump at every end'))).toEqual([false, true])
  expect(presets.map((preset) => rulesOf(preset).protects('partition verification'))).toEqual([true, false])
})
