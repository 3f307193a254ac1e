/** Says why a property is violated in a trace. */
import { UsageError } from '../../checker/errors.ts'
import type { Model } from '../../checker/model.ts'
import type { Trace } from '../../checker/trace.ts'
import { rehearsalOf, traceOfPath } from '../replay/rehearsal.ts'
import { violationOf } from '../replay/violation.ts'
import { type Alternative, type Prevention, preventionOf } from './prevention.ts'
import { type Sealing, sealingOf } from './sealing.ts'
import { sentenceOf } from './sentence.ts'
import { type SliceStep, sliceOf } from './slice.ts'

export interface ExplainOptions {
  /** States to explore to find out from when on the violation could not be avoided; default 5,000. */
  readonly maxStates?: number
  /** Other configurations to try where no defence that is switched off would have helped. */
  readonly alternatives?: readonly Alternative[]
}

export interface Explanation {
  /** The trace, as the model makes it now. */
  readonly trace: Trace
  /** The steps that the violation depends on; alone, in this order, they come to it. */
  readonly slice: readonly SliceStep[]
  /** Numbers of all other steps. */
  readonly incidental: readonly number[]
  readonly sealing: Sealing
  readonly prevention: Prevention
  readonly sentence: string
}

/**
 * Works for the trace of a violated `always`, `transition` or deadlock freedom.
 *
 * @throws UsageError 'trace-does-not-apply' if the trace cannot be replayed, or does not show what it says;
 * 'invalid-option' for a lasso, a witness and a trace of no property
 */
export function explain<Config, State>(
  model: Model<Config, State>,
  given: Trace,
  { maxStates = 5000, alternatives = [] }: ExplainOptions = {},
): Explanation {
  const rehearsal = rehearsalOf(model, given)
  if (rehearsal.goal.kind === 'reachable') throw ofWitness(rehearsal.goal.name)
  const whole = violationOf(rehearsal, given)
  const trace = traceOfPath(rehearsal, whole)
  const slice = sliceOf(rehearsal, whole)
  const inSlice = new Set(slice.steps.map(({ number }) => number))
  const parts = {
    trace,
    slice: slice.steps,
    incidental: whole.taken.map(({ number }) => number).filter((number) => !inSlice.has(number)),
    sealing: sealingOf(rehearsal, whole, maxStates),
    prevention: preventionOf({ model, trace, slice: slice.path }, alternatives),
  }
  return { ...parts, sentence: sentenceOf(parts) }
}

const ofWitness = (name: string) =>
  new UsageError({
    code: 'invalid-option',
    where: `property '${name}'`,
    found: 'the trace shows that it can be reached, which nothing need have prevented',
    expected: 'the trace of a property that is violated',
  })
