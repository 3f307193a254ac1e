/** The graph of the states of a search, as liveness sees it. */

/** Edge e leads to `targets[e]` by `instances[e]`; state s has the edges from `firsts[s]` up to `firsts[s + 1]`. */
export interface Graph {
  readonly states: number
  readonly firsts: Int32Array
  readonly targets: Int32Array
  readonly instances: Int32Array
  /** Whether all steps from a state are known. */
  isExpanded(state: number): boolean
  /** The state from which a state was found first; -1 for an initial state. States are numbered breadth first. */
  parent(state: number): number
}

/** Whether nothing can happen any more: the behaviour stays there for ever. */
export const isTerminal = (graph: Graph, state: number): boolean =>
  graph.firsts[state] === graph.firsts[state + 1] && graph.isExpanded(state)

/** Whether an instance can happen in a state. */
export function canHappen({ firsts, instances }: Graph, state: number, instance: number): boolean {
  for (let edge = firsts[state]!; edge < firsts[state + 1]!; edge++) {
    if (instances[edge] === instance) return true
  }
  return false
}
