/** Where a defence that is to be switched off does not exist, and where it does all the same. */
import { describe, expect, it } from 'vitest'
import type { Catalogue } from '../../cli/catalogue.ts'
import { refuseDefencesOfOtherPresets } from '../../cli/defences.ts'
import * as spec from '../../spec/index.ts'

const catalogue = { ...spec, model: spec.kafka } as unknown as Catalogue
const refuse = (config: Record<string, unknown>, ...names: string[]) =>
  refuseDefencesOfOtherPresets(catalogue, config, names)

describe('a defence of Kafka', () => {
  it('that the preset lacks is refused with the presets that have it', () => {
    expect(() => refuse({ preset: 'kafka-2.5' }, 'sequence check', 'partition verification')).toThrow(
      /preset kafka-2\.5 has no defence 'partition verification' .*\n.*: kafka-3\.6, kafka-3\.9, kafka-4\.4-tv1$/,
    )
  })

  it.each([
    ['every preset has', { preset: 'kafka-1.1' }, 'sequence check'],
    ['the preset has', { preset: 'kafka-3.9' }, 'partition verification'],
    [
      'a flag of the configuration brings in',
      { preset: 'kafka-2.5', flags: { verification: 'epochBlind' } },
      'partition verification',
    ],
  ])('that %s is let through', (_, config, name) => {
    expect(() => refuse(config, name)).not.toThrow()
  })

  it.each([
    [
      'a flag of the configuration takes away',
      { preset: 'kafka-3.9', flags: { verification: 'off' } },
      'partition verification',
    ],
    ['does not exist', { preset: 'kafka-3.9' }, 'partition verifikation'],
    ['is asked for in an invalid configuration', { preset: 'kafka-0.1' }, 'partition verification'],
  ])('that %s is left to the checker', (_, config, name) => {
    expect(() => refuse(config, name)).not.toThrow()
  })
})
