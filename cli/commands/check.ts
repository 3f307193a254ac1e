/** `fencepost check`: explores a scenario or a user's own model exhaustively. */
import { check } from '../../checker/index.ts'
import type { Environment } from '../environment.ts'
import type { ExitCode } from '../exit-codes.ts'
import { runSearch, type Search, type SearchFlags } from '../search.ts'

export interface CheckFlags extends SearchFlags {
  readonly maxStates?: number
  readonly maxDepth?: number
  /** Bytes. */
  readonly maxMemory?: number
  /** Milliseconds. */
  readonly timeout?: number
  readonly workers?: 1
  readonly counterexamples?: number
  readonly guards?: boolean
}

export function checkCommand(
  argument: string | undefined,
  flags: CheckFlags,
  environment: Environment,
): Promise<ExitCode> {
  const { maxStates, maxDepth, maxMemory, timeout, counterexamples } = flags
  const limits = {
    ...(maxStates === undefined ? {} : { maxStates }),
    ...(maxDepth === undefined ? {} : { maxDepth }),
    ...(maxMemory === undefined ? {} : { maxMemoryBytes: maxMemory }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
    ...(counterexamples === undefined ? {} : { counterexamples }),
  }
  const search = {
    command: 'check',
    run: ({ model, config }, options) => check(model, config, { ...options, ...limits }),
    guards: flags.guards === true,
    ownFlags: {
      '--continue': flags.continue,
      '--counterexamples': counterexamples,
      '--max-states': maxStates,
      '--max-depth': maxDepth,
      '--max-memory': maxMemory,
      '--timeout': timeout === undefined ? undefined : `${timeout}ms`,
    },
  } satisfies Search
  return runSearch(search, argument, flags, environment)
}
