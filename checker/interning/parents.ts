/**
 * The parents of states, a byte for each. A search expands states in order, so that parents never decrease from one
 * state to the next, and mostly by little.
 */
import { uint8Array } from './memory.ts'

/** States between two parents that are written out: a power of two, since it is walked through at each access. */
const blockBits = 5
const blockMask = (1 << blockBits) - 1
/** Stands for a difference that does not fit into a byte. */
const elsewhere = 255
/** A rough price of an entry of the map. */
const bytesPerEntry = 40

/** The parents of states that follow each other, as many as there is room for. */
export class Parents {
  readonly #differences: Uint8Array
  readonly #firsts: Int32Array
  /** Parents that differ from the one before by too much: at most one in 255, where they do not decrease. */
  readonly #others = new Map<number, number>()
  /** Where the last access was: most go on from there. */
  #last = -1
  #lastParent = 0
  #previous = 0

  /** @param room a multiple of 32 */
  constructor(room: number) {
    this.#differences = uint8Array(room)
    this.#firsts = new Int32Array(room >>> blockBits)
  }

  get bytes(): number {
    return this.#differences.byteLength + this.#firsts.byteLength + bytesPerEntry * this.#others.size
  }

  /** Sets the parent of the next place. */
  append(place: number, parent: number): void {
    if ((place & blockMask) === 0) this.#firsts[place >>> blockBits] = parent
    const difference = parent - this.#previous
    this.#previous = parent
    if (difference >= 0 && difference < elsewhere) this.#differences[place] = difference
    else {
      this.#differences[place] = elsewhere
      this.#others.set(place, parent)
    }
  }

  at(place: number): number {
    if (place < this.#last || place >>> blockBits !== this.#last >>> blockBits) {
      this.#last = place & ~blockMask
      this.#lastParent = this.#firsts[place >>> blockBits]!
    }
    while (this.#last < place) {
      const difference = this.#differences[++this.#last]!
      if (difference === elsewhere) this.#lastParent = this.#others.get(this.#last)!
      else this.#lastParent += difference
    }
    return this.#lastParent
  }
}
