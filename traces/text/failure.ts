/** What a trace shows: the property, the part of it that is false with its values, and what was switched off. */
import type { Plain } from '../../checker/model.ts'
import type { Trace } from '../../checker/trace.ts'
import { plainStyle, type Style } from './style.ts'
import { valueText, visible } from './value.ts'

export function failureLines({ property, defencesOff }: Trace, style: Style = plainStyle): string[] {
  const off = defencesOff.map((name) => style('failed', visible(`defence switched off: ${name}`)))
  if (property === undefined) return off
  const { name, kind, failed } = property
  if (kind === 'reachable') return [visible(`witness of: ${name}`), ...off]
  const part = failed === undefined || failed.part === name ? '' : `: not "${failed.part}"`
  return [
    style('failed', visible(`violated: ${name}${part}`)),
    ...Object.entries(failed?.values ?? {}).map(([label, value]) =>
      visible(`    ${label} = ${valueText(value as Plain)}`),
    ),
    ...off,
  ]
}
