/**
 * Judges steps by the transition properties, on every transition.
 *
 * Each property has its tries over the components before and after. For a given outcome most of these are fixed:
 * the components that the recipe read, the values that it wrote, and all else is the same before and after. So each
 * outcome gets a trie of its own, over the other components only, which says where all properties are known to
 * hold; it is often a single leaf. What it does not know the properties are asked for one by one.
 */
import type { ActionMemo, TakenBy } from './action-memo.ts'
import type { Judging } from './judging.ts'
import { applyWrites, stepTrieAt, takeBackWrites, takenAt, writtenComponents } from './outcomes.ts'
import type { PropertyStore } from './property-memo.ts'
import { denseRead, leaf, type Question, readHeader, sparseChild } from './trie.ts'

export class StepJudging {
  /** The step that was judged last by asking: where the model failed, if it did. */
  lastTaken: TakenBy | undefined
  readonly #judging: Judging
  readonly #memo: ActionMemo
  readonly #store: PropertyStore
  readonly #components: number

  constructor(judging: Judging, memo: ActionMemo, store: PropertyStore, components: number) {
    this.#judging = judging
    this.#memo = memo
    this.#store = store
    this.#components = components
  }

  /**
   * Judges a step.
   * @param node the outcome that the step takes
   * @param ids ids of the state before, twice; the second half is the state after for a while
   */
  judge(node: number, instance: number, state: number, ids: Int32Array): void {
    const place = this.#memo.trie.words[node + stepTrieAt]!
    if (place !== 0 && this.#isKnownToHold(place, ids)) this.#judging.stepsKnown++
    else this.#ask(node, instance, state, ids)
  }

  #isKnownToHold(place: number, ids: Int32Array): boolean {
    const { words } = this.#store.trie
    let node = words[place]!
    while (node !== 0) {
      const head = words[node]!
      const kind = head & 3
      if (kind === leaf) return true
      const id = ids[head >>> 2]!
      if (kind !== denseRead) node = sparseChild(words, node, id)
      else node = id < words[node + 3]! ? words[node + readHeader + id]! : 0
    }
    return false
  }

  #ask(node: number, instance: number, state: number, ids: Int32Array): void {
    const { words } = this.#memo.trie
    const takenId = words[node + takenAt]!
    const taken = this.#memo.takens[takenId]!
    this.lastTaken = taken
    applyWrites(words, node, ids, this.#components)
    const slots: number[] = []
    let settledNow = false
    for (const property of this.#judging.transitions) {
      if (property.settled !== undefined) continue
      property.judge(ids, state, takenId, taken)
      if (property.settled !== undefined) {
        property.stepsKnown = this.#judging.stepsKnown
        settledNow = true
      } else for (const memo of property.memos) memo.addAsked(ids, takenId, slots)
    }
    takeBackWrites(words, node, ids, this.#components)
    this.lastTaken = undefined
    // The tries of outcomes ask what the open properties ask: they begin anew when there is one less.
    if (settledNow) this.#memo.forgetStepTries()
    else if (this.#store.remembers) this.#remember(node, instance, ids, slots)
  }

  #remember(node: number, instance: number, ids: Int32Array, slots: readonly number[]): void {
    const { trie } = this.#store
    const { words } = this.#memo.trie
    if (words[node + stepTrieAt] === 0) words[node + stepTrieAt] = trie.allocate(1)
    const fixed = new Set(this.#memo.readsBefore(node, instance, ids))
    const written = new Set(writtenComponents(words, node))
    const path: Question[] = []
    for (const slot of slots) {
      const after = slot >= this.#components
      const component = after ? slot - this.#components : slot
      // The value after of what was written is known, and of what was not it is the value before.
      if (fixed.has(component) || (after && written.has(component))) continue
      fixed.add(component)
      path.push({ kind: 'read', slot: component, note: 0 })
    }
    const end = trie.follow(words[node + stepTrieAt]!, path, ids)
    if (end === undefined) throw new Error('the properties of a step asked other questions than before')
    if (trie.words[end] === 0) trie.makeLeaf(end, 0, 0, 0)
  }
}
