/** A counterexample as lines of plain text, and the shortest account of what is false in it. */
import type { Plain } from '../../checker/model.ts'
import type { PropertyResult } from '../../checker/result.ts'
import { failureLines } from '../text/failure.ts'
import { stepLines } from '../text/steps.ts'
import { valueText } from '../text/value.ts'
import { waysSummary } from '../text/ways.ts'
import { sentenceOf } from './reported.ts'

/** `violated in 4 steps: not "in order" (epochs = [2, 1])` */
export function messageOf(property: PropertyResult): string {
  const { name, failed } = property
  if (failed === undefined) return sentenceOf(property)
  const part = failed.part === name ? '' : `not "${failed.part}"`
  const values = Object.entries(failed.values).map(
    ([label, value]) => `${label} = ${valueText(value as Plain)}`,
  )
  const told = [part, values.length === 0 ? '' : `(${values.join(', ')})`].filter((each) => each !== '')
  return told.length === 0 ? sentenceOf(property) : `${sentenceOf(property)}: ${told.join(' ')}`
}

/** The steps, what is false in the end, and which faults break it; empty if there is no trace. */
export function storyOf({ trace, ways }: PropertyResult): string[] {
  if (trace === undefined) return []
  const lines = stepLines(trace)
  return [
    ...(lines.length === 0 ? ['in an initial state'] : lines),
    '',
    ...failureLines(trace),
    ...(ways === undefined
      ? []
      : ['', 'ways to break it:', ...waysSummary(ways).map((line) => `    ${line}`)]),
  ]
}
