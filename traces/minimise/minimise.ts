/**
 * Makes a trace smaller until nothing more can be left out: delta debugging over its steps, its participants and its faults.
 *
 * A smaller trace is made by leaving steps out and taking, of those that come after them, the ones that can still be
 * taken. It counts if it ends in a violation of the same property.
 */
import type { Model } from '../../checker/model.ts'
import { canonical, textOf } from '../../checker/plain.ts'
import type { Trace } from '../../checker/trace.ts'
import {
  countFaults,
  hasArgument,
  isFault,
  pairsOfArguments,
  participantsOf,
  stepsByParticipant,
} from '../replay/participants.ts'
import {
  type NumberedStep,
  numbered,
  type Path,
  type Rehearsal,
  rehearsalOf,
  type Taken,
  traceOfPath,
} from '../replay/rehearsal.ts'
import { violationOf } from '../replay/violation.ts'

export interface Minimised {
  /** Without any one of its steps, its faults or its participants it does not end in a violation of its property. */
  readonly trace: Trace
  /** The numbers that its steps had in the trace that was given, from 1. */
  readonly kept: readonly number[]
  /** Numbers of kept steps that happen otherwise: without the fault, or to another participant of the same kind. */
  readonly changed: readonly number[]
  readonly before: Size
  readonly after: Size
}

export interface Size {
  readonly steps: number
  readonly faults: number
  /** Lanes of events or, in a model without events, values of arguments. */
  readonly participants: readonly string[]
}

/**
 * Works for the trace of a violated `always`, `transition` or deadlock freedom, and for a witness.
 *
 * @throws UsageError 'trace-does-not-apply' if the trace cannot be replayed, or does not show what it says;
 * 'invalid-option' for a lasso, and for a trace of no property
 */
export function minimise<Config, State>(model: Model<Config, State>, trace: Trace): Minimised {
  const rehearsal = rehearsalOf(model, trace)
  const given = numbered(trace)
  const whole = violationOf(rehearsal, trace)
  const path = smallest(rehearsal, whole)
  return {
    trace: traceOfPath(rehearsal, path),
    kept: path.taken.map(({ number }) => number),
    changed: path.taken.filter((step) => isChanged(step, given)).map(({ number }) => number),
    before: sizeOf(whole),
    after: sizeOf(path),
  }
}

const isChanged = ({ number, args, choices }: Taken, given: readonly NumberedStep[]) => {
  const old = given[number - 1]!
  return !isSame(args, old.args) || !isSame(choices, old.choices)
}

const isSame = (one: unknown, other: unknown) =>
  textOf(canonical(one, 'step')) === textOf(canonical(other, 'step'))

const sizeOf = ({ taken }: Path): Size => ({
  steps: taken.length,
  faults: countFaults(taken),
  participants: participantsOf(taken),
})

/** Goes on until a whole round makes nothing smaller, which is what makes the result minimal. */
function smallest(rehearsal: Rehearsal, whole: Path): Path {
  for (let path = whole; ; ) {
    const smaller = [withoutParticipants, withStandIns, withoutFaults, withoutRuns].reduce(
      (shorter, leaveOut) => leaveOut(rehearsal, shorter),
      path,
    )
    if (smaller === path) return path
    path = smaller
  }
}

function withoutParticipants(rehearsal: Rehearsal, whole: Path): Path {
  let path = whole
  for (const steps of stepsByParticipant(whole.taken).values()) {
    const numbers = new Set(steps.map(({ number }) => number))
    const others = path.taken.filter(({ number }) => !numbers.has(number))
    if (others.length < path.taken.length) path = rehearsal.takeWhatApplies(others) ?? path
  }
  return path
}

/** Leaves out the steps of one participant, and lets another one of its kind do what it does in its place. */
function withStandIns(rehearsal: Rehearsal, whole: Path): Path {
  let path = whole
  for (const { name, value, other } of pairsOfArguments(whole.taken)) {
    const others = path.taken.flatMap((step): NumberedStep[] => {
      if (hasArgument(step, name, value)) return []
      return hasArgument(step, name, other) ? [{ ...step, args: { ...step.args, [name]: value } }] : [step]
    })
    if (others.length < path.taken.length) path = rehearsal.takeWhatApplies(others) ?? path
  }
  return path
}

/** Lets a step that brings a fault happen with other choices, without one. */
function withoutFaults(rehearsal: Rehearsal, whole: Path): Path {
  let path = whole
  for (const { number } of whole.taken) {
    const index = path.taken.findIndex((step) => step.number === number)
    const step = path.taken[index]
    if (step === undefined || step.choices.length === 0 || !isFault(step)) continue
    for (const harmless of harmlessChoices(rehearsal, step)) {
      const others = path.taken.with(index, { ...step, ...harmless })
      const found = rehearsal.takeWhatApplies(others)
      if (found === undefined || countFaults(found.taken) >= countFaults(path.taken)) continue
      path = found
      break
    }
  }
  return path
}

function* harmlessChoices({ player }: Rehearsal, step: Taken): Generator<Pick<Taken, 'choices'>> {
  const instance = player.instanceOf(step)!
  for (const run of player.runs(step.before, instance)) {
    if (run.blockedBy !== undefined) continue
    const other = player.played(step.before, instance, run)
    if (!isFault(other)) yield { choices: other.choices }
  }
}

/** Leaves out half of the steps, then a quarter, and so on, down to single steps; each run overlaps the next by half. */
function withoutRuns(rehearsal: Rehearsal, whole: Path): Path {
  let path = whole
  for (let length = Math.ceil(whole.taken.length / 2); length >= 1; length = Math.floor(length / 2)) {
    for (let from = 0; from < path.taken.length; ) {
      const others = path.taken.toSpliced(from, length)
      const found = rehearsal.takeWhatApplies(others)
      if (found === undefined) from += Math.ceil(length / 2)
      else path = found
    }
  }
  return path
}
