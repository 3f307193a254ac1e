/** What two traces of one model have in common, where they part, and how they differ from there on. */
import type { Plain } from '../../checker/model.ts'
import { canonical, textOf } from '../../checker/plain.ts'
import type { Trace, TraceStep } from '../../checker/trace.ts'
import { type Change, changes } from '../changes.ts'
import { commonSubsequence } from './common.ts'

/**
 * How two traces part. `start`: in the initial state. `step`: another step is taken in the same state. `outcome`: the same step
 * leads to another state. `end`: one of them goes on. `loop`: they go on for ever in other ways. `none`: not at all.
 */
export type Parting = 'none' | 'start' | 'step' | 'outcome' | 'end' | 'loop'

/** A step of one trace, or of both: positions in their steps, counted from 0. */
export interface StepPair {
  readonly first?: number
  readonly second?: number
}

export interface TraceDiff {
  /** Whether nothing differs: neither what was asked nor what happens. What steps tell of themselves does not count. */
  readonly equal: boolean
  /** From the first to the second. */
  readonly configuration: readonly Change[]
  /** Defences that are switched off in one of them only. */
  readonly defencesOff: { readonly first: readonly string[]; readonly second: readonly string[] }
  /** The names of the properties that they belong to, if these differ. */
  readonly property?: { readonly first?: string; readonly second?: string }
  readonly parting: Parting
  /** How many steps they begin with, from the same initial state, that are the same and lead to the same states. */
  readonly shared: number
  /** In the state in which they part: after the first step that is not shared, or the initial one. From first to second. */
  readonly there: readonly Change[]
  /** All steps that are not shared, aligned where both take the same step, be it in other states. */
  readonly rest: readonly StepPair[]
  /** In the last states. From the first to the second. */
  readonly end: readonly Change[]
}

export function diffTraces(first: Trace, second: Trace): TraceDiff {
  const labels = { first: first.steps.map(labelOf), second: second.steps.map(labelOf) }
  const between = (at: number, other = at) => changes(stateAt(first, at), stateAt(second, other))
  const sameStart = between(0).length === 0
  const shared = sameStart ? sharedSteps(labels, (step) => between(step + 1).length === 0) : 0
  const parting = sameStart ? partingAfter(shared, labels, first.loop === second.loop) : 'start'
  const configuration = changes(first.config, second.config)
  const defencesOff = {
    first: first.defencesOff.filter((name) => !second.defencesOff.includes(name)),
    second: second.defencesOff.filter((name) => !first.defencesOff.includes(name)),
  }
  const property = differentProperty(first.property?.name, second.property?.name)
  const sameQuestion =
    first.model === second.model &&
    configuration.length + defencesOff.first.length + defencesOff.second.length === 0
  return {
    equal: parting === 'none' && sameQuestion && property === undefined,
    configuration,
    defencesOff,
    ...(property === undefined ? {} : { property }),
    parting,
    shared,
    there:
      parting === 'start'
        ? between(0)
        : parting === 'step' || parting === 'outcome'
          ? between(shared + 1)
          : [],
    rest: aligned(labels.first.slice(shared), labels.second.slice(shared), shared),
    end: between(first.steps.length, second.steps.length),
  }
}

interface Labels {
  readonly first: readonly string[]
  readonly second: readonly string[]
}

/** What makes two steps the same; the order of arguments does not, which a file does not keep. */
const labelOf = ({ action, args, choices }: TraceStep): string =>
  textOf(canonical({ action, args, choices }, 'step'))

const stateAt = ({ states }: Trace, index: number): Plain => states[index] as Plain

function sharedSteps({ first, second }: Labels, sameOutcome: (step: number) => boolean): number {
  const most = Math.min(first.length, second.length)
  let shared = 0
  while (shared < most && first[shared] === second[shared] && sameOutcome(shared)) shared++
  return shared
}

function partingAfter(shared: number, { first, second }: Labels, sameLoop: boolean): Parting {
  if (shared === first.length && shared === second.length) return sameLoop ? 'none' : 'loop'
  if (shared === first.length || shared === second.length) return 'end'
  return first[shared] === second[shared] ? 'outcome' : 'step'
}

function differentProperty(first: string | undefined, second: string | undefined): TraceDiff['property'] {
  if (first === second) return undefined
  return { ...(first === undefined ? {} : { first }), ...(second === undefined ? {} : { second }) }
}

/** Between two steps that both have, those of the first come before those of the second. */
function aligned(first: readonly string[], second: readonly string[], shared: number): StepPair[] {
  const pairs: StepPair[] = []
  let [one, other] = [0, 0]
  for (const [left, right] of [...commonSubsequence(first, second), [first.length, second.length] as const]) {
    while (one < left) pairs.push({ first: shared + one++ })
    while (other < right) pairs.push({ second: shared + other++ })
    if (left < first.length) pairs.push({ first: shared + one++, second: shared + other++ })
  }
  return pairs
}
