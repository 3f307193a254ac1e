/**
 * All states found, in the order in which they were found: a flat array of packed tuples, with the hash, the parent
 * and the instance of the step that first led to each, and an open-addressing table of state numbers over them.
 *
 * A look-up in the table is a cache miss, and so is the tuple that it points to. Candidates are therefore collected
 * in batches: misses of independent look-ups overlap, those of look-ups that wait for each other do not.
 */
import { grown } from './values.ts'

/** Candidates per batch: enough for the misses to overlap, few enough for the batch to stay in the first cache. */
export const batchSize = 512
/** The table is doubled above this share of used slots. */
const maximalLoad = 0.6

export class States {
  /** Words per state. */
  wordCount: number
  count = 0
  words: Int32Array<ArrayBuffer>
  hashes = new Int32Array(1024)
  parents = new Int32Array(1024)
  /** The instance of the step from the parent; -1 for an initial state. */
  instances = new Int32Array(1024)
  /** State number + 1; 0 for a free slot. */
  #table = new Int32Array(4096)

  /** The candidates that wait to be looked up. */
  pending = 0
  candidates: Int32Array<ArrayBuffer>
  readonly candidateHashes = new Int32Array(batchSize)
  readonly candidateParents = new Int32Array(batchSize)
  readonly candidateInstances = new Int32Array(batchSize)
  readonly #newByInstance: Float64Array
  /** Keeps the touching loads from being optimised away. */
  sink = 0

  constructor(wordCount: number, newByInstance: Float64Array) {
    this.wordCount = wordCount
    this.words = new Int32Array(1024 * wordCount)
    this.candidates = new Int32Array(batchSize * wordCount)
    this.#newByInstance = newByInstance
  }

  get bytes(): number {
    const arrays = [this.words, this.hashes, this.parents, this.instances, this.#table]
    return arrays.reduce((sum, array) => sum + array.byteLength, 0)
  }

  /** Looks the pending candidates up, in order, and appends those that are new. */
  flush(): void {
    this.#reserve()
    this.#touch()
    this.#insert()
    this.pending = 0
  }

  /** Gives every state another layout. Nothing may be pending. */
  repack(wordCount: number, convert: (from: Int32Array, to: Int32Array, state: number) => void): void {
    const words = new Int32Array(this.hashes.length * wordCount)
    for (let state = 0; state < this.count; state++) convert(this.words, words, state)
    this.words = words
    this.wordCount = wordCount
    this.candidates = new Int32Array(batchSize * wordCount)
  }

  #reserve(): void {
    const needed = this.count + this.pending
    if (needed > this.hashes.length) {
      const room = 2 * this.hashes.length
      this.words = grown(this.words, room * this.wordCount)
      this.hashes = grown(this.hashes, room)
      this.parents = grown(this.parents, room)
      this.instances = grown(this.instances, room)
    }
    if (needed > maximalLoad * this.#table.length) this.#enlargeTable()
  }

  #enlargeTable(): void {
    const table = new Int32Array(2 * this.#table.length)
    const mask = table.length - 1
    const hashes = this.hashes
    for (let state = 0; state < this.count; state++) {
      let slot = hashes[state]! & mask
      while (table[slot] !== 0) slot = (slot + 1) & mask
      table[slot] = state + 1
    }
    this.#table = table
  }

  #touch(): void {
    const { words, wordCount, candidateHashes, pending } = this
    const table = this.#table
    const mask = table.length - 1
    let sink = 0
    for (let index = 0; index < pending; index++) sink ^= table[candidateHashes[index]! & mask]!
    for (let index = 0; index < pending; index++) {
      const state = table[candidateHashes[index]! & mask]!
      if (state !== 0) sink ^= words[(state - 1) * wordCount]!
    }
    this.sink = sink
  }

  #insert(): void {
    const { words, wordCount, candidates, candidateHashes, pending, hashes, parents, instances } = this
    const newByInstance = this.#newByInstance
    const table = this.#table
    const mask = table.length - 1
    let count = this.count
    for (let index = 0, base = 0; index < pending; index++, base += wordCount) {
      const hash = candidateHashes[index]!
      let slot = hash & mask
      for (;;) {
        const known = table[slot]!
        if (known === 0) break
        let at = (known - 1) * wordCount
        let word = 0
        while (word < wordCount && words[at] === candidates[base + word]) {
          at++
          word++
        }
        if (word === wordCount) break
        slot = (slot + 1) & mask
      }
      if (table[slot] !== 0) continue
      const instance = this.candidateInstances[index]!
      const at = count * wordCount
      for (let word = 0; word < wordCount; word++) words[at + word] = candidates[base + word]!
      hashes[count] = hash
      parents[count] = this.candidateParents[index]!
      instances[count] = instance
      table[slot] = ++count
      if (instance >= 0) newByInstance[instance]!++
    }
    this.count = count
  }
}
