import { describe, expect, it } from 'vitest'
import type { DefenceName } from '../../../spec/defences.ts'
import { presetFlags } from '../../../spec/presets.ts'
import { presets, presetsWith, rulesOf } from './rules.ts'

describe.each(presets)('%s: what the rules depend on', (preset) => {
  it('is the version, the topology and the active defences', () => {
    const rules = rulesOf(preset, { config: { outputPartitions: 3 }, without: ['sequence check'] })
    expect(rules.flags).toEqual(presetFlags[preset])
    expect(rules.offsetsPartition).toBe(3)
    expect([rules.protects('sequence check'), rules.protects('duplicate check')]).toEqual([false, true])
  })
})

it('a flag of the configuration stands in the place of that of the version', () => {
  const flags = { verification: 'epochBlind', clientEpochBump: true } as const
  expect(rulesOf('kafka-4.4', { config: { flags } }).flags).toEqual({ ...presetFlags['kafka-4.4'], ...flags })
})

describe('a defence that a version does not have', () => {
  const protecting = (defence: DefenceName) => presets.filter((preset) => rulesOf(preset).protects(defence))

  it.each<{ defence: DefenceName; has: Parameters<typeof presetsWith>[0] }>([
    { defence: 'epoch bump at every end', has: ({ clientVersion }) => clientVersion === 2 },
    {
      defence: 'partition verification',
      has: ({ clientVersion, verification }) => clientVersion === 1 && verification !== 'off',
    },
    { defence: 'verification guard', has: ({ verification }) => verification !== 'off' },
    { defence: 'generation check', has: ({ groupFencing }) => groupFencing },
    { defence: 'require stable offsets', has: ({ requireStable }) => requireStable },
    { defence: 'epoch bump after an error', has: ({ clientEpochBump }) => clientEpochBump },
    { defence: 'partition epoch check', has: () => true },
  ])('does not protect: $defence', ({ defence, has }) => {
    expect(protecting(defence)).toEqual(presetsWith(has))
  })
})
