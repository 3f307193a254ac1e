/**
 * The inner loop of the search: expands states by following tries. Millions of transitions pass here each second,
 * so it works on integers in typed arrays only, and leaves for a recipe run where a trie has no answer.
 */
import type { Instance } from '../instances.ts'
import { constraintJudge } from '../property-run.ts'
import type { TakenBy } from './action-memo.ts'
import type { CoverageCounts } from './coverage.ts'
import type { Judging } from './judging.ts'
import { MemoryExhausted } from './memory.ts'
import type { Orbits } from './orbits.ts'
import * as format from './outcomes.ts'
import { fails, PropertyMemo } from './property-memo.ts'
import type { Space } from './space.ts'
import { batchSize } from './state-store.ts'
import { StepJudging } from './step-judging.ts'
import { choice, choiceHeader, denseRead, leaf, readHeader, sparseChild } from './trie.ts'

/** A chunk ends after so many states, or after so many completions of tries, which are far slower. */
const statesPerChunk = 2048
const completionsPerChunk = 256

/** Where a model failed: in the state, or on the step from it. */
export interface Failure {
  readonly state: number
  readonly taken?: TakenBy
  readonly error: unknown
}

export class Expander {
  /** Initial states plus every successor found. */
  generated: number
  /** States expanded, and states that the constraint cut. */
  expanded = 0
  cut = 0
  firstCut: number | undefined
  /** The states that were cut, if the graph is kept. */
  readonly cutStates = new Set<number>()
  failure: Failure | undefined
  /** Whether the memory did not suffice for what was found. */
  exhausted = false
  /** Whether new paths are remembered; false once the memory for that is used up. */
  remembers = true
  readonly #space: Space
  readonly #judging: Judging
  readonly #steps: StepJudging
  readonly #judgesSteps: boolean
  readonly constraint: PropertyMemo | undefined
  readonly #coverage: CoverageCounts
  readonly #instances: readonly Instance[]
  /** Ids of the state being expanded, then of the state after a step. */
  readonly #ids: Int32Array
  /** A mask over instances: those that may be enabled in the state being expanded. */
  readonly #listed: Int32Array
  readonly #orbits: Orbits | undefined
  /** Ids of a state after a step, if states are explored up to renaming. */
  readonly #successor: Int32Array
  /** The words of the state being expanded. */
  #current: Int32Array
  #state = 0
  #hash = 0
  /** Places of options that wait for their turn. */
  readonly #waiting: number[] = []
  #completions = 0

  constructor(space: Space, judging: Judging, coverage: CoverageCounts) {
    const { prepared, judgements, states } = space
    const { constraint } = prepared.body
    this.#space = space
    this.#judging = judging
    this.#steps = new StepJudging(judging, space.memo, judgements, space.components.count)
    this.#judgesSteps = judging.transitions.length > 0
    this.#coverage = coverage
    this.#instances = prepared.instances
    this.constraint = constraint && new PropertyMemo(constraintJudge(constraint), judgements)
    this.#ids = new Int32Array(2 * space.components.count)
    this.#listed = new Int32Array(space.live.maskWords)
    this.#current = new Int32Array(states.wordCount)
    this.#orbits = space.orbits
    this.#successor = new Int32Array(space.components.count)
    this.generated = prepared.initial.length
  }

  /**
   * Expands states from `from` on, some or all of those below `to`, and looks up all that they lead to.
   * @returns the first state that was not expanded; on a failure of the model see `failure`
   */
  expandSome(from: number, to: number): number {
    const end = Math.min(to, from + statesPerChunk)
    this.#completions = 0
    let state = from
    try {
      while (state < end && this.#completions < completionsPerChunk) this.#expand(state++)
      this.#space.states.flush()
    } catch (error) {
      this.#fail(error)
    }
    return state
  }

  #fail(error: unknown): void {
    if (error instanceof MemoryExhausted) this.exhausted = true
    else {
      const taken = this.#steps.lastTaken
      this.failure = { state: this.#state, ...(taken === undefined ? {} : { taken }), error }
      this.#flushAfterFailure()
    }
  }

  /** What was found before a failure may hold an earlier one. */
  #flushAfterFailure(): void {
    try {
      this.#space.states.flush()
    } catch (error) {
      if (!(error instanceof MemoryExhausted)) throw error
    }
  }

  #expand(state: number): void {
    this.#open(state)
    if (this.constraint?.evaluate(this.#ids) === fails) {
      this.cut++
      if (this.#space.states.edges !== undefined) this.cutStates.add(state)
      this.firstCut ??= state
      return
    }
    const before = this.generated
    const roots = this.#list()
    for (let maskWord = 0; maskWord < this.#listed.length; maskWord++) {
      let listed = this.#listed[maskWord]!
      while (listed !== 0) {
        const lowest = listed & -listed
        listed ^= lowest
        const instance = (maskWord << 5) + 31 - Math.clz32(lowest)
        if (this.remembers) this.#fire(instance, this.#space.memo.roots[instance]!)
        else this.#fireUnremembered(instance)
      }
    }
    this.#countVisits(roots)
    this.expanded++
    if (this.generated === before) this.#judging.deadlock?.judge(this.#ids, state, 0, undefined)
  }

  /**
   * Lists the instances that no component rules out, and counts the visit of each first component.
   * @returns how many first components there are
   */
  #list(): number {
    const { rootComponents, masks, maskWords, visits, always } = this.#space.live
    const listed = this.#listed
    const ids = this.#ids
    listed.set(always)
    for (let index = 0; index < rootComponents.length; index++) {
      const component = rootComponents[index]!
      const id = ids[component]!
      const mask = masks[component]!
      visits[component]![id]!++
      for (let word = 0; word < maskWords; word++) listed[word]! |= mask[id * maskWords + word]!
    }
    return rootComponents.length
  }

  /** Counts the visit of components that became first components while the state was expanded. */
  #countVisits(from: number): void {
    const { rootComponents, visits } = this.#space.live
    for (let index = from; index < rootComponents.length; index++) {
      const component = rootComponents[index]!
      visits[component]![this.#ids[component]!]!++
    }
  }

  #open(state: number): void {
    const { states } = this.#space
    this.#state = state
    this.#hash = states.hash(state)
    this.#readWords()
    this.#space.unpack(this.#current, this.#ids)
    if (this.#judgesSteps) this.#space.repeat(this.#ids)
  }

  #readWords(): void {
    const { states } = this.#space
    if (this.#current.length !== states.wordCount) this.#current = new Int32Array(states.wordCount)
    states.read(this.#state, this.#current)
  }

  /** Follows the trie at `place` for the current state, along every choice, and emits the outcomes. */
  #fire(instance: number, place: number): void {
    const { trie } = this.#space.memo
    const ids = this.#ids
    const waiting = this.#waiting
    let words = trie.words
    let at = place
    let node = words[at]!
    for (;;) {
      if (node === 0) {
        this.#complete(instance)
        words = trie.words
        node = words[at]!
        continue
      }
      const head = words[node]!
      const kind = head & 3
      if (kind === denseRead) {
        const id = ids[head >>> 2]!
        node = id < words[node + 3]! ? words[node + readHeader + id]! : 0
      } else if (kind === leaf) {
        words[node + 2]!++
        if (head >>> 2 === format.outcome) this.#emit(node, instance)
        if (waiting.length === 0) return
        at = waiting.pop()!
        node = words[at]!
      } else if (kind === choice) {
        for (let option = (head >>> 2) - 1; option > 0; option--) waiting.push(node + choiceHeader + option)
        // Places of options never move, so that the walk can go on from here after the trie has grown.
        at = node + choiceHeader
        node = words[at]!
      } else {
        node = sparseChild(words, node, ids[head >>> 2]!)
      }
    }
  }

  #complete(instance: number): void {
    this.#completions++
    this.#space.memo.complete(this.#instances[instance]!, this.#ids)
    this.#makeRoom()
  }

  #makeRoom(): void {
    if (!this.#space.outgrown) return
    this.#space.relayout()
    this.#readWords()
  }

  /** Past the budget for remembering: what is not known is found out for this state alone. */
  #fireUnremembered(instance: number): void {
    const { memo } = this.#space
    const known = memo.roots[instance]!
    if (memo.isComplete(known, this.#ids)) {
      this.#fire(instance, known)
      return
    }
    this.#completions++
    const place = memo.completeApart(this.#instances[instance]!, this.#ids)
    this.#makeRoom()
    this.#fire(instance, place)
    this.#coverage.addTrie(memo, this.#instances[instance]!.actionIndex, memo.trie.words[place]!)
    memo.forgetFrom(place)
  }

  /** Makes the successor of an outcome a candidate. */
  #emit(node: number, instance: number): void {
    const { memo, states, layout, components } = this.#space
    const words = memo.trie.words
    this.generated++
    if (this.#judgesSteps) this.#steps.judge(node, instance, this.#state, this.#ids)
    const known = words[node + format.knownCountAt]!
    const blind = words[node + format.blindCountAt]!
    // A self-loop leads to a state that is known; it is looked up only to be kept in order.
    if (known + blind === 0 && states.edges === undefined) return
    if (this.#orbits !== undefined) {
      this.#emitRepresentative(node, instance, this.#orbits)
      return
    }
    if (states.pending === batchSize) states.flush()
    const { candidates, wordCount } = states
    const index = states.pending++
    const base = index * wordCount
    const current = this.#current
    for (let word = 0; word < wordCount; word++) candidates[base + word] = current[word]!
    const pairsEnd = node + format.pairsAt + 2 * words[node + format.pairCountAt]!
    for (let at = node + format.pairsAt; at < pairsEnd; at += 2)
      candidates[base + words[at]!]! ^= words[at + 1]!
    let hash = this.#hash ^ words[node + format.hashChangeAt]!
    if (blind > 0) {
      const from = node + format.blindAt(known)
      for (let at = from; at < from + 2 * blind; at += 2) {
        const component = words[at]!
        const oldId = this.#ids[component]!
        candidates[base + layout.word[component]!]! ^= (oldId ^ words[at + 1]!) << layout.shift[component]!
        hash ^= components.tables[component]!.randomWords[oldId]!
      }
    }
    states.candidateHashes[index] = hash
    states.candidateParents[index] = this.#state
    states.candidateSteps[index] = instance + 1
  }

  /** The same up to renaming. */
  #emitRepresentative(node: number, instance: number, orbits: Orbits): void {
    const { memo, states, components } = this.#space
    const after = this.#successor
    for (let component = 0; component < after.length; component++) after[component] = this.#ids[component]!
    format.applyWrites(memo.trie.words, node, after, 0)
    orbits.canonicalise(after)
    // The names may be new where they now are.
    this.#makeRoom()
    if (states.pending === batchSize) states.flush()
    const index = states.pending++
    const words = states.candidates.subarray(index * states.wordCount, (index + 1) * states.wordCount)
    this.#space.layout.pack(after, words.fill(0))
    states.candidateHashes[index] = components.hash(after)
    states.candidateParents[index] = this.#state
    states.candidateSteps[index] = instance + 1
  }
}
