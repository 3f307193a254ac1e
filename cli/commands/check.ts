/** `fencepost check`: explores a scenario or a user's own model exhaustively. */
import { type CheckOptions, check } from '../../checker/index.ts'
import { type Ask, askGoal, askSchedule, refuseWithAsk } from '../ask.ts'
import type { Environment } from '../environment.ts'
import type { ExitCode } from '../exit-codes.ts'
import { runSearch, type Search, type SearchFlags } from '../search.ts'

export interface CheckFlags extends SearchFlags {
  readonly maxStates?: number
  readonly maxDepth?: number
  /** Bytes. */
  readonly maxMemory?: number
  /** How states are held. */
  readonly memory?: CheckOptions['memory']
  /** Milliseconds. */
  readonly timeout?: number
  readonly workers?: 1
  /** False if states are not to be explored up to renaming. */
  readonly symmetry?: boolean
  readonly counterexamples?: number
  readonly guards?: boolean
  /** A property or an expression to find a way to. */
  readonly goal?: string
  /** A file with steps that a way is to have. */
  readonly schedule?: string
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
  const ask = askOf(flags, environment)
  const run = ask?.run ?? (({ model, config }, options) => check(model, config, options))
  const search = {
    command: 'check',
    run: (subject, options) => run(subject, { ...options, ...limits }),
    ...(ask === undefined ? {} : { asked: ask.asked }),
    ...(flags.schedule === undefined ? {} : { reads: [flags.schedule] }),
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
      '--goal': flags.goal,
      '--schedule': flags.schedule,
    },
  } satisfies Search
  return runSearch(search, argument, flags, environment)
}

function askOf(flags: CheckFlags, environment: Environment): Ask | undefined {
  const { goal, schedule, property, continue: goesOn = false, counterexamples } = flags
  const option = schedule !== undefined ? '--schedule' : goal !== undefined ? '--goal' : undefined
  if (option === undefined) return undefined
  refuseWithAsk(option, {
    '--goal': schedule !== undefined && goal !== undefined,
    '--property': property.length > 0,
    '--continue': goesOn,
    '--counterexamples': counterexamples !== undefined,
  })
  return schedule === undefined ? askGoal(goal!) : askSchedule(schedule, environment)
}
