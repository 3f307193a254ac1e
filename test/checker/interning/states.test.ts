import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MemoryBudget, MemoryExhausted } from '../../../checker/interning/memory.ts'
import { batchSize, type MakeStore, type StateStore } from '../../../checker/interning/state-store.ts'
import { States } from '../../../checker/interning/states.ts'
import { TreeStates } from '../../../checker/interning/tree-states.ts'

function add(
  states: StateStore,
  words: readonly number[],
  hash: number,
  parent: number,
  instance: number,
): void {
  if (states.pending === batchSize) states.flush()
  const index = states.pending++
  states.candidates.set(words, index * states.wordCount)
  states.candidateHashes[index] = hash
  states.candidateParents[index] = parent
  states.candidateSteps[index] = instance + 1
}

function wordsOf(states: StateStore, state: number): number[] {
  const words = new Int32Array(states.wordCount)
  states.read(state, words)
  return [...words]
}

const unlimited = () => new MemoryBudget(Infinity)

describe.each<[string, MakeStore, bytes: number]>([
  ['the states, in the usual memory,', States, 30],
  ['the states, in a small memory,', TreeStates, 16],
])('%s', (_, Store, bytes) => {
  test('are a set in the order of first sight, exact however hashes collide', () => {
    const word = fc.integer({ min: -3, max: 3 })
    const hash = fc.constantFrom<(words: readonly number[]) => number>(
      () => 0,
      (words) => words[0]! & 1,
      (words) => (words[0]! * 7919 + words[1]!) | 0,
      // Equal in the bits that choose the slot, and in those of the entry.
      (words) => words[0]! << 30,
    )
    fc.assert(
      fc.property(
        fc.array(fc.tuple(word, word, word), { maxLength: 700, size: 'max' }),
        hash,
        (tuples, hashOf) => {
          const states = new Store(3, 5, unlimited())
          const seen = new Map<string, number>()
          tuples.forEach((words, index) => {
            add(states, words, hashOf(words), index, index % 5)
            if (!seen.has(words.join())) seen.set(words.join(), index)
          })
          states.flush()
          expect(states.count).toBe(seen.size)
          const firsts = [...seen.values()]
          for (let state = 0; state < states.count; state++) {
            const first = firsts[state]!
            expect(wordsOf(states, state)).toEqual(tuples[first])
            if (Store === States) expect(states.hash(state)).toBe(hashOf(tuples[first]!))
            expect(states.parent(state)).toBe(first)
            expect(states.instance(state)).toBe(first % 5)
          }
          expect(states.newBySteps.reduce((sum, each) => sum + each, 0)).toBe(seen.size)
        },
      ),
      { numRuns: 100 },
    )
  })

  test('grow over segments and larger tables, and stay a set', () => {
    const states = new Store(1, 1, unlimited())
    const count = 600_000
    for (let round = 0; round < 2; round++) {
      for (let value = 0; value < count; value++) add(states, [value], Math.imul(value, 0x9e3779b1), value, 0)
    }
    states.flush()
    expect(states.count).toBe(count)
    for (const state of [0, 1023, 1024, 2 ** 18 - 1, 2 ** 18, count - 1])
      expect(wordsOf(states, state)).toEqual([state])
    expect(states.bytes / count).toBeLessThan(bytes)
  })

  test('keep their order, hashes and parents in another layout', () => {
    const states = new Store(1, 1, unlimited())
    const count = 300_000
    for (let value = 0; value < count; value++) add(states, [value], Math.imul(value, 0x9e3779b1), value, 0)
    states.flush()
    states.repack(2, (from, to) => {
      to[1] = from[0]!
      to[0] = 7
    })
    for (const state of [0, 2 ** 18 - 1, 2 ** 18, count - 1]) {
      expect(wordsOf(states, state)).toEqual([7, state])
      expect(states.parent(state)).toBe(state)
    }
    add(states, [7, 5], Math.imul(5, 0x9e3779b1), 0, 0)
    add(states, [7, -5], Math.imul(5, 0x9e3779b1), 0, 0)
    states.flush()
    expect(states.count).toBe(count + 1)
  })

  test('more instances than fit into 16 bits keep their numbers', () => {
    const states = new Store(1, 70_000, unlimited())
    add(states, [1], 1, -1, -1)
    add(states, [2], 2, 0, 69_999)
    states.flush()
    expect([states.instance(0), states.instance(1)]).toEqual([-1, 69_999])
    expect(states.parent(0)).toBe(-1)
  })

  test('never take more memory than they may, and fill the table further before they give up', () => {
    const limit = 400_000
    const budget = new MemoryBudget(limit)
    const states = new Store(1, 1, budget)
    budget.used = () => states.bytes
    let value = 0
    expect(() => {
      for (;;) {
        add(states, [value], Math.imul(value, 0x9e3779b1), value, 0)
        value++
      }
    }).toThrow(MemoryExhausted)
    expect(states.bytes).toBeLessThanOrEqual(limit)
    // Up to 0.9 of the slots are used.
    expect(states.count).toBeGreaterThan(0.75 * 16_384)
    expect(() => states.repack(40, (from, to) => to.fill(from[0]!))).toThrow(MemoryExhausted)
    expect(wordsOf(states, 77)).toEqual([77])
  })
})
