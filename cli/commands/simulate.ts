/** `fencepost simulate`: random walks through a scenario or a user's own model. */
import { resolve } from 'node:path'
import { type CheckResult, simulate } from '../../checker/index.ts'
import { refuseDefencesOfOtherPresets } from '../defences.ts'
import type { Environment } from '../environment.ts'
import { type ExitCode, exitCodeOf } from '../exit-codes.ts'
import { assertWritable, writeAtomically } from '../files.ts'
import { resultJson } from '../json/result.ts'
import { progressLine } from '../progress.ts'
import { commandLine } from '../repeat.ts'
import { coloursFor } from '../report/colours.ts'
import { reportLines } from '../report/report.ts'
import { resolveSubject, type Subject, type SubjectFlags } from '../subject.ts'
import { traceFileNames, tracesToWrite, writeTraces } from '../trace-files.ts'
import { failuresOf, keepWay, titleOf } from './check.ts'

export interface SimulateFlags extends SubjectFlags {
  readonly without: readonly string[]
  readonly property: readonly string[]
  readonly seed?: number
  readonly walks?: number
  readonly depth?: number
  /** Weights by action. */
  readonly bias: Readonly<Record<string, number>>
  readonly continue?: boolean
  readonly json?: string
  readonly trace?: string
}

export async function simulateCommand(
  argument: string | undefined,
  given: SimulateFlags,
  environment: Environment,
): Promise<ExitCode> {
  const flags = { ...given, without: [...new Set(given.without)], property: [...new Set(given.property)] }
  const inFolder = (path: string) => resolve(environment.folder, path)
  const subject = await resolveSubject(argument, flags, environment)
  if (subject.catalogue !== undefined) {
    refuseDefencesOfOtherPresets(subject.catalogue, subject.config, flags.without)
  }
  const jsonFile = flags.json === undefined || flags.json === '-' ? undefined : inFolder(flags.json)
  const traceFile = flags.trace === undefined ? undefined : inFolder(flags.trace)
  if (jsonFile !== undefined) assertWritable(jsonFile, '--json')
  if (traceFile !== undefined) assertWritable(traceFile, '--trace')

  const result = await walk(subject, flags, traceFile, environment)
  const traced = traceFile === undefined ? [] : tracesToWrite(result, flags.property)
  const files = traceFileNames(flags.trace ?? '', traced)
  const failures = failuresOf([
    () => writeTraces(traced, (name) => inFolder(files.get(name) ?? ''), '--trace'),
    () => jsonFile !== undefined && writeAtomically(jsonFile, resultJson(result, files), '--json'),
  ])
  print(result, files, subject, flags, environment)
  if (traceFile !== undefined && traced.length === 0) {
    environment.stderr.write(`${flags.trace} was not written: there is no counterexample\n`)
  }
  for (const failure of failures) throw failure
  return exitCodeOf(result)
}

async function walk(
  subject: Subject,
  flags: SimulateFlags,
  traceFile: string | undefined,
  environment: Environment,
): Promise<CheckResult> {
  const progress = progressLine(environment.stderr)
  const interruption = new AbortController()
  const stopListening = environment.onInterrupt(() => interruption.abort())
  try {
    return await simulate(subject.model, subject.config, {
      defencesOff: flags.without,
      ...(flags.property.length > 0 ? { properties: flags.property } : {}),
      ...(flags.seed === undefined ? {} : { seed: flags.seed }),
      ...(flags.walks === undefined ? {} : { walks: flags.walks }),
      ...(flags.depth === undefined ? {} : { depth: flags.depth }),
      bias: flags.bias,
      continueAfterViolation: flags.continue === true,
      processMemoryBytes: environment.processMemoryBytes,
      onProgress: progress.update,
      signal: interruption.signal,
    })
  } catch (error) {
    keepWay(error, traceFile)
    throw error
  } finally {
    stopListening()
    progress.end()
  }
}

function print(
  result: CheckResult,
  files: ReadonlyMap<string, string>,
  subject: Subject,
  flags: SimulateFlags,
  { stdout, stderr, colours }: Environment,
): void {
  const repeat = `repeat: ${repeatLine(subject, flags)}\n`
  if (flags.json === '-') {
    stdout.write(resultJson(result, files))
    stderr.write(repeat)
    return
  }
  const title = titleOf(subject, flags.without)
  const lines = reportLines(result, { title, files, guards: false, colours: coloursFor(colours) })
  stdout.write(`${lines.join('\n')}\n\n${repeat}`)
}

function repeatLine({ argument, preset }: Subject, flags: SimulateFlags): string {
  return commandLine(['simulate', argument], {
    '--preset': preset,
    '--config': flags.config,
    '--set': flags.set.filter((assignment) => !assignment.startsWith('preset=')),
    '--without': flags.without,
    '--property': flags.property,
    '--seed': flags.seed,
    '--walks': flags.walks,
    '--depth': flags.depth,
    '--bias': Object.entries(flags.bias).map(([name, weight]) => `${name}=${weight}`),
    '--continue': flags.continue,
    '--json': flags.json,
    '--trace': flags.trace,
  })
}
