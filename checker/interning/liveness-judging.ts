/** Judges liveness properties on the graph that a search has left. */
import type { FairInstances, Promised } from '../liveness/fairness.ts'
import type { Graph } from '../liveness/graph.ts'
import { findLasso, type Lasso } from '../liveness/lasso.ts'
import { promiseJudge } from '../property-run.ts'
import type { PropertyCoverage } from '../result.ts'
import type { FairLabels, Trace } from '../trace.ts'
import type { PropertyFinding } from '../verdict.ts'
import { behaviourAlong } from './behaviour.ts'
import type { Expander } from './expander.ts'
import { MemoryExhausted } from './memory.ts'
import { fails, PropertyMemo } from './property-memo.ts'
import type { Space } from './space.ts'

/** What the analysis keeps for each state: the order of the search, components, marks. */
const analysisBytesPerState = 64

export class LivenessJudging {
  readonly coverage: PropertyCoverage[] = []
  /** The state that was judged last, for errors. */
  state = 0
  readonly #space: Space
  readonly #expander: Expander

  constructor(space: Space, expander: Expander) {
    this.#space = space
    this.#expander = expander
  }

  /**
   * What is found out about each liveness property; nothing of any if the memory does not suffice.
   * @throws what a predicate throws, about `state`
   */
  findings(): PropertyFinding[] {
    const { liveness } = this.#space.prepared
    try {
      const graph = this.#graph()
      return liveness.map((promised) => this.#finding(graph, promised))
    } catch (error) {
      if (!(error instanceof MemoryExhausted)) throw error
      const notJudged = 'the memory does not suffice to look for loops among the states that were found'
      return liveness.map(({ property: { name, kind } }) => ({ name, kind, notJudged }))
    }
  }

  #graph(): Graph {
    const { states, budget } = this.#space
    const { expanded, cut, cutStates, exhausted } = this.#expander
    // What was lost when the memory was used up may be any step of the states expanded last.
    if (exhausted) throw new MemoryExhausted()
    budget.demand(analysisBytesPerState * states.count)
    return states.edges!.graph(states.count, {
      isExpanded: (state) => state < expanded + cut && !cutStates.has(state),
      parent: (state) => states.parent(state),
    })
  }

  #finding(graph: Graph, { property, fair }: Promised): PropertyFinding {
    const { name, kind, from, to } = property
    const open = this.#where(name, to).map((kept) => 1 - kept)
    const asked = from === undefined ? undefined : this.#where(name, from)
    const isMade = (state: number) => kind !== 'eventually' || graph.parent(state) < 0
    const made = open.map((isOpen, state) => {
      return isOpen === 1 && asked?.[state] !== 0 && isMade(state) ? 1 : 0
    })
    const lasso = findLasso(graph, { made, open, fair })
    const given = asked === undefined ? {} : { given: asked.includes(1) }
    if (lasso === undefined) return { name, kind, ...given }
    const trace = this.#traceOf(lasso, { property, fair })
    return { name, kind, ...given, settled: { depth: trace.states.length, trace } }
  }

  /** By state, 1 where a predicate is true. */
  #where(name: string, predicate: (state: unknown) => boolean): Uint8Array {
    const { states, judgements, components } = this.#space
    const memo = new PropertyMemo(promiseJudge(name, predicate), judgements)
    const ids = new Int32Array(components.count)
    const where = new Uint8Array(states.count)
    for (let state = 0; state < states.count; state++) {
      this.state = state
      this.#space.read(state, ids)
      where[state] = memo.evaluate(ids) === fails ? 0 : 1
    }
    this.#count(name, memo)
    return where
  }

  /** A property with two predicates is counted once. */
  #count(name: string, { evaluations, served }: PropertyMemo): void {
    const known = this.coverage.findIndex((each) => each.name === name)
    if (known < 0) this.coverage.push({ name, evaluations, served })
    else {
      const before = this.coverage[known]!
      this.coverage[known] = {
        name,
        evaluations: before.evaluations + evaluations,
        served: before.served + served,
      }
    }
  }

  #traceOf({ path, instances, loop, starved }: Lasso, { property, fair }: Promised): Trace {
    const { states, prepared } = this.#space
    const labels = ({ weak, strong }: FairInstances): FairLabels => ({
      weak: weak.map((instance) => prepared.instances[instance]!.label),
      strong: strong.map((instance) => prepared.instances[instance]!.label),
    })
    const known = instances.map((instance, index) => {
      return instance < 0 ? states.instance(path[index + 1]!) : instance
    })
    const { name, kind } = property
    return {
      ...behaviourAlong(this.#space, path, known),
      property: { name, kind, lasso: { fairness: labels(fair), brokenBy: labels(starved) } },
      loop,
    }
  }
}
