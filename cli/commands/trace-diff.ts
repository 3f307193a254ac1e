/** `fencepost trace diff`: where two traces part, and how they differ from there on. */
import { type Trace, UsageError } from '../../checker/index.ts'
import { diffLines, diffTraces, visible } from '../../traces/index.ts'
import type { Environment } from '../environment.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { commandLine } from '../repeat.ts'
import { type Colours, coloursFor } from '../report/colours.ts'
import { counted } from '../report/numbers.ts'
import { readAnyTrace } from '../trace-subject.ts'

export interface TraceDiffFlags {
  readonly all?: boolean
}

/** @throws UsageError if one of them cannot be read, or they are of different models */
export function traceDiffCommand(
  firstFile: string,
  secondFile: string,
  { all = false }: TraceDiffFlags,
  environment: Environment,
): ExitCode {
  const [first, second] = [firstFile, secondFile].map((file) => readAnyTrace(file, environment)) as [
    Trace,
    Trace,
  ]
  refuseOtherModel(first, second, secondFile)
  const colours = coloursFor(environment.colours)
  const diff = diffTraces(first, second)
  const repeat = commandLine(['trace', 'diff', firstFile, secondFile], { '--all': all })
  const parts = [
    [headLine('first', firstFile, first, colours), headLine('second', secondFile, second, colours)],
    diffLines(diff, first, second, { style: colours.trace, all }),
    [`repeat: ${repeat}`],
  ]
  environment.stdout.write(`${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`)
  return diff.equal ? exitCodes.holds : exitCodes.found
}

const headLine = (which: string, file: string, { model, steps }: Trace, { bold }: Colours): string =>
  bold(`${`${which}:`.padEnd(8)}${file} (${visible(model)}, ${counted(steps.length, 'step')})`)

function refuseOtherModel(first: Trace, second: Trace, where: string) {
  if (first.model === second.model) return
  throw new UsageError({
    code: 'trace-does-not-apply',
    where,
    found: `it is a trace of the model '${second.model}'`,
    expected: `a trace of '${first.model}', like the first one: states of different models cannot be compared`,
  })
}
