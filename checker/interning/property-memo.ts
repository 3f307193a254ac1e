/**
 * What is known about properties, the constraint and proper termination: per judge a trie over the components that
 * it read, whose leaves hold the judgement. A judge of transitions has one trie per instance and choices.
 */
import { impureRecipe } from '../errors.ts'
import type { Taken } from '../model.ts'
import { samePlain } from '../plain.ts'
import { type Evaluation, type Judge, PropertyRunner } from '../property-run.ts'
import type { Shape } from '../shape.ts'
import type { FailedPart } from '../trace.ts'
import type { Components } from './components.ts'
import { grown } from './memory.ts'
import { SecondRuns } from './second-runs.ts'
import { denseRead, leaf, leafHeader, type Question, readHeader, sparseChild, Trie } from './trie.ts'

/** Judgements, as leaves hold them. */
const unknown = -1
export const fails = 0
export const holds = 1
export const holdsAndGiven = 2
export const notGiven = 3

export class PropertyMemo {
  readonly judge: Judge
  /** Evaluations by running the judge (the second runs apart), and what they served. */
  evaluations = 0
  served = 0
  /** The first false part, of the judgement `fails` that was returned last. */
  lastFailed: FailedPart | undefined
  /** Told what an evaluation has read. */
  onEvaluation: (reads: readonly number[], ids: Int32Array) => void = () => {}
  readonly #store: PropertyStore
  readonly #secondRuns = new SecondRuns()
  /** By taken step (0 for states), the place of the first node; 0 if there is none yet. */
  #roots = new Int32Array(1)

  constructor(judge: Judge, store: PropertyStore) {
    this.judge = judge
    this.#store = store
  }

  /**
   * Whether the judgement is remembered, so that nothing new follows from it, and is not a failure. The common case,
   * kept apart because it must be fast.
   */
  isKnownToHold(ids: Int32Array, takenId = 0): boolean {
    const place = takenId < this.#roots.length ? this.#roots[takenId]! : 0
    if (place === 0) return false
    const { trie } = this.#store
    const judgement = this.#judgementAt(trie.words[place]!, ids)
    if (judgement <= fails) return false
    this.served++
    return true
  }

  /** Adds the slots that the trie asks about in a state, or a transition, in order. */
  addAsked(ids: Int32Array, takenId: number, slots: number[]): void {
    const { trie } = this.#store
    let node = trie.words[this.#rootOf(takenId)]!
    while (node !== 0 && (trie.words[node]! & 3) !== leaf) {
      const slot = trie.words[node]! >>> 2
      slots.push(slot)
      node = trie.child(node, ids[slot]!)
    }
  }

  /**
   * Judges a state, or a transition.
   * @param ids ids of the components; for a transition followed by those of the state after
   * @param takenId which step was taken; 0 for a state
   */
  evaluate(ids: Int32Array, takenId = 0, taken?: Taken): number {
    this.served++
    return this.judgement(ids, takenId, taken)
  }

  /** The same, for its own sake: the state is not one that the search has come to. */
  judgement(ids: Int32Array, takenId = 0, taken?: Taken): number {
    const place = this.#rootOf(takenId)
    const remembered = this.#judgementAt(this.#store.trie.words[place]!, ids)
    return remembered === unknown ? this.#run(place, ids, takenId, taken) : remembered
  }

  /** The judgement that a trie holds, or `unknown`. */
  #judgementAt(from: number, ids: Int32Array): number {
    const { words } = this.#store.trie
    let node = from
    while (node !== 0) {
      const head = words[node]!
      const kind = head & 3
      if (kind === denseRead) {
        const id = ids[head >>> 2]!
        node = id < words[node + 3]! ? words[node + readHeader + id]! : 0
      } else if (kind === leaf) {
        const judgement = words[node + leafHeader]!
        if (judgement === fails) this.lastFailed = this.#store.failedParts.get(node)
        return judgement
      } else node = sparseChild(words, node, ids[head >>> 2]!)
    }
    return unknown
  }

  /**
   * Runs the judge again, and compares with what is remembered, if anything is.
   * @throws ModelError 'impure-recipe' if they differ
   */
  audit(ids: Int32Array, takenId = 0, taken?: Taken): void {
    const place = takenId < this.#roots.length ? this.#roots[takenId]! : 0
    const remembered = place === 0 ? unknown : this.#judgementAt(this.#store.trie.words[place]!, ids)
    if (remembered === unknown) return
    const when = 'evaluated again later'
    if (judgementOf(this.#reference(when, ids, taken)) !== remembered) throw impure(this.judge, when)
  }

  #rootOf(takenId: number): number {
    if (takenId >= this.#roots.length) this.#roots = grown(this.#roots, 2 * takenId + 1)
    const known = this.#roots[takenId]!
    if (known !== 0) return known
    const place = this.#store.trie.allocate(1)
    this.#roots[takenId] = place
    return place
  }

  #run(place: number, ids: Int32Array, takenId: number, taken: Taken | undefined): number {
    this.evaluations++
    const evaluation = this.#store.run(this.judge, ids, taken)
    if (this.#secondRuns.isDue()) this.#runAgain(ids, taken, evaluation)
    const judgement = judgementOf(evaluation)
    this.lastFailed = evaluation.failed
    this.onEvaluation(evaluation.reads, ids)
    if (this.#store.remembers) this.#insert(place, ids, evaluation, judgement)
    this.#store.onEvaluation?.(this, ids, takenId)
    return judgement
  }

  #runAgain(ids: Int32Array, taken: Taken | undefined, evaluation: Evaluation): void {
    const when = 'evaluated a second time'
    if (!sameEvaluation(evaluation, this.#reference(when, ids, taken))) throw impure(this.judge, when)
  }

  /** An evaluation that must say what an earlier one said. */
  #reference(when: string, ids: Int32Array, taken: Taken | undefined): Evaluation {
    try {
      return this.#store.run(this.judge, ids, taken)
    } catch (error) {
      throw impure(this.judge, when, error)
    }
  }

  #insert(place: number, ids: Int32Array, evaluation: Evaluation, judgement: number): void {
    const { trie, failedParts } = this.#store
    const path = evaluation.reads.map((slot): Question => ({ kind: 'read', slot, note: 0 }))
    const end = trie.follow(place, path, ids)
    if (end === undefined || trie.words[end] !== 0) {
      throw impure(this.judge, 'evaluated on another state with the same values in what it had read')
    }
    const node = trie.makeLeaf(end, 0, 0, 1)
    trie.words[node + leafHeader] = judgement
    if (evaluation.failed !== undefined) failedParts.set(node, evaluation.failed)
  }
}

/** What the properties of one search share. */
export class PropertyStore {
  readonly trie = new Trie()
  readonly failedParts = new Map<number, FailedPart>()
  /** Whether new judgements are remembered; false once the memory for that is used up. */
  remembers = true
  /** Told where a judge had to be evaluated. */
  onEvaluation: ((memo: PropertyMemo, ids: Int32Array, takenId: number) => void) | undefined
  readonly #components: Components
  readonly #runner: PropertyRunner

  constructor(shape: Shape, components: Components) {
    this.#components = components
    this.#runner = new PropertyRunner(shape)
  }

  run(judge: Judge, ids: Int32Array, taken: Taken | undefined): Evaluation {
    const before = this.#components.values(ids)
    if (judge.judges === 'states') return this.#runner.run(judge, before)
    return this.#runner.run(judge, before, this.#components.values(ids, this.#components.count), taken)
  }
}

function judgementOf(evaluation: Evaluation): number {
  if (!evaluation.holds) return fails
  if (evaluation.given === undefined) return holds
  return evaluation.given ? holdsAndGiven : notGiven
}

const sameEvaluation = (one: Evaluation, two: Evaluation): boolean =>
  one.holds === two.holds &&
  one.given === two.given &&
  samePlain(one.reads, two.reads) &&
  samePlain(one.failed, two.failed)

const impure = (judge: Judge, when: string, cause?: unknown) =>
  impureRecipe(judge.label, `it judges differently when it is ${when}`, cause)
