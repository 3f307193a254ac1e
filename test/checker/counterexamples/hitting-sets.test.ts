import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isSubset,
  minimalHittingSets,
  nameSet,
  textOf,
} from '../../../checker/counterexamples/hitting-sets.ts'

const names = ['a', 'b', 'c', 'd', 'e']
const subsets = Array.from({ length: 2 ** names.length }, (_, bits) => {
  return names.filter((__, index) => (bits >> index) % 2 === 1)
})

describe('minimal hitting sets', () => {
  it('take one of each, smallest first', () => {
    expect(minimalHittingSets([])).toEqual([[]])
    expect(
      minimalHittingSets([
        ['a', 'b'],
        ['b', 'c'],
      ]),
    ).toEqual([['b'], ['a', 'c']])
    expect(minimalHittingSets([['a'], []])).toEqual([])
  })

  it('are those that trying all sets finds', () => {
    const family = fc.array(fc.subarray(names), { maxLength: 5 })
    fc.assert(
      fc.property(family, (sets) => {
        const hitting = subsets.filter((set) => sets.every((each) => each.some((name) => set.includes(name))))
        const minimal = hitting.filter(
          (set) => !hitting.some((other) => other.length < set.length && isSubset(other, set)),
        )
        const texts = (found: readonly (readonly string[])[]) =>
          found.map((set) => textOf(nameSet(set))).sort()
        expect(texts(minimalHittingSets(sets.map(nameSet)))).toEqual(texts(minimal))
      }),
    )
  })
})
