/** Makes traces for tests, step by step. */
import { type Model, type Plain, stepper, type Trace, type TraceStep } from '../../index.ts'

/** A step as tests write it: action, arguments, and the values of its choices by name. */
export type Step = readonly [
  action: string,
  args?: Readonly<Record<string, Plain>>,
  choices?: Readonly<Record<string, Plain>>,
]

/** The trace that takes these steps from the first initial state, for a property. */
export function walk<Config, State>(
  model: Model<Config, State>,
  property: string,
  steps: readonly Step[],
  {
    config = {},
    defencesOff = [],
  }: { readonly config?: Plain; readonly defencesOff?: readonly string[] } = {},
): Trace {
  const at = stepper(model, config, { defencesOff })
  const states: Plain[] = [at.initialStates[0]!]
  const taken = steps.map(([action, args = {}, chosen = {}]): TraceStep => {
    const choices = Object.entries(chosen).map(([name, value]) => ({ name, value }))
    const { next, ...step } = at.take(states.at(-1)!, { action, args, choices })
    states.push(next)
    return step
  })
  return {
    model: model.name,
    config,
    defencesOff,
    states,
    steps: taken,
    property: { name: property, kind: 'always' },
  }
}

/** `Work(worker=0)`, for all steps of a trace. */
export const callsOf = ({ steps }: Trace): string[] =>
  steps.map(({ action, args, choices }) => {
    const named = [...Object.entries(args), ...choices.map(({ name, value }) => [name, value] as const)]
    return named.length === 0
      ? action
      : `${action}(${named.map(([name, value]) => `${name}=${value}`).join(' ')})`
  })
