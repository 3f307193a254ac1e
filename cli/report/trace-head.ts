/** What a trace is of: model, steps, version and configuration. */
import type { Plain, Trace } from '../../checker/index.ts'
import { valueText, visible } from '../../traces/index.ts'
import { boundsTexts } from './bounds.ts'
import type { Colours } from './colours.ts'
import { counted } from './numbers.ts'

export function headLines({ model, steps, config }: Trace, { bold, dim }: Colours): string[] {
  const preset = (config as { preset?: Plain } | null)?.preset
  const presetPart = preset === undefined ? '' : `, preset ${valueText(preset)}`
  return [
    bold(`${visible(model)}, ${counted(steps.length, 'step')}${presetPart}`),
    ...configurationLines(config).map(dim),
  ]
}

function configurationLines(config: Plain): string[] {
  const [first = valueText(config), ...others] = boundsTexts(config)
  const label = 'configuration: '
  return [`${label}${first}`, ...others.map((line) => `${' '.repeat(label.length)}${line}`)]
}
