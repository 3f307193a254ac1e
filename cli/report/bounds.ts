/** The configuration that a verdict is about: without it 'proved' says nothing. */
import type { Plain } from '../../checker/index.ts'
import { valueText, visible } from '../../traces/index.ts'

const widthMax = 96

/** `key=value` for every key, those that are 0 named together at the end, in lines that fit a terminal. */
export function boundsTexts(config: Plain): string[] {
  if (!isRecord(config)) return [valueText(config)]
  const entries = assignments(config)
  const given = entries.filter(([, value]) => value !== 0).map(([key, value]) => `${key}=${valueText(value)}`)
  const none = entries.filter(([, value]) => value === 0).map(([key]) => key)
  return wrapped(
    [...given, ...(none.length === 0 ? [] : [`(0: ${none[0]}`, ...none.slice(1)])],
    none.length > 0,
  )
}

/** What is inside of objects under the names by which `--set` knows it. */
const assignments = (config: { readonly [key: string]: Plain }, path = ''): [name: string, value: Plain][] =>
  Object.entries(config).flatMap(([key, value]) =>
    isRecord(value) ? assignments(value, `${path}${key}.`) : [[visible(`${path}${key}`), value]],
  )

const isRecord = (value: Plain): value is { readonly [key: string]: Plain } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function wrapped(words: readonly string[], closes: boolean): string[] {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= widthMax) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return closes ? [...lines.slice(0, -1), `${lines.at(-1)})`] : lines
}
