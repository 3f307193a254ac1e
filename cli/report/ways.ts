/** The other ways to break a property: their stories, and which faults each of them needs. */
import type { PropertyResult } from '../../checker/index.ts'
import { failureLines, faultsText, stepLines, waysSummary } from '../../traces/index.ts'
import type { Colours } from './colours.ts'

/** Empty unless other counterexamples were looked for. The one that the property is reported with was told before. */
export function waysLines({ name, ways, trace }: PropertyResult, colours: Colours): string[] {
  if (ways === undefined) return []
  const others = ways.found.flatMap((way, index) => {
    if (way.trace === trace) return []
    const title = `way ${index + 1} to break it, with ${faultsText(way)}:`
    const steps = stepLines(way.trace, { style: colours.trace })
    return ['', colours.bold(title), ...steps, '', ...failureLines(way.trace, colours.trace)]
  })
  return [...others, '', `ways to break: ${name}`, ...waysSummary(ways).map((line) => `    ${line}`)]
}
