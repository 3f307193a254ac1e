/** `fencepost check`: explores a scenario or a user's own model exhaustively. */
import { resolve } from 'node:path'
import { type CheckResult, ModelError, UsageError } from '../../checker/index.ts'
import { writeItf } from '../../traces/index.ts'
import { refuseDefencesOfOtherPresets } from '../defences.ts'
import type { Environment } from '../environment.ts'
import { type ExitCode, exitCodeOf } from '../exit-codes.ts'
import { explore } from '../explore.ts'
import { assertWritable, writeAtomically } from '../files.ts'
import { resultJson } from '../json/result.ts'
import { commandLine } from '../repeat.ts'
import { coloursFor } from '../report/colours.ts'
import { reportLines } from '../report/report.ts'
import { resolveSubject, type Subject, type SubjectFlags } from '../subject.ts'
import { traceFileNames, tracesToWrite, writeTraces } from '../trace-files.ts'
import { version } from '../version.ts'

export interface CheckFlags extends SubjectFlags {
  readonly without: readonly string[]
  readonly property: readonly string[]
  readonly continue?: boolean
  readonly maxStates?: number
  readonly maxDepth?: number
  /** Bytes. */
  readonly maxMemory?: number
  /** Milliseconds. */
  readonly timeout?: number
  readonly workers?: 1
  readonly json?: string
  readonly trace?: string
  readonly guards?: boolean
}

export async function checkCommand(
  argument: string | undefined,
  given: CheckFlags,
  environment: Environment,
): Promise<ExitCode> {
  const flags = { ...given, without: [...new Set(given.without)], property: [...new Set(given.property)] }
  const inFolder = (path: string) => resolve(environment.folder, path)
  const subject = await resolveSubject(argument, flags, environment)
  if (subject.catalogue !== undefined) {
    refuseDefencesOfOtherPresets(subject.catalogue, subject.config, flags.without)
  }
  const jsonFile = flags.json === undefined || flags.json === '-' ? undefined : inFolder(flags.json)
  if (jsonFile !== undefined) assertWritable(jsonFile, '--json')
  if (flags.trace !== undefined) assertWritable(inFolder(flags.trace), '--trace')

  const result = await exploreSubject(subject, flags, environment)
  const traced = flags.trace === undefined ? [] : tracesToWrite(result, flags.property)
  const files = traceFileNames(flags.trace ?? '', traced)
  const failures = failuresOf([
    () => writeTraces(traced, (name) => inFolder(files.get(name) ?? ''), '--trace'),
    () => jsonFile !== undefined && writeAtomically(jsonFile, resultJson(result, files), '--json'),
  ])
  const repeat = `repeat: ${repeatLine(subject, flags)}\n`
  if (flags.json === '-') {
    environment.stdout.write(resultJson(result, files))
    environment.stderr.write(repeat)
  } else {
    const title = titleOf(subject, flags.without)
    const options = { title, files, guards: flags.guards === true, colours: coloursFor(environment.colours) }
    environment.stdout.write(`${reportLines(result, options).join('\n')}\n\n${repeat}`)
  }
  if (flags.trace !== undefined && traced.length === 0) {
    environment.stderr.write(`${flags.trace} was not written: there is no counterexample\n`)
  }
  // Only now: what took minutes to find is worth more than the file that it should have gone to.
  for (const failure of failures) throw failure
  return exitCodeOf(result)
}

async function exploreSubject(
  subject: Subject,
  flags: CheckFlags,
  environment: Environment,
): Promise<CheckResult> {
  const interruption = new AbortController()
  const stopListening = environment.onInterrupt(() => interruption.abort())
  try {
    const options = {
      defencesOff: flags.without,
      ...(flags.property.length > 0 ? { properties: flags.property } : {}),
      continueAfterViolation: flags.continue === true,
      ...(flags.maxStates === undefined ? {} : { maxStates: flags.maxStates }),
      ...(flags.maxDepth === undefined ? {} : { maxDepth: flags.maxDepth }),
      ...(flags.maxMemory === undefined ? {} : { maxMemoryBytes: flags.maxMemory }),
      ...(flags.timeout === undefined ? {} : { timeoutMs: flags.timeout }),
      signal: interruption.signal,
    }
    return await explore(subject.model, subject.config, options, environment)
  } catch (error) {
    keepWay(error, flags.trace === undefined ? undefined : resolve(environment.folder, flags.trace))
    throw error
  } finally {
    stopListening()
  }
}

/** A model that fails leaves the way to the state in which it failed, which is worth a file as well. */
export function keepWay(error: unknown, file: string | undefined) {
  if (error instanceof ModelError && error.trace !== undefined && file !== undefined) {
    writeAtomically(file, writeItf(error.trace, { version }), '--trace')
  }
}

/** Runs all of them, so that one file that cannot be written does not keep the others from being written. */
export function failuresOf(writers: readonly (() => void)[]): UsageError[] {
  return writers.flatMap((write) => {
    try {
      write()
      return []
    } catch (error) {
      if (error instanceof UsageError) return [error]
      throw error
    }
  })
}

export function titleOf({ argument, preset }: Subject, without: readonly string[]): string {
  const presetPart = preset === undefined ? '' : `, preset ${preset}`
  return `${argument}${presetPart}${without.map((name) => `, without "${name}"`).join('')}`
}

function repeatLine({ argument, preset }: Subject, flags: CheckFlags): string {
  return commandLine(['check', argument], {
    '--preset': preset,
    '--config': flags.config,
    '--set': flags.set.filter((assignment) => !assignment.startsWith('preset=')),
    '--without': flags.without,
    '--property': flags.property,
    '--continue': flags.continue,
    '--max-states': flags.maxStates,
    '--max-depth': flags.maxDepth,
    '--max-memory': flags.maxMemory,
    '--timeout': flags.timeout === undefined ? undefined : `${flags.timeout}ms`,
    '--json': flags.json,
    '--trace': flags.trace,
    '--guards': flags.guards,
  })
}
