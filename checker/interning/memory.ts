/** The memory that a search may use. */

/** Thrown where a search cannot go on within its memory; ends it with what was found. */
export class MemoryExhausted extends Error {}

export class MemoryBudget {
  readonly #maximalBytes: number
  /** What is in use now; told by whoever knows. */
  used: () => number = () => 0

  constructor(maximalBytes: number) {
    this.#maximalBytes = maximalBytes
  }

  /** Whether so many more bytes may be used. */
  allows(bytes: number): boolean {
    return this.used() + bytes <= this.#maximalBytes
  }

  /** @throws MemoryExhausted unless so many more bytes may be used */
  demand(bytes: number): void {
    if (!this.allows(bytes)) throw new MemoryExhausted()
  }
}

/** @throws MemoryExhausted if the machine has no such array to give */
export const int32Array = (length: number): Int32Array<ArrayBuffer> => allocated(() => new Int32Array(length))

/** @throws MemoryExhausted if the machine has no such array to give */
export const uint8Array = (length: number): Uint8Array<ArrayBuffer> => allocated(() => new Uint8Array(length))

function allocated<Words>(allocate: () => Words): Words {
  try {
    return allocate()
  } catch (error) {
    if (error instanceof RangeError) throw new MemoryExhausted()
    throw error
  }
}

/** A longer copy; see `int32Array`. */
export function grown(words: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = int32Array(length)
  larger.set(words)
  return larger
}
