/** What a suite prints: a row for each case and the tables of claims, or in brief a row for each claim. */
import type { Claim } from '../../spec/claims/claim.ts'
import type { Colours } from '../report/colours.ts'
import { grouped } from '../report/numbers.ts'
import { type Column, rowLine, widthsOf } from '../report/table.ts'
import type { RunCase } from './run.ts'
import { begunRows, caseRows, claimRow, differenceLines, titleRow, widthsFor } from './table.ts'

export interface Printer {
  readonly title: string
  /**
   * When a case is done.
   *
   * @param earlier the cases of the claim that are done
   */
  readonly rows: (run: RunCase, earlier: readonly RunCase[]) => readonly string[]
  /** Of a claim that is not finished, when no case comes any more. */
  readonly begun: (done: readonly RunCase[]) => readonly string[]
}

export function inFull(claims: readonly Claim[], presets: readonly string[], colours: Colours): Printer {
  const widths = widthsFor(claims, presets)
  return {
    title: colours.bold(titleRow(widths)),
    rows: (run, earlier) => {
      const title = earlier.length === 0 ? [claimRow(run.claim, colours)] : []
      return [...title, ...caseRows(run, earlier, widths, colours)]
    },
    begun: (done) => begunRows(done, widths, colours),
  }
}

const columns: readonly Column[] = [
  { title: 'id' },
  { title: 'it' },
  { title: 'found' },
  { title: 'cases', align: 'right' },
  { title: 'states', align: 'right' },
  { title: 'claim' },
]
const foundColumn = 2
const asExpected = 'as expected'
/** Room for a million states. */
const widestCount = '1,000,000'
const claimLengthMax = 72

export function inBrief(claims: readonly Claim[], colours: Colours): Printer {
  const widths = widthsOf(
    columns,
    claims.map(({ id, stands }) => [id, stands, asExpected, '', widestCount]),
  )
  const titles = columns.map(({ title }) => title)
  return {
    title: colours.bold(rowLine(columns, widths, titles)),
    rows: (run, earlier) => {
      const isLast = run.one === run.claim.cases.at(-1)
      return isLast ? briefRows([...earlier, run], run.claim, widths, colours) : []
    },
    // A claim counts when all of its cases are known.
    begun: () => [],
  }
}

function briefRows(
  runs: readonly RunCase[],
  { id, claim, stands }: Claim,
  widths: readonly number[],
  colours: Colours,
): string[] {
  const differing = runs.filter(({ judged }) => !judged.asExpected)
  const states = runs.reduce((sum, { judged }) => sum + judged.result.states.distinct, 0)
  const found = differing.length === 0 ? asExpected : `${differing.length} not so`
  const cells = [id, stands, found, String(runs.length), grouped(states), shortened(claim)]
  const row = rowLine(columns, widths, cells, (cell, column) =>
    column === foundColumn ? colours.verdict(differing.length === 0 ? 'proved' : 'violated', cell) : cell,
  )
  return [row, ...differing.flatMap((run) => differenceLines(run, `${run.one.name}: `))]
}

/** Its first words. */
function shortened(claim: string): string {
  if (claim.length <= claimLengthMax) return claim
  const words = claim.slice(0, claimLengthMax - 3)
  return `${words.slice(0, words.lastIndexOf(' '))} ...`
}
