/** What changed between two states, as paths with the old and the new value. */
import type { Plain } from '../checker/model.ts'
import { isRecord, type PlainRecord } from './plain.ts'
import { visible } from './text/value.ts'

/** Where a value sits: keys of objects and indices of arrays, from the outside in. */
export type Path = readonly (string | number)[]

/** One difference. Elements of arrays that grew or shrank are `added` (index after) or `removed` (index before). */
export type Change =
  | { readonly kind: 'changed'; readonly path: Path; readonly before: Plain; readonly after: Plain }
  | { readonly kind: 'added'; readonly path: Path; readonly after: Plain }
  | { readonly kind: 'removed'; readonly path: Path; readonly before: Plain }

/**
 * The differences that turn `before` into `after`, outermost container first, in the order of the keys.
 *
 * Only what differs is named, as deep inside as possible. Arrays of one length are compared element by element; where
 * the length differs, what they share at both ends is left out, so that taking the first message from a queue is one
 * removal and not a change of every element.
 */
export function changes(before: Plain, after: Plain): Change[] {
  return differences([], before, after)
}

function differences(path: Path, before: Plain, after: Plain): Change[] {
  if (Array.isArray(before) && Array.isArray(after)) return arrayDifferences(path, before, after)
  if (isRecord(before) && isRecord(after)) return recordDifferences(path, before, after)
  return before === after ? [] : [{ kind: 'changed', path, before, after }]
}

/** Records with other keys are another kind of thing, and changed as a whole. */
function recordDifferences(path: Path, before: PlainRecord, after: PlainRecord): Change[] {
  const keys = Object.keys(before)
  const sameKeys = keys.length === Object.keys(after).length && keys.every((key) => Object.hasOwn(after, key))
  if (!sameKeys) return [{ kind: 'changed', path, before, after }]
  return keys.flatMap((key) => differences([...path, key], before[key] as Plain, after[key] as Plain))
}

function arrayDifferences(path: Path, before: readonly Plain[], after: readonly Plain[]): Change[] {
  if (before.length === after.length) {
    return before.flatMap((old, index) => differences([...path, index], old, after[index] as Plain))
  }
  const shorter = Math.min(before.length, after.length)
  const start = sharedLength(shorter, (offset) => equal(before[offset], after[offset]))
  const end = sharedLength(shorter - start, (offset) => equal(before.at(-1 - offset), after.at(-1 - offset)))
  return [
    ...before
      .slice(start, before.length - end)
      .map((old, offset): Change => ({ kind: 'removed', path: [...path, start + offset], before: old })),
    ...after
      .slice(start, after.length - end)
      .map((now, offset): Change => ({ kind: 'added', path: [...path, start + offset], after: now })),
  ]
}

function sharedLength(limit: number, shared: (offset: number) => boolean): number {
  let length = 0
  while (length < limit && shared(length)) length++
  return length
}

const equal = (left: Plain | undefined, right: Plain | undefined): boolean =>
  left !== undefined && right !== undefined && differences([], left, right).length === 0

/** `partition[0].log`, with keys that are not plain words in quotes: `group["in-0"]`. */
export function pathText(path: Path): string {
  return path
    .map((segment, position) => {
      if (typeof segment === 'number') return `[${segment}]`
      if (!/^[A-Za-z_$][\w$]*$/.test(segment)) return `[${visible(JSON.stringify(segment))}]`
      return position === 0 ? segment : `.${segment}`
    })
    .join('')
}
