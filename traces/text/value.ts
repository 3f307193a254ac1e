/** Plain values as short text for people: JSON without the quotes that nobody misses. */
import type { Plain } from '../../checker/model.ts'
import { isRecord } from '../plain.ts'

/** On one line, however long: `{offset: 3, producer: app-0, aborted: false}`. */
export function valueText(value: Plain): string {
  if (typeof value === 'string') return wordText(value)
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
  if (!isRecord(value)) return String(value)
  return `{${Object.keys(value)
    .map((key) => `${wordText(key)}: ${valueText(value[key] as Plain)}`)
    .join(', ')}}`
}

/** Over several lines where one does not fit into `width` columns. */
export function valueLines(value: Plain, width: number, indent = ''): string[] {
  return nested('', value, width, indent)
}

function nested(label: string, value: Plain, width: number, indent: string): string[] {
  const oneLine = `${indent}${label}${valueText(value)}`
  if (oneLine.length <= width || typeof value !== 'object' || value === null) return [oneLine]
  const inner = label === '' ? indent : `${indent}  `
  const parts = Array.isArray(value)
    ? value.flatMap((element, index) => nested(`[${index}] `, element, width, inner))
    : Object.keys(value).flatMap((key) => nested(`${wordText(key)}: `, value[key] as Plain, width, inner))
  return label === '' ? parts : [`${indent}${label.trimEnd()}`, ...parts]
}

/** Quotes only where a text could be taken for something else. */
function wordText(text: string): string {
  const plain = /^[\p{L}_][\p{L}\p{N}_.:/+-]*(?: [\p{L}\p{N}_.:/+-]+)*$/u.test(text)
  const ambiguous = text.includes(': ') || text.endsWith(':')
  return plain && !ambiguous && !['true', 'false', 'null'].includes(text)
    ? text
    : visible(JSON.stringify(text))
}

/** Text from a file, without what a terminal would act on and without halves of characters, which no file can have. */
export const visible = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
