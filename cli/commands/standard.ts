/** `fencepost standard`: the main job. What holds in the standard scenario, and what each defence is there for. */
import { join, resolve } from 'node:path'
import { type CheckResult, check } from '../../checker/index.ts'
import type { Environment } from '../environment.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { explore } from '../explore.ts'
import { assertWritable, makeFolder } from '../files.ts'
import { commandLine } from '../repeat.ts'
import { coloursFor } from '../report/colours.ts'
import { differences } from '../standard/compare.ts'
import { type PlannedRun, standardPlan } from '../standard/plan.ts'
import { outcomeRow, titleRow, widthsFor } from '../standard/table.ts'
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
  const colours = coloursFor(environment.colours)
  const widths = widthsFor(plan)
  const print = (text: string) => environment.stdout.write(`${text}\n`)
  const remarks: string[] = []
  let done = 0
  try {
    print(colours.bold(titleRow(widths)))
    for (const run of plan) {
      const label = `${done + 1} of ${plan.length}, ${run.scenario}: `
      const { config, defencesOff, properties } = run
      const options = {
        defencesOff,
        ...(properties === undefined ? {} : { properties }),
        continueAfterViolation: true,
        signal: interruption.signal,
      }
      const result = await explore(
        (watched) => check(catalogue.model, config, { ...options, ...watched }),
        environment,
        label,
      )
      if (result.limit?.kind === 'interrupted') break
      const traced = tracesToWrite(result, [])
      writeTraces(traced, (name) => join(folder, run.traceFile(name)), '--traces')
      const files = traced.map(({ name }) =>
        join(shownFolder(flags.traces, environment.folder), run.traceFile(name)),
      )
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
