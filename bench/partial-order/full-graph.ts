/**
 * All states and steps of a model, kept, to find out what a reduced search could do without. A step is an instance of
 * an action with its choices: the smallest thing that a reduction could leave out.
 */
import type { TakenBy } from '../../checker/interning/action-memo.ts'
import { grown } from '../../checker/interning/memory.ts'
import * as format from '../../checker/interning/outcomes.ts'
import { Space } from '../../checker/interning/space.ts'
import { choice, choiceHeader, leaf } from '../../checker/interning/trie.ts'
import type { Graph } from '../../checker/liveness/graph.ts'
import type { Prepared } from '../../checker/prepare.ts'

/** What a step has ever read to be taken, and what it has ever written: components. */
export interface Footprint {
  readonly reads: Set<number>
  readonly writes: Set<number>
}

/** Edge e is the step `steps[e]`; edges of one state are of different steps. */
export interface FullGraph extends Graph {
  readonly prepared: Prepared
  readonly space: Space
  readonly initial: readonly number[]
  readonly steps: Int32Array
  readonly takens: readonly TakenBy[]
  /** By step. */
  readonly footprints: readonly Footprint[]
  /** The ids of the components of a state. */
  ids(state: number): Int32Array
}

/** Explores a model in full; its properties are not looked at. */
export function fullGraph(prepared: Prepared): FullGraph {
  if (prepared.body.constraint !== undefined)
    throw new Error(`${prepared.name} has a constraint, which is not measured`)
  return new Exploration(prepared).run()
}

class Exploration {
  readonly #prepared: Prepared
  readonly #space: Space
  readonly #width: number
  readonly #known = new Map<string, number>()
  #tuples: Int32Array
  /** Ids of the state being expanded, then of the state after a step. */
  readonly #ids: Int32Array
  readonly #firsts: number[] = []
  readonly #targets: number[] = []
  readonly #steps: number[] = []
  readonly #footprints: Footprint[] = []
  readonly #leavesSeen = new Set<number>()

  constructor(prepared: Prepared) {
    this.#prepared = prepared
    this.#space = new Space(prepared)
    this.#width = this.#space.components.count
    this.#tuples = new Int32Array(1024 * this.#width)
    this.#ids = new Int32Array(2 * this.#width)
  }

  run(): FullGraph {
    const { instances, initial: initialStates } = this.#prepared
    const { components, memo } = this.#space
    const initial = initialStates.map((values) => {
      for (const [index, value] of values.entries()) {
        this.#ids[this.#width + index] = components.intern(index, value)
      }
      return this.#stateAfter()
    })
    for (let state = 0; state < this.#known.size; state++) {
      this.#firsts.push(this.#targets.length)
      this.#ids.set(this.#tuple(state))
      for (const { index } of instances) this.#fire(index)
    }
    this.#firsts.push(this.#targets.length)
    // Keys of states are texts with one character for each component.
    if (components.sizes.some((size) => size > 0x10000)) throw new Error('a component has too many values')
    const steps = Int32Array.from(this.#steps)
    return {
      prepared: this.#prepared,
      space: this.#space,
      states: this.#known.size,
      initial: [...new Set(initial)],
      firsts: Int32Array.from(this.#firsts),
      targets: Int32Array.from(this.#targets),
      steps,
      instances: steps.map((step) => memo.takens[step]!.instance.index),
      takens: memo.takens,
      footprints: this.#footprints,
      ids: (state) => this.#tuple(state),
      isExpanded: () => true,
      parent: () => -1,
    }
  }

  #tuple(state: number): Int32Array {
    return this.#tuples.subarray(state * this.#width, (state + 1) * this.#width)
  }

  #fire(instance: number): void {
    const { memo } = this.#space
    if (!memo.isComplete(memo.roots[instance]!, this.#ids))
      memo.complete(this.#prepared.instances[instance]!, this.#ids)
    this.#follow(memo.trie.words[memo.roots[instance]!]!, instance)
  }

  #follow(from: number, instance: number): void {
    const { trie } = this.#space.memo
    let node = from
    for (;;) {
      const head = trie.words[node]!
      const kind = head & 3
      if (kind === leaf) {
        if (head >>> 2 === format.outcome) this.#take(node, instance)
        return
      }
      if (kind === choice) {
        for (let option = 0; option < head >>> 2; option++)
          this.#follow(trie.words[node + choiceHeader + option]!, instance)
        return
      }
      node = trie.child(node, this.#ids[head >>> 2]!)
    }
  }

  #take(node: number, instance: number): void {
    const { words } = this.#space.memo.trie
    const step = words[node + format.takenAt]!
    if (!this.#leavesSeen.has(node)) this.#note(node, instance, step)
    this.#space.repeat(this.#ids)
    format.applyWrites(words, node, this.#ids, this.#width)
    // Equal options are one step.
    if (this.#steps.indexOf(step, this.#firsts.at(-1)) >= 0) return
    this.#steps.push(step)
    this.#targets.push(this.#stateAfter())
  }

  #note(node: number, instance: number, step: number): void {
    const { memo } = this.#space
    this.#leavesSeen.add(node)
    this.#footprints[step] ??= { reads: new Set(), writes: new Set() }
    const { reads, writes } = this.#footprints[step]
    for (const component of memo.readsBefore(node, instance, this.#ids)) reads.add(component)
    for (const component of format.writtenComponents(memo.trie.words, node)) writes.add(component)
  }

  #stateAfter(): number {
    const tuple = this.#ids.subarray(this.#width)
    const key = String.fromCharCode(...tuple)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const state = this.#known.size
    this.#known.set(key, state)
    if ((state + 1) * this.#width > this.#tuples.length)
      this.#tuples = grown(this.#tuples, 2 * this.#tuples.length)
    this.#tuples.set(tuple, state * this.#width)
    return state
  }
}
