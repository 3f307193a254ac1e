/** Finds a behaviour that breaks a promise: a shortest stem, then a fair loop in which the promise is never kept. */
import { fairComponents } from './fair-components.ts'
import type { Fair, FairInstances } from './fairness.ts'
import { canHappen, type Graph } from './graph.ts'
import { fairLoop } from './loop.ts'

/** What is asked of the graph, by state. */
export interface Question {
  /** 1 where the promise is made and not kept at once. */
  readonly made: Uint8Array
  /** 1 where it is not kept. */
  readonly open: Uint8Array
  readonly fair: Fair
}

export interface Lasso {
  /** States on the way; the last one is the one at `loop` again, or the one at `loop` itself if the behaviour stays there. */
  readonly path: readonly number[]
  /** The instance of each step; -1 for the instance by which the search found the state first. */
  readonly instances: readonly number[]
  readonly loop: number
  /** Instances that can happen in the loop and do not: those that always can, and the others. */
  readonly starved: FairInstances
}

/** @returns undefined if every fair behaviour keeps the promise, as far as the graph is known */
export function findLasso(graph: Graph, question: Question): Lasso | undefined {
  const waiting = waitingStates(graph, question)
  const components = fairComponents(graph, waiting.order, question.fair)
  const isFair = new Uint8Array(graph.states)
  for (const component of components) for (const state of component) isFair[state] = 1
  const entry = waiting.order.find((state) => isFair[state] === 1)
  if (entry === undefined) return undefined
  const component = components.find((each) => each.includes(entry))!
  const stem = stemTo(graph, entry, waiting)
  const edges = fairLoop(graph, entry, component, question.fair)
  return {
    path: [...stem.path, ...edges.map((edge) => graph.targets[edge]!)],
    instances: [...stem.instances, ...edges.map((edge) => graph.instances[edge]!)],
    loop: stem.path.length - 1,
    starved: starvedIn(graph, entry, edges),
  }
}

interface Waiting {
  /** States in which a promise may be open, nearest first. */
  readonly order: readonly number[]
  /** By state, the edge by which it was reached with an open promise; -1 where the promise is made. */
  readonly by: Int32Array
  readonly before: Int32Array
}

/**
 * Breadth-first search from where promises are made. How far that is from an initial state counts, so that a
 * promise that is made late takes its turn late.
 */
function waitingStates(graph: Graph, { made, open }: Question): Waiting {
  const by = new Int32Array(graph.states).fill(-1)
  const before = new Int32Array(graph.states).fill(-1)
  const seen = new Uint8Array(graph.states)
  const level = levels(graph)
  const order: number[] = []
  const add = (state: number, from: number, edge: number) => {
    if (seen[state] === 1) return
    seen[state] = 1
    before[state] = from
    by[state] = edge
    order.push(state)
  }
  let [expanded, found] = [0, 0]
  for (let depth = 1; expanded < order.length || found < graph.states; depth++) {
    for (; found < graph.states && level[found] === depth; found++) {
      if (made[found] === 1) add(found, -1, -1)
    }
    for (const end = order.length; expanded < end; expanded++) {
      const state = order[expanded]!
      for (let edge = graph.firsts[state]!; edge < graph.firsts[state + 1]!; edge++) {
        const target = graph.targets[edge]!
        if (open[target] === 1) add(target, state, edge)
      }
    }
  }
  return { order, by, before }
}

function levels(graph: Graph): Int32Array {
  const level = new Int32Array(graph.states)
  for (let state = 0; state < graph.states; state++) {
    const parent = graph.parent(state)
    level[state] = parent < 0 ? 1 : level[parent]! + 1
  }
  return level
}

function stemTo(graph: Graph, entry: number, { by, before }: Waiting): Pick<Lasso, 'path' | 'instances'> {
  const path = [entry]
  const instances: number[] = []
  while (by[path[0]!]! >= 0) {
    instances.unshift(graph.instances[by[path[0]!]!]!)
    path.unshift(before[path[0]!]!)
  }
  for (let parent = graph.parent(path[0]!); parent >= 0; parent = graph.parent(path[0]!)) {
    instances.unshift(-1)
    path.unshift(parent)
  }
  return { path, instances }
}

function starvedIn(graph: Graph, entry: number, loop: readonly number[]): FairInstances {
  const states = loop.length === 0 ? [entry] : loop.map((edge) => graph.targets[edge]!)
  const taken = new Set(loop.map((edge) => graph.instances[edge]!))
  const possible = new Set<number>()
  for (const state of states) {
    for (let edge = graph.firsts[state]!; edge < graph.firsts[state + 1]!; edge++) {
      possible.add(graph.instances[edge]!)
    }
  }
  const starved = [...possible].filter((each) => !taken.has(each)).sort((one, other) => one - other)
  const always = (instance: number) => states.every((state) => canHappen(graph, state, instance))
  return { weak: starved.filter(always), strong: starved.filter((each) => !always(each)) }
}
