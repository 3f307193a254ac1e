/** `fencepost standard`: the main job. What holds in the standard scenario, and what each defence is there for. */
import { isAbsolute, join, relative, resolve } from 'node:path'
import { type CheckResult, check } from '../../checker/index.ts'
import type { AnyModel } from '../catalogue.ts'
import type { Environment } from '../environment.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { assertWritable, makeFolder } from '../files.ts'
import { progressLine } from '../progress.ts'
import { commandLine } from '../repeat.ts'
import { coloursFor } from '../report/colours.ts'
import { differences } from '../standard/compare.ts'
import { type PlannedRun, standardPlan } from '../standard/plan.ts'
import { outcomeRow, titleRow, widthsFor } from '../standard/table.ts'
import { tracesToWrite, writeTraces } from '../trace-files.ts'

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
  const colours = coloursFor(environment.colours)
  const widths = widthsFor(plan)
  const print = (text: string) => environment.stdout.write(`${text}\n`)
  const remarks: string[] = []
  let done = 0
  try {
    print(colours.bold(titleRow(widths)))
    for (const run of plan) {
      const label = `${done + 1} of ${plan.length}, ${run.scenario}: `
      const result = await explore(catalogue.model, run, label, interruption.signal, environment)
      if (result.limit?.kind === 'interrupted') break
      const traced = tracesToWrite(result, [])
      writeTraces(traced, (name) => join(folder, run.traceFile(name)), '--traces')
      const files = traced.map(({ name }) => join(shownFolder(flags, environment), run.traceFile(name)))
      print(outcomeRow({ run, result, files }, widths, colours))
      remarks.push(...remarksOn(run, result))
      done++
    }
  } finally {
    stopListening()
  }
  const repeat = commandLine(['standard'], {
    '--traces': flags.traces === defaultTraces ? undefined : flags.traces,
  })
  print(['', ...remarks, summary(done, plan.length, remarks.length), `repeat: ${repeat}`].join('\n'))
  if (remarks.length > 0) return exitCodes.found
  return done < plan.length ? exitCodes.stopped : exitCodes.holds
}

export const defaultTraces = 'out/traces'

/** As it can be given to other commands from here. */
function shownFolder({ traces }: StandardFlags, { folder }: Environment): string {
  return isAbsolute(traces) ? traces : relative(folder, resolve(folder, traces))
}

async function explore(
  model: AnyModel,
  { config, defencesOff, properties }: PlannedRun,
  label: string,
  signal: AbortSignal,
  environment: Environment,
): Promise<CheckResult> {
  const progress = progressLine(environment.stderr, label)
  try {
    return await check(model, config, {
      defencesOff,
      ...(properties === undefined ? {} : { properties }),
      continueAfterViolation: true,
      processMemoryBytes: environment.processMemoryBytes,
      onProgress: progress.update,
      signal,
    })
  } finally {
    progress.end()
  }
}

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
