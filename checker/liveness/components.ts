/** Strongly connected components of parts of a graph, found without recursion (Tarjan, SIAM J. Comput. 1972). */
import type { Graph } from './graph.ts'

export class ComponentSearch {
  readonly #graph: Graph
  /** By state, the number of the component or of the part that it was put into last. */
  readonly #group: Int32Array
  #groups = 0
  /** By state, when it was visited; 0 before that. */
  readonly #visited: Int32Array
  /** By state, the earliest visited state known to be reachable in its component. */
  readonly #lowest: Int32Array
  /** By state, the next edge to follow. */
  readonly #nextEdge: Int32Array

  constructor(graph: Graph) {
    this.#graph = graph
    this.#group = new Int32Array(graph.states)
    this.#visited = new Int32Array(graph.states)
    this.#lowest = new Int32Array(graph.states)
    this.#nextEdge = new Int32Array(graph.states)
  }

  /** Whether two states of the components found last lie in the same one. */
  together(one: number, other: number): boolean {
    return this.#group[one] === this.#group[other]
  }

  /** The components of the graph without all states but these; a state on no cycle is one by itself. */
  components(states: readonly number[]): number[][] {
    const part = ++this.#groups
    for (const state of states) {
      this.#group[state] = part
      this.#visited[state] = 0
    }
    const found: number[][] = []
    const open: number[] = []
    let visits = 0
    for (const root of states) {
      if (this.#visited[root] !== 0) continue
      const path = [root]
      while (path.length > 0) {
        const state = path.at(-1)!
        if (this.#visited[state] === 0) this.#visit(state, ++visits, open)
        const deeper = this.#follow(state, part)
        if (deeper !== undefined) path.push(deeper)
        else {
          path.pop()
          const before = path.at(-1)
          if (before !== undefined) this.#lower(before, this.#lowest[state]!)
          if (this.#lowest[state] === this.#visited[state]) found.push(this.#close(state, open))
        }
      }
    }
    return found
  }

  #visit(state: number, visit: number, open: number[]): void {
    this.#visited[state] = visit
    this.#lowest[state] = visit
    this.#nextEdge[state] = this.#graph.firsts[state]!
    open.push(state)
  }

  /** Follows the edges of a state to the next one that was not visited. */
  #follow(state: number, part: number): number | undefined {
    const { firsts, targets } = this.#graph
    while (this.#nextEdge[state]! < firsts[state + 1]!) {
      const target = targets[this.#nextEdge[state]!++]!
      // What lies in a component that is complete has another group already.
      if (this.#group[target] !== part) continue
      if (this.#visited[target] === 0) return target
      this.#lower(state, this.#visited[target]!)
    }
    return undefined
  }

  #lower(state: number, visit: number): void {
    if (visit < this.#lowest[state]!) this.#lowest[state] = visit
  }

  /** Takes the component that a state is the first of. */
  #close(state: number, open: number[]): number[] {
    const component = open.splice(open.lastIndexOf(state))
    const group = ++this.#groups
    for (const member of component) this.#group[member] = group
    return component
  }
}
