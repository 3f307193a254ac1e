/** A walk as it is remembered, and the trace that is made of it. */
import type { ActionMemo } from '../interning/action-memo.ts'
import { stepTaken } from '../interning/behaviour.ts'
import type { Plain } from '../model.ts'
import type { Prepared } from '../prepare.ts'
import { stepperOf } from '../stepper.ts'
import type { Trace, TraceStep } from '../trace.ts'

/** Where a walk began, and the steps that it took, by their numbers in the memo of actions. */
export interface Walk {
  readonly initialState: number
  readonly steps: readonly number[]
}

/**
 * Tells a walk, with the states, choices and events of its steps.
 * @throws ModelError 'impure-recipe' if a recipe does not do again what it did in the walk
 */
export function traceOf(prepared: Prepared, { takens }: ActionMemo, { initialState, steps }: Walk): Trace {
  const stepper = stepperOf(prepared)
  const states: Plain[] = [stepper.initialStates[initialState]!]
  const told = steps.map((taken): TraceStep => {
    const { next, ...step } = stepTaken(stepper, states.at(-1)!, takens[taken]!)
    states.push(next)
    return step
  })
  return {
    model: prepared.name,
    config: prepared.config,
    defencesOff: prepared.defencesOff,
    ...(prepared.body.background === undefined ? {} : { background: prepared.body.background }),
    states,
    steps: told,
  }
}
