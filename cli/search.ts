/** What `check` and `simulate` have in common: how a search of a subject is run, written to files and printed. */
import { resolve } from 'node:path'
import { type CheckResult, ModelError, UsageError } from '../checker/index.ts'
import { writeItf } from '../traces/index.ts'
import type { Ask } from './ask.ts'
import { refuseDefencesOfOtherPresets } from './defences.ts'
import type { Environment } from './environment.ts'
import { type ExitCode, exitCodeOf } from './exit-codes.ts'
import { explore, type Watched } from './explore.ts'
import { assertWritable, writeAtomically } from './files.ts'
import { resultJson } from './json/result.ts'
import { commandLine } from './repeat.ts'
import { coloursFor } from './report/colours.ts'
import { reportLines } from './report/report.ts'
import { type ReporterName, refuseTwoOutputs, reportText } from './report/reporters.ts'
import { resolveSubject, type Subject, type SubjectFlags } from './subject.ts'
import { traceFileNames, tracesToWrite, writeTraces } from './trace-files.ts'
import { version } from './version.ts'

/** The flags that every search has. */
export interface SearchFlags extends SubjectFlags {
  readonly without: readonly string[]
  readonly property: readonly string[]
  readonly continue?: boolean
  readonly json?: string
  readonly reporter?: ReporterName
  readonly trace?: string
}

/** The options that every search is run with. */
export interface SearchOptions extends Watched {
  readonly defencesOff: readonly string[]
  readonly properties?: readonly string[]
  readonly continueAfterViolation: boolean
  readonly signal: AbortSignal
}

/** One kind of search. */
export interface Search {
  readonly command: 'check' | 'simulate'
  readonly run: (subject: Subject, options: SearchOptions) => Promise<CheckResult>
  /** Whether guards that were always true, or never, are named. */
  readonly guards: boolean
  /** `--continue` and the flags that are its own, as they are given. */
  readonly ownFlags: Parameters<typeof commandLine>[1]
  /** Files that it reads beside the model and its configuration, as they are named. */
  readonly reads?: readonly string[]
  /** If it is for one way: how that is told. */
  readonly asked?: Ask['asked']
}

/** Runs a search. Files and output come after it, and what cannot be written last of all. */
export async function runSearch(
  search: Search,
  argument: string | undefined,
  given: SearchFlags,
  environment: Environment,
): Promise<ExitCode> {
  const inFolder = (path: string) => resolve(environment.folder, path)
  refuseTwoOutputs(given.reporter, given.json)
  const subject = await resolveSubject(argument, given, environment)
  const flags = {
    ...given,
    without: [...new Set([...subject.without, ...given.without])],
    property: [...new Set([...subject.properties, ...given.property])],
  }
  if (subject.catalogue !== undefined) {
    refuseDefencesOfOtherPresets(subject.catalogue, subject.config, flags.without)
  }
  refuseToAskNothing(subject, flags.property)
  const jsonFile = flags.json === undefined || flags.json === '-' ? undefined : inFolder(flags.json)
  const traceFile = flags.trace === undefined ? undefined : inFolder(flags.trace)
  const model = subject.catalogue === undefined ? [subject.argument] : []
  const config = given.config === undefined ? [] : [given.config]
  const read = [...model, ...config, ...(search.reads ?? [])].map(inFolder)
  if (jsonFile !== undefined) assertWritable(jsonFile, '--json', read)
  if (traceFile !== undefined) assertWritable(traceFile, '--trace', read)

  const result = await exploreSubject(search, subject, flags, traceFile, environment)
  const asked = search.asked?.(result)
  const wanted = asked === undefined ? flags.property : result.properties.slice(0, 1).map(({ name }) => name)
  const traced = traceFile === undefined ? [] : tracesToWrite(result, wanted)
  const files = traceFileNames(flags.trace ?? '', traced)
  const failures = failuresOf([
    () => writeTraces(traced, (name) => inFolder(files.get(name) ?? ''), '--trace'),
    () => jsonFile !== undefined && writeAtomically(jsonFile, resultJson(result, files), '--json'),
  ])
  print(search, result, files, subject, flags, repeatLine(search, subject, given), environment)
  if (traceFile !== undefined && traced.length === 0) {
    environment.stderr.write(
      `${flags.trace} was not written: there is no ${asked === undefined ? 'counterexample' : 'way'}\n`,
    )
  }
  // Only now: what took minutes to find is worth more than the file that it should have gone to.
  for (const failure of failures) throw failure
  return exitCodeOf(result)
}

/** What depends on the program is not promised, so it has to be asked by name. */
function refuseToAskNothing({ model, argument, catalogue }: Subject, properties: readonly string[]) {
  if (catalogue === undefined || model !== catalogue.programs || properties.length > 0) return
  throw new UsageError({
    code: 'invalid-option',
    where: '--property',
    found: `nothing is asked of ${argument}`,
    expected: 'the name of a property, here or in the "properties" of the configuration',
  })
}

async function exploreSubject(
  search: Search,
  subject: Subject,
  flags: SearchFlags,
  traceFile: string | undefined,
  environment: Environment,
): Promise<CheckResult> {
  const interruption = new AbortController()
  const stopListening = environment.onInterrupt(() => interruption.abort())
  try {
    const options = {
      defencesOff: flags.without,
      ...(flags.property.length > 0 ? { properties: flags.property } : {}),
      continueAfterViolation: flags.continue === true,
      signal: interruption.signal,
    }
    return await explore((watched) => search.run(subject, { ...options, ...watched }), environment)
  } catch (error) {
    keepWay(error, traceFile)
    throw error
  } finally {
    stopListening()
  }
}

/** A model that fails leaves the way to the state in which it failed, which is worth a file as well. */
function keepWay(error: unknown, file: string | undefined) {
  if (error instanceof ModelError && error.trace !== undefined && file !== undefined) {
    writeAtomically(file, writeItf(error.trace, { version }), '--trace')
  }
}

/** Runs all of them, so that one file that cannot be written does not keep the others from being written. */
function failuresOf(writers: readonly (() => void)[]): UsageError[] {
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

function print(
  search: Search,
  result: CheckResult,
  files: ReadonlyMap<string, string>,
  subject: Subject,
  flags: SearchFlags,
  repeat: string,
  { stdout, stderr, colours, folder }: Environment,
): void {
  const { reporter = 'pretty' } = flags
  const title = titleOf(subject, flags.without)
  if (flags.json !== '-' && reporter === 'pretty') {
    const asked = search.asked?.(result)
    const options = { title, files, guards: search.guards, colours: coloursFor(colours) }
    const lines = reportLines(result, asked === undefined ? options : { ...options, asked })
    stdout.write(`${lines.join('\n')}\n\nrepeat: ${repeat}\n`)
    return
  }
  stdout.write(
    reporter === 'pretty'
      ? resultJson(result, files)
      : reportText(reporter, result, subject, { title, repeat, folder }),
  )
  // What goes to standard output is read by a program.
  stderr.write(`repeat: ${repeat}\n`)
}

function titleOf({ argument, preset }: Subject, without: readonly string[]): string {
  const presetPart = preset === undefined ? '' : `, preset ${preset}`
  return `${argument}${presetPart}${without.map((name) => `, without "${name}"`).join('')}`
}

function repeatLine(
  { command, ownFlags, guards }: Search,
  { argument, preset }: Subject,
  flags: SearchFlags,
): string {
  return commandLine([command, argument], {
    '--preset': preset,
    '--config': flags.config,
    '--set': flags.set.filter((assignment) => !assignment.startsWith('preset=')),
    '--without': [...new Set(flags.without)],
    '--property': [...new Set(flags.property)],
    ...ownFlags,
    '--json': flags.json,
    '--reporter': flags.reporter,
    '--trace': flags.trace,
    '--guards': guards,
  })
}
