/** The table of the main job. Its rows are printed as they come, so its widths are known from the plan alone. */
import type { CheckResult } from '../../checker/index.ts'
import { isVacuous } from '../exit-codes.ts'
import type { Colours } from '../report/colours.ts'
import { grouped } from '../report/numbers.ts'
import { type Column, rowLine, widthsOf } from '../report/table.ts'
import { differences, expectedVerdict } from './compare.ts'
import type { PlannedRun } from './plan.ts'

const columns: readonly Column[] = [
  { title: 'scenario' },
  { title: 'without' },
  { title: 'preset' },
  { title: 'verdict' },
  { title: 'expected' },
  { title: 'states', align: 'right' },
  { title: 'depth', align: 'right' },
  { title: 'seconds', align: 'right' },
  { title: 'trace' },
]
const verdictColumn = 3

export interface Outcome {
  readonly run: PlannedRun
  readonly result: CheckResult
  readonly files: readonly string[]
}

/** Room for the longest verdict and for a hundred million states. */
export const widthsFor = (plan: readonly PlannedRun[]): number[] =>
  widthsOf(
    columns,
    plan.map((run) => [...firstCells(run), 'inconclusive', 'inconclusive', '100,000,000']),
  )

export const titleRow = (widths: readonly number[]): string =>
  rowLine(
    columns,
    widths,
    columns.map(({ title }) => title),
  )

export function outcomeRow(
  { run, result, files }: Outcome,
  widths: readonly number[],
  colours: Colours,
): string {
  const [first = '', ...others] = files
  const cells = [
    ...firstCells(run),
    result.properties.some(isVacuous) ? 'vacuous' : result.verdict,
    expectedVerdict(run),
    grouped(result.states.distinct),
    String(result.depth),
    (result.elapsedMs / 1000).toFixed(1),
    others.length === 0 ? first : `${first} and ${others.length} more`,
  ]
  const asExpected = differences(run, result).length === 0
  return rowLine(columns, widths, cells, (cell, column) =>
    column === verdictColumn ? colours.verdict(asExpected ? 'proved' : 'violated', cell) : cell,
  )
}

const firstCells = ({ scenario, defencesOff, preset }: PlannedRun) => [
  scenario,
  defencesOff.join(' + '),
  preset,
]
