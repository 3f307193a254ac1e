/** Defences that are to be switched off, as far as the catalogue can say more about them than the checker. */
import { safeParse } from 'valibot'
import { UsageError } from '../checker/index.ts'
import type { Catalogue, ConfigInput } from './catalogue.ts'
import { presetsWith } from './list/listing.ts'

/** @throws UsageError (unknown-name) for a defence that the preset lacks: it names the presets that have it */
export function refuseDefencesOfOtherPresets(
  catalogue: Catalogue,
  config: ConfigInput,
  names: readonly string[],
  where = '--without',
): void {
  const complete = safeParse(catalogue.model.config, config)
  if (!complete.success) return
  for (const name of names) {
    const defence = catalogue.defences.find((candidate) => candidate.name === name)
    if (defence === undefined || (defence.appliesTo?.(complete.output) ?? true)) continue
    const presets = presetsWith(catalogue, name)
    const preset = String(config.preset)
    if (presets.includes(preset)) continue
    throw new UsageError({
      code: 'unknown-name',
      where,
      found: `preset ${preset} has no defence '${name}' that could be switched off`,
      expected: `a preset that has it: ${presets.join(', ')}`,
    })
  }
}
