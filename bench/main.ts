/**
 * Compares fencepost with other checkers on two-phase commit, on this machine and in one go.
 *
 * Every repetition runs all checkers one after the other, so that a noisy moment hits all of them. Each run's counts
 * are compared with the published ones; a difference makes the exit code 1.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { dirname } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { fencepost } from './fencepost.ts'
import { type AbsentTool, median, published, type Run, type Tool, wrongCounts } from './measurement.ts'
import { type Report, type Row, rowOf, tableOf } from './report.ts'
import { spinTools } from './spin.ts'
import { tlcTools } from './tlc.ts'

function wholeNumber(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError('Expected a whole number from 1.')
  return number
}

function sizes(text: string): number[] {
  const numbers = text.split(',').map(wholeNumber)
  const unknown = numbers.find((managers) => !(managers in published))
  if (unknown === undefined) return numbers
  throw new InvalidArgumentError(`Counts are published for ${Object.keys(published).join(', ')} managers.`)
}

function compare(tools: readonly Tool[], managers: number, repetitions: number): Row[] {
  const runs = tools.map((): Run[] => [])
  for (let repetition = 1; repetition <= repetitions; repetition++) {
    for (const [index, tool] of tools.entries()) {
      const run = tool.run(managers)
      runs[index]!.push(run)
      console.error(
        `${managers} managers, ${repetition}/${repetitions}, ${tool.name}: ${run.seconds.toFixed(2)} s`,
      )
    }
  }
  const reference = median(runs[0]!.map(({ seconds }) => seconds))
  return tools.map((tool, index) => {
    const wrong = runs[index]!.map((run) => wrongCounts(managers, run)).find((text) => text !== undefined)
    return rowOf(tool, managers, runs[index]!, wrong, reference)
  })
}

const isPresent = (tool: Tool | AbsentTool): tool is Tool => 'run' in tool

const { managers, repetitions, out } = new Command('bench')
  .option('--managers <list>', 'how many managers, separated by commas', sizes, [8, 9])
  .option('--repetitions <n>', 'how often each is measured', wholeNumber, 3)
  .option('--out <file>', 'where the figures go, as JSON', 'out/bench.json')
  .parse()
  .opts<{ managers: number[]; repetitions: number; out: string }>()

const others = [...spinTools(), ...tlcTools()]
const tools = [fencepost, ...others.filter(isPresent)]
const report: Report = {
  format: 'fencepost-bench/1',
  machine: `${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown'}`,
  repetitions,
  rows: managers.flatMap((size) => compare(tools, size, repetitions)),
  absent: others.filter((tool) => !isPresent(tool)) as AbsentTool[],
}
mkdirSync(dirname(out), { recursive: true })
writeFileSync(out, `${JSON.stringify(report, null, 2)}\n`)
console.log(tableOf(report))
console.log(`Figures: ${out}`)
if (report.rows.some(({ wrong }) => wrong !== null)) process.exitCode = 1
