/**
 * All states found, in the order in which they were found: packed tuples, each with its hash, its parent and the
 * instance of the step that first led to it, and an open-addressing table of state numbers over them.
 *
 * A look-up in the table is a cache miss, and so is the tuple that it points to. Candidates are therefore collected
 * in batches: misses of independent look-ups overlap, those of look-ups that wait for each other do not.
 *
 * States lie in segments, so that growing copies nothing and no array comes near the largest possible size. A table
 * entry is a state number + 1, in as many low bits as the table has slots, and in the other bits those of the hash:
 * they tell almost all other states apart without a look at their tuples.
 */
import type { Edges } from './edges.ts'
import { grown, int32Array, type MemoryBudget, MemoryExhausted } from './memory.ts'
import { batchSize, type StateStore } from './state-store.ts'

/** States per segment, as a power of two: large enough for segments to be few, small enough to waste little. */
const segmentBits = 18
const segmentStates = 2 ** segmentBits
const segmentMask = segmentStates - 1
const smallestSegment = 1024
const smallestTable = 4096
/** The table is doubled above this share of used slots; if there is no memory for that, it is filled further. */
const usualLoad = 0.7
const maximalLoad = 0.9
/** More slots than this would leave no room for state numbers in an entry. */
const largestTable = 2 ** 30

interface Segment {
  words: Int32Array
  hashes: Int32Array
  parents: Int32Array
  /** Instance + 1; 0 for an initial state. */
  steps: Uint16Array | Int32Array
}

export class States implements StateStore {
  static readonly placement = 'tight'
  /** Words per state. */
  wordCount: number
  count = 0
  /** The candidates that wait to be looked up. */
  pending = 0
  candidates: Int32Array
  readonly candidateHashes = new Int32Array(batchSize)
  readonly candidateParents = new Int32Array(batchSize)
  readonly candidateSteps = new Int32Array(batchSize)
  /** By instance + 1: the new states that it led to. */
  readonly newBySteps: Float64Array
  /** Keeps every step, if given. */
  readonly edges: Edges | undefined
  readonly #budget: MemoryBudget
  readonly #segments: Segment[] = []
  /** The words of the segments, for the shortest way to them. */
  readonly #words: Int32Array[] = []
  /** States that there is room for. */
  #room = 0
  #table = new Int32Array(smallestTable)
  /** Keeps the touching loads from being optimised away. */
  sink = 0

  constructor(wordCount: number, instances: number, budget: MemoryBudget, edges?: Edges) {
    this.wordCount = wordCount
    this.candidates = new Int32Array(batchSize * wordCount)
    this.newBySteps = new Float64Array(instances + 1)
    this.#budget = budget
    this.edges = edges
    this.#addSegment(smallestSegment)
  }

  get bytes(): number {
    let bytes = this.#table.byteLength + (this.edges?.bytes ?? 0)
    for (const { words, hashes, parents, steps } of this.#segments) {
      bytes += words.byteLength + hashes.byteLength + parents.byteLength + steps.byteLength
    }
    return bytes
  }

  /** Copies the words of a state. */
  read(state: number, into: Int32Array): void {
    const { wordCount } = this
    const words = this.#words[state >>> segmentBits]!
    const base = (state & segmentMask) * wordCount
    for (let word = 0; word < wordCount; word++) into[word] = words[base + word]!
  }

  hash(state: number): number {
    return this.#segments[state >>> segmentBits]!.hashes[state & segmentMask]!
  }

  /** The state from which a state was found first; -1 for an initial state. */
  parent(state: number): number {
    return this.#segments[state >>> segmentBits]!.parents[state & segmentMask]!
  }

  /** The instance of the step by which a state was found first; -1 for an initial state. */
  instance(state: number): number {
    return this.#segments[state >>> segmentBits]!.steps[state & segmentMask]! - 1
  }

  /**
   * Looks the pending candidates up, in order, and appends those that are new.
   * @throws MemoryExhausted if there is no room for them; they are lost then, and the table may be
   */
  flush(): void {
    const { pending } = this
    this.pending = 0
    this.#reserve(this.count + pending)
    this.#touch(pending)
    this.#insert(pending)
  }

  /** Gives every state another layout. Nothing may be pending. */
  repack(wordCount: number, convert: (from: Int32Array, to: Int32Array) => void): void {
    const from = new Int32Array(this.wordCount)
    const to = new Int32Array(wordCount)
    // The old words of a segment go when it has new ones. Checked before anything is changed.
    const more = (wordCount - this.wordCount) * this.#room + wordCount * Math.min(this.#room, segmentStates)
    this.#budget.demand(4 * more)
    this.#segments.forEach((segment, index) => {
      const old = segment.words
      const states = segment.hashes.length
      const words = int32Array(states * wordCount)
      const used = Math.min(states, this.count - index * segmentStates)
      for (let state = 0; state < used; state++) {
        for (let word = 0; word < from.length; word++) from[word] = old[state * from.length + word]!
        to.fill(0)
        convert(from, to)
        words.set(to, state * wordCount)
      }
      segment.words = words
      this.#words[index] = words
    })
    this.wordCount = wordCount
    this.candidates = new Int32Array(batchSize * wordCount)
  }

  #reserve(needed: number): void {
    while (needed > this.#room) this.#addSegment(Math.min(segmentStates, 2 * this.#room))
    while (needed > usualLoad * this.#table.length) {
      const slots = 2 * this.#table.length
      const affordable = slots <= largestTable && this.#budget.allows(2 * slots)
      if (affordable) this.#enlargeTable(slots)
      else if (needed <= maximalLoad * this.#table.length) return
      else throw new MemoryExhausted()
    }
  }

  /** Appends a segment, or enlarges the first one, which begins small. */
  #addSegment(states: number): void {
    const last = this.#segments.length - 1
    const enlarges = last === 0 && this.#segments[0]!.hashes.length < segmentStates
    const more = enlarges ? states - this.#room : states
    const stepBytes = this.newBySteps.length <= 2 ** 16 ? 2 : 4
    this.#budget.demand(more * (4 * this.wordCount + 8 + stepBytes))
    if (enlarges) {
      const [segment] = this.#segments
      segment!.words = grown(segment!.words, states * this.wordCount)
      segment!.hashes = grown(segment!.hashes, states)
      segment!.parents = grown(segment!.parents, states)
      const steps = stepBytes === 2 ? new Uint16Array(states) : new Int32Array(states)
      steps.set(segment!.steps)
      segment!.steps = steps
      this.#words[0] = segment!.words
    } else {
      const words = int32Array(states * this.wordCount)
      const steps = stepBytes === 2 ? new Uint16Array(states) : new Int32Array(states)
      this.#segments.push({ words, hashes: int32Array(states), parents: int32Array(states), steps })
      this.#words.push(words)
    }
    this.#room += more
  }

  #enlargeTable(slots: number): void {
    // The old one is not needed, and is let go before the new one is made.
    this.#table = new Int32Array(0)
    const table = int32Array(slots)
    const mask = slots - 1
    for (let state = 0; state < this.count; state++) {
      const hash = this.#segments[state >>> segmentBits]!.hashes[state & segmentMask]!
      let slot = hash & mask
      while (table[slot] !== 0) slot = (slot + 1) & mask
      table[slot] = (hash & ~mask) | (state + 1)
    }
    this.#table = table
  }

  /** Loads what the look-ups will need; the loads do not wait for each other. */
  #touch(pending: number): void {
    const { wordCount, candidateHashes } = this
    const segments = this.#words
    const table = this.#table
    const mask = table.length - 1
    let sink = 0
    for (let index = 0; index < pending; index++) sink ^= table[candidateHashes[index]! & mask]!
    for (let index = 0; index < pending; index++) {
      const hash = candidateHashes[index]!
      const entry = table[hash & mask]!
      if (entry === 0 || ((entry ^ hash) & ~mask) !== 0) continue
      const state = (entry & mask) - 1
      sink ^= segments[state >>> segmentBits]![(state & segmentMask) * wordCount]!
    }
    this.sink = sink
  }

  #insert(pending: number): void {
    const { wordCount, candidates, candidateHashes, newBySteps, edges } = this
    const segments = this.#words
    const table = this.#table
    const mask = table.length - 1
    for (let index = 0, base = 0; index < pending; index++, base += wordCount) {
      const hash = candidateHashes[index]!
      let slot = hash & mask
      let entry = table[slot]!
      while (entry !== 0) {
        if (((entry ^ hash) & ~mask) === 0) {
          const state = (entry & mask) - 1
          const words = segments[state >>> segmentBits]!
          let at = (state & segmentMask) * wordCount
          let word = 0
          while (word < wordCount && words[at] === candidates[base + word]) {
            at++
            word++
          }
          if (word === wordCount) break
        }
        slot = (slot + 1) & mask
        entry = table[slot]!
      }
      const step = this.candidateSteps[index]!
      const parent = this.candidateParents[index]!
      if (entry === 0) {
        this.#append(base, hash, parent, step)
        table[slot] = (hash & ~mask) | this.count
        newBySteps[step]!++
        entry = table[slot]!
      }
      if (edges !== undefined && parent >= 0) edges.add(parent, step - 1, (entry & mask) - 1)
    }
  }

  #append(base: number, hash: number, parent: number, step: number): void {
    const { wordCount, candidates } = this
    const state = this.count++
    const segment = this.#segments[state >>> segmentBits]!
    const place = state & segmentMask
    for (let word = 0; word < wordCount; word++)
      segment.words[place * wordCount + word] = candidates[base + word]!
    segment.hashes[place] = hash
    segment.parents[place] = parent
    segment.steps[place] = step
  }
}
