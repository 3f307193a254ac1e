/** `fencepost trace replay`: whether a trace still is what the model does. */
import type { Plain, Trace } from '../../checker/index.ts'
import { changes, changeText, failureLines, type Replayed, replay } from '../../traces/index.ts'
import type { Environment } from '../environment.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { commandLine } from '../repeat.ts'
import { coloursFor } from '../report/colours.ts'
import { headLines } from '../report/trace-head.ts'
import { type ModelFlag, resolveTrace } from '../trace-subject.ts'

export async function traceReplayCommand(
  file: string,
  flags: ModelFlag,
  environment: Environment,
): Promise<ExitCode> {
  const { trace, model } = await resolveTrace(file, flags, environment)
  const colours = coloursFor(environment.colours)
  const replayed = replay(model, trace)
  const parts = [
    headLines(trace, colours),
    outcomeLines(trace, replayed),
    ...(replayed.shows === false
      ? []
      : [failureLines(trace, colours.trace)].filter((lines) => lines.length > 0)),
    [`repeat: ${commandLine(['trace', 'replay', file], { '--model': flags.model })}`],
  ]
  environment.stdout.write(`${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`)
  const isSame = replayed.differsFrom === undefined && replayed.shows !== false
  return isSame ? exitCodes.holds : exitCodes.found
}

/** Longer lists are cut: the first few tell where to look. */
const shownChanges = 8

function outcomeLines(trace: Trace, { trace: now, differsFrom, shows }: Replayed): string[] {
  const { property } = trace
  const verb = property?.kind === 'reachable' ? 'witnessed' : 'violated'
  const not = shows === false ? [`but "${property!.name}" is not ${verb} any more`] : []
  if (differsFrom === undefined) {
    return ['every step can be taken, and leads to the state that the trace has', ...not]
  }
  const found = changes(trace.states[differsFrom] as Plain, now.states[differsFrom] as Plain)
  const more = found.length > shownChanges ? [`    and ${found.length - shownChanges} more`] : []
  return [
    `every step can be taken, but state ${differsFrom} is another one now (trace -> now):`,
    ...found.slice(0, shownChanges).map((change) => `    ${changeText(change)}`),
    ...more,
    ...not,
  ]
}
