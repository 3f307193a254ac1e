/** `fencepost trace explain`: why a property is violated in a trace. */
import { resolve } from 'node:path'
import { explain } from '../../traces/index.ts'
import { alternativesOf } from '../alternatives.ts'
import type { Environment } from '../environment.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { assertWritable, writeAtomically } from '../files.ts'
import { explanationJson } from '../json/explanation.ts'
import { commandLine } from '../repeat.ts'
import { coloursFor } from '../report/colours.ts'
import { explanationLines } from '../report/explanation.ts'
import { type ModelFlag, resolveTrace } from '../trace-subject.ts'

export interface TraceExplainFlags extends ModelFlag {
  readonly json?: string
  readonly maxStates?: number
  /** Shows what changed in the state as well. */
  readonly changes?: boolean
}

export async function traceExplainCommand(
  file: string,
  flags: TraceExplainFlags,
  environment: Environment,
): Promise<ExitCode> {
  const { json, maxStates, changes = false } = flags
  const jsonFile = json === undefined || json === '-' ? undefined : resolve(environment.folder, json)
  if (jsonFile !== undefined) assertWritable(jsonFile, '--json', [resolve(environment.folder, file)])
  const { trace, model, catalogue } = await resolveTrace(file, flags, environment)
  const explanation = explain(model, trace, {
    ...(maxStates === undefined ? {} : { maxStates }),
    alternatives: catalogue === undefined ? [] : alternativesOf(catalogue, trace.config),
  })
  const repeat = `repeat: ${commandLine(['trace', 'explain', file], {
    '--model': flags.model,
    '--max-states': maxStates,
    '--changes': changes,
    '--json': json,
  })}\n`
  const { stdout, stderr, colours } = environment
  if (jsonFile !== undefined) writeAtomically(jsonFile, explanationJson(explanation), '--json')
  if (json === '-') {
    stdout.write(explanationJson(explanation))
    stderr.write(repeat)
  } else {
    const lines = explanationLines(explanation, { colours: coloursFor(colours), changes })
    stdout.write(`${lines.join('\n')}\n\n${repeat}`)
  }
  return explanation.sealing.atLatest ? exitCodes.stopped : exitCodes.holds
}
