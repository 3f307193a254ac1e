/**
 * How the steps of a model depend on each other, read off all of its states. No analysis of the model beforehand could
 * know better, so that a reduction that uses these relations shows the most that one could come to.
 */
import { addAll, BitRows, eachBit, sizeOf } from './bits.ts'
import { changesOf } from './changes.ts'
import type { FullGraph } from './full-graph.ts'

/** By step, the steps that it depends on. */
export type Dependence = BitRows

/** Two steps depend on each other if one has ever written what the other has read or written. */
export function dependenceByFootprints({ footprints }: FullGraph): Dependence {
  const dependent = new BitRows(footprints.length, footprints.length)
  for (const [one, { writes }] of footprints.entries()) {
    for (const [other, touched] of footprints.entries()) {
      if (one === other || ![...writes].some((each) => touched.reads.has(each) || touched.writes.has(each)))
        continue
      dependent.set(one, other)
      dependent.set(other, one)
    }
  }
  return dependent
}

/** Two steps depend on each other if in some state where both can be taken their order matters. */
export function dependenceByTrial(graph: FullGraph): Dependence {
  const { states, firsts, targets, steps, takens } = graph
  const dependent = new BitRows(takens.length, takens.length)
  for (let state = 0; state < states; state++) {
    for (let one = firsts[state]!; one < firsts[state + 1]!; one++) {
      for (let other = one + 1; other < firsts[state + 1]!; other++) {
        const [first, second] = [steps[one]!, steps[other]!]
        if (dependent.has(first, second)) continue
        const end = after(graph, targets[one]!, second)
        if (end !== undefined && end === after(graph, targets[other]!, first)) continue
        dependent.set(first, second)
        dependent.set(second, first)
      }
    }
  }
  return dependent
}

/** Where a step leads to from a state; undefined if it cannot be taken there. */
function after({ firsts, targets, steps }: FullGraph, state: number, step: number): number | undefined {
  for (let edge = firsts[state]!; edge < firsts[state + 1]!; edge++) {
    if (steps[edge] === step) return targets[edge]
  }
  return undefined
}

/**
 * Of a step that cannot be taken: sets of steps of which one must come first ("necessary enabling sets"). Where a
 * component has a value with which the step was never possible, these are the steps that ever led that component from
 * such a value to another.
 */
export class Enabling {
  readonly #graph: FullGraph
  /** By component, rows by value: the steps that were ever possible with this value. */
  readonly #possible: readonly BitRows[]
  /** By step, the ways to enable it, the smallest first; the component is absent of the one that holds everywhere. */
  readonly #ways: { readonly component: number | undefined; readonly steps: Int32Array }[][]

  constructor(graph: FullGraph) {
    this.#graph = graph
    this.#possible = possibleByValue(graph)
    this.#ways = enablers(graph).map((steps) => [{ component: undefined, steps }])
    this.#addWaysByComponent()
    for (const ways of this.#ways) ways.sort((one, other) => sizeOf(one.steps) - sizeOf(other.steps))
  }

  /** Shows each necessary enabling set of a step in a state, until one is wanted no more. */
  forEach(step: number, ids: Int32Array, visit: (steps: Int32Array) => 'more' | 'enough'): void {
    for (const { component, steps } of this.#ways[step]!) {
      const applies = component === undefined || !this.#possible[component]!.has(ids[component]!, step)
      if (applies && visit(steps) === 'enough') return
    }
  }

  #addWaysByComponent(): void {
    const none = new Int32Array(new BitRows(0, this.#graph.takens.length).width)
    const byStep = this.#ways.map(() => new Map<number, Int32Array>())
    for (const [component, possible] of this.#possible.entries()) {
      for (const { from, to, steps } of changesOf(this.#graph, component)) {
        const [before, now] = [possible.row(from), possible.row(to)]
        for (let word = 0; word < now.length; word++) {
          eachBit(now[word]! & ~before[word]!, word, (enabled) => {
            const known = byStep[enabled]!
            if (!known.has(component)) known.set(component, none.slice())
            addAll(known.get(component)!, steps)
          })
        }
      }
      for (const [step, ways] of this.#ways.entries()) {
        const values = this.#graph.space.components.tables[component]!.size
        if (isPossibleWithAll(possible, values, step)) continue
        ways.push({ component, steps: byStep[step]!.get(component) ?? none })
      }
    }
  }
}

function isPossibleWithAll(possible: BitRows, values: number, step: number): boolean {
  for (let value = 0; value < values; value++) if (!possible.has(value, step)) return false
  return true
}

function possibleByValue({ states, firsts, steps, takens, space, ids }: FullGraph): BitRows[] {
  const possible = space.components.tables.map(({ size }) => new BitRows(size, takens.length))
  for (let state = 0; state < states; state++) {
    const values = ids(state)
    for (let edge = firsts[state]!; edge < firsts[state + 1]!; edge++) {
      for (const [component, rows] of possible.entries()) rows.set(values[component]!, steps[edge]!)
    }
  }
  return possible
}

/** By step, those that were ever taken where it could not be taken to where it can. */
function enablers(graph: FullGraph): Int32Array[] {
  const { states, firsts, targets, steps, takens } = graph
  const found = new BitRows(takens.length, takens.length)
  for (let state = 0; state < states; state++) {
    for (let edge = firsts[state]!; edge < firsts[state + 1]!; edge++) {
      const target = targets[edge]!
      for (let next = firsts[target]!; next < firsts[target + 1]!; next++) {
        const enabled = steps[next]!
        if (!found.has(enabled, steps[edge]!) && after(graph, state, enabled) === undefined)
          found.set(enabled, steps[edge]!)
      }
    }
  }
  return takens.map((_, step) => found.row(step))
}
