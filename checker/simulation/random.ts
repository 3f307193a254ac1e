/**
 * The pseudo-random numbers of a simulation: sfc32 ("small fast counter", from the PractRand test suite), on 32-bit
 * integers only, so that equal seeds give equal numbers on every machine.
 */

const twoTo32 = 2 ** 32
/** After so many rounds every bit of the seed has reached every bit of the state. */
const warmUpRounds = 15

export class Random {
  #a: number
  #b: number
  #c: number
  #counter = 1

  /**
   * @param seed a safe integer, 0 or more
   * @param stream numbers of different streams have nothing to do with each other; an integer below 2^32
   */
  constructor(seed: number, stream: number) {
    this.#a = seed | 0
    this.#b = Math.floor(seed / twoTo32) | 0
    this.#c = stream | 0
    for (let round = 0; round < warmUpRounds; round++) this.#word()
  }

  /** The next number, at least 0 and below 1, a multiple of 2^-53. */
  next(): number {
    const high = this.#word() >>> 5
    const low = this.#word() >>> 6
    return (high * 2 ** 26 + low) / 2 ** 53
  }

  /** The next whole number below `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count)
  }

  #word(): number {
    const word = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + word) | 0
    return word >>> 0
  }
}
