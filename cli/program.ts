/** The commands and their options, as commander knows them. */
import { Argument, Command, Option } from 'commander'
import { memories, UsageError } from '../checker/index.ts'
import { pairKinds } from './ablate/removals.ts'
import { defaultPreset, defaultScenario } from './catalogue.ts'
import { type AblateFlags, ablateCommand, defaultMaxStates } from './commands/ablate.ts'
import { type CheckFlags, checkCommand } from './commands/check.ts'
import { type DocFlags, docCommand } from './commands/doc.ts'
import { type ListFlags, listCommand } from './commands/list.ts'
import { type SimulateFlags, simulateCommand } from './commands/simulate.ts'
import { defaultTraces, type StandardFlags, standardCommand } from './commands/standard.ts'
import { type SuiteFlags, suiteCommand } from './commands/suite.ts'
import { type TraceDiffFlags, traceDiffCommand } from './commands/trace-diff.ts'
import { type TraceShowFlags, traceShowCommand } from './commands/trace-show.ts'
import { type ValidateFlags, validateCommand } from './commands/validate.ts'
import type { Environment } from './environment.ts'
import type { ExitCode } from './exit-codes.ts'
import { type ListKind, listKinds } from './list/listing.ts'
import { reporterNames } from './report/reporters.ts'
import { addTraceStudies } from './trace-program.ts'
import { parseCount, parseDuration, parseSize, parseWeight } from './units.ts'
import { version } from './version.ts'

/** `finished` gets the exit code of the command that ran. */
export function buildProgram(environment: Environment, finished: (code: ExitCode) => void): Command {
  const program = new Command('fencepost')
    .description("Kafka's exactly-once machinery as an executable model, checked state by state.")
    .version(version)
    .showHelpAfterError('run with --help to see what there is')
    .exitOverride()
    .configureOutput({
      writeOut: environment.stdout.write,
      writeErr: environment.stderr.write,
      getOutHelpWidth: () => environment.stdout.columns,
      getErrHelpWidth: () => environment.stderr.columns,
    })
  addCheck(program, environment, finished)
  addSimulate(program, environment, finished)
  addList(program, environment, finished)
  addTrace(program, environment, finished)
  addAblate(program, environment, finished)
  addSuite(program, environment, finished)
  addValidate(program, environment, finished)
  addStandard(program, environment, finished)
  addDoc(program, environment, finished)
  return program
}

type Finished = (code: ExitCode) => void

function addCheck(program: Command, environment: Environment, finished: Finished) {
  const command = takesSubject(
    program
      .command('check')
      .summary('explore a scenario or your own model exhaustively')
      .description(
        'Explores every reachable state of a scenario, or of the model in a file of yours (TypeScript or JavaScript; the ' +
          'default export or the only exported model). Prints a verdict for each property and the shortest way to break it.',
      ),
  )
    .option('--property <name>', 'check only this property (see list properties); may be repeated', collect)
    .option('--continue', 'go on after a violation, until every property is settled')
    .option(
      '--counterexamples <n>',
      'up to so many counterexamples of each violated property, distinct by the faults that they need',
      count('--counterexamples'),
    )
    .option('--max-states <n>', 'stop when this many states are known', count('--max-states'))
    .option('--max-depth <n>', 'stop after this many levels', count('--max-depth'))
    .option('--max-memory <size>', 'stop at this much memory: 512M, 8G', (text) =>
      parseSize(text, '--max-memory'),
    )
    .addOption(
      new Option(
        '--memory <how>',
        'how states are held: as they are (usual), or compressed to about half of the memory (small)',
      ).choices(memories),
    )
    .option('--timeout <time>', 'stop after this long: 90s, 5m, 1h', (text) =>
      parseDuration(text, '--timeout'),
    )
    .option('--workers <n>', 'threads to use; this version has 1', oneWorker)
    .option(
      '--goal <name or expression>',
      'the shortest way to break (or witness) a property, or to a state in which an expression is true, such as ' +
        '"partition[0].log.length == 2"',
    )
    .option(
      '--schedule <file>',
      'the shortest behaviour with the steps that a file of yours lists, one a line',
    )
    .option('--no-symmetry', 'explore every state by itself, also those that are the same up to renaming')
  writesResult(command)
    .option('--guards', 'also name guards that were always true, or never')
    .action(async (subject: string | undefined, flags: Partial<CheckFlags>) => {
      finished(await checkCommand(subject, { set: [], without: [], property: [], ...flags }, environment))
    })
}

function addSimulate(program: Command, environment: Environment, finished: Finished) {
  const command = takesSubject(
    program
      .command('simulate')
      .summary('walk at random through what is too large to explore')
      .description(
        'Walks at random through a scenario, or through the model in a file of yours, and judges all that it meets. Ends ' +
          'with the first walk that violates a property. A sample proves nothing; equal seeds give equal walks.',
      ),
  )
    .option('--property <name>', 'judge only this property; may be repeated', collect)
    .option('--seed <n>', 'where the random numbers start (default: 1)', count('--seed', 0))
    .option('--walks <n>', 'how many walks (default: 1000)', count('--walks'))
    .option(
      '--depth <n>',
      'levels after which a walk ends, one more than its steps (default: 100)',
      count('--depth'),
    )
    .option('--timeout <time>', 'stop after this long: 90s, 5m, 1h', (text) =>
      parseDuration(text, '--timeout'),
    )
    .option(
      '--bias <name=weight>',
      'weight of the steps of an action, 1 for those that are not named: Crash=0.1; may be repeated',
      collect,
    )
    .option('--continue', 'make all walks, and keep the shortest counterexample of each property')
  writesResult(command).action(
    async (subject: string | undefined, { bias, ...flags }: GivenSimulateFlags) => {
      const weights = (bias ?? []).map((text) => parseWeight(text, '--bias'))
      const complete = { set: [], without: [], property: [], ...flags, bias: Object.fromEntries(weights) }
      finished(await simulateCommand(subject, complete, environment))
    },
  )
}

type GivenSimulateFlags = Partial<Omit<SimulateFlags, 'bias'>> & { readonly bias?: readonly string[] }

function addList(program: Command, environment: Environment, finished: Finished) {
  program
    .command('list')
    .summary(
      'name scenarios, properties, defences, presets, client profiles, parameters, claims and findings',
    )
    .description('Lists what can be checked, changed, and found in dumps, by name.')
    .addArgument(new Argument('[kind]', 'only these').choices(listKinds))
    .option('--json <file>', 'write the list as JSON; - writes it to standard output and nothing else')
    .action(async (kind: ListKind | undefined, flags: ListFlags) => {
      finished(await listCommand(kind, flags, environment))
    })
}

function addTrace(program: Command, environment: Environment, finished: Finished) {
  const trace = program
    .command('trace')
    .summary('read trace files')
    .description('What one can do with a trace that `check --trace` wrote.')
  addTraceDiff(trace, environment, finished)
  trace
    .command('show')
    .summary('print a trace as numbered steps')
    .description('Prints a trace as numbered steps: who, whom, what, and only what changed in the state.')
    .argument('<file>', 'a trace (.itf.json)')
    .option('--only <participant>', 'only steps that this participant has a part in')
    .option('--from <n>', 'first step', count('--from'))
    .option('--to <n>', 'last step', count('--to'))
    .addOption(
      new Option('--state <n>', 'the whole state after step n instead; 0 is the initial state')
        .argParser(count('--state', 0))
        .conflicts(['only', 'from', 'to', 'brief', 'all']),
    )
    .option('--brief', 'leave out what changed in the state')
    .option('--all', 'show what changed in the bookkeeping of the model, too')
    .action((file: string, flags: TraceShowFlags) => finished(traceShowCommand(file, flags, environment)))
  addTraceStudies(trace, environment, finished)
}

function addTraceDiff(trace: Command, environment: Environment, finished: Finished) {
  trace
    .command('diff')
    .summary('say where two traces part, and how they differ from there on')
    .description(
      'Compares two traces of one model, be it under different configurations: how many steps they share, where they ' +
        'part, which steps they have in common after that, and how they end. Exits with 1 if anything differs.',
    )
    .argument('<first>', 'a trace (.itf.json)')
    .argument('<second>', 'another one')
    .option('--all', 'show what differs in the bookkeeping of the model, too')
    .action((first: string, second: string, flags: TraceDiffFlags) =>
      finished(traceDiffCommand(first, second, flags, environment)),
    )
}

function addAblate(program: Command, environment: Environment, finished: Finished) {
  program
    .command('ablate')
    .summary('remove each defence in turn: which property falls, in how many steps')
    .description(
      'Removes each defence alone, in the scenario and preset that exercise it, and checks every property. A defence ' +
        'whose removal breaks nothing is a survivor, unless the catalogue names others that cover it and something ' +
        'falls without all of them. Exits with 1 if a survivor is unexplained.',
    )
    .option('--only <defence>', 'remove only this one; may be repeated', collect)
    .option('--scenario <name>', 'remove them in this scenario instead')
    .option('--preset <name>', 'remove them from this version of the protocol instead')
    .addOption(
      new Option('--pairs [kind]', 'also pairs: those that the catalogue names, or all within a scenario')
        .choices(pairKinds)
        .preset('named'),
    )
    .option('--traces <folder>', 'write an ITF trace for each property that falls')
    .option(
      '--max-states <n>',
      `stop an exploration when this many states are known (default: ${defaultMaxStates})`,
      count('--max-states'),
    )
    .option('--timeout <time>', 'stop an exploration after this long: 90s, 5m, 1h', (text) =>
      parseDuration(text, '--timeout'),
    )
    .option('--json <file>', 'write the result as JSON; - writes it to standard output and nothing else')
    .action(async (flags: Partial<AblateFlags>) => {
      finished(await ablateCommand({ only: [], ...flags }, environment))
    })
}

function addSuite(program: Command, environment: Environment, finished: Finished) {
  program
    .command('suite')
    .summary('every claim about exactly-once against what is expected of it')
    .description(
      'Checks the cases of every claim about exactly-once: what each property is expected to be, and that the shortest ' +
        'trace of what is violated or witnessed shows the reason. Exits with 1 if anything is not as expected.',
    )
    .option('--only <claim>', 'only this one, such as claim-D1a or D1a; may be repeated', collect)
    .option('--brief', 'print a row for each claim instead of one for each case')
    .option('--traces <folder>', 'write an ITF trace for each property that is violated or witnessed')
    .option('--html <file>', 'write the result as a page that needs nothing else')
    .option('--json <file>', 'write the result as JSON; - writes it to standard output and nothing else')
    .action(async (flags: Partial<SuiteFlags>) => {
      finished(await suiteCommand({ only: [], ...flags }, environment))
    })
}

function addValidate(program: Command, environment: Environment, finished: Finished) {
  program
    .command('validate')
    .summary('say what is wrong with dumps of a real cluster')
    .description(
      'Reads what kafka-dump-log.sh, kafka-transactions.sh and kafka-console-consumer.sh have printed, of any version and ' +
        'in any mix, and compares it with the rules of the protocol: partitions, __transaction_state, __consumer_offsets, ' +
        'producer snapshots and transaction indexes. Exits with 0 if all is explained, 1 if something was found, 2 if lines ' +
        'cannot be read, 3 if the dumps do not tell enough.',
    )
    .argument('[files...]', 'dumps; - or none is standard input')
    .option('--json <file>', 'write the result as JSON; - writes it to standard output and nothing else')
    .option('--html <file>', 'write the result as a page that needs nothing else, with a picture of each log')
    .action(async (files: string[], flags: ValidateFlags) => {
      finished(await validateCommand(files, flags, environment))
    })
}

function addStandard(program: Command, environment: Environment, finished: Finished) {
  program
    .command('standard')
    .summary('the main job: the standard scenarios, each defence removed where it shows, every claim')
    .description(
      'Checks the standard scenario under the standard presets and one with every kind of fault under all presets, then ' +
        'removes each defence where its absence shows and checks every claim, and compares all verdicts with the expected ones.',
    )
    .option('--traces <folder>', 'where the counterexamples go', defaultTraces)
    .action(async (flags: StandardFlags) => finished(await standardCommand(flags, environment)))
}

function addDoc(program: Command, environment: Environment, finished: Finished) {
  program
    .command('doc')
    .summary('write a documentation page about scenarios')
    .description(
      'Explores scenarios to their ends and writes a page about each: what it is about, its configuration, the verdict of ' +
        'every property, and the shortest behaviour of what is violated, as a diagram (Mermaid; drawn with --html), as ' +
        'steps, and by its logs.',
    )
    .argument('<scenario...>', 'scenarios, by name')
    .option('--preset <name>', `version of the protocol (default: ${defaultPreset})`)
    .option('--html', 'write one report that needs nothing else, instead of Markdown')
    .option('--output <file>', 'where it goes (default: standard output)')
    .option('--max-states <n>', 'stop when this many states are known', count('--max-states'))
    .action(async (scenarios: string[], flags: DocFlags) => {
      finished(await docCommand(scenarios, flags, environment))
    })
}

/** A search is of a scenario or of the user's own model. */
const takesSubject = (command: Command): Command =>
  command
    .argument(
      '[subject]',
      `a scenario (see list; default: ${defaultScenario}), programs, or a file such as ./model.ts`,
    )
    .option('--config <file>', 'configuration as JSON; also scenario, without, properties')
    .option(
      '--set <key=value>',
      'set a key of the configuration (see list parameters); may be repeated',
      collect,
    )
    .option('--preset <name>', `version of the protocol (default: ${defaultPreset})`)
    .option('--without <defence>', 'switch a defence off (see list defences); may be repeated', collect)

const writesResult = (command: Command): Command =>
  command
    .option('--json <file>', 'write the result as JSON; - writes it to standard output and nothing else')
    .addOption(
      new Option(
        '--reporter <name>',
        'what to print: a report for people (pretty), or one for continuous integration',
      ).choices(reporterNames),
    )
    .option('--trace <file>', 'write the counterexample as an ITF trace (.itf.json)')

const collect = (value: string, earlier: readonly string[] = []): string[] => [...earlier, value]

const count =
  (option: string, minimum = 1) =>
  (text: string): number =>
    parseCount(text, option, minimum)

function oneWorker(text: string): 1 {
  if (text === '1' || text === 'auto') return 1
  throw new UsageError({
    code: 'invalid-option',
    where: '--workers',
    found: `'${text}' workers are not possible yet: the search has one thread`,
    expected: '1 or auto',
  })
}
