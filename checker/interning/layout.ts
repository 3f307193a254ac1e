/**
 * How a tuple of ids lies in 32-bit words: each component has a field just wide enough for its ids, and no field
 * crosses a word. Narrow fields make states small, so that more of them fit into the caches and the memory.
 */
export type Placement = 'tight' | 'even'

export class Layout {
  /** Words per state, at least one. */
  readonly wordCount: number
  /** Per component: the word it lies in, and its place there. */
  readonly word: Int32Array
  readonly shift: Int32Array
  readonly mask: Int32Array
  /** Per word: the components that take bits of it. */
  readonly fields: readonly (readonly number[])[]
  /** The components that take bits at all: the others have had one value only. */
  readonly #varying: Int32Array

  /**
   * @param sizes number of values of each component; each gets room for them, and for more where it costs nothing
   * @param spareBits more bits for each component that has several values
   * @param placement 'tight' takes few words, 'even' a power of two of them, each with about as many bits as the others
   */
  constructor(sizes: readonly number[], spareBits = 0, placement: Placement = 'tight') {
    const bits = sizes.map((size) => (size <= 1 ? 0 : Math.min(32, bitsFor(size) + spareBits)))
    const placed = placement === 'tight' ? placeTightly(bits) : placeEvenly(bits)
    widen(bits, placed)
    this.wordCount = placed.free.length
    this.word = Int32Array.from(placed.word)
    this.shift = new Int32Array(bits.length)
    this.mask = Int32Array.from(bits, (width) => (width === 0 ? 0 : -1 >>> (32 - width)))
    const next = new Int32Array(this.wordCount)
    bits.forEach((width, component) => {
      const word = placed.word[component]!
      // A shift by 32 would be a shift by 0: a field of no bits stays where it harms nobody.
      this.shift[component] = width === 0 ? 0 : next[word]!
      next[word]! += width
    })
    this.#varying = Int32Array.from(bits.flatMap((width, component) => (width > 0 ? [component] : [])))
    this.fields = placed.free.map((_, index) =>
      bits.flatMap((width, component) => (width > 0 && placed.word[component] === index ? [component] : [])),
    )
  }

  /** Whether an id of a component fits into its field. */
  fits(component: number, id: number): boolean {
    return id >>> 0 <= this.mask[component]! >>> 0
  }

  /** Takes the words of a state apart. Ids of components that take no bits are 0 always, and are left alone. */
  unpack(words: Int32Array, ids: Int32Array): void {
    const { word, shift, mask } = this
    const varying = this.#varying
    for (let index = 0; index < varying.length; index++) {
      const component = varying[index]!
      ids[component] = (words[word[component]!]! >>> shift[component]!) & mask[component]!
    }
  }

  /** Writes a state into words that are zero. */
  pack(ids: ArrayLike<number>, words: Int32Array): void {
    const { word, shift } = this
    for (let component = 0; component < word.length; component++) {
      words[word[component]!]! |= ids[component]! << shift[component]!
    }
  }
}

/** Bits for ids below `size`. */
const bitsFor = (size: number): number => 32 - Math.clz32(size - 1)

interface Placed {
  /** The word of each component, and the free bits of each word. */
  readonly word: number[]
  readonly free: number[]
}

/** Puts the widest fields first, each into the first word with room. */
function placeTightly(bits: readonly number[]): Placed {
  const free = [32]
  const word = new Array<number>(bits.length).fill(0)
  for (const component of widestFirst(bits)) {
    const width = bits[component]!
    let chosen = free.findIndex((room) => room >= width)
    if (chosen < 0) chosen = free.push(32) - 1
    free[chosen]! -= width
    word[component] = chosen
  }
  return { word, free }
}

/** Deals the fields out to a power of two of words, the widest first, each to the word with most room. */
function placeEvenly(bits: readonly number[]): Placed {
  for (let words = 2; ; words *= 2) {
    const placed = dealtOut(bits, words)
    if (placed.free.every((room) => room >= 0)) return placed
  }
}

function dealtOut(bits: readonly number[], words: number): Placed {
  const free = new Array<number>(words).fill(32)
  const word = new Array<number>(bits.length).fill(0)
  for (const component of widestFirst(bits)) {
    const chosen = free.indexOf(Math.max(...free))
    free[chosen]! -= bits[component]!
    word[component] = chosen
  }
  return { word, free }
}

const widestFirst = (bits: readonly number[]): number[] =>
  bits.map((_, component) => component).sort((a, b) => bits[b]! - bits[a]! || a - b)

/** Gives the bits that are left to the widest fields of each word: what has many values gets more of them. */
function widen(bits: number[], { word, free }: Placed): void {
  for (let index = 0; index < free.length; index++) {
    const fields = bits.map((_, component) => component).filter((component) => word[component] === index)
    fields.sort((a, b) => bits[b]! - bits[a]! || a - b)
    for (const component of fields) {
      if (free[index] === 0) break
      if (bits[component] === 32) continue
      bits[component]! += 1
      free[index]! -= 1
    }
  }
}
