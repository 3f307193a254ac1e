/** Plain values as expressions of the Informal Trace Format (ITF), and back. */
import type { Plain } from '../../checker/model.ts'

/** An ITF expression: JSON in which every integer is `{ "#bigint": "..." }`. */
export type Expression =
  | boolean
  | string
  | readonly Expression[]
  | { readonly '#bigint': string }
  | { readonly '#map': readonly (readonly [string, Expression])[] }
  | { readonly [field: string]: Expression }

/** Why a value is not an ITF expression that stands for plain data, and where in it. */
export class NotAnExpression extends Error {
  readonly path: string

  constructor(path: string, problem: string) {
    super(problem)
    this.path = path
  }
}

/** States are shallow; a file nested deeper than this is not a trace, and recursion must end somewhere. */
export const nestingMax = 200

/**
 * ITF knows no null: it is written as the variant `None`, as in `Some(x) | None`. That is unambiguous, because the
 * record that looks the same cannot be written: a field beginning with `#` turns its record into a `#map`.
 */
const none = { tag: 'None', value: { '#tup': [] } } as const

/** The variant by which a value that may be absent is written. */
export const optional = (value: Plain | undefined): Expression =>
  value === undefined ? none : { tag: 'Some', value: encode(value) }

/** Keys of objects come out in code unit order, so that equal values give equal bytes. */
export function encode(value: Plain): Expression {
  if (value === null) return none
  if (typeof value === 'number') return { '#bigint': BigInt(value).toString() }
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(encode)
  const fields = Object.keys(value)
    .sort()
    .map((key) => [key, encode(value[key] as Plain)] as const)
  return fields.some(([key]) => key.startsWith('#')) ? { '#map': fields } : record(fields)
}

/** The plain value of an expression. Integers may also be plain JSON numbers, as older tools write them. */
export function decode(expression: unknown, path = '', depth = 0): Plain {
  if (depth > nestingMax) throw new NotAnExpression(path, `nested deeper than ${nestingMax} levels`)
  if (typeof expression === 'number') return safeInteger(String(expression), path)
  if (typeof expression === 'boolean' || typeof expression === 'string') return expression
  if (Array.isArray(expression)) {
    return expression.map((element, index) => decode(element, `${path}[${index}]`, depth + 1))
  }
  if (typeof expression === 'object' && expression !== null) return decodeObject(expression, path, depth)
  throw new NotAnExpression(path, 'null: ITF has none, it is written as the variant None')
}

function decodeObject(expression: object, path: string, depth: number): Plain {
  const entries = Object.entries(expression)
  const special = entries.find(([key]) => key.startsWith('#'))
  if (special === undefined) {
    return isNone(entries) ? null : decodeFields(entries, path, depth)
  }
  const [key, content] = special
  if (entries.length > 1) throw new NotAnExpression(path, `${key} beside other fields`)
  if (key === '#bigint') return safeInteger(content, path)
  if (key === '#map') return decodeFields(pairs(content, path), path, depth)
  throw new NotAnExpression(path, `${key}: this kind of value is never part of a state of fencepost`)
}

function decodeFields(entries: readonly (readonly [string, unknown])[], path: string, depth: number): Plain {
  return record(
    entries.map(([key, value]) => [key, decode(value, `${path}.${key}`, depth + 1)] as const),
    path,
  )
}

function record<Value>(entries: readonly (readonly [string, Value])[], path = ''): { [key: string]: Value } {
  const result: { [key: string]: Value } = {}
  for (const [key, value] of entries) {
    // Assigning to this key would set the prototype instead of a field.
    if (key === '__proto__') throw new NotAnExpression(path, 'a field named __proto__')
    if (Object.hasOwn(result, key)) throw new NotAnExpression(path, `two fields named ${JSON.stringify(key)}`)
    result[key] = value
  }
  return result
}

function isNone(entries: readonly (readonly [string, unknown])[]): boolean {
  const { tag, value } = Object.fromEntries(entries)
  if (entries.length !== 2 || tag !== 'None' || typeof value !== 'object' || value === null) return false
  const [content, ...others] = Object.entries(value)
  return (
    others.length === 0 && content?.[0] === '#tup' && Array.isArray(content[1]) && content[1].length === 0
  )
}

function pairs(content: unknown, path: string): readonly (readonly [string, unknown])[] {
  const isPair = (pair: unknown): pair is [string, unknown] =>
    Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string'
  if (Array.isArray(content) && content.every(isPair)) return content
  throw new NotAnExpression(path, '#map is not a list of pairs of a text and a value')
}

function safeInteger(digits: unknown, path: string): number {
  const value = typeof digits === 'string' && /^-?[0-9]+$/.test(digits) ? Number(digits) : Number.NaN
  // Adding 0 makes 0 of -0, which states do not know.
  if (Number.isSafeInteger(value)) return value + 0
  throw new NotAnExpression(
    path,
    `${JSON.stringify(digits)} is not an integer between -(2^53 - 1) and 2^53 - 1`,
  )
}
