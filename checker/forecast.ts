/** What the sizes of the levels of a breadth-first search say about how many states are still to come. */

/** Levels that must have shrunk, one after the other, before anything is said. */
const shrinking = 3

/**
 * How many states there are at most, in all, if every further level is smaller than the one before it by as much as the
 * last three were on average. That "if" is part of the answer: in protocols with faults, each kind of fault may bring
 * a wave of its own, and between two waves levels shrink for a while.
 * @param levels sizes of the levels all of whose states are known, the first one first
 * @returns undefined while levels grow, when nothing can be told
 */
export function mostIfShrinking(levels: readonly number[]): number | undefined {
  const last = levels.slice(-shrinking - 1)
  if (last.length <= shrinking || last.some((size, index) => index > 0 && size >= last[index - 1]!)) {
    return undefined
  }
  const ratio = (last.at(-1)! / last[0]!) ** (1 / shrinking)
  const rest = (last.at(-1)! * ratio) / (1 - ratio)
  return levels.reduce((sum, size) => sum + size, 0) + Math.ceil(rest)
}
