import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Components } from '../../../checker/interning/components.ts'
import { randomWord, ValueTable } from '../../../checker/interning/values.ts'
import { canonical } from '../../../checker/plain.ts'
import { shapeOf } from '../../../checker/shape.ts'

describe('a table of values', () => {
  test('gives equal values equal ids, in the order of first sight, and gives the values back', () => {
    const table = new ValueTable('x')
    const values = [1, 'a', { a: 1, b: 2 }, 1, [1], { b: 2, a: 1 }, '1'].map((value) => canonical(value, 'x'))
    expect(values.map((value) => table.intern(value))).toEqual([0, 1, 2, 0, 3, 2, 4])
    expect(table.size).toBe(5)
    expect(table.value(2)).toEqual({ a: 1, b: 2 })
  })

  test('keeps one random word per value, that depends on path and value only', () => {
    const [one, two] = [new ValueTable('x'), new ValueTable('x')]
    for (let value = 0; value < 50; value++) one.intern(value)
    for (let value = 49; value >= 0; value--) two.intern(value)
    for (let value = 0; value < 50; value++) {
      expect(one.randomWords[one.intern(value)]).toBe(two.randomWords[two.intern(value)])
    }
    expect(new Set(one.randomWords.slice(0, 50)).size).toBe(50)
    expect(randomWord('a', 'bc')).not.toBe(randomWord('ab', 'c'))
    expect(randomWord('a', 'b')).not.toBe(randomWord('b', 'a'))
  })

  test('spreads its random words over all bits', () => {
    const ones = new Array<number>(32).fill(0)
    for (let value = 0; value < 4096; value++) {
      const word = randomWord('component', String(value))
      for (let bit = 0; bit < 32; bit++) ones[bit]! += (word >>> bit) & 1
    }
    for (const count of ones) expect(Math.abs(count - 2048)).toBeLessThan(200)
  })
})

describe('components', () => {
  test('hash a tuple so that a change of one value changes the hash by two words', () => {
    const shape = shapeOf(canonical({ a: 0, b: 0, c: 0 }, 's'), ['a', 'b', 'c'])
    fc.assert(
      fc.property(fc.tuple(fc.nat(5), fc.nat(5), fc.nat(5)), fc.nat(2), fc.nat(5), (ids, component, id) => {
        const components = new Components(shape)
        for (let value = 0; value < 6; value++) for (const each of [0, 1, 2]) components.intern(each, value)
        const { randomWords } = components.tables[component]!
        const changed = ids.with(component, id)
        expect(components.hash(changed)).toBe(
          components.hash(ids) ^ randomWords[ids[component]!]! ^ randomWords[id]!,
        )
        expect(components.values(changed)).toEqual(changed)
      }),
    )
  })

  test('tell of each new value once', () => {
    const components = new Components(shapeOf(canonical({ a: 0, b: 0 }, 's'), ['a', 'b']))
    const told: number[][] = []
    components.onNewValue = (component, id) => told.push([component, id])
    for (const [component, value] of [
      [0, 5],
      [0, 5],
      [1, 5],
      [0, 6],
    ] as const)
      components.intern(component, value)
    expect(told).toEqual([
      [0, 0],
      [1, 0],
      [0, 1],
    ])
    expect(components.sizes).toEqual([2, 1])
  })
})
