/** Rules of style that no other tool looks after. */
import type { Source } from './sources.ts'

const linesMax = 400

// Put together from parts, so that this file does not break its own rules.
const later = new RegExp(['TO', 'DO|FIX', 'ME|X', 'XX'].join(''))
const leftOut = new RegExp(
  ['\\b(?:it|describe|test)(?:\\.each)?\\.(?:sk', 'ip|on', 'ly|to', 'do)\\b'].join(''),
)
const focused = new RegExp(['\\b(?:x', 'it|x', 'describe|f', 'it|f', 'describe)\\('].join(''))

/** One sentence for each rule that is broken. */
export function untidiness({ path, text }: Source): string[] {
  const lines = text.split('\n')
  const where = (pattern: RegExp) => lines.flatMap((line, index) => (pattern.test(line) ? [index + 1] : []))
  return [
    ...(lines.length - 1 > linesMax ? [`${path} has ${lines.length - 1} lines, more than ${linesMax}`] : []),
    ...where(later).map((line) => `${path}:${line} puts something off`),
    ...where(leftOut).map((line) => `${path}:${line} leaves tests out`),
    ...where(focused).map((line) => `${path}:${line} leaves tests out`),
    ...(/^(?:cli|bench|test)\//.test(path) || path.endsWith('.mjs')
      ? []
      : where(/\bconsole\./).map((line) => `${path}:${line} prints`)),
    ...(isTest(path) && !/\bexpect\b|\bfc\.assert\b/.test(text) ? [`${path} asserts nothing`] : []),
    ...(/^export default\b/m.test(text) && !mayExportDefault(path) ? [`${path} has a default export`] : []),
  ]
}

const isTest = (path: string) => path.endsWith('.test.ts')
const mayExportDefault = (path: string) => path.endsWith('.config.ts')
