/**
 * The leaves of action tries that say what a step writes.
 *
 * A write is known if the old value is fixed by the path to the leaf (the component was read), blind otherwise. For
 * known writes the words of a state change by a constant xor, which is kept ready for the current layout.
 *
 * Format, in words after the leaf's header: which step was taken; by what the hash changes, apart from the old
 * values of blind writes; the numbers of (word, xor) pairs, of known and of blind writes; the place of the trie that
 * judges the step; then the pairs (with room for as many as there are known writes), the known writes (component, old
 * id, new id), the blind writes (component, new id).
 */
import type { RecipeRun } from '../recipe-run.ts'
import type { Components } from './components.ts'
import type { Layout } from './layout.ts'
import { leafHeader, type Trie } from './trie.ts'

/** Flags of leaves. */
export const disabled = 0
export const outcome = 1

export const takenAt = leafHeader
export const hashChangeAt = leafHeader + 1
export const pairCountAt = leafHeader + 2
export const knownCountAt = leafHeader + 3
export const blindCountAt = leafHeader + 4
/** The place of the trie of an outcome among the judgements of steps; 0 if there is none. */
export const stepTrieAt = leafHeader + 5
export const pairsAt = leafHeader + 6
export const knownAt = (known: number): number => pairsAt + 2 * known
export const blindAt = (known: number): number => pairsAt + 5 * known

/** Sets what an outcome writes in a tuple of ids that begins at `after`. */
export function applyWrites(words: Int32Array, node: number, ids: Int32Array, after: number): void {
  const known = words[node + knownCountAt]!
  const blindFrom = node + blindAt(known)
  const blindEnd = blindFrom + 2 * words[node + blindCountAt]!
  for (let at = node + knownAt(known); at < blindFrom; at += 3) ids[after + words[at]!] = words[at + 2]!
  for (let at = blindFrom; at < blindEnd; at += 2) ids[after + words[at]!] = words[at + 1]!
}

/** Takes back what `applyWrites` did, by the tuple of ids before, which begins at 0. */
export function takeBackWrites(words: Int32Array, node: number, ids: Int32Array, after: number): void {
  const known = words[node + knownCountAt]!
  const blindFrom = node + blindAt(known)
  const blindEnd = blindFrom + 2 * words[node + blindCountAt]!
  for (let at = node + knownAt(known); at < blindFrom; at += 3) ids[after + words[at]!] = words[at + 1]!
  for (let at = blindFrom; at < blindEnd; at += 2) ids[after + words[at]!] = ids[words[at]!]!
}

/** The components that an outcome writes. */
export function writtenComponents(words: Int32Array, node: number): number[] {
  const known = words[node + knownCountAt]!
  const blindFrom = node + blindAt(known)
  const blindEnd = blindFrom + 2 * words[node + blindCountAt]!
  const components: number[] = []
  for (let at = node + knownAt(known); at < blindFrom; at += 3) components.push(words[at]!)
  for (let at = blindFrom; at < blindEnd; at += 2) components.push(words[at]!)
  return components
}

/** What a run writes, in ids. */
interface Writes {
  readonly known: readonly (readonly [component: number, oldId: number, newId: number])[]
  readonly blind: readonly (readonly [component: number, newId: number])[]
  readonly hashChange: number
}

export class Outcomes {
  readonly #trie: Trie
  readonly #components: Components
  /** All leaves, in the order of their offsets. */
  readonly #leaves: number[] = []
  #layout: Layout

  constructor(trie: Trie, components: Components, layout: Layout) {
    this.#trie = trie
    this.#components = components
    this.#layout = layout
  }

  get bytes(): number {
    return 8 * this.#leaves.length
  }

  /** Makes the leaf for a run in the state with these ids. */
  make(place: number, note: number, takenId: number, run: RecipeRun, ids: Int32Array): void {
    const { known, blind, hashChange } = this.#writes(run, ids)
    const size = blindAt(known.length) + 2 * blind.length - leafHeader
    const node = this.#trie.makeLeaf(place, outcome, note, size)
    const words = this.#trie.words
    words[node + takenAt] = takenId
    words[node + hashChangeAt] = hashChange
    words[node + knownCountAt] = known.length
    words[node + blindCountAt] = blind.length
    words.set(known.flat(), node + knownAt(known.length))
    words.set(blind.flat(), node + blindAt(known.length))
    this.#writePairs(node)
    this.#leaves.push(node)
  }

  /** Whether a leaf says what a run in the state with these ids does. */
  says(node: number, takenId: number, run: RecipeRun, ids: Int32Array): boolean {
    const words = this.#trie.words
    const { known, blind } = this.#writes(run, ids)
    const knownCount = words[node + knownCountAt]!
    const blindFrom = node + blindAt(knownCount)
    const blindEnd = blindFrom + 2 * words[node + blindCountAt]!
    return (
      words[node + takenAt] === takenId &&
      known.flat().join() === words.slice(node + knownAt(knownCount), blindFrom).join() &&
      blind.flat().join() === words.slice(blindFrom, blindEnd).join()
    )
  }

  /** Brings all leaves into line with a new layout. */
  relayout(layout: Layout): void {
    this.#layout = layout
    for (const node of this.#leaves) this.#writePairs(node)
  }

  /** Forgets the tries that judge steps. */
  forgetStepTries(): void {
    for (const node of this.#leaves) this.#trie.words[node + stepTrieAt] = 0
  }

  /** Forgets the leaves from an offset on. */
  forgetFrom(offset: number): void {
    while (this.#leaves.length > 0 && this.#leaves.at(-1)! >= offset) this.#leaves.pop()
  }

  #writes(run: RecipeRun, ids: Int32Array): Writes {
    const read = new Set(run.path.map((item) => (item.kind === 'read' ? item.component : -1)))
    const known: [component: number, oldId: number, newId: number][] = []
    const blind: [component: number, newId: number][] = []
    let hashChange = 0
    for (const [component, value] of run.written) {
      const newId = this.#components.intern(component, value)
      const oldId = ids[component]!
      const { randomWords } = this.#components.tables[component]!
      if (!read.has(component)) {
        blind.push([component, newId])
        hashChange ^= randomWords[newId]!
      } else if (newId !== oldId) {
        known.push([component, oldId, newId])
        hashChange ^= randomWords[newId]! ^ randomWords[oldId]!
      }
    }
    return { known, blind, hashChange }
  }

  /** What the known writes do to the words of a state: one xor for each word that they touch. */
  #writePairs(node: number): void {
    const words = this.#trie.words
    const known = words[node + knownCountAt]!
    const pairs = node + pairsAt
    let count = 0
    for (let index = 0; index < known; index++) {
      const at = node + knownAt(known) + 3 * index
      const component = words[at]!
      const word = this.#layout.word[component]!
      const change = (words[at + 1]! ^ words[at + 2]!) << this.#layout.shift[component]!
      let pair = 0
      while (pair < count && words[pairs + 2 * pair] !== word) pair++
      if (pair === count) {
        words[pairs + 2 * pair] = word
        words[pairs + 2 * pair + 1] = 0
        count++
      }
      words[pairs + 2 * pair + 1]! ^= change
    }
    words[node + pairCountAt] = count
  }
}
