/**
 * A plain interpreter of models: steps from state to state, remembers nothing. It explains what can happen in a
 * state and what cannot, and why, and rebuilds behaviours of which only the steps are known.
 */
import { UsageError } from './errors.ts'
import { type Instance, labelOf } from './instances.ts'
import type { Choice, Model, Plain } from './model.ts'
import { choicesOf, isRefusal, type NamedStep, type PlayedStep, Player } from './player.ts'
import { type Prepared, prepare } from './prepare.ts'
import type { CheckOptions } from './result.ts'
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
  const player = new Player(prepared)
  const shown = ({ next, ...step }: PlayedStep): EnabledStep => ({ ...step, next: player.stateOf(next) })
  const of = (state: Plain, instance: Instance): Successors => {
    const values = player.valuesOf(state)
    const enabled: EnabledStep[] = []
    const blocked: BlockedStep[] = []
    for (const run of player.runs(values, instance)) {
      if (run.blockedBy === undefined) enabled.push(shown(player.played(values, instance, run)))
      else blocked.push({ ...namedStep(instance, choicesOf(run)), guard: run.blockedBy })
    }
    return { enabled, blocked }
  }
  const successors = (state: Plain): Successors => {
    const all = prepared.instances.map((instance) => of(state, instance))
    return { enabled: all.flatMap(({ enabled }) => enabled), blocked: all.flatMap(({ blocked }) => blocked) }
  }
  const take = (state: Plain, step: NamedStep): EnabledStep => {
    const outcome = player.take(player.valuesOf(state), step)
    if (!isRefusal(outcome)) return shown(outcome)
    const where = labelOf(step.action, step.args)
    throw new UsageError({ code: 'trace-does-not-apply', found: outcome.found, where })
  }
  return { initialStates: prepared.initial.map((values) => player.stateOf(values)), successors, take, of }
}

const namedStep = ({ action, args }: Instance, choices: readonly Choice[]): NamedStep => ({
  action: action.name,
  args,
  choices,
})
