/** Rebuilds the way to a state, of which the search keeps only parents and instances. */
import { impureRecipe } from '../errors.ts'
import type { Instance } from '../instances.ts'
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
 * @throws ModelError 'impure-recipe' if a recipe does not do again what it did in the search
 */
export function behaviourTo(space: Space, state: number, last?: TakenBy): Trace {
  const { states } = space
  const path = [state]
  while (states.parent(path[0]!) >= 0) path.unshift(states.parent(path[0]!))
  const instances = path.slice(1).map((to) => states.instance(to))
  return behaviourAlong(space, path, instances, last)
}

/**
 * The behaviour that goes along states by steps of instances.
 * @param last a step to take from its end
 * @throws ModelError 'impure-recipe', see `behaviourTo`
 */
export function behaviourAlong(
  space: Space,
  path: readonly number[],
  instances: readonly number[],
  last?: TakenBy,
): Trace {
  const { prepared } = space
  const plainStates = path.map((each) => space.plainState(each))
  const stepper = stepperOf(prepared)
  const steps = instances.map((number, index) => {
    const text = textOf(plainStates[index + 1]!)
    const instance = prepared.instances[number]!
    return traceStep(stepFrom(stepper, plainStates[index]!, instance, ({ next }) => textOf(next) === text))
  })
  if (last !== undefined) {
    const step = stepTaken(stepper, plainStates.at(-1)!, last)
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

/**
 * Takes a step again from a state, by its instance and its choices.
 * @throws ModelError 'impure-recipe' if the recipe does not do again what it did
 */
export function stepTaken(stepper: AnyStepper, from: Plain, { instance, choices }: TakenBy): EnabledStep {
  const wanted = textOf(choices as unknown as Plain)
  return stepFrom(stepper, from, instance, (step) => textOf(step.choices as unknown as Plain) === wanted)
}

type AnyStepper = ReturnType<typeof stepperOf>

function stepFrom(
  stepper: AnyStepper,
  from: Plain,
  instance: Instance,
  isWanted: (step: EnabledStep) => boolean,
): EnabledStep {
  const step = enabledAgain(stepper, from, instance).find(isWanted)
  if (step === undefined) throw impure(instance)
  return step
}

const traceStep = ({ next: _, ...step }: EnabledStep): TraceStep => step

function enabledAgain(stepper: AnyStepper, from: Plain, instance: Instance): readonly EnabledStep[] {
  try {
    return stepper.of(from, instance).enabled
  } catch (error) {
    throw impure(instance, error)
  }
}

const impure = (instance: Instance, cause?: unknown) =>
  impureRecipe(
    instance.label,
    'it behaves differently when it is run again to tell the way to a state',
    cause,
  )
