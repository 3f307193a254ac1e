/** What the levels so far say about those to come. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mostIfShrinking } from '../../checker/index.ts'

const sum = (levels: readonly number[]) => levels.reduce((total, size) => total + size, 0)

describe('how many states there are at most', () => {
  test.each([
    ['at the beginning', [1]],
    ['while levels grow', [1, 7, 21, 38, 50, 54]],
    ['as soon as they do not', [1, 7, 21, 38, 50, 54, 49, 36]],
    ['when one was as large as the one before it', [54, 49, 49, 36]],
  ])('is not told %s', (_, levels) => {
    expect(mostIfShrinking(levels)).toBeUndefined()
  })

  test('is told after three that shrank', () => {
    expect(mostIfShrinking([1, 7, 21, 38, 50, 54, 49, 36, 21])).toBeGreaterThan(288)
    expect(mostIfShrinking([800, 400, 200, 100])).toBe(1600)
  })

  test('holds wherever its condition does: no level is a larger part of the one before it', () => {
    const ratios = fc.array(fc.double({ min: 0.05, max: 0.95, noNaN: true }), { minLength: 4, maxLength: 30 })
    fc.assert(
      fc.property(ratios, fc.integer({ min: 3, max: 30 }), (all, known) => {
        const falling = all.toSorted((one, other) => other - one)
        const levels = [1e9]
        for (const ratio of falling) levels.push(levels.at(-1)! * ratio)
        const most = mostIfShrinking(levels.slice(0, known + 1))
        expect(most).toBeGreaterThanOrEqual(Math.floor(sum(levels)))
      }),
    )
  })
})
