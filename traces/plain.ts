/** Telling kinds of plain values apart, and writing them in one order. */
import type { Plain } from '../checker/model.ts'

export type PlainRecord = { [key: string]: Plain }

export const isRecord = (value: Plain): value is PlainRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Keys in code unit order at every level, so that equal values give equal bytes; without those that are undefined. */
export function sortKeys<Value extends Plain | Readonly<Record<string, Plain>>>(value: Value): Value {
  if (Array.isArray(value)) return value.map((element) => sortKeys(element)) as unknown as Value
  if (!isRecord(value as Plain)) return value
  const entries = Object.entries(value as PlainRecord).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(entries.toSorted(byKey).map(([key, inner]) => [key, sortKeys(inner)])) as Value
}

const byKey = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number =>
  left < right ? -1 : Number(left > right)
