/**
 * The parts of a graph in which a behaviour can stay for ever and be fair: emptiness of a Streett automaton, with the
 * pairs given by fairness. What is starved under weak fairness condemns a component; what is starved under strong
 * fairness condemns only the states in which it can happen, and the rest is searched again.
 */
import { ComponentSearch } from './components.ts'
import type { Fair } from './fairness.ts'
import { canHappen, canStay, type Graph } from './graph.ts'

/** Sets of states, disjoint and largest, each with a fair loop through all of it; also states to stay in. */
export function fairComponents(graph: Graph, states: readonly number[], fair: Fair): number[][] {
  const search = new ComponentSearch(graph)
  const found: number[][] = []
  const parts: (readonly number[])[] = [states]
  while (parts.length > 0) {
    for (const component of search.components(parts.pop()!)) {
      const within = (state: number) => search.together(state, component[0]!)
      const { canIn, taken, steps } = happenings(graph, component, within)
      if (steps === 0 && !canStay(graph, component[0]!, fair)) continue
      const starved = (instance: number) => !taken.has(instance)
      if (fair.weak.some((each) => starved(each) && canIn.get(each) === component.length)) continue
      const condemned = fair.strong.filter((each) => starved(each) && canIn.has(each))
      if (condemned.length === 0) found.push(component)
      else {
        parts.push(component.filter((state) => !condemned.some((each) => canHappen(graph, state, each))))
      }
    }
  }
  return found
}

/** What can happen in how many of the states, and what leads from one of them to another. */
function happenings(graph: Graph, states: readonly number[], within: (state: number) => boolean) {
  const { firsts, targets, instances } = graph
  const canIn = new Map<number, number>()
  const taken = new Set<number>()
  let steps = 0
  for (const state of states) {
    let last = -1
    // Edges of a state come in the order of their instances.
    for (let edge = firsts[state]!; edge < firsts[state + 1]!; edge++) {
      const instance = instances[edge]!
      if (instance !== last) canIn.set(instance, (canIn.get(instance) ?? 0) + 1)
      last = instance
      if (!within(targets[edge]!)) continue
      steps++
      taken.add(instance)
    }
  }
  return { canIn, taken, steps }
}
