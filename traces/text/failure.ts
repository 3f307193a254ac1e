/** What a trace shows: the property, the part of it that is false with its values, and what was switched off. */
import type { Plain } from '../../checker/model.ts'
import type { LassoFacts, Trace } from '../../checker/trace.ts'
import { plainStyle, type Style } from './style.ts'
import { valueText, visible } from './value.ts'

export function failureLines(
  { property, defencesOff, loop, steps }: Trace,
  style: Style = plainStyle,
): string[] {
  const off = defencesOff.map((name) => style('failed', visible(`defence switched off: ${name}`)))
  if (property === undefined) return off
  const { name, kind, failed, lasso } = property
  if (kind === 'reachable') return [visible(`witness of: ${name}`), ...off]
  const part = failed === undefined || failed.part === name ? '' : `: not "${failed.part}"`
  return [
    style('failed', visible(`violated: ${name}${part}`)),
    ...Object.entries(failed?.values ?? {}).map(([label, value]) =>
      visible(`    ${label} = ${valueText(value as Plain)}`),
    ),
    ...(lasso === undefined ? [] : lassoLines(lasso, loop === steps.length ? 'end' : 'loop')),
    ...off,
  ]
}

/** Longer lists are cut: the first few tell where to look. */
const shownLabels = 8

function lassoLines({ fairness, brokenBy }: LassoFacts, what: 'loop' | 'end'): string[] {
  const lines = (said: string, labels: readonly string[]) => labelLines(`the ${what} ${said}`, labels)
  return [
    ...lines('holds under weak fairness of', fairness.weak),
    ...lines('holds under strong fairness of', fairness.strong),
    ...lines('would be ruled out by weak fairness of', brokenBy.weak),
    ...lines('would be ruled out by strong fairness of', brokenBy.strong),
  ]
}

function labelLines(what: string, labels: readonly string[]): string[] {
  if (labels.length === 0) return []
  const more = labels.length > shownLabels ? `, and ${labels.length - shownLabels} more` : ''
  return [visible(`    ${what}: ${labels.slice(0, shownLabels).join(', ')}${more}`)]
}
