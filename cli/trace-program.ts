/** The commands that write a trace in other formats or take its steps again, as commander knows them. */
import { Argument, type Command, Option } from 'commander'
import { exporters } from '../traces/index.ts'
import { type TraceExplainFlags, traceExplainCommand } from './commands/trace-explain.ts'
import { type TraceExportFlags, traceExportCommand } from './commands/trace-export.ts'
import { type TraceMinimiseFlags, traceMinimiseCommand } from './commands/trace-minimise.ts'
import { traceReplayCommand } from './commands/trace-replay.ts'
import type { Environment } from './environment.ts'
import type { ExitCode } from './exit-codes.ts'
import type { ModelFlag } from './trace-subject.ts'
import { parseCount } from './units.ts'

export function addTraceStudies(
  trace: Command,
  environment: Environment,
  finished: (code: ExitCode) => void,
): void {
  addTraceExport(trace, environment, finished)
  takesTrace(trace.command('replay'))
    .summary('take the steps of a trace again')
    .description(
      'Takes the steps of a trace again, by action, arguments and choices. Exits with 2 if a step cannot be taken any more, ' +
        'and says which and what blocks it; with 1 if states differ, or nothing is violated any more.',
    )
    .action(async (file: string, flags: ModelFlag) => {
      finished(await traceReplayCommand(file, flags, environment))
    })
  takesTrace(trace.command('minimise'))
    .summary('leave out of a trace all that can be left out')
    .description(
      'Makes a trace smaller that ends in a violation, of a random walk for example, until no step, no fault and no ' +
        'participant can be left out.',
    )
    .option('--trace <file>', 'write the smaller trace as ITF (.itf.json)')
    .option('--brief', 'leave out what changed in the state')
    .option('--all', 'show what changed in the bookkeeping of the model, too')
    .action(async (file: string, flags: TraceMinimiseFlags) => {
      finished(await traceMinimiseCommand(file, flags, environment))
    })
  takesTrace(trace.command('explain'))
    .summary('say why a property is violated')
    .description(
      'Says which steps of a trace the violation depends on, from which step on it was bound to happen, and which defence ' +
        'would have prevented it. Exits with 3 if it is not known from which step on, because of --max-states.',
    )
    .addOption(
      new Option('--max-states <n>', 'states to explore around the trace (default: 5,000)').argParser(
        (text) => parseCount(text, '--max-states', 1),
      ),
    )
    .option('--changes', 'show what each step changed in the state, too')
    .option('--json <file>', 'write it as JSON; - writes it to standard output and nothing else')
    .action(async (file: string, flags: TraceExplainFlags) => {
      finished(await traceExplainCommand(file, flags, environment))
    })
}

function addTraceExport(trace: Command, environment: Environment, finished: (code: ExitCode) => void) {
  trace
    .command('export')
    .summary('write a trace in a format that something else reads')
    .description(
      'Writes a trace for something else to read: a diagram, a table, another tool. Participants are named and ordered as the ' +
        'model does it, if it is the model of Kafka or named by --model, and the steps that a violation depends on stand out.',
    )
    .argument('<file>', 'a trace (.itf.json)')
    .addOption(
      new Option('--to <format>', 'the format').choices(Object.keys(exporters)).makeOptionMandatory(),
    )
    .option('--out <file>', 'where to write it (default: -, standard output)')
    .option('--no-slice', 'let no steps stand out')
    .option('--logs <steps>', 'of a diagram: show the logs after these steps, such as 3,7', (text) =>
      text.split(',').map((number) => parseCount(number, '--logs', 0)),
    )
    .option('--model <file>', 'the file with the model, for a trace of a model of your own')
    .action(async (file: string, flags: TraceExportFlags) =>
      finished(await traceExportCommand(file, flags, environment)),
    )
}

const takesTrace = (command: Command): Command =>
  command
    .addArgument(new Argument('<file>', 'a trace (.itf.json)'))
    .option('--model <file>', 'the file with the model, for a trace of a model of your own')
