/** Takes the steps of a trace again, all of them or those that one asks for, and sees what they come to. */
import { UsageError } from '../../checker/errors.ts'
import type { Model } from '../../checker/model.ts'
import { canonical, textOf } from '../../checker/plain.ts'
import {
  isRefusal,
  type NamedStep,
  type PlayedStep,
  Player,
  type Refusal,
  type Values,
} from '../../checker/player.ts'
import { type Prepared, prepare } from '../../checker/prepare.ts'
import type { Trace, TraceStep } from '../../checker/trace.ts'
import { Goal, type Shown } from './goal.ts'

/** A step with its place in the trace that it comes from, counted from 1. */
export interface NumberedStep extends NamedStep {
  readonly number: number
}

/** A step that was taken. */
export interface Taken extends NumberedStep, PlayedStep {
  readonly before: Values
}

/** Steps that were taken one after the other, up to the moment that shows what the trace is about. */
export interface Path {
  readonly taken: readonly Taken[]
  readonly shown: Shown
}

/** How far steps could be taken without leaving one out. */
export interface Attempt {
  readonly taken: readonly Taken[]
  /** Absent if nothing is shown. */
  readonly shown?: Shown
  /** The step that cannot be taken. */
  readonly refused?: Refusal & { readonly step: NumberedStep }
}

interface Outcome {
  /** Absent if it cannot be taken. */
  readonly taken?: Taken
  readonly refusal?: Refusal
  readonly shown?: Shown
}

const cut: Refusal = { found: 'the constraint of the model ends the behaviour before it' }

/** @throws UsageError as `prepare` does, and if the trace is of no property or begins where the model does not */
export function rehearsalOf<Config, State>(
  model: Model<Config, State>,
  trace: Trace,
  changed: Partial<Pick<Trace, 'config' | 'defencesOff'>> = {},
): Rehearsal {
  const { config, defencesOff, property } = { ...trace, ...changed }
  if (property === undefined) throw ofNothing()
  return new Rehearsal(prepare(model, config, { defencesOff, properties: [property.name] }), trace)
}

export class Rehearsal {
  readonly player: Player
  readonly goal: Goal
  readonly initial: Values
  /** What was tried last: the next candidate often begins with the same steps. */
  #known: { readonly steps: readonly NumberedStep[]; readonly outcomes: readonly Outcome[] } = {
    steps: [],
    outcomes: [],
  }

  constructor(prepared: Prepared, trace: Trace) {
    this.player = new Player(prepared)
    this.goal = new Goal(this.player)
    this.initial = initialOf(this.player, trace)
  }

  /** Takes those steps that can be taken and leaves out the others. Undefined if that shows nothing. */
  takeWhatApplies(steps: readonly NumberedStep[]): Path | undefined {
    const { taken, shown } = this.#take(steps, false)
    return shown === undefined ? undefined : { taken, shown }
  }

  /** Takes all steps, up to the first that cannot be taken or the moment that shows something. */
  takeAll(steps: readonly NumberedStep[]): Attempt {
    return this.#take(steps, true)
  }

  #take(steps: readonly NumberedStep[], all: boolean): Attempt {
    const atOnce = this.goal.shownAt({ values: this.initial })
    if (atOnce !== undefined) return { taken: [], shown: atOnce }
    const same = sharedLength(steps, this.#known.steps)
    const outcomes = this.#known.outcomes.slice(0, same)
    this.#known = { steps, outcomes }
    const taken: Taken[] = []
    for (const [index, step] of steps.entries()) {
      const outcome = outcomes[index] ?? this.#try(step, taken.at(-1)?.next ?? this.initial)
      outcomes[index] = outcome
      if (outcome.taken !== undefined) taken.push(outcome.taken)
      if (outcome.shown !== undefined) {
        this.#known = { steps: taken, outcomes: outcomes.filter((one) => one.taken !== undefined) }
        return { taken, shown: outcome.shown }
      }
      if (all && outcome.refusal !== undefined) return { taken, refused: { ...outcome.refusal, step } }
    }
    return { taken }
  }

  #try(step: NumberedStep, before: Values): Outcome {
    const played = this.player.isCut(before) ? cut : this.player.takeLike(before, step)
    if (isRefusal(played)) return { refusal: played }
    const shown = this.goal.shownAt({ values: played.next, reached: { from: before, by: played } })
    const taken = { ...played, before, number: step.number }
    return shown === undefined ? { taken } : { taken, shown }
  }
}

/** The steps of a trace, numbered from 1. */
export const numbered = ({ steps }: Pick<Trace, 'steps'>): NumberedStep[] =>
  steps.map(({ action, args, choices }, index) => ({ action, args, choices, number: index + 1 }))

/** A path as a trace of the same model, configuration and property. */
export function traceOfPath({ player, goal, initial }: Rehearsal, { taken, shown }: Path): Trace {
  const { name, config, defencesOff, body } = player.prepared
  const { background } = body
  return {
    model: name,
    config,
    defencesOff,
    ...(background === undefined ? {} : { background }),
    states: [initial, ...taken.map(({ next }) => next)].map((values) => player.stateOf(values)),
    steps: taken.map(({ before: _, number: __, ...step }) => toldStep(step)),
    property: { name: goal.name, kind: goal.kind, ...shown },
  }
}

/** A step as traces have it. */
export const toldStep = ({ next: _, ...step }: PlayedStep): TraceStep => step

function sharedLength(one: readonly unknown[], two: readonly unknown[]): number {
  let length = 0
  while (length < one.length && length < two.length && one[length] === two[length]) length++
  return length
}

/** Of several initial states the one of the trace; another version of the model may begin otherwise. */
export function initialOf(player: Player, { states }: Trace): Values {
  const { initial } = player.prepared
  const text = textOf(canonical(states[0], 'state 0'))
  const same = initial.find((values) => textOf(player.stateOf(values)) === text)
  if (same !== undefined) return same
  if (initial.length === 1) return initial[0]!
  throw new UsageError({
    code: 'trace-does-not-apply',
    where: 'state 0',
    found: 'the model does not begin in this state',
    expected: `one of its ${initial.length} initial states`,
  })
}

const ofNothing = () =>
  new UsageError({
    code: 'invalid-option',
    where: 'the trace',
    found: 'it says of no property that it is violated',
    expected: 'a trace that `check --trace` or `simulate --trace` wrote for a property',
  })
