/** `fencepost trace minimise`: a trace from which nothing more can be left out. */
import { resolve } from 'node:path'
import { failureLines, type Minimised, minimise, stepLines, writeItf } from '../../traces/index.ts'
import type { Environment } from '../environment.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { assertWritable, writeAtomically } from '../files.ts'
import { commandLine } from '../repeat.ts'
import { coloursFor } from '../report/colours.ts'
import { numberRanges } from '../report/numbers.ts'
import { headLines } from '../report/trace-head.ts'
import { type ModelFlag, resolveTrace } from '../trace-subject.ts'
import { version } from '../version.ts'

export interface TraceMinimiseFlags extends ModelFlag {
  readonly trace?: string
  readonly brief?: boolean
  readonly all?: boolean
}

export async function traceMinimiseCommand(
  file: string,
  flags: TraceMinimiseFlags,
  environment: Environment,
): Promise<ExitCode> {
  const target = flags.trace === undefined ? undefined : resolve(environment.folder, flags.trace)
  if (target !== undefined) assertWritable(target, '--trace')
  const { trace, model } = await resolveTrace(file, flags, environment)
  const minimised = minimise(model, trace)
  if (target !== undefined) writeAtomically(target, writeItf(minimised.trace, { version }), '--trace')
  const colours = coloursFor(environment.colours)
  const { brief = false, all = false } = flags
  const repeat = commandLine(['trace', 'minimise', file], {
    '--model': flags.model,
    '--trace': flags.trace,
    '--brief': brief,
    '--all': all,
  })
  const parts = [
    headLines(minimised.trace, colours),
    stepLines(minimised.trace, { style: colours.trace, brief, all }),
    failureLines(minimised.trace, colours.trace),
    sizeLines(minimised, flags.trace),
    [`repeat: ${repeat}`],
  ]
  environment.stdout.write(
    `${parts
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join('\n'))
      .join('\n\n')}\n`,
  )
  return exitCodes.holds
}

function sizeLines({ before, after, kept, changed }: Minimised, file: string | undefined): string[] {
  const gone = before.participants.filter((name) => !after.participants.includes(name))
  const row = (label: string, text: string) => `  ${label.padEnd(14)}${text}`
  return [
    row('steps', `${after.steps} of ${before.steps}${keptText(before.steps, kept)}`),
    row('faults', `${after.faults} of ${before.faults}`),
    ...(gone.length === 0 ? [] : [row('left out', gone.join(', '))]),
    ...(changed.length === 0 ? [] : [row('changed', `${numberRanges(changed)}, of the steps that are kept`)]),
    row('nothing more', 'can be left out: no step, no fault, no participant'),
    ...(file === undefined ? [] : [row('trace', file)]),
  ]
}

const keptText = (all: number, kept: readonly number[]) =>
  kept.length === all || kept.length === 0 ? '' : `: ${numberRanges(kept)}`
