/** A longest common subsequence, in linear space (Hirschberg, 1975). */

/** Pairs of positions, one of each list, at which both have the same text; in order, and as many as there can be. */
export function commonSubsequence(first: readonly string[], second: readonly string[]): [number, number][] {
  return pairsIn(first, second, 0, 0)
}

function pairsIn(
  first: readonly string[],
  second: readonly string[],
  firstAt: number,
  secondAt: number,
): [number, number][] {
  const [only] = first
  if (only === undefined || second.length === 0) return []
  if (first.length === 1) {
    const place = second.indexOf(only)
    return place < 0 ? [] : [[firstAt, secondAt + place]]
  }
  const half = first.length >> 1
  const [upper, lower] = [first.slice(0, half), first.slice(half)]
  const before = lengths(upper, second)
  const after = lengths(lower.toReversed(), second.toReversed())
  const total = (place: number) => (before[place] as number) + (after[second.length - place] as number)
  let split = 0
  for (let place = 1; place <= second.length; place++) if (total(place) > total(split)) split = place
  return [
    ...pairsIn(upper, second.slice(0, split), firstAt, secondAt),
    ...pairsIn(lower, second.slice(split), firstAt + half, secondAt + split),
  ]
}

/** By length of a beginning of `second`: how many texts it has in common with all of `first`, in order. */
function lengths(first: readonly string[], second: readonly string[]): Uint32Array {
  let row = new Uint32Array(second.length + 1)
  for (const text of first) {
    const next = new Uint32Array(second.length + 1)
    for (let place = 1; place <= second.length; place++) {
      next[place] =
        second[place - 1] === text
          ? (row[place - 1] as number) + 1
          : Math.max(row[place] as number, next[place - 1] as number)
    }
    row = next
  }
  return row
}
