/**
 * The oracle for liveness: decides whether a fair lasso exists by sets of plain states that shrink until nothing
 * changes, not by components. It expects the whole of a small state space and a well-formed property.
 *
 * Under strong fairness an instance is either taken again and again, or impossible from some point on; every way to
 * settle that for all strongly fair instances is tried, so that only conditions to be met again and again are left.
 */
import type { LivenessProperty, Plain } from '../../../checker/model.ts'

export interface PlainStep {
  readonly label: string
  readonly to: string
}

/** By state, as text, all steps from it. */
export type PlainGraph = ReadonlyMap<string, readonly PlainStep[]>

/** The labels of the instances that are fair. */
export interface FairByLabel {
  readonly weak: readonly string[]
  readonly strong: readonly string[]
  readonly mayStop: boolean
}

/** The least number of states on a way to a fair loop that breaks the property; undefined if there is none. */
export function shortestStem(
  graph: PlainGraph,
  initial: readonly string[],
  { kind, from, to }: Pick<LivenessProperty<Plain>, 'kind' | 'from' | 'to'>,
  fair: FairByLabel,
): number | undefined {
  const isOpen = (state: string) => !to(JSON.parse(state))
  const isAsked = (state: string) => isOpen(state) && (from?.(JSON.parse(state)) ?? true)
  const nodeOf = (state: string, waits: boolean) => `${waits ? 'w' : 'f'}${state}`
  const enter = (state: string, first: boolean) => [
    nodeOf(state, false),
    ...(isAsked(state) && (first || kind !== 'eventually') ? [nodeOf(state, true)] : []),
  ]
  let level = new Set(initial.flatMap((state) => enter(state, true)))
  const seen = new Set<string>()
  for (let length = 1; level.size > 0; length++) {
    const next = new Set<string>()
    for (const node of level) {
      seen.add(node)
      const state = node.slice(1)
      const waits = node.startsWith('w')
      if (waits && liesOnFairLoop(graph, state, isOpen, fair)) return length
      for (const { to: target } of graph.get(state)!) {
        const nodes = !waits ? enter(target, false) : isOpen(target) ? [nodeOf(target, true)] : []
        for (const each of nodes) next.add(each)
      }
    }
    level = new Set([...next].filter((node) => !seen.has(node)))
  }
  return undefined
}

type Demand = (from: string, step: PlainStep) => boolean

function liesOnFairLoop(
  graph: PlainGraph,
  state: string,
  isOpen: (state: string) => boolean,
  { weak, strong, mayStop }: FairByLabel,
): boolean {
  const isFair = ({ label }: PlainStep) => !mayStop || weak.includes(label) || strong.includes(label)
  if (!graph.get(state)!.some(isFair)) return true
  const can = (from: string, label: string) => graph.get(from)!.some((step) => step.label === label)
  const ways = strong.reduce<string[][]>((all, label) => all.flatMap((way) => [way, [...way, label]]), [[]])
  return ways.some((impossible) => {
    const states = [...graph.keys()].filter((each) => {
      return isOpen(each) && !impossible.some((label) => can(each, label))
    })
    const required = strong.filter((label) => !impossible.includes(label))
    return canMeetForEver(graph, new Set(states), [
      (from) => from === state,
      ...required.map(
        (label): Demand =>
          (_, step) =>
            step.label === label,
      ),
      ...weak.map(
        (label): Demand =>
          (from, step) =>
            step.label === label || !can(from, label),
      ),
    ]).has(state)
  })
}

/** The states from which every demand can be met by a step again and again, without leaving the given states. */
function canMeetForEver(graph: PlainGraph, states: Set<string>, demands: readonly Demand[]): Set<string> {
  for (let size = -1; size !== states.size; ) {
    size = states.size
    for (const demand of demands) states = canReach(graph, states, demand)
  }
  return states
}

/** The states from which a step that meets a demand can be reached within the states. */
function canReach(graph: PlainGraph, within: ReadonlySet<string>, demand: Demand): Set<string> {
  const found = new Set<string>()
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const state of within) {
      const steps = graph.get(state)!.filter(({ to }) => within.has(to))
      if (steps.some((step) => demand(state, step) || found.has(step.to))) found.add(state)
    }
  }
  return found
}
