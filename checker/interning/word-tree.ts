/**
 * Tree compression: the words of a state, two by two, are pairs; these, two by two, are pairs again; until two
 * numbers are left, which stand for the state. States differ from their neighbours in few words, so that they share
 * most pairs. (Blom, Lisser, van de Pol, Weber, "A database approach to distributed state space generation", 2007;
 * Laarman, van de Pol, Weber, "Parallel recursive state compression for free", 2011.)
 *
 * A pair has a number of its own, and is held once. So two states are equal exactly if their two numbers are.
 *
 * The nodes of a tree lie in a row: first the words, then each pair of two nodes that have not been used yet. Node
 * `wordCount + k` is the pair of the nodes 2k and 2k + 1, and the last two are left.
 */
import type { MemoryBudget } from './memory.ts'
import { Pairs } from './pairs.ts'

export class WordTree {
  readonly #wordCount: number
  readonly #pairs: Pairs
  /** The nodes of the state that was compressed last: what is the same in the next one needs no look-up. */
  readonly #nodes: Int32Array
  readonly #changed: Uint8Array
  /** Nodes of the state that is being put together again. */
  readonly #expanded: Int32Array
  /** How many nodes are pairs. */
  readonly #joints: number

  /** @throws MemoryExhausted */
  constructor(wordCount: number, budget: MemoryBudget) {
    this.#wordCount = wordCount
    this.#pairs = new Pairs(budget)
    this.#joints = Math.max(0, wordCount - 2)
    const nodes = Math.max(2, wordCount + this.#joints)
    this.#nodes = new Int32Array(nodes)
    this.#expanded = new Int32Array(nodes)
    this.#changed = new Uint8Array(nodes).fill(1)
    this.#join()
  }

  get bytes(): number {
    return this.#pairs.bytes
  }

  /**
   * Makes two numbers, from `at` on, of the words from `base` on.
   * @throws MemoryExhausted
   */
  compress(words: Int32Array, base: number, into: Int32Array, at: number): void {
    const nodes = this.#nodes
    const changed = this.#changed
    for (let word = 0; word < this.#wordCount; word++) {
      const value = words[base + word]!
      changed[word] = value === nodes[word] ? 0 : 1
      nodes[word] = value
    }
    this.#join()
    into[at] = nodes[nodes.length - 2]!
    into[at + 1] = nodes[nodes.length - 1]!
  }

  /** The words of the state for which two numbers stand. */
  expand(left: number, right: number, into: Int32Array): void {
    const nodes = this.#expanded
    nodes[nodes.length - 2] = left
    nodes[nodes.length - 1] = right
    for (let joint = this.#joints - 1; joint >= 0; joint--) {
      const pair = nodes[this.#wordCount + joint]!
      nodes[2 * joint] = this.#pairs.left(pair)
      nodes[2 * joint + 1] = this.#pairs.right(pair)
    }
    for (let word = 0; word < this.#wordCount; word++) into[word] = nodes[word]!
  }

  /** Looks up the pairs of which something has changed. */
  #join(): void {
    const nodes = this.#nodes
    const changed = this.#changed
    for (let joint = 0; joint < this.#joints; joint++) {
      const node = this.#wordCount + joint
      changed[node] = changed[2 * joint]! | changed[2 * joint + 1]!
      if (changed[node] === 0) continue
      const pair = this.#pairs.numberOf(nodes[2 * joint]!, nodes[2 * joint + 1]!)
      if (pair === nodes[node]) changed[node] = 0
      else nodes[node] = pair
    }
  }
}
