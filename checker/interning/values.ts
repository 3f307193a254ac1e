/**
 * Interning: every value of a component gets a small integer, its id. Equal values have equal ids, so that states
 * are tuples of ids and are compared exactly.
 */
import type { Plain } from '../model.ts'
import { textOf } from '../plain.ts'
import { grown } from './memory.ts'

/** A rough price of a value beside its text: the frozen copy, the entry of the map. */
const bytesPerValue = 200

/** The values of one component that were met so far. */
export class ValueTable {
  readonly #path: string
  readonly #ids = new Map<string, number>()
  readonly #values: Plain[] = []
  /** One random word per value, from which the hash of a state is made. A function of the value, never of its id. */
  randomWords = new Int32Array(4)
  bytes = 0

  constructor(path: string) {
    this.#path = path
  }

  get size(): number {
    return this.#values.length
  }

  /** The representative of an id: canonical and frozen. */
  value(id: number): Plain {
    return this.#values[id]!
  }

  /** The id of a canonical value. */
  intern(value: Plain): number {
    const text = textOf(value)
    const known = this.#ids.get(text)
    if (known !== undefined) return known
    const id = this.#values.length
    this.#ids.set(text, id)
    this.#values.push(value)
    if (id === this.randomWords.length) this.randomWords = grown(this.randomWords, 2 * id)
    this.randomWords[id] = randomWord(this.#path, text)
    this.bytes += bytesPerValue + 4 * text.length
    return id
  }
}

/** 32 well-mixed bits of a text (FNV-1a, then the finaliser of MurmurHash3). */
export function randomWord(path: string, text: string): number {
  let hash = 0x811c9dc5
  for (const part of [path, text]) {
    for (let index = 0; index < part.length; index++) {
      hash = Math.imul(hash ^ part.charCodeAt(index), 0x01000193)
    }
    // Separates 'a' + 'bc' from 'ab' + 'c'.
    hash = Math.imul(hash ^ 0x10000, 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
