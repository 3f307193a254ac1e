/**
 * A plain interpreter of models: steps from state to state, remembers nothing. It explains what can happen in a
 * state and what cannot, and why, and rebuilds behaviours of which only the steps are known.
 */
import { UsageError } from './errors.ts'
import { type Instance, labelOf } from './instances.ts'
import type { Choice, Model, Plain } from './model.ts'
import { canonical, textOf } from './plain.ts'
import { type Prepared, prepare } from './prepare.ts'
import { type RecipeRun, RecipeRunner } from './recipe-run.ts'
import type { CheckOptions } from './result.ts'
import { componentsOf, stateOf } from './shape.ts'
import type { TraceStep } from './trace.ts'

/** A step that can be taken. */
export interface EnabledStep extends TraceStep {
  readonly next: Plain
}

/** An instance of an action that cannot happen, or not with these choices. */
export interface BlockedStep {
  readonly action: string
  readonly args: Readonly<Record<string, Plain>>
  /** The choices made before it was blocked. */
  readonly choices: readonly Choice[]
  /** The guard, or the choice without an option. */
  readonly guard: string
}

export interface Successors {
  /** In the order in which ties are broken: actions, arguments, choices. */
  readonly enabled: readonly EnabledStep[]
  readonly blocked: readonly BlockedStep[]
}

/** A step as traces and people name it. */
export type NamedStep = Pick<TraceStep, 'action' | 'args' | 'choices'>

export interface Stepper {
  /** Canonical initial states, as declared. */
  readonly initialStates: readonly Plain[]
  /**
   * All that can and cannot happen in a state.
   * @throws ModelError if a recipe fails, or the state has not the shape of the model
   */
  successors(state: Plain): Successors
  /**
   * Takes one step.
   * @throws UsageError 'trace-does-not-apply' if the step does not exist or is blocked, and by which guard
   */
  take(state: Plain, step: NamedStep): EnabledStep
}

/** Makes a stepper; fails like `check` does for what is wrong with its arguments. */
export function stepper<Config, State>(
  model: Model<Config, State>,
  configuration: unknown,
  options: Pick<CheckOptions, 'defencesOff'> = {},
): Stepper {
  return stepperOf(prepare(model, configuration, options))
}

/** A stepper for a model that was built already. */
export function stepperOf(
  prepared: Prepared,
): Stepper & { of(state: Plain, instance: Instance): Successors } {
  const { shape, instances, initial, happens } = prepared
  const runner = new RecipeRunner(shape, happens)
  const of = (state: Plain, instance: Instance): Successors => {
    const values = componentsOf(shape, canonical(state, 'state'), 'state')
    const enabled: EnabledStep[] = []
    const blocked: BlockedStep[] = []
    for (const run of allRuns(runner, instance, values)) {
      const named = { action: instance.action.name, args: instance.args, choices: choicesOf(run) }
      if (run.blockedBy !== undefined) blocked.push({ ...named, guard: run.blockedBy })
      else {
        const faults = run.faults.length === 0 ? {} : { faults: run.faults }
        enabled.push({ ...named, events: run.events, ...faults, next: nextState(run, values) })
      }
    }
    return { enabled, blocked }
  }
  const nextState = (run: RecipeRun, values: readonly Plain[]) =>
    stateOf(
      shape,
      values.map((value, component) => (run.written.has(component) ? run.written.get(component)! : value)),
    )
  const successors = (state: Plain): Successors => {
    const all = instances.map((instance) => of(state, instance))
    return { enabled: all.flatMap(({ enabled }) => enabled), blocked: all.flatMap(({ blocked }) => blocked) }
  }
  const take = (state: Plain, step: NamedStep): EnabledStep => {
    const instance = instances.find(
      ({ action, args }) => action.name === step.action && sameArgs(args, step.args),
    )
    if (instance === undefined) throw doesNotApply(step, 'the model has no such action or arguments')
    const { enabled, blocked } = of(state, instance)
    const found = enabled.find(({ choices }) => sameChoices(choices, step.choices))
    if (found !== undefined) return found
    const guard = blocked.find(({ choices }) => sameChoices(choices, step.choices.slice(0, choices.length)))
    throw doesNotApply(
      step,
      guard ? `the guard '${guard.guard}' blocks it` : 'it does not offer these choices',
    )
  }
  return { initialStates: initial.map((values) => stateOf(shape, values)), successors, take, of }
}

/** Runs a recipe along every path of choices: options in order, those of the last choice fastest. */
export function* allRuns(
  runner: RecipeRunner,
  instance: Instance,
  values: readonly Plain[],
): Generator<RecipeRun> {
  let options: number[] | undefined = []
  while (options !== undefined) {
    const run = runner.run({ instance, values, options, draft: 'immer', withEvents: true })
    yield run
    options = nextOptions(run)
  }
}

function nextOptions({ path }: RecipeRun): number[] | undefined {
  const choices = path.filter((item) => item.kind === 'choice')
  while (choices.length > 0) {
    const { taken, options } = choices.pop()!
    if (taken + 1 < options.length) return [...choices.map((choice) => choice.taken), taken + 1]
  }
  return undefined
}

/** The choices of a run, as they are recorded in traces. */
export function choicesOf({ path }: Pick<RecipeRun, 'path'>): Choice[] {
  return path.flatMap((item) => {
    return item.kind === 'choice' ? [{ name: item.name, value: item.options[item.taken]! }] : []
  })
}

const sameText = (one: unknown, two: unknown): boolean =>
  textOf(canonical(one, 'step')) === textOf(canonical(two, 'step'))
const sameArgs = (one: NamedStep['args'], two: NamedStep['args']) => sameText(one, two)
const sameChoices = (one: readonly Choice[], two: readonly Choice[]) => sameText(one, two)

const doesNotApply = (step: NamedStep, found: string) =>
  new UsageError({ code: 'trace-does-not-apply', found, where: labelOf(step.action, step.args) })
