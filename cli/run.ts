/** Runs one command line in an environment and returns its exit code: the one place where errors become text. */
import { CommanderError } from 'commander'
import { FencepostError, ModelError } from '../checker/index.ts'
import type { Environment } from './environment.ts'
import { type ExitCode, exitCodeOfError, exitCodes } from './exit-codes.ts'
import { buildProgram } from './program.ts'

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
    environment.stderr.write(`${errorText(error)}\n`)
    return exitCodeOfError(error)
  }
}

function errorText(error: unknown): string {
  if (error instanceof ModelError) {
    const cause = error.cause instanceof Error ? `\n${error.cause.stack ?? ''}` : ''
    return `error: ${error.message}${cause}`
  }
  if (error instanceof FencepostError) return `error: ${error.message}`
  const stack = error instanceof Error ? error.stack : String(error)
  return `internal error, a mistake in fencepost: ${stack}`
}
