/** Pairs of 32-bit numbers, each held once and known by its number. */
import { grown, int32Array, type MemoryBudget } from './memory.ts'

const smallest = 1024
/** The pairs grow by this factor, and the table, which is only a fraction of them, is doubled. */
const growth = 1.25

export class Pairs {
  #count = 0
  readonly #budget: MemoryBudget
  /** Left and right of each pair, in the order of their numbers. */
  #pairs = new Int32Array(2 * smallest)
  /** Number + 1 of a pair, by open addressing; never more than three quarters full. */
  #table = new Int32Array(2 * smallest)

  constructor(budget: MemoryBudget) {
    this.#budget = budget
  }

  get bytes(): number {
    return this.#pairs.byteLength + this.#table.byteLength
  }

  left(pair: number): number {
    return this.#pairs[2 * pair]!
  }

  right(pair: number): number {
    return this.#pairs[2 * pair + 1]!
  }

  /**
   * The number of a pair, which may be new.
   * @throws MemoryExhausted
   */
  numberOf(left: number, right: number): number {
    const table = this.#table
    const pairs = this.#pairs
    const mask = table.length - 1
    let slot = mixed(left, right) & mask
    for (;;) {
      const pair = table[slot]! - 1
      if (pair < 0) return this.#append(left, right, slot)
      if (pairs[2 * pair] === left && pairs[2 * pair + 1] === right) return pair
      slot = (slot + 1) & mask
    }
  }

  #append(left: number, right: number, slot: number): number {
    const pair = this.#count
    if (2 * pair === this.#pairs.length) {
      const length = 2 * Math.ceil(pair * growth)
      this.#budget.demand(4 * (length - this.#pairs.length))
      this.#pairs = grown(this.#pairs, length)
    }
    this.#count++
    this.#pairs[2 * pair] = left
    this.#pairs[2 * pair + 1] = right
    this.#table[slot] = pair + 1
    if (this.#count > 0.75 * this.#table.length) this.#enlargeTable()
    return pair
  }

  #enlargeTable(): void {
    const slots = 2 * this.#table.length
    this.#budget.demand(4 * slots)
    const table = int32Array(slots)
    const mask = slots - 1
    for (let pair = 0; pair < this.#count; pair++) {
      let slot = mixed(this.#pairs[2 * pair]!, this.#pairs[2 * pair + 1]!) & mask
      while (table[slot] !== 0) slot = (slot + 1) & mask
      table[slot] = pair + 1
    }
    this.#table = table
  }
}

/** 32 well-mixed bits of a pair (steps of the finaliser of MurmurHash3). */
export function mixed(left: number, right: number): number {
  let hash = Math.imul(left ^ (left >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13) ^ right, 0xc2b2ae35)
  hash = Math.imul(hash ^ (hash >>> 15), 0x9e3779b1)
  return hash ^ (hash >>> 16)
}
