/**
 * `fencepost standard`: the main job. What holds in the standard scenario, what each defence is there for, and what is said
 * about exactly-once.
 */
import { join, resolve } from 'node:path'
import { type CheckResult, check } from '../../checker/index.ts'
import type { Catalogue } from '../catalogue.ts'
import type { Environment } from '../environment.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { explore } from '../explore.ts'
import { assertWritable, makeFolder } from '../files.ts'
import { commandLine } from '../repeat.ts'
import { coloursFor } from '../report/colours.ts'
import { differences } from '../standard/compare.ts'
import { type PlannedRun, standardPlan } from '../standard/plan.ts'
import { outcomeRow, titleRow, widthsFor } from '../standard/table.ts'
import { runInTurn } from '../suite/in-turn.ts'
import { inBrief } from '../suite/printers.ts'
import { shownFolder, tracesToWrite, writeTraces } from '../trace-files.ts'

export interface StandardFlags {
  /** Folder for the traces. */
  readonly traces: string
}

export async function standardCommand(flags: StandardFlags, environment: Environment): Promise<ExitCode> {
  const catalogue = await environment.catalogue()
  const plan = standardPlan(catalogue)
  const folder = resolve(environment.folder, flags.traces)
  makeFolder(folder, '--traces')
  assertWritable(join(folder, 'any'), '--traces')

  const interruption = new AbortController()
  const stopListening = environment.onInterrupt(() => interruption.abort())
  const { signal } = interruption
  const print = (lines: readonly string[]) =>
    environment.stdout.write(lines.map((line) => `${line}\n`).join(''))
  try {
    const { done, remarks } = await runPlan(plan, catalogue, { flags, environment, signal, print })
    print(['', ...remarks, summary(done, plan.length, remarks.length)])
    const { claims } = catalogue
    const wholePlan = done === plan.length
    if (wholePlan) print([''])
    const suite = wholePlan
      ? await runInTurn(claims, inBrief(claims, coloursFor(environment.colours)), {
          environment,
          signal,
          print,
        })
      : { done: [], interrupted: true }
    const traces = flags.traces === defaultTraces ? undefined : flags.traces
    print([`repeat: ${commandLine(['standard'], { '--traces': traces })}`])
    const differs = remarks.length > 0 || suite.done.some(({ judged }) => !judged.asExpected)
    if (differs) return exitCodes.found
    return suite.interrupted ? exitCodes.stopped : exitCodes.holds
  } finally {
    stopListening()
  }
}

interface Running {
  readonly flags: StandardFlags
  readonly environment: Environment
  readonly signal: AbortSignal
  readonly print: (lines: readonly string[]) => void
}

/** @returns how many runs were done, and what was not as expected of them */
async function runPlan(
  plan: readonly PlannedRun[],
  { model }: Catalogue,
  { flags, environment, signal, print }: Running,
): Promise<{ readonly done: number; readonly remarks: readonly string[] }> {
  const folder = resolve(environment.folder, flags.traces)
  const colours = coloursFor(environment.colours)
  const widths = widthsFor(plan)
  const remarks: string[] = []
  print([colours.bold(titleRow(widths))])
  for (const [done, run] of plan.entries()) {
    const label = `${done + 1} of ${plan.length}, ${run.scenario}: `
    const { config, defencesOff, properties } = run
    const selected = properties === undefined ? {} : { properties }
    const options = { defencesOff, ...selected, continueAfterViolation: true, signal }
    const result = await explore(
      (watched) => check(model, config, { ...options, ...watched }),
      environment,
      label,
    )
    if (result.limit?.kind === 'interrupted') return { done, remarks }
    const traced = tracesToWrite(result, [])
    writeTraces(traced, (name) => join(folder, run.traceFile(name)), '--traces')
    const files = traced.map(({ name }) =>
      join(shownFolder(flags.traces, environment.folder), run.traceFile(name)),
    )
    print([outcomeRow({ run, result, files }, widths, colours)])
    remarks.push(...remarksOn(run, result))
  }
  return { done: plan.length, remarks }
}

export const defaultTraces = 'out/traces'

function remarksOn(run: PlannedRun, result: CheckResult): string[] {
  const where = `${run.scenario}, ${run.preset}${run.defencesOff.map((name) => `, without "${name}"`).join('')}`
  return differences(run, result).map(({ property, expected, found }) => {
    return `not as expected: ${where}: "${property}" is ${found}, expected ${expected}`
  })
}

function summary(done: number, planned: number, remarks: number): string {
  if (done < planned) return `stopped by you after ${done} of ${planned} runs`
  return remarks === 0 ? `all ${planned} runs ended as expected` : `${planned} runs, not all as expected`
}
