/**
 * Stubborn sets (Antti Valmari, "Stubborn sets for reduced state space generation", 1989): in a state, a set of steps
 * such that whatever can happen without them neither makes them possible nor is affected by their order. With guards
 * and enabling sets as in Alfons Laarman, Elwin Pater, Jaco van de Pol, Michael Weber, "Guard-based partial-order
 * reduction" (2013).
 *
 * A set is closed under three rules: with a step that can be taken, all that it depends on; with one that cannot, all
 * of one of its necessary enabling sets; with a step that can be taken and seen, all that can be seen.
 */
import { countBits, eachBit, hasBit } from './bits.ts'
import type { FullGraph } from './full-graph.ts'
import type { Dependence, Enabling } from './relations.ts'

/** One more step that can be taken weighs as much as so many that cannot, when an enabling set is chosen. */
const weightOfEnabled = 1000

export class StubbornSets {
  readonly #graph: FullGraph
  readonly #dependence: Dependence
  readonly #enabling: Enabling
  readonly #visible: Int32Array
  readonly #set: Int32Array
  readonly #enabled: Int32Array
  #missing = 0
  /** Members whose rules were not yet followed; those that can be taken go first, as they end most attempts. */
  readonly #takable: number[] = []
  readonly #blocked: number[] = []

  constructor(graph: FullGraph, dependence: Dependence, enabling: Enabling, visible: Int32Array) {
    this.#graph = graph
    this.#dependence = dependence
    this.#enabling = enabling
    this.#visible = visible
    this.#set = new Int32Array(visible.length)
    this.#enabled = new Int32Array(visible.length)
  }

  /** The edges of a state that a stubborn set consists of, for each step to begin with; the smallest first. */
  of(state: number): number[][] {
    const { firsts, steps } = this.#graph
    const edges = range(firsts[state]!, firsts[state + 1]!)
    this.#enabled.fill(0)
    for (const edge of edges) this.#enabled[steps[edge]! >>> 5]! |= 1 << (steps[edge]! & 31)
    const sets: number[][] = []
    for (const edge of edges) {
      this.#missing = edges.length
      this.#close(steps[edge]!, this.#graph.ids(state))
      if (this.#missing > 0) sets.push(edges.filter((each) => hasBit(this.#set, steps[each]!)))
    }
    return sets.sort((one, other) => one.length - other.length)
  }

  /** Closes the set of one step, unless it comes to contain everything that can be taken. */
  #close(seed: number, ids: Int32Array): void {
    this.#set.fill(0)
    this.#takable.length = 0
    this.#blocked.length = 0
    this.#addStep(seed)
    while (this.#missing > 0) {
      const takable = this.#takable.pop()
      if (takable !== undefined) {
        this.#add(this.#dependence.row(takable))
        if (hasBit(this.#visible, takable)) this.#add(this.#visible)
        continue
      }
      const blocked = this.#blocked.pop()
      if (blocked === undefined) return
      this.#add(this.#cheapestWay(blocked, ids))
    }
  }

  #cheapestWay(step: number, ids: Int32Array): Int32Array {
    let best: Int32Array | undefined
    let bestCost = Infinity
    this.#enabling.forEach(step, ids, (steps) => {
      const cost = this.#costOf(steps)
      if (cost < bestCost) [best, bestCost] = [steps, cost]
      return bestCost === 0 ? 'enough' : 'more'
    })
    return best!
  }

  #costOf(steps: Int32Array): number {
    let cost = 0
    for (let word = 0; word < steps.length; word++) {
      const fresh = steps[word]! & ~this.#set[word]!
      if (fresh !== 0) cost += countBits(fresh) + weightOfEnabled * countBits(fresh & this.#enabled[word]!)
    }
    return cost
  }

  #add(steps: Int32Array): void {
    for (let word = 0; word < steps.length; word++)
      eachBit(steps[word]! & ~this.#set[word]!, word, (step) => this.#addStep(step))
  }

  #addStep(step: number): void {
    this.#set[step >>> 5]! |= 1 << (step & 31)
    if (hasBit(this.#enabled, step)) {
      this.#missing--
      this.#takable.push(step)
    } else this.#blocked.push(step)
  }
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at)
