/** `fencepost trace show`: a trace file as text. */
import { type Plain, type Trace, UsageError, unknownName } from '../../checker/index.ts'
import { failureLines, lanesOf, stepLines, valueLines } from '../../traces/index.ts'
import type { Environment } from '../environment.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { commandLine } from '../repeat.ts'
import { coloursFor } from '../report/colours.ts'
import { headLines } from '../report/trace-head.ts'
import { readAnyTrace } from '../trace-subject.ts'

export interface TraceShowFlags {
  /** A participant. */
  readonly only?: string
  readonly from?: number
  readonly to?: number
  readonly state?: number
  readonly brief?: boolean
  readonly all?: boolean
}

export function traceShowCommand(file: string, flags: TraceShowFlags, environment: Environment): ExitCode {
  const trace = readAnyTrace(file, environment)
  checkRange(trace, flags)
  const colours = coloursFor(environment.colours)
  const { state, only, from, to, brief = false, all = false } = flags
  const options = {
    style: colours.trace,
    brief,
    all,
    nested: true,
    ...(only === undefined ? {} : { lane: knownLane(trace, only) }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  }
  const width = environment.stdout.isTerminal ? environment.stdout.columns : 100
  const body =
    state === undefined
      ? stepLines(trace, options)
      : [`state ${state}:`, ...valueLines(trace.states[state] as Plain, width - 2, '  ')]
  const closing = state === undefined ? failureLines(trace, colours.trace) : []
  const repeat = commandLine(['trace', 'show', file], {
    '--only': only,
    '--from': from,
    '--to': to,
    '--state': state,
    '--brief': brief,
    '--all': all,
  })
  const parts = [
    headLines(trace, colours),
    body,
    ...(closing.length > 0 ? [closing] : []),
    [`repeat: ${repeat}`],
  ]
  environment.stdout.write(`${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`)
  return exitCodes.holds
}

function knownLane(trace: Trace, lane: string): string {
  const lanes = lanesOf(trace)
  if (lanes.includes(lane)) return lane
  throw unknownName('participant', lane, lanes, '--only')
}

function checkRange(
  { steps }: Trace,
  { from = 1, to = Math.max(steps.length, 1), state = 0 }: TraceShowFlags,
) {
  if (from > to) throw outOfRange('--from', from, `at most ${to}, the step given by --to`)
  if (to > Math.max(steps.length, 1)) throw outOfRange('--to', to, `at most ${steps.length}, the last step`)
  if (state > steps.length) throw outOfRange('--state', state, `0 (the initial state) to ${steps.length}`)
}

const outOfRange = (where: string, found: number, expected: string) =>
  new UsageError({ code: 'invalid-option', where, found: `${found} is not part of this trace`, expected })
