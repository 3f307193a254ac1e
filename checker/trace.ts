/** A behaviour of a model, from an initial state: what a counterexample, a witness and a walk are. */
import type { Choice, Plain } from './model.ts'
import type { StepEvent } from './view.ts'

export interface TraceStep {
  readonly action: string
  readonly args: Readonly<Record<string, Plain>>
  readonly choices: readonly Choice[]
  readonly events: readonly StepEvent[]
  /** The kinds of faults that the step is; absent if it is none. */
  readonly faults?: readonly string[]
}

/** `states` has one element more than `steps`: step i leads from states[i] to states[i + 1]. */
export interface Trace {
  readonly model: string
  readonly config: Plain
  readonly defencesOff: readonly string[]
  /** Paths of bookkeeping, see `ModelBody.background`. */
  readonly background?: readonly string[]
  readonly states: readonly Plain[]
  readonly steps: readonly TraceStep[]
  /** Which property it belongs to, and what it says about it. */
  readonly property?: {
    readonly name: string
    readonly kind: string
    readonly failed?: FailedPart
    readonly lasso?: LassoFacts
  }
  /**
   * Of a lasso, the index of the state that the last state is again: what follows it repeats for ever. If that is the
   * last state itself, nothing can happen any more.
   */
  readonly loop?: number
}

/** The first false part of a property, with the values that it was judged on. */
export interface FailedPart {
  readonly part: string
  readonly values: Readonly<Record<string, Plain>>
}

/** Instances of actions by label: by which kind of fairness they are treated, or would have to be. */
export interface FairLabels {
  readonly weak: readonly string[]
  readonly strong: readonly string[]
}

/** What makes a lasso a counterexample. */
export interface LassoFacts {
  /** The fairness that the loop satisfies. */
  readonly fairness: FairLabels
  /** Instances that can happen in the loop and never do: it would be ruled out if one of them were fair in this way. */
  readonly brokenBy: FairLabels
}
