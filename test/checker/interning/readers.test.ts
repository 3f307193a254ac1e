import { describe, expect, test } from 'vitest'
import { Readers } from '../../../checker/interning/readers.ts'

/** The judges to ask when these components have just taken their values in `ids`. */
function asked(readers: Readers, ids: readonly number[], ...changed: readonly number[]): number[] {
  const mask = new Int32Array(readers.maskWords)
  for (const component of changed) readers.addTo(mask, component, ids[component] as number)
  return Array.from({ length: 32 * mask.length }, (_, judge) => judge).filter(
    (judge) => ((mask[judge >>> 5] as number) & (1 << (judge & 31))) !== 0,
  )
}

describe('which judges are asked', () => {
  test('those that have ever read what changed, for old values and new ones', () => {
    const readers = new Readers(70, 3)
    expect(asked(readers, [0, 0, 0], 0, 1, 2)).toEqual([])
    readers.note(69, [0, 2], Int32Array.of(0, 0, 0))
    expect(asked(readers, [0, 0, 0], 0)).toEqual([69])
    expect(asked(readers, [0, 9, 0], 1)).toEqual([])
    expect(asked(readers, [0, 0, 9], 2)).toEqual([69])
    readers.note(3, [1, 2], Int32Array.of(0, 9, 9))
    expect(asked(readers, [0, 0, 0], 2)).toEqual([3, 69])
    expect(asked(readers, [0, 100, 0], 1)).toEqual([3])
  })

  test('not those that the value alone has settled', () => {
    const readers = new Readers(2, 2)
    readers.note(1, [0, 1], Int32Array.of(0, 0))
    readers.note(1, [0], Int32Array.of(5, 0))
    expect(asked(readers, [5, 0], 0)).toEqual([])
    expect(asked(readers, [4, 0], 0)).toEqual([1])
    expect(asked(readers, [6, 0], 0)).toEqual([1])
    expect(asked(readers, [5, 1], 0, 1)).toEqual([1])
  })

  test('a judge that has read nothing is asked by nothing', () => {
    const readers = new Readers(1, 1)
    readers.note(0, [], Int32Array.of(0))
    expect(asked(readers, [1], 0)).toEqual([])
  })
})
