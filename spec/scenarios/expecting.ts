/** Short ways to say what a scenario is expected to find, and under which versions. */
import type { Scenario } from '../catalogue.ts'
import type { KafkaConfig } from '../config.ts'
import { type PresetName, presetNames } from '../presets.ts'

export type KafkaScenario = Scenario<KafkaConfig>

export const all: readonly PresetName[] = presetNames
/** transaction.version 1, from the first release on. */
export const versionOne: readonly PresetName[] = [
  'kafka-1.1',
  'kafka-2.5',
  'kafka-3.6',
  'kafka-3.9',
  'kafka-4.4-tv1',
]
/** Partitions verify nothing, so that a late batch opens a transaction that nobody closes. */
export const unverified: readonly PresetName[] = ['kafka-1.1', 'kafka-2.5']
/** transaction.version 1 with verification (KIP-890 part 1). */
export const verified: readonly PresetName[] = ['kafka-3.6', 'kafka-3.9', 'kafka-4.4-tv1']
/** The two that the larger scenarios are run under. */
export const standard: readonly PresetName[] = ['kafka-3.9', 'kafka-4.4']

/** Property to the presets under which it is violated, turned into what a scenario says. */
export function violated(
  byProperty: Readonly<Record<string, readonly PresetName[]>>,
): NonNullable<KafkaScenario['expected']> {
  const expected: Record<string, Record<string, 'violated'>> = {}
  for (const [property, presets] of Object.entries(byProperty)) {
    for (const preset of presets) expected[preset] = { ...expected[preset], [property]: 'violated' }
  }
  return expected
}
