/** Sets of small numbers as rows of bits. */

export class BitRows {
  /** Words in a row. */
  readonly width: number
  readonly #words: Int32Array

  constructor(rows: number, bits: number) {
    this.width = (bits + 31) >>> 5
    this.#words = new Int32Array(rows * this.width)
  }

  set(row: number, bit: number): void {
    this.#words[row * this.width + (bit >>> 5)]! |= 1 << (bit & 31)
  }

  has(row: number, bit: number): boolean {
    return hasBit(this.row(row), bit)
  }

  /** A view of one row. */
  row(row: number): Int32Array {
    return this.#words.subarray(row * this.width, (row + 1) * this.width)
  }
}

export const hasBit = (row: Int32Array, bit: number): boolean => (row[bit >>> 5]! & (1 << (bit & 31))) !== 0

/** Adds all of one row to another. */
export function addAll(row: Int32Array, added: Int32Array): void {
  for (let word = 0; word < row.length; word++) row[word]! |= added[word]!
}

export function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

export const sizeOf = (row: Int32Array): number => row.reduce((sum, word) => sum + countBits(word), 0)

/** The numbers in a word of a row, which begin at 32 times its place. */
export function eachBit(word: number, place: number, visit: (bit: number) => void): void {
  let rest = word
  while (rest !== 0) {
    const lowest = rest & -rest
    rest ^= lowest
    visit((place << 5) + 31 - Math.clz32(lowest))
  }
}
