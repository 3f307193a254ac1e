/**
 * Takes steps from state to state, on states that are given by the canonical values of their components: what
 * stepping by hand, replaying and explaining a behaviour have in common. Remembers nothing.
 */
import { type Instance, labelOf } from './instances.ts'
import type { Choice, Plain } from './model.ts'
import { canonical, textOf } from './plain.ts'
import type { Prepared } from './prepare.ts'
import { constraintJudge, PropertyRunner } from './property-run.ts'
import { valuesAfter } from './quotient.ts'
import { type RecipeRun, RecipeRunner } from './recipe-run.ts'
import { componentsOf, stateOf } from './shape.ts'
import type { TraceStep } from './trace.ts'

/** A state, by the canonical values of its components. */
export type Values = readonly Plain[]

/** A step as traces and people name it. */
export type NamedStep = Pick<TraceStep, 'action' | 'args' | 'choices'>

/** A step that was taken. */
export interface PlayedStep extends TraceStep {
  readonly next: Values
}

/** Why a step cannot be taken. */
export interface Refusal {
  /** In words: `the guard 'it is running' blocks it`. */
  readonly found: string
  /** The guard, or the choice without an option, if it is one. */
  readonly guard?: string
}

export const isRefusal = (outcome: PlayedStep | Refusal): outcome is Refusal => 'found' in outcome

export class Player {
  readonly prepared: Prepared
  readonly #runner: RecipeRunner
  readonly #properties: PropertyRunner
  readonly #instances: ReadonlyMap<string, Instance>

  constructor(prepared: Prepared) {
    this.prepared = prepared
    this.#runner = new RecipeRunner(prepared.shape, prepared.happens)
    this.#properties = new PropertyRunner(prepared.shape)
    this.#instances = new Map(
      prepared.instances.map((instance) => [keyOf(instance.action.name, instance.args), instance]),
    )
  }

  /** @throws ModelError 'invalid-model' if the state has not the shape of the model */
  valuesOf(state: Plain): Values {
    return componentsOf(this.prepared.shape, canonical(state, 'state'), 'state')
  }

  stateOf(values: Values): Plain {
    return stateOf(this.prepared.shape, values)
  }

  /** Whether the model goes no further than this state: its constraint is false there. */
  isCut(values: Values): boolean {
    const { constraint } = this.prepared.body
    return constraint !== undefined && !this.#properties.run(constraintJudge(constraint), values).holds
  }

  instanceOf({ action, args }: NamedStep): Instance | undefined {
    return this.#instances.get(keyOf(action, args))
  }

  /** Runs a recipe along every path of choices: options in order, those of the last choice fastest. */
  *runs(values: Values, instance: Instance): Generator<RecipeRun> {
    let options: number[] | undefined = []
    while (options !== undefined) {
      const run = this.#run(values, instance, options)
      yield run
      options = nextOptions(run)
    }
  }

  /** What can happen in a state, in the order in which ties are broken. */
  *successors(values: Values): Generator<PlayedStep> {
    for (const instance of this.prepared.instances) {
      for (const run of this.runs(values, instance)) {
        if (run.blockedBy === undefined) yield this.played(values, instance, run)
      }
    }
  }

  /** Takes one step, or says why it cannot be taken. The constraint of the model is not asked. */
  take(values: Values, step: NamedStep): PlayedStep | Refusal {
    const outcome = this.takeLike(values, step)
    return isRefusal(outcome) || isSame(outcome.choices, step.choices) ? outcome : notOffered
  }

  /**
   * Takes a step that is as much like one from elsewhere as it can be: choices may have other names. Where there is one
   * more to make it takes the first option, and those that are not there any more it does not make.
   */
  takeLike(values: Values, step: NamedStep): PlayedStep | Refusal {
    const instance = this.instanceOf(step)
    if (instance === undefined) return { found: 'the model has no such action or arguments' }
    const options: number[] = []
    for (;;) {
      const run = this.#run(values, instance, options)
      const offered = run.path.filter((item) => item.kind === 'choice')
      if (offered.length === options.length) {
        return run.blockedBy === undefined ? this.played(values, instance, run) : blockedBy(run.blockedBy)
      }
      const wanted = step.choices[options.length]
      const { options: all } = offered[options.length]!
      const index = wanted === undefined ? 0 : all.findIndex((option) => isSame(option, wanted.value))
      if (index < 0) return notOffered
      options.push(index)
    }
  }

  #run(values: Values, instance: Instance, options: readonly number[]): RecipeRun {
    return this.#runner.run({ instance, values, options, draft: 'immer', withEvents: true })
  }

  /** What a run that was not blocked comes to. */
  played(values: Values, { action, args }: Instance, run: RecipeRun): PlayedStep {
    const next = valuesAfter(run, values)
    const faults = run.faults.length === 0 ? {} : { faults: run.faults }
    return { action: action.name, args, choices: choicesOf(run), events: run.events, ...faults, next }
  }
}

const notOffered: Refusal = { found: 'it does not offer these choices' }
const blockedBy = (guard: string): Refusal => ({ found: `the guard '${guard}' blocks it`, guard })

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

const isSame = (one: unknown, other: unknown) =>
  textOf(canonical(one, 'step')) === textOf(canonical(other, 'step'))
const keyOf = (action: string, args: NamedStep['args']) =>
  textOf([action, canonical(args, labelOf(action, args))])
