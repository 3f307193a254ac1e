/** `fencepost simulate`: random walks through a scenario or a user's own model. */
import { simulate } from '../../checker/index.ts'
import type { Environment } from '../environment.ts'
import type { ExitCode } from '../exit-codes.ts'
import { runSearch, type Search, type SearchFlags } from '../search.ts'

export interface SimulateFlags extends SearchFlags {
  readonly seed?: number
  readonly walks?: number
  readonly depth?: number
  /** Milliseconds. */
  readonly timeout?: number
  /** Weights by action. */
  readonly bias: Readonly<Record<string, number>>
}

export function simulateCommand(
  argument: string | undefined,
  flags: SimulateFlags,
  environment: Environment,
): Promise<ExitCode> {
  const { seed, walks, depth, timeout, bias } = flags
  const sample = {
    ...(seed === undefined ? {} : { seed }),
    ...(walks === undefined ? {} : { walks }),
    ...(depth === undefined ? {} : { depth }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
    bias,
  }
  const search = {
    command: 'simulate',
    run: ({ model, config }, options) => simulate(model, config, { ...options, ...sample }),
    guards: false,
    ownFlags: {
      '--seed': seed,
      '--walks': walks,
      '--depth': depth,
      '--timeout': timeout === undefined ? undefined : `${timeout}ms`,
      '--bias': Object.entries(bias).map(([name, weight]) => `${name}=${weight}`),
      '--continue': flags.continue,
    },
  } satisfies Search
  return runSearch(search, argument, flags, environment)
}
