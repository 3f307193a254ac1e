/** What a reporter is given, and what a verdict means to continuous integration. */
import type { CheckResult, PropertyResult } from '../../checker/result.ts'

/** A result, with what it does not know of itself. */
export interface Reported {
  readonly result: CheckResult
  /** What was checked: scenario or file, version, defences that are off. */
  readonly title: string
  /** The command line that repeats the run. */
  readonly repeat: string
  /** Version of fencepost. */
  readonly version: string
  /** What properties say of themselves, by name; those that say nothing may be absent. */
  readonly about: ReadonlyMap<string, AboutProperty>
  /** Where the model is defined, as a URI (relative to the folder of the run, or absolute), if that is a file of the user. */
  readonly file?: string
}

export interface AboutProperty {
  readonly summary?: string
  readonly sources?: readonly string[]
}

/**
 * `open` is neither a success nor a failure: a limit was hit, walks were made, or the search ended before. No reporter
 * shows it as passed.
 */
export type Outcome = 'holds' | 'broken' | 'open'

/** What was explored to the end without ever saying anything is broken: it proves nothing. */
export function outcomeOf({ verdict, vacuous }: PropertyResult): Outcome {
  if (verdict === 'violated' || verdict === 'unwitnessed') return 'broken'
  if (verdict === 'proved') return vacuous ? 'broken' : 'holds'
  return verdict === 'witnessed' ? 'holds' : 'open'
}

/** One line for a property: its verdict, in words that say no more than was explored. */
export function sentenceOf(property: PropertyResult): string {
  const { verdict, vacuous, depth = 1, reason } = property
  switch (verdict) {
    case 'violated':
      return `violated in ${steps(depth)}`
    case 'witnessed':
      return `witnessed in ${steps(depth)}`
    case 'unwitnessed':
      return 'unwitnessed: it is true in no state that is reachable within the configured bounds'
    case 'proved':
      return vacuous
        ? 'vacuous: what it is about never happens'
        : 'proved: every state that is reachable within the configured bounds was visited'
    default:
      return `${verdict}, no proof${reason === undefined ? '' : `: ${reason}`}${vacuous ? `; ${untested(property)}` : ''}`
  }
}

const untested = ({ kind }: PropertyResult): string =>
  kind === 'reachable' ? 'it was not seen so far' : 'it was never put to the test so far'

const steps = (depth: number): string => `${depth - 1} ${depth === 2 ? 'step' : 'steps'}`
