/**
 * Walks through the states of a model, one random step after the other. What recipes do is looked up in the same
 * tries as in the search, so that a step costs little more than listing what is enabled.
 */
import * as format from '../interning/outcomes.ts'
import { fails, PropertyMemo } from '../interning/property-memo.ts'
import type { Space } from '../interning/space.ts'
import { choice, choiceHeader, leaf } from '../interning/trie.ts'
import { constraintJudge } from '../property-run.ts'
import type { Findings } from './findings.ts'
import type { Random } from './random.ts'

/** How a walk ended. */
export type WalkEnd = 'depth' | 'no step' | 'cut' | 'violation'

export interface WalkerOptions {
  /** Levels of a walk: one more than steps. */
  readonly depth: number
  /** By action. */
  readonly weights: readonly number[]
  /** Whether a walk goes on after a violation. */
  readonly continues: boolean
  /** Bytes that tries may take; past them, nothing more is remembered. */
  readonly memoBytes: number
}

export class Walker {
  /** All steps of all walks. */
  steps = 0
  /** The levels of the longest walk. */
  longest = 0
  /** By action, the steps taken. */
  readonly fired: number[]
  /** The walk at hand. */
  walk: { initialState: number; steps: number[] } = { initialState: 0, steps: [] }
  readonly #space: Space
  readonly #findings: Findings
  readonly #options: WalkerOptions
  readonly #constraint: PropertyMemo | undefined
  readonly #initialIds: readonly (readonly number[])[]
  /** The ids of the state, and of the state after the step. */
  readonly #ids: Int32Array
  readonly #listed: Int32Array
  /** What is enabled: outcomes in the order of instances and choices, and the weights of each. */
  readonly #outcomes: number[] = []
  readonly #weights: number[] = []

  constructor(space: Space, findings: Findings, options: WalkerOptions) {
    const { body, initial } = space.prepared
    this.#space = space
    this.#findings = findings
    this.#options = options
    this.fired = body.actions.map(() => 0)
    if (body.constraint !== undefined) {
      this.#constraint = new PropertyMemo(constraintJudge(body.constraint), space.judgements)
    }
    this.#initialIds = initial.map((values) =>
      values.map((value, component) => space.components.intern(component, value)),
    )
    this.#ids = new Int32Array(2 * space.components.count)
    this.#listed = new Int32Array(space.live.maskWords)
  }

  begin(random: Random): void {
    const initialState = random.below(this.#initialIds.length)
    this.walk = { initialState, steps: [] }
    this.#ids.set(this.#initialIds[initialState]!)
    this.longest = Math.max(this.longest, 1)
  }

  /** Judges the state of the walk and takes a step; says how the walk ended, if it does here. */
  advance(random: Random): WalkEnd | undefined {
    const { continues, depth } = this.#options
    if (this.#findings.judgeState(this.#ids, this.walk) && !continues) return 'violation'
    if (this.walk.steps.length + 1 >= depth) return 'depth'
    if (this.#constraint?.evaluate(this.#ids) === fails) return 'cut'
    const forgetFrom = this.#listEnabled()
    const outcome = this.#outcomes[this.#pick(random)]
    if (outcome === undefined) return this.#endOfWay()
    this.#take(outcome)
    const violated = this.#findings.judgeStep(this.#ids, this.walk)
    this.#ids.copyWithin(0, this.#space.components.count)
    if (forgetFrom !== undefined) this.#space.memo.forgetFrom(forgetFrom)
    this.#count()
    return violated && !continues ? 'violation' : undefined
  }

  /** Nothing is enabled, or nothing that has a weight, which is no deadlock. */
  #endOfWay(): WalkEnd {
    const isStuck = this.#outcomes.length === 0
    const violated = isStuck && this.#findings.judgeEnd(this.#ids, this.walk)
    return violated && !this.#options.continues ? 'violation' : 'no step'
  }

  /** @returns the place from which tries are to be forgotten after the step */
  #listEnabled(): number | undefined {
    const { memo, prepared } = this.#space
    const remembers = this.#space.memoBytes <= this.#options.memoBytes
    this.#space.judgements.remembers = remembers
    let forgetFrom: number | undefined
    this.#outcomes.length = 0
    this.#weights.length = 0
    for (const index of this.#liveInstances()) {
      const instance = prepared.instances[index]!
      let place = memo.roots[index]!
      if (!memo.isComplete(place, this.#ids)) {
        if (remembers) memo.complete(instance, this.#ids)
        else {
          place = memo.completeApart(instance, this.#ids)
          forgetFrom ??= place
        }
      }
      this.#collect(memo.trie.words[place]!, this.#options.weights[instance.actionIndex]!)
    }
    return forgetFrom
  }

  /** The instances that no value of the state rules out at once, in order. */
  #liveInstances(): number[] {
    const { rootComponents, masks, maskWords, always } = this.#space.live
    const listed = this.#listed
    listed.set(always)
    for (const component of rootComponents) {
      const from = this.#ids[component]! * maskWords
      for (let word = 0; word < maskWords; word++) listed[word]! |= masks[component]![from + word]!
    }
    const instances: number[] = []
    for (let word = 0; word < maskWords; word++) {
      for (let bits = listed[word]!; bits !== 0; bits &= bits - 1) {
        instances.push((word << 5) + 31 - Math.clz32(bits & -bits))
      }
    }
    return instances
  }

  #collect(from: number, weight: number): void {
    const { trie } = this.#space.memo
    const head = trie.words[from]!
    const kind = head & 3
    if (kind === leaf) {
      if (head >>> 2 !== format.outcome) return
      this.#outcomes.push(from)
      this.#weights.push(weight)
    } else if (kind === choice) {
      for (let option = 0; option < head >>> 2; option++) {
        this.#collect(trie.words[from + choiceHeader + option]!, weight)
      }
    } else this.#collect(trie.child(from, this.#ids[head >>> 2]!), weight)
  }

  /** An outcome by weight; -1 if there is none with a weight. */
  #pick(random: Random): number {
    const total = this.#weights.reduce((sum, weight) => sum + weight, 0)
    let left = random.next() * total
    for (let index = 0; index < this.#weights.length; index++) {
      left -= this.#weights[index]!
      if (left < 0) return index
    }
    // Rounding may leave a crumb.
    return this.#weights.findLastIndex((weight) => weight > 0)
  }

  #take(outcome: number): void {
    const { memo } = this.#space
    this.#space.repeat(this.#ids)
    format.applyWrites(memo.trie.words, outcome, this.#ids, this.#space.components.count)
    this.walk.steps.push(memo.trie.words[outcome + format.takenAt]!)
  }

  /** Counts the step, and the state if it is new. */
  #count(): void {
    const { states, components, memo } = this.#space
    const { instance } = memo.takens[this.walk.steps.at(-1)!]!
    this.steps++
    this.fired[instance.actionIndex]!++
    this.longest = Math.max(this.longest, this.walk.steps.length + 1)
    if (this.#space.outgrown) this.#space.relayout()
    this.#space.layout.pack(this.#ids, states.candidates.fill(0, 0, states.wordCount))
    states.candidateHashes[0] = components.hash(this.#ids)
    states.candidateParents[0] = -1
    states.candidateSteps[0] = instance.index + 1
    states.pending = 1
    states.flush()
  }
}
