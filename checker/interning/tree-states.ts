/**
 * All states found, in as little memory as is exact: the store for searches whose states would not fit otherwise.
 *
 * A state is two numbers (`word-tree.ts`), its parent takes a byte (`parents.ts`), the instance that led to it mostly
 * one or two, and there is no hash of it: the table goes by a hash of the two numbers, which is made again when it grows. The
 * table grows by little at a time, so that it is three quarters full at least; its slots are told by the high bits of
 * the hash, since their number is no power of two. As in `states.ts`, an entry is a state number + 1 in the low bits,
 * and bits of the hash in the others.
 */
import type { Edges } from './edges.ts'
import { int32Array, type MemoryBudget, MemoryExhausted, uint8Array } from './memory.ts'
import { mixed } from './pairs.ts'
import { Parents } from './parents.ts'
import { batchSize, type StateStore } from './state-store.ts'
import { WordTree } from './word-tree.ts'

/** States per segment, as a power of two. */
const segmentBits = 14
const segmentStates = 2 ** segmentBits
const segmentMask = segmentStates - 1
/** Without the others of `Parents`. */
const parentBytes = new Parents(segmentStates).bytes / segmentStates

const smallestTable = 4096
/** More slots would leave no bits for the hash. */
const largestTable = 2 ** 30 - 1
const maximalLoad = 0.9
const growth = 1.2

type Steps = Uint8Array | Uint16Array | Int32Array

interface Segment {
  /** Two for each state. */
  words: Int32Array
  readonly parents: Parents
  /** Instance + 1; 0 for an initial state. */
  readonly steps: Steps
}

/** What takes the place of the tree and of the words of each segment. */
interface Repacked {
  readonly tree: WordTree
  readonly words: Int32Array[]
}

export class TreeStates implements StateStore {
  /** A pair has few values if each half of it has few. Words take no memory by themselves. */
  static readonly placement = 'even'
  wordCount: number
  count = 0
  pending = 0
  candidates: Int32Array
  readonly candidateHashes = new Int32Array(batchSize)
  readonly candidateParents = new Int32Array(batchSize)
  readonly candidateSteps = new Int32Array(batchSize)
  readonly newBySteps: Float64Array
  readonly edges: Edges | undefined
  readonly #budget: MemoryBudget
  #tree: WordTree
  /** Given while states get another layout. */
  #repacked: Repacked | undefined
  readonly #segments: Segment[] = []
  #table = new Int32Array(smallestTable)
  /** The candidates, compressed, and hashes of them. */
  readonly #pairs = new Int32Array(2 * batchSize)
  readonly #hashes = new Int32Array(batchSize)
  /** Keeps the touching loads from being optimised away. */
  sink = 0

  constructor(wordCount: number, instances: number, budget: MemoryBudget, edges?: Edges) {
    this.wordCount = wordCount
    this.candidates = new Int32Array(batchSize * wordCount)
    this.newBySteps = new Float64Array(instances + 1)
    this.#budget = budget
    this.edges = edges
    this.#tree = new WordTree(wordCount, budget)
  }

  get bytes(): number {
    let bytes = this.#table.byteLength + this.#tree.bytes + (this.edges?.bytes ?? 0)
    bytes +=
      this.#repacked === undefined
        ? 0
        : this.#repacked.tree.bytes + 8 * segmentStates * this.#repacked.words.length
    for (const { words, parents, steps } of this.#segments)
      bytes += words.byteLength + parents.bytes + steps.byteLength
    return bytes
  }

  read(state: number, into: Int32Array): void {
    const { words } = this.#segments[state >>> segmentBits]!
    const at = 2 * (state & segmentMask)
    this.#tree.expand(words[at]!, words[at + 1]!, into)
  }

  hash(): number {
    return 0
  }

  parent(state: number): number {
    return this.#segments[state >>> segmentBits]!.parents.at(state & segmentMask)
  }

  instance(state: number): number {
    return this.#segments[state >>> segmentBits]!.steps[state & segmentMask]! - 1
  }

  flush(): void {
    const { pending, wordCount } = this
    const pairs = this.#pairs
    const hashes = this.#hashes
    this.pending = 0
    this.#reserve(this.count + pending)
    for (let index = 0; index < pending; index++) {
      this.#tree.compress(this.candidates, index * wordCount, pairs, 2 * index)
      hashes[index] = mixed(pairs[2 * index]!, pairs[2 * index + 1]!)
    }
    this.#touch(pending)
    this.#insert(pending)
  }

  repack(wordCount: number, convert: (from: Int32Array, to: Int32Array) => void): void {
    const slots = this.#table.length
    // The table is made anew afterwards. All else stays until all that will be is there: the memory may be used up before.
    this.#table = new Int32Array(0)
    this.#budget.demand(8 * segmentStates * this.#segments.length)
    this.#repacked = { tree: new WordTree(wordCount, this.#budget), words: [] }
    try {
      this.#compressAgain(this.#repacked, wordCount, convert)
      this.#tree = this.#repacked.tree
      this.#repacked.words.forEach((words, index) => {
        this.#segments[index]!.words = words
      })
    } finally {
      this.#repacked = undefined
    }
    this.wordCount = wordCount
    this.candidates = new Int32Array(batchSize * wordCount)
    this.#table = this.#fillTable(int32Array(slots))
  }

  #compressAgain(
    { tree, words: repacked }: Repacked,
    wordCount: number,
    convert: (from: Int32Array, to: Int32Array) => void,
  ): void {
    const from = new Int32Array(this.wordCount)
    const to = new Int32Array(wordCount)
    this.#segments.forEach(({ words }, index) => {
      const used = Math.min(segmentStates, this.count - index * segmentStates)
      const fresh = int32Array(words.length)
      repacked.push(fresh)
      for (let at = 0; at < 2 * used; at += 2) {
        this.#tree.expand(words[at]!, words[at + 1]!, from)
        to.fill(0)
        convert(from, to)
        tree.compress(to, 0, fresh, at)
      }
    })
  }

  #reserve(needed: number): void {
    while (needed > segmentStates * this.#segments.length) this.#addSegment()
    if (needed <= maximalLoad * this.#table.length) return
    const slots = Math.min(
      largestTable,
      Math.ceil(Math.max(needed / maximalLoad, growth * this.#table.length)),
    )
    // The old one is not needed, and is let go before the new one is made.
    this.#budget.demand(4 * (slots - this.#table.length))
    if (needed > maximalLoad * slots) throw new MemoryExhausted()
    this.#table = new Int32Array(0)
    this.#table = this.#fillTable(int32Array(slots))
  }

  #addSegment(): void {
    const steps = this.newBySteps.length
    const stepBytes = steps <= 2 ** 8 ? 1 : steps <= 2 ** 16 ? 2 : 4
    this.#budget.demand(segmentStates * (8 + parentBytes + stepBytes))
    this.#segments.push({
      words: int32Array(2 * segmentStates),
      parents: new Parents(segmentStates),
      steps: stepsOf(stepBytes),
    })
  }

  /** Enters every state into a table that is empty. */
  #fillTable(table: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
    const { length } = table
    const scale = length / 2 ** 32
    const numberBits = bitsOf(length)
    for (let state = 0; state < this.count; state++) {
      const { words } = this.#segments[state >>> segmentBits]!
      const at = 2 * (state & segmentMask)
      const hash = mixed(words[at]!, words[at + 1]!)
      let slot = Math.floor((hash >>> 0) * scale)
      while (table[slot] !== 0) slot = slot + 1 === length ? 0 : slot + 1
      table[slot] = (hash << numberBits) | (state + 1)
    }
    return table
  }

  /** Loads what the look-ups will need; the loads do not wait for each other. */
  #touch(pending: number): void {
    const table = this.#table
    const hashes = this.#hashes
    const scale = table.length / 2 ** 32
    let sink = 0
    for (let index = 0; index < pending; index++) sink ^= table[Math.floor((hashes[index]! >>> 0) * scale)]!
    this.sink = sink
  }

  #insert(pending: number): void {
    const { newBySteps, edges, candidateSteps, candidateParents } = this
    const pairs = this.#pairs
    const segments = this.#segments
    const table = this.#table
    const { length } = table
    const scale = length / 2 ** 32
    const numberBits = bitsOf(length)
    const numberMask = (1 << numberBits) - 1
    for (let index = 0; index < pending; index++) {
      const hash = this.#hashes[index]!
      const tag = hash << numberBits
      const left = pairs[2 * index]!
      const right = pairs[2 * index + 1]!
      let slot = Math.floor((hash >>> 0) * scale)
      let entry = table[slot]!
      while (entry !== 0) {
        if (((entry ^ tag) & ~numberMask) === 0) {
          const state = (entry & numberMask) - 1
          const { words } = segments[state >>> segmentBits]!
          const at = 2 * (state & segmentMask)
          if (words[at] === left && words[at + 1] === right) break
        }
        slot = slot + 1 === length ? 0 : slot + 1
        entry = table[slot]!
      }
      const step = candidateSteps[index]!
      const parent = candidateParents[index]!
      if (entry === 0) {
        this.#append(left, right, parent, step)
        entry = tag | this.count
        table[slot] = entry
        newBySteps[step]!++
      }
      if (edges !== undefined && parent >= 0) edges.add(parent, step - 1, (entry & numberMask) - 1)
    }
  }

  #append(left: number, right: number, parent: number, step: number): void {
    const state = this.count++
    const { words, parents, steps } = this.#segments[state >>> segmentBits]!
    const place = state & segmentMask
    words[2 * place] = left
    words[2 * place + 1] = right
    parents.append(place, parent)
    steps[place] = step
  }
}

function stepsOf(bytes: 1 | 2 | 4): Steps {
  if (bytes === 1) return uint8Array(segmentStates)
  return bytes === 2 ? new Uint16Array(segmentStates) : int32Array(segmentStates)
}

/** Bits for the numbers up to a size. */
const bitsOf = (size: number): number => 32 - Math.clz32(size)
