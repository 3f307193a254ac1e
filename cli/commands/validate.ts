/** `fencepost validate`: whether the protocol allows what dumps of a real cluster show. */
import { resolve } from 'node:path'
import { eachLine, type Validation, Validator } from '../../dumps/index.ts'
import type { Environment } from '../environment.ts'
import { type ExitCode, exitCodeOfOutcome } from '../exit-codes.ts'
import { assertWritable, writeAtomically } from '../files.ts'
import { timedLine } from '../progress.ts'
import { commandLine } from '../repeat.ts'
import { coloursFor } from '../report/colours.ts'
import { grouped, mebibytes, seconds } from '../report/numbers.ts'
import { validationHtml } from '../validate/html.ts'
import { type Input, inputsOf, textOf } from '../validate/input.ts'
import { validationJson } from '../validate/json.ts'
import { reportLines } from '../validate/text.ts'

export interface ValidateFlags {
  readonly json?: string
  readonly html?: string
}

export async function validateCommand(
  names: readonly string[],
  flags: ValidateFlags,
  environment: Environment,
): Promise<ExitCode> {
  const inFolder = (file: string) => resolve(environment.folder, file)
  const jsonFile = flags.json === undefined || flags.json === '-' ? undefined : inFolder(flags.json)
  const htmlFile = flags.html === undefined ? undefined : inFolder(flags.html)
  const read = names.filter((name) => name !== '-').map(inFolder)
  if (jsonFile !== undefined) assertWritable(jsonFile, '--json', read)
  if (htmlFile !== undefined) assertWritable(htmlFile, '--html', read)
  const validation = await validated(inputsOf(names, environment), environment)
  const repeat = commandLine(['validate', ...names], { '--json': flags.json, '--html': flags.html })
  const json = validationJson(validation)
  if (flags.json === '-') environment.stdout.write(json)
  if (jsonFile !== undefined) writeAtomically(jsonFile, json, '--json')
  if (htmlFile !== undefined) writeAtomically(htmlFile, validationHtml(validation, repeat), '--html')
  const lines = flags.json === '-' ? [] : [...reportLines(validation, coloursFor(environment.colours)), '']
  const output = flags.json === '-' ? environment.stderr : environment.stdout
  output.write(`${[...lines, `repeat: ${repeat}`].join('\n')}\n`)
  return exitCodeOfOutcome(validation.outcome)
}

interface Reading {
  readonly elapsedMs: number
  readonly bytes: number
  readonly lines: number
}

async function validated(inputs: readonly Input[], { stderr }: Environment): Promise<Validation> {
  const validator = new Validator()
  const begun = performance.now()
  const size = inputs.every((one) => one.size !== undefined)
    ? inputs.reduce((sum, one) => sum + (one.size ?? 0), 0)
    : undefined
  const progress = timedLine<Reading>(stderr, (reading) => progressText(reading, size))
  let bytes = 0
  let lines = 0
  for (const input of inputs) {
    const reader = validator.reader(input.name)
    const text = textOf(input, (count) => {
      bytes += count
      progress.update({ elapsedMs: performance.now() - begun, bytes, lines })
    })
    await eachLine(text, (number, line, cut) => {
      lines += 1
      reader.line(number, line, cut)
    })
    reader.end()
  }
  progress.end()
  return validator.finish()
}

function progressText({ elapsedMs, bytes, lines }: Reading, size: number | undefined): string {
  const of = size === undefined ? '' : ` of ${mebibytes(size)}`
  return `read ${mebibytes(bytes)}${of}, ${grouped(lines)} lines, ${seconds(elapsedMs)}`
}
