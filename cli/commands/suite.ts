/** `fencepost suite`: every claim about exactly-once, against the verdicts that are expected of its cases. */
import { join, resolve } from 'node:path'
import type { Claim } from '../../spec/claims/claim.ts'
import type { Environment } from '../environment.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { assertWritable, makeFolder, writeAtomically } from '../files.ts'
import { suiteJson } from '../json/suite.ts'
import { commandLine } from '../repeat.ts'
import { coloursFor } from '../report/colours.ts'
import { suiteHtml } from '../suite/html.ts'
import { type Done, runInTurn } from '../suite/in-turn.ts'
import { inBrief, inFull } from '../suite/printers.ts'
import { claimsOf, type RunCase } from '../suite/run.ts'
import { summaryLines } from '../suite/table.ts'
import { shownFolder, slug, writeTraces } from '../trace-files.ts'

export interface SuiteFlags {
  /** Ids of claims; all if empty. */
  readonly only: readonly string[]
  readonly json?: string
  readonly html?: string
  /** A row for each claim instead of one for each case. */
  readonly brief?: boolean
  /** Folder for the traces; none are written if it is absent. */
  readonly traces?: string
}

export async function suiteCommand(flags: SuiteFlags, environment: Environment): Promise<ExitCode> {
  const { claims: all, presets } = await environment.catalogue()
  const claims = claimsOf(all, flags.only)
  const inFolder = (...path: string[]) => resolve(environment.folder, ...path)
  const jsonFile = flags.json === undefined || flags.json === '-' ? undefined : inFolder(flags.json)
  if (jsonFile !== undefined) assertWritable(jsonFile, '--json')
  const htmlFile = flags.html === undefined ? undefined : inFolder(flags.html)
  if (htmlFile !== undefined) assertWritable(htmlFile, '--html')
  if (flags.traces !== undefined) {
    makeFolder(inFolder(flags.traces), '--traces')
    assertWritable(inFolder(flags.traces, 'any'), '--traces')
  }

  const names = presets.map(({ name }) => name)
  const { done, interrupted } = await run(claims, names, flags, environment)
  const json = suiteJson(done, interrupted, (run, property) => fileOf(flags, environment, run, property))
  if (flags.json === '-') environment.stdout.write(json)
  const output = flags.json === '-' ? environment.stderr : environment.stdout
  output.write(`repeat: ${repeatLine(flags)}\n`)
  if (jsonFile !== undefined) writeAtomically(jsonFile, json, '--json')
  if (htmlFile !== undefined)
    writeAtomically(
      htmlFile,
      suiteHtml(done, summaryLines(done, claims, interrupted), repeatLine(flags)),
      '--html',
    )
  if (done.some(({ judged }) => !judged.asExpected)) return exitCodes.found
  return interrupted ? exitCodes.stopped : exitCodes.holds
}

/** Prints each case as it is known. */
async function run(
  claims: readonly Claim[],
  presets: readonly string[],
  flags: SuiteFlags,
  environment: Environment,
): Promise<Done> {
  const interruption = new AbortController()
  const stopListening = environment.onInterrupt(() => interruption.abort())
  const colours = coloursFor(environment.colours)
  const printer = flags.brief === true ? inBrief(claims, colours) : inFull(claims, presets, colours)
  try {
    return await runInTurn(claims, printer, {
      environment,
      signal: interruption.signal,
      print: (lines) => {
        if (flags.json !== '-') environment.stdout.write(lines.map((line) => `${line}\n`).join(''))
      },
      onDone: (each) => write(each, flags, environment),
    })
  } finally {
    stopListening()
  }
}

/** The traces of what is violated or witnessed. */
function write(run: RunCase, { traces }: SuiteFlags, { folder }: Environment): void {
  if (traces === undefined) return
  const traced = run.judged.result.properties.flatMap(({ name, trace }) =>
    trace === undefined ? [] : [{ name, trace }],
  )
  writeTraces(traced, (property) => resolve(folder, traces, fileName(run, property)), '--traces')
}

/** As it can be given to other commands from here. */
function fileOf(
  { traces }: SuiteFlags,
  { folder }: Environment,
  run: RunCase,
  property: string,
): string | undefined {
  return traces === undefined ? undefined : join(shownFolder(traces, folder), fileName(run, property))
}

const fileName = ({ claim, one }: RunCase, property: string): string =>
  `${slug(claim.id)}-${slug(one.name)}-${slug(property)}.itf.json`

const repeatLine = (flags: SuiteFlags): string =>
  commandLine(['suite'], {
    '--only': flags.only,
    '--traces': flags.traces,
    '--brief': flags.brief,
    '--html': flags.html,
    '--json': flags.json,
  })
