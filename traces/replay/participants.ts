/** Who takes part in steps, and which steps are faults. */
import type { Plain } from '../../checker/model.ts'
import type { TraceStep } from '../../checker/trace.ts'
import { valueText } from '../text/value.ts'
import type { Taken } from './rehearsal.ts'

/** Whether a step says that it is a fault. */
export const isFault = ({ faults = [] }: TraceStep): boolean => faults.length > 0

export const countFaults = (steps: readonly TraceStep[]): number => steps.filter(isFault).length

/** Lanes of the events of some steps; where there are no events, values of arguments: `worker=1`. */
export function participantsOf(steps: readonly TraceStep[]): string[] {
  const lanes = new Set(steps.flatMap(lanesOfStep))
  return [...(lanes.size > 0 ? lanes : new Set(steps.flatMap(argumentsOfStep)))].sort()
}

/** The steps of each participant, and those that have an argument in common: each lane and each `worker=1`. */
export function stepsByParticipant(steps: readonly Taken[]): Map<string, Taken[]> {
  const groups = new Map<string, Taken[]>()
  for (const step of steps) {
    for (const name of [...lanesOfStep(step), ...argumentsOfStep(step)]) {
      groups.set(name, [...(groups.get(name) ?? []), step])
    }
  }
  return groups
}

/** Every two values that an argument of one name has in some steps, in both orders. */
export function pairsOfArguments(steps: readonly TraceStep[]) {
  const values = new Map<string, Map<string, Plain>>()
  for (const { args } of steps) {
    for (const [name, value] of Object.entries(args)) {
      values.set(name, (values.get(name) ?? new Map()).set(valueText(value), value))
    }
  }
  return [...values].flatMap(([name, byText]) => {
    const all = [...byText.values()]
    return all.flatMap((value) =>
      all.filter((other) => other !== value).map((other) => ({ name, value, other })),
    )
  })
}

export const hasArgument = ({ args }: Pick<TraceStep, 'args'>, name: string, value: Plain): boolean =>
  Object.hasOwn(args, name) && valueText(args[name]!) === valueText(value)

const lanesOfStep = ({ events }: TraceStep): string[] => [
  ...new Set(events.flatMap(({ lane, peer }) => (peer === undefined ? [lane] : [lane, peer]))),
]

const argumentsOfStep = ({ args }: TraceStep): string[] =>
  Object.entries(args).map(([name, value]) => `${name}=${valueText(value)}`)
