/** What the most that partial-order reduction could leave out of a search leaves of it. */
import { type Prepared, prepare } from '../../checker/prepare.ts'
import { sizeOf } from './bits.ts'
import type { Case } from './cases.ts'
import { type FullGraph, fullGraph } from './full-graph.ts'
import { reducedSearch } from './reduced-search.ts'
import { type Dependence, dependenceByFootprints, dependenceByTrial, Enabling } from './relations.ts'
import { StubbornSets } from './stubborn.ts'
import { fieldsRead, visibleSteps } from './visibility.ts'

/** Shares of the states and transitions of the full search, from 0 to 1. */
export interface Kept {
  readonly states: number
  readonly transitions: number
}

/** What is kept for the sake of some properties. */
export interface KeptFor {
  /** How many of the steps these properties can see. */
  readonly visible: number
  /** If what a step has read and written is declared. */
  readonly footprints: Kept
  /** If it is known of each two steps whether their order ever matters. */
  readonly trial: Kept
}

/** How often two steps meet in a component: a share of all pairs of steps. */
export interface Meeting {
  readonly component: string
  readonly pairs: number
}

export interface Measured {
  readonly name: string
  readonly states: number
  readonly transitions: number
  /** Instances of actions, each with its choices, that are ever taken. */
  readonly steps: number
  readonly all: KeptFor
  /** One property that reads little, by itself. */
  readonly alone: KeptFor & { readonly property: string }
  /** Only that every end is found: freedom from deadlock. */
  readonly ends: KeptFor
  /** The components in which most pairs of steps meet. */
  readonly meetings: readonly Meeting[]
}

const meetingsShown = 3

/** @throws Error if a reduced search misses an end, so that the reduction is wrong */
export function measure(measured: Case): Measured {
  const prepared: Prepared = prepare(measured.model, measured.config)
  const graph = fullGraph(prepared)
  const read = fieldsRead(graph)
  const relations = {
    enabling: new Enabling(graph),
    footprints: dependenceByFootprints(graph),
    trial: dependenceByTrial(graph),
  }
  const alone = read.get(measured.alone)
  if (alone === undefined) throw new Error(`${measured.name} has no property '${measured.alone}'`)
  const keptFor = (fields: ReadonlySet<string>): KeptFor => {
    const visible = visibleSteps(graph, fields)
    // Where nothing is seen, nothing is hidden by a cycle either.
    const isCareful = fields.size > 0
    const kept = (dependence: Dependence) =>
      keptBy(graph, new StubbornSets(graph, dependence, relations.enabling, visible), isCareful)
    return {
      visible: sizeOf(visible),
      footprints: kept(relations.footprints),
      trial: kept(relations.trial),
    }
  }
  return {
    name: measured.name,
    states: graph.states,
    transitions: graph.targets.length,
    steps: graph.takens.length,
    all: keptFor(new Set([...read.values()].flatMap((fields) => [...fields]))),
    alone: { property: measured.alone, ...keptFor(alone) },
    ends: keptFor(new Set()),
    meetings: meetingsOf(graph).slice(0, meetingsShown),
  }
}

function keptBy(graph: FullGraph, stubborn: StubbornSets, isCareful: boolean): Kept {
  const { states, transitions, found } = reducedSearch(graph, stubborn, isCareful)
  for (let state = 0; state < graph.states; state++) {
    const isEnd = graph.firsts[state] === graph.firsts[state + 1]
    if (isEnd && found[state] === 0) throw new Error('the reduced search misses an end')
  }
  return { states: states / graph.states, transitions: transitions / graph.targets.length }
}

/** In which components steps meet: one writes what the other reads or writes. The most frequent first. */
function meetingsOf({ prepared, footprints }: FullGraph): Meeting[] {
  const pairsOf = (count: number) => (count * (count - 1)) / 2
  return prepared.shape.components
    .map((component, index) => {
      const writers = footprints.filter(({ writes }) => writes.has(index)).length
      const readers = footprints.filter(({ reads, writes }) => reads.has(index) && !writes.has(index)).length
      return { component, pairs: (pairsOf(writers) + writers * readers) / pairsOf(footprints.length) }
    })
    .sort((one, other) => other.pairs - one.pairs)
}
