/** Rebuilds the way to a state, of which the search keeps only parents and instances. */
import type { Plain } from '../model.ts'
import { textOf } from '../plain.ts'
import type { EnabledStep } from '../stepper.ts'
import { stepperOf } from '../stepper.ts'
import type { Trace, TraceStep } from '../trace.ts'
import type { TakenBy } from './action-memo.ts'
import type { Space } from './space.ts'

/**
 * The first way to a state in breadth-first order.
 * @param last a step to take from there, for which the model may have failed
 */
export function behaviourTo(space: Space, state: number, last?: TakenBy): Trace {
  const { prepared, states } = space
  const path = [state]
  while (states.parent(path[0]!) >= 0) path.unshift(states.parent(path[0]!))
  const plainStates = path.map((each) => space.plainState(each))
  const stepper = stepperOf(prepared)
  const enabledBy = (from: Plain, instance: number) => stepper.of(from, prepared.instances[instance]!).enabled
  const steps = path.slice(1).map((to, index) => {
    const text = textOf(plainStates[index + 1]!)
    const enabled = enabledBy(plainStates[index]!, states.instance(to))
    return traceStep(enabled.find(({ next }) => textOf(next) === text)!)
  })
  if (last !== undefined) {
    const choices = textOf(last.choices as unknown as Plain)
    const enabled = enabledBy(plainStates.at(-1)!, last.instance.index)
    const step = enabled.find((each) => textOf(each.choices as unknown as Plain) === choices)!
    plainStates.push(step.next)
    steps.push(traceStep(step))
  }
  return {
    model: prepared.name,
    config: prepared.config,
    defencesOff: prepared.defencesOff,
    ...(prepared.body.background === undefined ? {} : { background: prepared.body.background }),
    states: plainStates,
    steps,
  }
}

const traceStep = ({ action, args, choices, events }: EnabledStep): TraceStep => ({
  action,
  args,
  choices,
  events,
})
