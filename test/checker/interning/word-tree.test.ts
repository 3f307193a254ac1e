/** Compressed states come back as they were, and are equal only if they are. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MemoryBudget, MemoryExhausted } from '../../../checker/interning/memory.ts'
import { Pairs } from '../../../checker/interning/pairs.ts'
import { WordTree } from '../../../checker/interning/word-tree.ts'

/** Many equal words, so that neighbours share most of their trees. */
const word = fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 0, max: 2 }) }, fc.integer())
const tuples = fc
  .integer({ min: 1, max: 17 })
  .chain((wordCount) =>
    fc.array(fc.array(word, { minLength: wordCount, maxLength: wordCount }), { minLength: 1, maxLength: 60 }),
  )

describe('the tree of the words of a state', () => {
  test('gives back every tuple, and tells apart what differs', () => {
    fc.assert(
      fc.property(tuples, (all) => {
        const wordCount = all[0]!.length
        const tree = new WordTree(wordCount, new MemoryBudget(Infinity))
        const numbers = new Int32Array(2 * all.length)
        all.forEach((tuple, index) => {
          tree.compress(Int32Array.of(7, ...tuple), 1, numbers, 2 * index)
        })
        const texts = new Set<string>()
        all.forEach((tuple, index) => {
          const [left, right] = [numbers[2 * index]!, numbers[2 * index + 1]!]
          const back = new Int32Array(wordCount)
          tree.expand(left, right, back)
          expect([...back]).toEqual(tuple)
          texts.add(`${left} ${right}`)
        })
        expect(texts.size).toBe(new Set(all.map(String)).size)
      }),
      { numRuns: 500 },
    )
  })
})

describe('pairs', () => {
  test('have numbers from 0 on, each its own, however many there are', () => {
    const pairs = new Pairs(new MemoryBudget(Infinity))
    const side = 300
    const wrong: number[] = []
    for (let round = 0; round < 2; round++) {
      for (let each = 0; each < side * side; each++) {
        if (pairs.numberOf(Math.floor(each / side), -(each % side)) !== each) wrong.push(each)
      }
    }
    expect(wrong).toEqual([])
    expect([pairs.left(side + 2), pairs.right(side + 2)]).toEqual([1, -2])
  })

  test('end where the memory does, and those before stay', () => {
    const budget = new MemoryBudget(60_000)
    const pairs = new Pairs(budget)
    budget.used = () => pairs.bytes
    let count = 0
    expect(() => {
      for (;;) pairs.numberOf(count++, 1)
    }).toThrow(MemoryExhausted)
    expect(pairs.bytes).toBeLessThanOrEqual(60_000)
    expect(count).toBeGreaterThan(2000)
    expect(pairs.numberOf(1999, 1)).toBe(1999)
  })
})
