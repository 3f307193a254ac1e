import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Layout, type Placement } from '../../../checker/interning/layout.ts'

const sizes = fc.array(
  fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 2 ** 31 })),
  {
    minLength: 1,
    maxLength: 40,
  },
)

const placements = fc.constantFrom<Placement>('tight', 'even')

describe('a layout', () => {
  test('gives back every tuple of ids that it has room for', () => {
    fc.assert(
      fc.property(
        sizes,
        fc.nat(2),
        placements,
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        (counts, spare, placement, random) => {
          const layout = new Layout(counts, spare, placement)
          const ids = Int32Array.from(counts, (count) => Math.floor(random.next().value * (count - 1)))
          const words = new Int32Array(layout.wordCount)
          layout.pack(ids, words)
          const back = new Int32Array(counts.length)
          layout.unpack(words, back)
          expect(back).toEqual(ids)
          counts.forEach((count, component) => {
            expect(layout.fits(component, count - 1)).toBe(true)
          })
        },
      ),
      { numRuns: 500 },
    )
  })

  test('lets no field reach into another', () => {
    fc.assert(
      fc.property(sizes, placements, (counts, placement) => {
        const layout = new Layout(counts, 0, placement)
        const used = new Int32Array(layout.wordCount)
        counts.forEach((_, component) => {
          const bits = layout.mask[component]! << layout.shift[component]!
          expect(used[layout.word[component]!]! & bits).toBe(0)
          used[layout.word[component]!]! |= bits
          // No bit of the field is shifted out of its word.
          expect((bits >>> layout.shift[component]!) | 0).toBe(layout.mask[component]!)
        })
      }),
      { numRuns: 500 },
    )
  })

  test('is tight: 32 bits are one word, and what is left goes to the widest fields', () => {
    expect(new Layout(new Array(16).fill(4)).wordCount).toBe(1)
    expect(new Layout(new Array(17).fill(4)).wordCount).toBe(2)
    expect(new Layout([2 ** 31, 2 ** 31]).wordCount).toBe(2)
    const layout = new Layout([2 ** 30, 2, 1])
    expect(layout.wordCount).toBe(1)
    expect(layout.fits(0, 2 ** 31 - 1)).toBe(true)
    expect(layout.fits(1, 2)).toBe(false)
    expect(layout.fits(2, 1)).toBe(false)
  })

  test('is even if that is wanted: a power of two of words, no field further from the others than it is wide', () => {
    expect(new Layout([2, 2], 0, 'even').wordCount).toBe(2)
    const { wordCount, fields } = new Layout(new Array(50).fill(4), 0, 'even')
    expect(wordCount).toBe(4)
    expect(fields.map(({ length }) => length)).toEqual([13, 13, 12, 12])
    expect(new Layout(new Array(3).fill(2 ** 31), 0, 'even').wordCount).toBe(4)
  })

  test('spare bits make room for twice the values', () => {
    const layout = new Layout([5, 1], 1)
    expect(layout.fits(0, 15)).toBe(true)
  })
})
