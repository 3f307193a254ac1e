/** Small models and what a reduced search makes of them. */
import type { FullGraph } from '../../../bench/partial-order/full-graph.ts'
import { fullGraph } from '../../../bench/partial-order/full-graph.ts'
import { reducedSearch } from '../../../bench/partial-order/reduced-search.ts'
import {
  type Dependence,
  dependenceByFootprints,
  dependenceByTrial,
  Enabling,
} from '../../../bench/partial-order/relations.ts'
import { StubbornSets } from '../../../bench/partial-order/stubborn.ts'
import { fieldsRead, visibleSteps } from '../../../bench/partial-order/visibility.ts'
import type { ModelBody, Plain } from '../../../checker/index.ts'
import { prepare } from '../../../checker/prepare.ts'
import { stateOf } from '../../../checker/shape.ts'
import { tiny } from '../../checker/tiny.ts'

export const relations = { footprints: dependenceByFootprints, trial: dependenceByTrial }
export type RelationName = keyof typeof relations

type Body<State> = Partial<ModelBody<State>> & Pick<ModelBody<State>, 'components'>

export const graphOf = <State>(body: Body<State>): FullGraph => fullGraph(prepare(tiny(body), {}))

/** What the properties of a model read. */
export const fieldsOfAll = (graph: FullGraph): Set<string> =>
  new Set([...fieldsRead(graph).values()].flatMap((fields) => [...fields]))

export interface Choices {
  readonly dependence: Dependence
  readonly fields?: ReadonlySet<string>
  readonly isCareful?: boolean
}

export function reduce(graph: FullGraph, { dependence, fields = new Set(), isCareful = true }: Choices) {
  const visible = visibleSteps(graph, fields)
  const stubborn = new StubbornSets(graph, dependence, new Enabling(graph), visible)
  return reducedSearch(graph, stubborn, isCareful)
}

export const plainState = ({ prepared, space, ids }: FullGraph, state: number): Plain =>
  stateOf(prepared.shape, space.components.values(ids(state)))

export const isEnd = ({ firsts }: FullGraph, state: number): boolean => firsts[state] === firsts[state + 1]

export const statesOf = ({ states }: FullGraph): number[] =>
  Array.from({ length: states }, (_, state) => state)
