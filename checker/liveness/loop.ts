/** A short fair loop through a fair component. */
import type { Fair } from './fairness.ts'
import { canHappen, canStay, type Graph } from './graph.ts'

/** Decides whether an edge is where to go. */
type Wanted = (edge: number) => boolean

/** By state, the edge by which it was reached and where that comes from. */
type CameBy = ReadonlyMap<number, { readonly edge: number; readonly before: number }>

/**
 * Edges from a state of the component back to it; none if it can stay. Begins with the shortest loop there is,
 * and goes round by more until nothing is starved any more.
 */
export function fairLoop(graph: Graph, entry: number, component: readonly number[], fair: Fair): number[] {
  if (canStay(graph, entry, fair)) return []
  const members = new Set(component)
  const stops: Wanted[] = []
  for (;;) {
    const loop = roundTrip(graph, entry, members, stops)
    const stop = missing(graph, loop, fair)
    if (stop === undefined) return loop
    stops.push(stop)
  }
}

function roundTrip(graph: Graph, entry: number, members: ReadonlySet<number>, stops: readonly Wanted[]) {
  const loop: number[] = []
  const goTo = (wanted: Wanted) => {
    const at = loop.length === 0 ? entry : graph.targets[loop.at(-1)!]!
    loop.push(...shortestWay(graph, at, members, wanted))
  }
  for (const stop of stops) if (!loop.some(stop)) goTo(stop)
  if (loop.length === 0 || graph.targets[loop.at(-1)!] !== entry) {
    goTo((edge) => graph.targets[edge] === entry)
  }
  return loop
}

/** Where a loop must come by, too, so that one of the instances is not starved in it. */
function missing(graph: Graph, loop: readonly number[], fair: Fair): Wanted | undefined {
  const takes = (instance: number) => (edge: number) => graph.instances[edge] === instance
  const can = (instance: number) => (edge: number) => canHappen(graph, graph.targets[edge]!, instance)
  const starved = (instance: number) => !loop.some(takes(instance))
  const strong = fair.strong.find((each) => starved(each) && loop.some(can(each)))
  if (strong !== undefined) return takes(strong)
  const weak = fair.weak.find((each) => starved(each) && loop.every(can(each)))
  return weak === undefined ? undefined : (edge) => takes(weak)(edge) || !can(weak)(edge)
}

/** Breadth first within the members, which are strongly connected, up to the first edge that is wanted. */
function shortestWay(
  { firsts, targets }: Graph,
  from: number,
  members: ReadonlySet<number>,
  wanted: Wanted,
): number[] {
  const cameBy = new Map<number, { readonly edge: number; readonly before: number }>()
  const queue = [from]
  for (const state of queue) {
    for (let edge = firsts[state]!; edge < firsts[state + 1]!; edge++) {
      const target = targets[edge]!
      if (!members.has(target)) continue
      if (wanted(edge)) return [...wayTo(state, from, cameBy), edge]
      if (target === from || cameBy.has(target)) continue
      cameBy.set(target, { edge, before: state })
      queue.push(target)
    }
  }
  throw new Error('a fair component lacks what makes it fair')
}

function wayTo(state: number, from: number, cameBy: CameBy): number[] {
  const way: number[] = []
  for (let at = state; at !== from; ) {
    const { edge, before } = cameBy.get(at)!
    way.push(edge)
    at = before
  }
  return way.reverse()
}
