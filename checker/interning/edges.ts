/** Every step of a search, kept for what is judged on the graph of all states. */
import type { Graph } from '../liveness/graph.ts'
import { grown, type MemoryBudget } from './memory.ts'

export class Edges {
  readonly #budget: MemoryBudget
  /** The first edge of each state up to the last that has one. */
  #firsts = new Int32Array(1024)
  #targets = new Int32Array(1024)
  #instances = new Int32Array(1024)
  #count = 0
  /** The state that edges were added of last; states come in order. */
  #last = -1

  constructor(budget: MemoryBudget) {
    this.#budget = budget
  }

  get bytes(): number {
    return 4 * (this.#firsts.length + this.#targets.length + this.#instances.length)
  }

  /**
   * Adds a step. Steps come in the order of the states that they are taken from.
   * @throws MemoryExhausted; the edges are incomplete then
   */
  add(from: number, instance: number, to: number): void {
    this.#begin(from)
    if (this.#count === this.#targets.length) {
      this.#budget.demand(8 * this.#count)
      this.#targets = grown(this.#targets, 2 * this.#count)
      this.#instances = grown(this.#instances, 2 * this.#count)
    }
    this.#targets[this.#count] = to
    this.#instances[this.#count++] = instance
  }

  /** Begins the edges of a state, and of those before it that have none. */
  #begin(state: number): void {
    if (state >= this.#firsts.length) {
      const length = Math.max(2 * this.#firsts.length, state + 1)
      this.#budget.demand(4 * (length - this.#firsts.length))
      this.#firsts = grown(this.#firsts, length)
    }
    while (this.#last < state) this.#firsts[++this.#last] = this.#count
  }

  /**
   * The graph over `states` states, of which those in `isExpanded` have all their edges.
   * @throws MemoryExhausted
   */
  graph(states: number, about: Pick<Graph, 'isExpanded' | 'parent'>): Graph {
    // Nothing begins at the end, so that every state has an end.
    this.#begin(states)
    return {
      ...about,
      states,
      firsts: this.#firsts,
      targets: this.#targets,
      instances: this.#instances,
    }
  }
}
