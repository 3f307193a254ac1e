/**
 * Decision tries in one growing array of 32-bit words. A read node branches on the id of one slot (a component, or
 * a component of the state after a transition), a choice node on the options of a choice; leaves say what follows.
 *
 * Node formats, in words from the node's offset; `note` is a number for the owner (0: none), child 0 is unknown:
 *   dense read    kind | slot << 2, note, children, capacity, child of id 0, child of id 1, ...
 *   sparse read   kind | slot << 2, note, children, capacity - 1, (id + 1, child) by open addressing
 *   choice        kind | options << 2, note, child of option 0, ...
 *   leaf          kind | flag << 2, note, visits, what the owner wants
 * A pointer to a node lives in exactly one word, its place, so that a node may move when it grows.
 */
import { grown } from './memory.ts'

export const denseRead = 0
export const sparseRead = 1
export const choice = 2
export const leaf = 3

export const readHeader = 4
export const choiceHeader = 2
export const leafHeader = 3

/** What a path through a trie asks, in order. */
export type Question =
  | { readonly kind: 'read'; readonly slot: number; readonly note: number }
  | { readonly kind: 'choice'; readonly options: number; readonly taken: number; readonly note: number }

const smallestCapacity = 4
/** Dense arrays of children give way to hashing below one child in so many words. */
const sparseness = 4
const smallestSparse = 16

export class Trie {
  words = new Int32Array(1024)
  /** Words in use. Word 0 is never used, so that 0 can mean 'no node'. */
  used = 1

  get bytes(): number {
    return this.words.byteLength
  }

  /** Words of zeros. */
  allocate(count: number): number {
    const offset = this.used
    this.used += count
    if (this.used > this.words.length) {
      this.words = grown(this.words, Math.max(this.used, Math.ceil(this.words.length * 1.5)))
    }
    return offset
  }

  /** Forgets all that was allocated from `offset` on. */
  truncate(offset: number): void {
    this.words.fill(0, offset, this.used)
    this.used = offset
  }

  /**
   * Follows a path, making the nodes that are missing.
   * @param place the word that points to the first node
   * @param ids the id of each slot
   * @returns the place of the leaf, or undefined if the trie asks another question there
   */
  follow(place: number, path: readonly Question[], ids: ArrayLike<number>): number | undefined {
    let at = place
    for (const question of path) {
      if (this.words[at] === 0) this.#point(at, this.#make(question))
      const node = this.words[at]!
      if (!this.#asks(node, question)) return undefined
      at =
        question.kind === 'read'
          ? this.#childPlace(at, ids[question.slot]!)
          : node + choiceHeader + question.taken
    }
    const end = this.words[at]!
    return end === 0 || (this.words[end]! & 3) === leaf ? at : undefined
  }

  /** Makes a leaf at a place, with `count` words for the owner. */
  makeLeaf(place: number, flag: number, note: number, count: number): number {
    const node = this.allocate(leafHeader + count)
    this.words[node] = leaf | (flag << 2)
    this.words[node + 1] = note
    this.words[place] = node
    return node
  }

  /** The child of a read node for an id; 0 if unknown. */
  child(node: number, id: number): number {
    const words = this.words
    if ((words[node]! & 3) === denseRead) return id < words[node + 3]! ? words[node + readHeader + id]! : 0
    return sparseChild(words, node, id)
  }

  /** All children of a read node. */
  *children(node: number): Generator<{ id: number; child: number }> {
    const dense = (this.words[node]! & 3) === denseRead
    const count = dense ? this.words[node + 3]! : this.words[node + 3]! + 1
    for (let index = 0; index < count; index++) {
      const place = node + readHeader + (dense ? index : 2 * index + 1)
      const child = this.words[place]!
      if (child !== 0) yield { id: dense ? index : this.words[place - 1]! - 1, child }
    }
  }

  /** A method, since `this.words[at] = this.#make()` would write to the array as it was before it grew. */
  #point(at: number, node: number): number {
    this.words[at] = node
    return node
  }

  #make(question: Question): number {
    const reads = question.kind === 'read'
    const node = this.allocate(reads ? readHeader + smallestCapacity : choiceHeader + question.options)
    this.words[node] = reads ? denseRead | (question.slot << 2) : choice | (question.options << 2)
    this.words[node + 1] = question.note
    if (reads) this.words[node + 3] = smallestCapacity
    return node
  }

  #asks(node: number, question: Question): boolean {
    const head = this.words[node]!
    const kind = head & 3
    if (this.words[node + 1] !== question.note) return false
    return question.kind === 'read'
      ? (kind === denseRead || kind === sparseRead) && head >>> 2 === question.slot
      : kind === choice && head >>> 2 === question.options
  }

  /** The place of the child for an id, made if need be; the node, to which `at` points, may move. */
  #childPlace(at: number, id: number): number {
    let node = this.words[at]!
    if ((this.words[node]! & 3) === denseRead) {
      if (id >= this.words[node + 3]!) node = this.#point(at, this.#enlarged(node, id))
    }
    if ((this.words[node]! & 3) === denseRead) {
      const place = node + readHeader + id
      if (this.words[place] === 0) this.words[node + 2]!++
      return place
    }
    let place = this.#sparsePlace(node, id)
    if (this.words[place] === 0) {
      if (2 * (this.words[node + 2]! + 1) > this.words[node + 3]! + 1) {
        node = this.#point(at, this.#rehashed(node, 2 * (this.words[node + 3]! + 1)))
        place = this.#sparsePlace(node, id)
      }
      this.words[place] = id + 1
      this.words[node + 2]!++
    }
    return place + 1
  }

  #enlarged(node: number, id: number): number {
    const capacity = 1 << (32 - Math.clz32(id))
    const children = this.words[node + 2]! + 1
    if (capacity >= smallestSparse && children * sparseness < capacity) {
      return this.#rehashed(node, 1 << (32 - Math.clz32(2 * children)))
    }
    const larger = this.allocate(readHeader + capacity)
    this.words.copyWithin(larger, node, node + readHeader + this.words[node + 3]!)
    this.words[larger + 3] = capacity
    return larger
  }

  #rehashed(node: number, capacity: number): number {
    const larger = this.allocate(readHeader + 2 * capacity)
    this.words[larger] = sparseRead | (this.words[node]! & ~3)
    this.words[larger + 1] = this.words[node + 1]!
    this.words[larger + 2] = this.words[node + 2]!
    this.words[larger + 3] = capacity - 1
    for (const { id, child } of this.children(node)) {
      const place = this.#sparsePlace(larger, id)
      this.words[place] = id + 1
      this.words[place + 1] = child
    }
    return larger
  }

  /** Where the entry of an id is or would be. */
  #sparsePlace(node: number, id: number): number {
    const mask = this.words[node + 3]!
    let index = sparseIndex(id) & mask
    for (;;) {
      const place = node + readHeader + 2 * index
      const key = this.words[place]!
      if (key === 0 || key === id + 1) return place
      index = (index + 1) & mask
    }
  }
}

/** The child of a sparse node for an id; 0 if unknown. Apart from the class, since the inner loops have the words at hand. */
export function sparseChild(words: Int32Array, node: number, id: number): number {
  const mask = words[node + 3]!
  let index = sparseIndex(id) & mask
  for (;;) {
    const place = node + readHeader + 2 * index
    const key = words[place]!
    if (key === id + 1) return words[place + 1]!
    if (key === 0) return 0
    index = (index + 1) & mask
  }
}

/** Spreads ids, which are often consecutive, over a table (Fibonacci hashing). */
export const sparseIndex = (id: number): number => Math.imul(id, 0x9e3779b1) >>> 7
