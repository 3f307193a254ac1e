/** Whatever has a name says what it is and who it is from, and presets are what their sources say. */
import { describe, expect, it } from 'vitest'
import type { Catalogue } from '../../cli/catalogue.ts'
import { listingOf } from '../../cli/list/listing.ts'
import * as spec from '../../spec/index.ts'
import { type Flags, type PresetName, presetFlags, presetNames } from '../../spec/presets.ts'

const listing = { ...listingOf({ ...spec, model: spec.kafka } as unknown as Catalogue) }

describe.each(Object.entries(listing))('%s', (_, entries) => {
  it('are listed, each name once', () => {
    const names = entries.map(({ name }) => name)
    expect(names.length).toBeGreaterThan(4)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(entries.map(({ name, summary, sources }) => ({ name, summary, sources })))(
    '$name has a summary and sources',
    ({ summary, sources }) => {
      expect(summary).toMatch(/\w{2}/)
      expect(sources.length).toBeGreaterThan(0)
      for (const source of sources) expect(source).toMatch(/^\S.*\S$/)
    },
  )
})

describe.each(listing.parameters.filter(({ allowed }) => allowed !== undefined))('$name', (parameter) => {
  it('has a default that is allowed', () => {
    const { default: initial, allowed = { keys: [] } } = parameter
    if ('oneOf' in allowed && initial !== 'as in the preset' && initial !== 'none')
      expect(allowed.oneOf).toContain(initial)
    if ('from' in allowed) {
      expect(initial).toBeGreaterThanOrEqual(allowed.from)
      expect(initial).toBeLessThanOrEqual(allowed.to ?? Number.POSITIVE_INFINITY)
    }
    if ('keys' in allowed) expect(initial).toBe('none')
  })
})

/** A flag's value under each preset, in the order of the presets. */
const versions: Record<keyof Flags, readonly (string | number | boolean)[]> = {
  clientVersion: [1, 1, 1, 1, 2, 2, 1],
  serverVersion: [1, 1, 1, 1, 2, 2, 1],
  verification: ['off', 'off', 'epochBlind', 'epochBlind', 'epochAware', 'epochAware', 'epochAware'],
  earlyEpochCheck: [false, false, false, false, false, true, true],
  verifyOffsets: [false, false, false, true, true, true, true],
  guardSurvivesMarker: [false, false, false, false, true, true, false],
  markerCheck: ['ge', 'ge', 'ge', 'ge', 'ge', 'strict', 'ge'],
  fenceBump: ['early', 'early', 'early', 'early', 'double', 'single', 'early'],
  pendingCheckFirst: [false, false, false, false, true, true, true],
  durableProducerIds: [false, false, false, false, false, true, true],
  durableLastEpoch: [false, false, false, false, false, false, false],
  loadsUpTo: Array.from({ length: 7 }, () => 'log end'),
  clientEpochBump: [false, true, true, true, false, false, true],
  mappingIsFatal: [false, false, false, false, true, true, true],
  groupFencing: [false, true, true, true, true, true, true],
  memberEpochCheck: ['none', 'none', 'none', 'exact', 'exact', 'since assignment', 'since assignment'],
  requireStable: [false, true, true, true, true, true, true],
  staleEpochError: [
    'PRODUCER_FENCED',
    'PRODUCER_FENCED',
    ...Array.from({ length: 5 }, () => 'INVALID_PRODUCER_EPOCH'),
  ],
  stateDiesWithRecords: [true, false, false, false, false, false, false],
  knowsAbortable: [false, false, false, true, true, true, true],
  sequenceZeroRule: [false, false, false, false, true, true, false],
  lateCommitReply: [
    ...Array.from({ length: 5 }, () => 'PRODUCER_FENCED'),
    'INVALID_TXN_STATE',
    'PRODUCER_FENCED',
  ],
}

describe('the flag', () => {
  it.each(Object.entries(versions))('%s is what each version has', (name, values) => {
    const found = presetNames.map((preset: PresetName) => presetFlags[preset][name as keyof Flags])
    expect(found).toEqual(values)
  })

  it('has a parameter of its own, with the values that versions have', () => {
    for (const [name, values] of Object.entries(versions)) {
      const allowed = listing.parameters.find((parameter) => parameter.name === `flags.${name}`)?.allowed
      expect(allowed, name).toEqual({ oneOf: expect.arrayContaining([...new Set(values)]) })
    }
  })
})
