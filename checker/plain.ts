/**
 * Plain data in canonical form: keys sorted, copied, deep-frozen. Equal values have equal texts, so that what a
 * model can observe of a value (the order of Object.keys, say) never depends on how the value came about.
 */
import { isContainerView } from './container-view.ts'
import { ModelError } from './errors.ts'
import type { Plain } from './model.ts'

const loneSurrogate = /\p{Surrogate}/u
type Data = Record<string, unknown>

/** Deeper values are taken for cyclic ones. */
const maximalNesting = 200

/**
 * The canonical copy of a value: frozen, with sorted keys.
 * @param where names the value for people: `initial state`, `partition[0].log`
 * @throws ModelError 'invalid-model' if the value is anything but null, booleans, safe integers, well-formed
 * strings, and arrays and plain objects of these
 */
export function canonical(value: unknown, where: string): Plain {
  return canonicalAt(value, where, 0)
}

function canonicalAt(value: unknown, where: string, nesting: number): Plain {
  switch (typeof value) {
    case 'string':
      if (loneSurrogate.test(value)) throw refused('a string with half of a surrogate pair', where)
      return value
    case 'number':
      if (!Number.isSafeInteger(value)) throw refused(`the number ${value}`, where)
      if (Object.is(value, -0)) throw refused('negative zero', where)
      return value
    case 'boolean':
      return value
    case 'object':
      if (value === null) return null
      if (nesting > maximalNesting) throw refused('a cyclic or very deep value', where)
      return Array.isArray(value)
        ? canonicalArray(value, where, nesting)
        : canonicalObject(value as Record<string, unknown>, where, nesting)
    default:
      throw refused(value === undefined ? 'undefined' : `a ${typeof value}`, where)
  }
}

function canonicalArray(value: readonly unknown[], where: string, nesting: number): Plain {
  if (Object.keys(value).length !== value.length || Object.getOwnPropertySymbols(value).length > 0)
    throw refused('an array with holes or extra keys', where)
  const copy: Plain[] = new Array(value.length)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    copy[index] = isSimple(item) ? item : canonicalAt(item, `${where}[${index}]`, nesting + 1)
  }
  return Object.freeze(copy) as Plain[]
}

function canonicalObject(value: Record<string, unknown>, where: string, nesting: number): Plain {
  const prototype = Object.getPrototypeOf(value)
  if (!isPlainPrototype(prototype)) {
    throw refused(`an instance of ${prototype.constructor?.name ?? 'a class'}`, where)
  }
  if (Object.getOwnPropertySymbols(value).length > 0) throw refused('a symbol as a key', where)
  const copy: Record<string, Plain> = {}
  for (const key of Object.keys(value).sort()) {
    if (key === '__proto__' || loneSurrogate.test(key)) throw refused(`the key ${JSON.stringify(key)}`, where)
    const item = value[key]
    copy[key] = isSimple(item) ? item : canonicalAt(item, `${where}.${key}`, nesting + 1)
  }
  return Object.freeze(copy)
}

/** The common leaves, told apart without building the text of their place. */
const isSimple = (value: unknown): value is boolean | null => value === null || typeof value === 'boolean'

function refused(found: string, where: string): ModelError {
  return new ModelError({
    code: 'invalid-model',
    found: `${found} where plain data is needed`,
    where,
    expected: 'null, booleans, safe integers, well-formed strings, and arrays and plain objects of these',
    fix: 'for "nothing" use null, for a set a sorted array or an object with true as values',
  })
}

/** The text of a canonical value; equal values have equal texts. */
export const textOf = (value: Plain): string => JSON.stringify(value)

/** A copy that may be changed. */
export function mutableCopy<Value>(value: Value): Value {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(mutableCopy) as Value
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) copy[key] = mutableCopy((value as Record<string, unknown>)[key])
  return copy as Value
}

/**
 * Whether a value, of whatever key order, is the same plain data as a canonical one. What is not plain data is the
 * same as nothing, so that it is never mistaken for a value left as it was.
 */
export function samePlain(value: unknown, canonical: unknown): boolean {
  // Canonical values have no negative zero.
  if (value === canonical) return !Object.is(value, -0)
  if (value === null || canonical === null || typeof value !== 'object' || typeof canonical !== 'object')
    return false
  if (!isOfKind(value, canonical)) return false
  const keys = Object.keys(value)
  if (keys.length !== Object.keys(canonical).length || Object.getOwnPropertySymbols(value).length > 0)
    return false
  return keys.every(
    (key) => Object.hasOwn(canonical, key) && samePlain((value as Data)[key], (canonical as Data)[key]),
  )
}

/** Whether a value is an array as long as the canonical one, or a plain object if that is one. */
function isOfKind(value: object, canonical: object): boolean {
  if (Array.isArray(canonical)) return Array.isArray(value) && value.length === canonical.length
  return !Array.isArray(value) && isPlainPrototype(Object.getPrototypeOf(value))
}

const isPlainPrototype = (prototype: unknown): boolean => prototype === Object.prototype || prototype === null

/** Freezes a value with all that it contains; views of containers are left alone. */
export function deepFreeze(value: unknown): void {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value) || isContainerView(value)) return
  Object.freeze(value)
  for (const item of Object.values(value)) deepFreeze(item)
}

/** For people only: plain data made of anything, what is not plain as text, absent fields left out. */
export function displayed(value: unknown): Plain {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : String(value)
  if (Array.isArray(value)) return value.map(displayed)
  if (typeof value !== 'object') return String(value)
  const fields = Object.entries(value).filter(([, item]) => item !== undefined)
  return Object.fromEntries(fields.map(([key, item]) => [key, displayed(item)]))
}
