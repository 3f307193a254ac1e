/** The one place that turns an outcome into an exit code. */
import type { CheckResult, PropertyResult } from '../checker/index.ts'
import { UsageError } from '../checker/index.ts'
import type { Outcome } from '../dumps/index.ts'

export const exitCodes = {
  /** What was asked for holds. */
  holds: 0,
  /** A property is violated, unwitnessed or vacuous, or something differs from what was expected. */
  found: 1,
  /** Wrong usage or configuration, unreadable input, or a result that cannot be written. */
  usage: 2,
  /** Stopped before the end: by a limit, an interruption, or because nothing more could be settled. */
  stopped: 3,
  /** The model is wrong, or fencepost is. */
  failed: 4,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** A property that was explored to the end without ever saying anything proves nothing. */
export const isVacuous = ({ vacuous, verdict }: PropertyResult): boolean => vacuous && verdict === 'proved'

/** Violated and limited is violated: what was found stands, however much was left unexplored. */
export function exitCodeOf({ verdict, properties, limit }: CheckResult): ExitCode {
  if (verdict === 'violated' || properties.some(isVacuous)) return exitCodes.found
  // Walks are what was asked for, and they end before the states do.
  if (verdict === 'sampled') return limit === undefined ? exitCodes.holds : exitCodes.stopped
  return verdict === 'proved' ? exitCodes.holds : exitCodes.stopped
}

/** Of dumps: damaged input is like input that cannot be read at all, unless something was found in it. */
export const exitCodeOfOutcome = (outcome: Outcome): ExitCode => outcomeCodes[outcome]

const outcomeCodes: Readonly<Record<Outcome, ExitCode>> = {
  explained: exitCodes.holds,
  findings: exitCodes.found,
  unreadable: exitCodes.usage,
  inconclusive: exitCodes.stopped,
}

export const exitCodeOfError = (error: unknown): ExitCode =>
  error instanceof UsageError ? exitCodes.usage : exitCodes.failed
