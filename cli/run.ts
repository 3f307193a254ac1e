/** Runs one command line in an environment and returns its exit code: the one place where errors become text. */
import { fileURLToPath } from 'node:url'
import { CommanderError } from 'commander'
import { FencepostError, ModelError } from '../checker/index.ts'
import { stepLines, visible } from '../traces/index.ts'
import type { Environment } from './environment.ts'
import { type ExitCode, exitCodeOfError, exitCodes } from './exit-codes.ts'
import { buildProgram } from './program.ts'
import { coloursFor } from './report/colours.ts'

export async function runCli(words: readonly string[], environment: Environment): Promise<ExitCode> {
  let code: ExitCode = exitCodes.holds
  const program = buildProgram(environment, (finished) => {
    code = finished
  })
  try {
    await program.parseAsync(words, { from: 'user' })
    return code
  } catch (error) {
    // Commander has said what there is to say; help and version that were asked for are no errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.holds : exitCodes.usage
    environment.stderr.write(`${errorText(error, environment)}\n`)
    return exitCodeOfError(error)
  }
}

function errorText(error: unknown, { colours }: Environment): string {
  if (error instanceof ModelError) {
    return [`error: ${error.message}`, ...causeLines(error.cause), ...wayLines(error, colours)].join('\n')
  }
  if (error instanceof FencepostError) return `error: ${harmless(error.message)}`
  const stack = error instanceof Error ? error.stack : String(error)
  return `internal error, a mistake in fencepost: ${stack}`
}

/** Quotes what stands in files, and must not act on the terminal. */
const harmless = (message: string): string => message.split('\n').map(visible).join('\n')

/** Where in the model it was thrown; how the checker got there says nothing to its author. */
function causeLines(cause: unknown): string[] {
  const frames = cause instanceof Error ? (cause.stack ?? '').split('\n').slice(1) : []
  return frames.filter((frame) => !uninteresting.some((part) => frame.includes(part)))
}

const ownFolders = ['../checker/', '../cli/'].map((folder) => fileURLToPath(new URL(folder, import.meta.url)))
const uninteresting = [...ownFolders, '/node_modules/', 'node:internal']

function wayLines({ trace }: ModelError, colours: boolean): string[] {
  if (trace === undefined) return []
  if (trace.steps.length === 0) return ['', 'It happens in the initial state.']
  const lines = stepLines(trace, { style: coloursFor(colours).trace })
  return ['', 'It happens after these steps:', ...lines.map((line) => `  ${line}`)]
}
