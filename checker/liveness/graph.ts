/** The graph of the states of a search, as liveness sees it. */
import type { Fair } from './fairness.ts'

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

/** Whether a behaviour may stay in a state for ever: nothing can happen any more, or nothing that has to. */
export function canStay({ firsts, instances, isExpanded }: Graph, state: number, fair: Fair): boolean {
  if (!isExpanded(state)) return false
  const can = instances.subarray(firsts[state]!, firsts[state + 1]!)
  if (!fair.mayStop) return can.length === 0
  return can.every((instance) => !fair.weak.includes(instance) && !fair.strong.includes(instance))
}

/** Whether an instance can happen in a state. */
export function canHappen({ firsts, instances }: Graph, state: number, instance: number): boolean {
  for (let edge = firsts[state]!; edge < firsts[state + 1]!; edge++) {
    if (instances[edge] === instance) return true
  }
  return false
}
