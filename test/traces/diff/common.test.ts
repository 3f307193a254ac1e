import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commonSubsequence } from '../../../traces/diff/common.ts'

/** By trying both ways at each difference. */
function longest(first: readonly string[], second: readonly string[]): number {
  if (first.length === 0 || second.length === 0) return 0
  if (first[0] === second[0]) return 1 + longest(first.slice(1), second.slice(1))
  return Math.max(longest(first.slice(1), second), longest(first, second.slice(1)))
}

const texts = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 7 })

describe('a common subsequence', () => {
  it('is one, in order, and there is no longer one', () => {
    fc.assert(
      fc.property(texts, texts, (first, second) => {
        const pairs = commonSubsequence(first, second)
        for (const [one, other] of pairs) expect(first[one]).toBe(second[other])
        const ascending = (places: readonly number[]) =>
          places.every((place, at) => at === 0 || place > places[at - 1]!)
        expect(ascending(pairs.map(([one]) => one)) && ascending(pairs.map(([, other]) => other))).toBe(true)
        expect(pairs).toHaveLength(longest(first, second))
      }),
    )
  })

  it('is found in long lists, too', () => {
    const first = Array.from({ length: 2000 }, (_, index) => String(index % 7))
    const second = first.filter((_, index) => index % 3 > 0)
    expect(commonSubsequence(first, second)).toHaveLength(second.length)
  })
})
