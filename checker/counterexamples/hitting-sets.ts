/** Families of sets of names. A set is sorted and has each name once. */
export type NameSet = readonly string[]

export const nameSet = (names: Iterable<string>): NameSet => [...new Set(names)].sort()

export const isSubset = (one: NameSet, other: NameSet): boolean => one.every((name) => other.includes(name))

/**
 * The minimal sets that have a name in common with each set of a family (Berge's algorithm), smallest first, then by name.
 * Of an empty family that is the empty set; of a family with an empty set there is none.
 */
export function minimalHittingSets(family: readonly NameSet[]): NameSet[] {
  let hitting: NameSet[] = [[]]
  for (const set of family) {
    const extended = hitting.flatMap((hit) =>
      hit.some((name) => set.includes(name)) ? [hit] : set.map((name) => nameSet([...hit, name])),
    )
    hitting = minimal(extended)
  }
  return hitting.toSorted((one, other) => one.length - other.length || (textOf(one) < textOf(other) ? -1 : 1))
}

function minimal(sets: readonly NameSet[]): NameSet[] {
  const distinct = [...new Map(sets.map((set) => [textOf(set), set])).values()]
  return distinct.filter((set) => !distinct.some((other) => other !== set && isSubset(other, set)))
}

export const textOf = (set: NameSet): string => JSON.stringify(set)
