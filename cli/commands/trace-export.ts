/** `fencepost trace export`: a trace in a format that something else reads. */
import { basename, resolve } from 'node:path'
import type { Trace } from '../../checker/index.ts'
import {
  type ExportFormat,
  exporters,
  mermaidLengthMax,
  type Presentation,
  presentationOf,
  slicePresentation,
} from '../../traces/index.ts'
import type { Environment } from '../environment.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { assertWritable, writeAtomically } from '../files.ts'
import { counted, grouped } from '../report/numbers.ts'
import { type ModelFlag, modelOfTrace, readAnyTrace } from '../trace-subject.ts'
import { invalid } from '../units.ts'

export interface TraceExportFlags extends ModelFlag {
  readonly to: ExportFormat
  /** Absent, or `-`: standard output. */
  readonly out?: string
  /** Of a diagram: numbers of the steps after which the logs are shown. */
  readonly logs?: readonly number[]
  /** Whether the steps stand out that a violation depends on: false with `--no-slice`. */
  readonly slice?: boolean
}

/** @throws UsageError if the trace cannot be read, the model named is another one, or nothing can be written */
export async function traceExportCommand(
  file: string,
  flags: TraceExportFlags,
  environment: Environment,
): Promise<ExitCode> {
  const { to, out = '-' } = flags
  const target = out === '-' ? undefined : resolve(environment.folder, out)
  if (target !== undefined) assertWritable(target, '--out', [resolve(environment.folder, file)])
  const trace = readAnyTrace(file, environment)
  refuseLogsBeyond(trace, flags)
  const model = await modelOfTrace(trace, file, flags, environment)
  const presentation: Presentation = model === undefined ? {} : presentationOf(model, trace)
  const text = exporters[to](trace, {
    ...presentation,
    ...(model === undefined || flags.slice === false ? {} : slicePresentation(model, trace)),
    ...(flags.logs === undefined ? {} : { logsAt: flags.logs }),
    ...(target === undefined ? {} : { name: basename(target).replace(/\.[^.]*$/, '') }),
  })
  if (target === undefined) environment.stdout.write(text)
  else {
    writeAtomically(target, text, '--out')
    environment.stderr.write(`${out}: ${to}, ${counted(trace.steps.length, 'step')}\n`)
  }
  if (to === 'mermaid' && text.length > mermaidLengthMax) {
    const limit = `more than the ${grouped(mermaidLengthMax)} that Mermaid draws by default`
    environment.stderr.write(`warning: ${grouped(text.length)} characters, ${limit}; --to svg has no limit\n`)
  }
  return exitCodes.holds
}

function refuseLogsBeyond({ steps }: Trace, { to, logs = [] }: TraceExportFlags): void {
  const beyond = logs.find((number) => number > steps.length)
  if (beyond !== undefined) throw invalid('--logs', String(beyond), `0 (at first) to ${steps.length}`)
  if (logs.length > 0 && to !== 'svg') throw invalid('--logs', to, '--to svg: other formats have no logs')
}
