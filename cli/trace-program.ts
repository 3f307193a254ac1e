/** The commands that take the steps of a trace again, as commander knows them. */
import { Argument, type Command, Option } from 'commander'
import { type TraceExplainFlags, traceExplainCommand } from './commands/trace-explain.ts'
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

const takesTrace = (command: Command): Command =>
  command
    .addArgument(new Argument('<file>', 'a trace (.itf.json)'))
    .option('--model <file>', 'the file with the model, for a trace of a model of your own')
