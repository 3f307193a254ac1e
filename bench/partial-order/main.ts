/**
 * Measures how much partial-order reduction could save at the most, on this project's models. What the columns mean, and
 * what follows from them, is told in docs/engine.md, "What partial-order reduction would save".
 */
import { Command } from 'commander'
import { cases } from './cases.ts'
import { type Measured, measure } from './measure.ts'
import { tableOf } from './report.ts'

const names = cases.map(({ name }) => name)
const program = new Command('partial-order')
  .description('Measures how much partial-order reduction could save at the most.')
  .option('--only <name...>', 'only these models')
  .parse()
const { only = names } = program.opts<{ only?: string[] }>()
const unknown = only.find((name) => !names.includes(name))
if (unknown !== undefined) program.error(`there is no model '${unknown}'; expected: ${names.join(', ')}`)

const rows: Measured[] = []
for (const measured of cases.filter(({ name }) => only.includes(name))) {
  const begin = performance.now()
  rows.push(measure(measured))
  console.error(`${measured.name}: ${((performance.now() - begin) / 1000).toFixed(1)} s`)
}
console.log(tableOf(rows))
