/** A breadth-first search that takes a stubborn set of steps only, and finds what is needed for safety. */
import { ComponentSearch } from '../../checker/liveness/components.ts'
import type { FullGraph } from './full-graph.ts'
import type { StubbornSets } from './stubborn.ts'

export interface Reduced {
  readonly states: number
  readonly transitions: number
  /** By state of the full graph, whether the reduced search finds it. */
  readonly found: Uint8Array
}

/**
 * @param isCareful whether no step is put off for ever (the cycle proviso). Without that, every end is still found, but
 * a cycle may hide what properties should see.
 */
export function reducedSearch(graph: FullGraph, stubborn: StubbornSets, isCareful: boolean): Reduced {
  const { initial, targets } = graph
  const found = new Uint8Array(graph.states)
  const queue: number[] = []
  let transitions = 0
  const find = (state: number) => {
    if (found[state] === 0) queue.push(state)
    found[state] = 1
  }
  const expanded = new Uint8Array(graph.states)
  const together = isCareful ? onOneCycle(graph) : undefined
  // On every cycle of the reduced graph some state would have no step that leads on: it takes all that it can.
  const leadsOn = (state: number, edges: readonly number[]) =>
    together === undefined ||
    edges.some((edge) => expanded[targets[edge]!] === 0 || !together(state, targets[edge]!))
  initial.forEach(find)
  for (let next = 0; next < queue.length; next++) {
    const state = queue[next]!
    expanded[state] = 1
    const edges = stubborn.of(state).find((set) => leadsOn(state, set)) ?? allEdges(graph, state)
    transitions += edges.length
    for (const edge of edges) find(targets[edge]!)
  }
  return { states: queue.length, transitions, found }
}

/** Whether two states can each come to the other. */
function onOneCycle(graph: FullGraph): (one: number, other: number) => boolean {
  const search = new ComponentSearch(graph)
  search.components(Array.from({ length: graph.states }, (_, state) => state))
  return (one, other) => search.together(one, other)
}

function allEdges({ firsts }: FullGraph, state: number): number[] {
  const edges: number[] = []
  for (let edge = firsts[state]!; edge < firsts[state + 1]!; edge++) edges.push(edge)
  return edges
}
