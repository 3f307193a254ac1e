import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  choiceHeader,
  leaf,
  leafHeader,
  type Question,
  sparseRead,
  Trie,
} from '../../../checker/interning/trie.ts'

const read = (slot: number, note = 0): Question => ({ kind: 'read', slot, note })

/** The number that was stored for these ids, by walking; undefined if there is none. */
function find(trie: Trie, place: number, ids: readonly number[]): number | undefined {
  let node = trie.words[place]!
  while (node !== 0) {
    if ((trie.words[node]! & 3) === leaf) return trie.words[node + leafHeader]
    node = trie.child(node, ids[trie.words[node]! >>> 2]!)
  }
  return undefined
}

function store(
  trie: Trie,
  place: number,
  path: readonly Question[],
  ids: readonly number[],
  value: number,
): void {
  const end = trie.follow(place, path, ids)!
  if (trie.words[end] === 0) trie.makeLeaf(end, 0, 0, 1)
  trie.words[trie.words[end]! + leafHeader] = value
}

describe('a trie', () => {
  test('is a map from tuples, whether their ids are dense or sparse, and however it grows and moves', () => {
    const id = fc.oneof(fc.nat(5), fc.nat(300), fc.nat(2 ** 20))
    fc.assert(
      fc.property(fc.array(fc.tuple(id, id, id), { maxLength: 200, size: 'max' }), (tuples) => {
        const trie = new Trie()
        const places = [trie.allocate(1), trie.allocate(1)]
        const known = new Map<string, number>()
        tuples.forEach((ids, value) => {
          const which = ids[0] % 2
          store(
            trie,
            places[which]!,
            which === 0 ? [read(0), read(1), read(2)] : [read(2), read(1)],
            ids,
            value,
          )
          known.set(which === 0 ? ids.join() : `odd ${ids[2]} ${ids[1]}`, value)
        })
        for (const ids of tuples) {
          const which = ids[0] % 2
          const key = which === 0 ? ids.join() : `odd ${ids[2]} ${ids[1]}`
          expect(find(trie, places[which]!, ids)).toBe(known.get(key))
        }
        expect(find(trie, places[0]!, [7, 7, 2 ** 21])).toBeUndefined()
      }),
      { numRuns: 200 },
    )
  })

  test('gives way to hashing where ids are sparse, and lists its children in either form', () => {
    const trie = new Trie()
    const place = trie.allocate(1)
    const ids = [3, 70_000, 1, 900_000, 12, 5_000]
    for (const value of ids) store(trie, place, [read(0)], [value], value)
    const node = trie.words[place]!
    expect(trie.words[node]! & 3).toBe(sparseRead)
    expect(trie.used).toBeLessThan(500)
    const children = [...trie.children(node)]
    expect(children.map((child) => child.id).toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b))
    for (const { id, child } of children) expect(trie.words[child + leafHeader]).toBe(id)
    const dense = trie.allocate(1)
    for (const value of [2, 0, 1]) store(trie, dense, [read(0)], [value], value)
    expect([...trie.children(trie.words[dense]!)].map((child) => child.id)).toEqual([0, 1, 2])
  })

  test('refuses to ask another question where it asked one, or to note something else', () => {
    const trie = new Trie()
    const place = trie.allocate(1)
    store(trie, place, [read(0), read(1, 5)], [0, 0], 1)
    expect(trie.follow(place, [read(1)], [0, 0])).toBeUndefined()
    expect(trie.follow(place, [read(0), read(2, 5)], [0, 0, 0])).toBeUndefined()
    expect(trie.follow(place, [read(0), read(1)], [0, 0])).toBeUndefined()
    expect(
      trie.follow(place, [read(0), { kind: 'choice', options: 2, taken: 0, note: 5 }], [0, 0]),
    ).toBeUndefined()
    // Ends where it went on before.
    expect(trie.follow(place, [read(0)], [0, 0])).toBeUndefined()
    expect(trie.follow(place, [read(0), read(1, 5)], [0, 0])).toBeDefined()
  })

  test('has a child for each option, at a place that never moves', () => {
    const trie = new Trie()
    const place = trie.allocate(1)
    const option = (taken: number): Question => ({ kind: 'choice', options: 3, taken, note: 0 })
    const first = trie.follow(place, [option(0)], [])!
    for (let value = 0; value < 500; value++) store(trie, place, [option(1), read(0)], [value], value)
    expect(trie.follow(place, [option(0)], [])).toBe(first)
    expect(first).toBe(trie.words[place]! + choiceHeader)
    expect(trie.follow(place, [{ ...option(0), options: 4 } as Question], [])).toBeUndefined()
  })

  test('forgets what is truncated, and hands out zeros again', () => {
    const trie = new Trie()
    const place = trie.allocate(1)
    store(trie, place, [read(0)], [1], 9)
    const mark = trie.allocate(1)
    store(trie, mark, [read(0), read(1)], [1, 1], 7)
    trie.truncate(mark)
    expect(trie.used).toBe(mark)
    expect(find(trie, place, [1])).toBe(9)
    const fresh = trie.allocate(20)
    expect(trie.words.slice(fresh, fresh + 20).every((word) => word === 0)).toBe(true)
  })
})
