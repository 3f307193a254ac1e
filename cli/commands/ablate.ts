/** `fencepost ablate`: what each defence is for, by taking it away. */
import { join, resolve } from 'node:path'
import { check } from '../../checker/index.ts'
import { fallen } from '../ablate/cells.ts'
import { type AblationPlan, ablationPlan, propertiesOf } from '../ablate/plan.ts'
import { type Explore, type PairKind, type Removal, removals } from '../ablate/removals.ts'
import { exitCodeOfAblation, summaryLines } from '../ablate/summary.ts'
import { matrixLines, removalRows, titleRow, widthsFor } from '../ablate/table.ts'
import type { Catalogue } from '../catalogue.ts'
import type { Environment } from '../environment.ts'
import type { ExitCode } from '../exit-codes.ts'
import { explore } from '../explore.ts'
import { assertWritable, makeFolder, writeAtomically } from '../files.ts'
import { ablationJson } from '../json/ablation.ts'
import { commandLine } from '../repeat.ts'
import { coloursFor } from '../report/colours.ts'
import { seconds } from '../report/numbers.ts'
import { removalSlug } from '../standard/plan.ts'
import { shownFolder, slug, writeTraces } from '../trace-files.ts'

/**
 * Without a rule there may be many times the states that there are with it, and all that they would add is more properties
 * that fall. Every standard scenario that exercises a defence has fewer states while its defences are in place.
 */
export const defaultMaxStates = 250_000

export interface AblateFlags {
  readonly only: readonly string[]
  readonly scenario?: string
  readonly preset?: string
  readonly pairs?: PairKind
  /** Folder for the traces; none are written if it is absent. */
  readonly traces?: string
  readonly json?: string
  /** Of each exploration. */
  readonly maxStates?: number
  /** Milliseconds, of each exploration. */
  readonly timeout?: number
}

export async function ablateCommand(flags: AblateFlags, environment: Environment): Promise<ExitCode> {
  const catalogue = await environment.catalogue()
  const plan = ablationPlan(catalogue, flags)
  const inFolder = (...path: string[]) => resolve(environment.folder, ...path)
  const jsonFile = flags.json === undefined || flags.json === '-' ? undefined : inFolder(flags.json)
  if (jsonFile !== undefined) assertWritable(jsonFile, '--json')
  if (flags.traces !== undefined) {
    makeFolder(inFolder(flags.traces), '--traces')
    assertWritable(inFolder(flags.traces, 'any'), '--traces')
  }

  const { done, interrupted } = await removeInTurn(catalogue, plan, flags, environment)
  const found = { model: catalogue.model.name, removals: done, lacking: plan.lacking, interrupted }
  const json = ablationJson(found, (removal, property) => fileOf(flags, environment, removal, property))
  if (flags.json === '-') environment.stdout.write(json)
  const output = flags.json === '-' ? environment.stderr : environment.stdout
  output.write(`repeat: ${repeatLine(flags)}\n`)
  if (jsonFile !== undefined) writeAtomically(jsonFile, json, '--json')
  return exitCodeOfAblation(done, interrupted)
}

interface Done {
  readonly done: readonly Removal[]
  readonly interrupted: boolean
}

/** Prints and writes each removal as it comes. */
async function removeInTurn(
  catalogue: Catalogue,
  plan: AblationPlan,
  flags: AblateFlags,
  environment: Environment,
): Promise<Done> {
  const interruption = new AbortController()
  const { signal } = interruption
  const stopListening = environment.onInterrupt(() => interruption.abort())
  const print = (lines: readonly string[]) => {
    if (flags.json !== '-') environment.stdout.write(lines.map((line) => `${line}\n`).join(''))
  }
  const colours = coloursFor(environment.colours)
  const widths = widthsFor(plan.targets, propertiesOf(catalogue, plan), flags.pairs)
  const done: Removal[] = []
  const startedMs = performance.now()
  try {
    print([colours.bold(titleRow(widths, flags.traces !== undefined))])
    const exploreOne = explorer(catalogue, flags, signal, environment)
    for await (const removal of removals(plan.targets, flags.pairs, exploreOne)) {
      if (signal.aborted) break
      writeCells(removal, flags, environment)
      const shownFile = (property: string) => fileOf(flags, environment, removal, property)
      print(removalRows(removal, widths, colours, shownFile))
      done.push(removal)
    }
  } finally {
    stopListening()
  }
  const matrix = matrixLines(done)
  print(['', ...matrix, ...(matrix.length > 0 ? [''] : []), ...summaryLines(done, plan, signal.aborted)])
  print([`took ${seconds(performance.now() - startedMs)}`, ''])
  return { done, interrupted: signal.aborted }
}

function explorer(
  { model }: Catalogue,
  { maxStates = defaultMaxStates, timeout }: AblateFlags,
  signal: AbortSignal,
  environment: Environment,
): Explore {
  return ({ scenario, config }, defencesOff) => {
    const removed = defencesOff.length === 0 ? 'with every defence' : `without ${defencesOff.join(' + ')}`
    const options = {
      defencesOff,
      continueAfterViolation: true,
      maxStates,
      ...(timeout === undefined ? {} : { timeoutMs: timeout }),
      signal,
    }
    return explore(
      (watched) => check(model, config, { ...options, ...watched }),
      environment,
      `${scenario}, ${removed}: `,
    )
  }
}

function writeCells(removal: Removal, { traces }: AblateFlags, { folder }: Environment): void {
  if (traces === undefined) return
  const traced = fallen(removal.cells).flatMap(({ property, trace }) =>
    trace === undefined ? [] : [{ name: property, trace }],
  )
  writeTraces(traced, (property) => resolve(folder, traces, fileName(removal, property)), '--traces')
}

/** As it can be given to other commands from here. */
function fileOf(
  { traces }: AblateFlags,
  { folder }: Environment,
  removal: Removal,
  property: string,
): string | undefined {
  return traces === undefined ? undefined : join(shownFolder(traces, folder), fileName(removal, property))
}

const fileName = ({ situation, defencesOff }: Removal, property: string): string =>
  `${removalSlug(situation.scenario, situation.preset, defencesOff)}-${slug(property)}.itf.json`

const repeatLine = (flags: AblateFlags): string =>
  commandLine(['ablate'], {
    '--only': flags.only,
    '--scenario': flags.scenario,
    '--preset': flags.preset,
    '--pairs': flags.pairs,
    '--traces': flags.traces,
    '--max-states': flags.maxStates,
    '--timeout': flags.timeout === undefined ? undefined : `${flags.timeout}ms`,
    '--json': flags.json,
  })
