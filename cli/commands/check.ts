/** `fencepost check`: explores a scenario or a user's own model exhaustively. */
import { check } from '../../checker/index.ts'
import type { Environment } from '../environment.ts'
import type { ExitCode } from '../exit-codes.ts'
import { runSearch, type Search, type SearchFlags } from '../search.ts'

/** How states can be held. */
export const memories = ['usual', 'small'] as const

export interface CheckFlags extends SearchFlags {
  readonly maxStates?: number
  readonly maxDepth?: number
  /** Bytes. */
  readonly maxMemory?: number
  readonly memory?: (typeof memories)[number]
  /** Milliseconds. */
  readonly timeout?: number
  readonly workers?: 1
  /** False if states are not to be explored up to renaming. */
  readonly symmetry?: boolean
  readonly counterexamples?: number
  readonly guards?: boolean
}

export function checkCommand(
  argument: string | undefined,
  flags: CheckFlags,
  environment: Environment,
): Promise<ExitCode> {
  const { maxStates, maxDepth, maxMemory, memory, timeout, symmetry, counterexamples } = flags
  const limits = {
    ...(maxStates === undefined ? {} : { maxStates }),
    ...(maxDepth === undefined ? {} : { maxDepth }),
    ...(maxMemory === undefined ? {} : { maxMemoryBytes: maxMemory }),
    ...(memory === undefined ? {} : { memory }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
    ...(symmetry === undefined ? {} : { symmetry }),
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
      '--memory': memory,
      '--timeout': timeout === undefined ? undefined : `${timeout}ms`,
      '--no-symmetry': symmetry === false,
    },
  } satisfies Search
  return runSearch(search, argument, flags, environment)
}
