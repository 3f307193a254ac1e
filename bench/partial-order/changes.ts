/** What the steps of a model have changed. */
import type { Plain } from '../../checker/model.ts'
import { BitRows } from './bits.ts'
import type { FullGraph } from './full-graph.ts'

export interface Change {
  readonly from: number
  readonly to: number
  readonly steps: Int32Array
}

/** What a component was ever changed from and to, and by which steps. */
export function changesOf(graph: FullGraph, component: number): Iterable<Change> {
  const { states, firsts, targets, steps, takens, ids } = graph
  const changes = new Map<number, Change>()
  for (let state = 0; state < states; state++) {
    const from = ids(state)[component]!
    for (let edge = firsts[state]!; edge < firsts[state + 1]!; edge++) {
      const to = ids(targets[edge]!)[component]!
      if (from === to) continue
      const key = from * 0x10000 + to
      if (!changes.has(key)) changes.set(key, { from, to, steps: new BitRows(1, takens.length).row(0) })
      changes.get(key)!.steps[steps[edge]! >>> 5]! |= 1 << (steps[edge]! & 31)
    }
  }
  return changes.values()
}

/** The name of the field that stands for the keys of an object, or the length of an array. */
export const keysOf = (path: string): string => `${path}.*`

/**
 * The fields in which two values differ. A field is a path: it stands for the value there, of an object only for the
 * fact that it is one; or, as `keysOf`, for the keys that an object has.
 */
export function changedFields(before: Plain | undefined, now: Plain | undefined, path: string): string[] {
  const [old, fresh] = [childrenOf(before), childrenOf(now)]
  const keys = [...new Set([...Object.keys(old), ...Object.keys(fresh)])]
  return [
    ...(ownOf(before) === ownOf(now) ? [] : [path]),
    ...(keys.every((key) => key in old && key in fresh) ? [] : [keysOf(path)]),
    ...keys.flatMap((key) => changedFields(old[key], fresh[key], `${path}.${key}`)),
  ]
}

const isObject = (value: Plain | undefined): value is Plain[] | Record<string, Plain> =>
  value !== null && typeof value === 'object'

/** What a value is, apart from what is in it. */
const ownOf = (value: Plain | undefined): Plain | undefined => {
  if (!isObject(value)) return value
  return Array.isArray(value) ? 'an array' : 'an object'
}

const childrenOf = (value: Plain | undefined): Readonly<Record<string, Plain>> =>
  isObject(value) ? (value as Record<string, Plain>) : {}
