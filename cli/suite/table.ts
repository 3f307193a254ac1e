/** The table of claims. Its rows are printed as they come, so its widths are known from the claims alone. */
import type { PropertyVerdict } from '../../checker/index.ts'
import type { Claim, ClaimCase } from '../../spec/claims/claim.ts'
import type { Colours } from '../report/colours.ts'
import { grouped } from '../report/numbers.ts'
import { type Column, rowLine, tableLines, widthsOf } from '../report/table.ts'
import { type Grid, gridsOf } from './grid.ts'
import { casesOf, presetOf, type RunCase } from './run.ts'

const columns: readonly Column[] = [
  { title: '  case' },
  { title: 'preset' },
  { title: 'expected' },
  { title: 'found' },
  { title: 'states', align: 'right' },
  { title: 'depth', align: 'right' },
  { title: 'seconds', align: 'right' },
]
const foundColumn = 3

const order: readonly PropertyVerdict[] = ['violated', 'witnessed', 'unwitnessed', 'proved']

/** `violated, 2 proved` */
export function verdictsText(verdicts: readonly PropertyVerdict[]): string {
  const kinds = [...new Set([...order, ...verdicts])]
  return kinds
    .map((kind) => ({ kind, count: verdicts.filter((verdict) => verdict === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => (count === 1 ? kind : `${count} ${kind}`))
    .join(', ')
}

/** What is found where it is as expected. */
const asExpected = 'as expected'

export const widthsFor = (claims: readonly Claim[], presets: readonly string[]): number[] =>
  widthsOf(columns, [
    ...claims.flatMap(({ cases }) => {
      const inTable = cases.filter(({ cell }) => cell !== undefined)
      return [
        ...cases.flatMap((one) => (one.cell === undefined ? [expectedCells(one.name, [one])] : [])),
        ...(inTable.length === 0 ? [] : [expectedCells(tableTitle(inTable.length), inTable)]),
      ]
    }),
    ...presets.map((preset) => ['', preset]),
  ])

const expectedCells = (name: string, cases: readonly ClaimCase[]): string[] => [
  `  ${name}`,
  '',
  verdictsText(cases.flatMap(({ expected }) => Object.values(expected))),
  asExpected,
  '10,000,000',
]

const tableTitle = (cases: number) => `${cases} ${cases === 1 ? 'case' : 'cases'} of the table`

export const titleRow = (widths: readonly number[]): string =>
  rowLine(
    columns,
    widths,
    columns.map(({ title }) => title),
  )

/** Before the first case of a claim. */
export const claimRow = ({ id, claim, stands }: Claim, colours: Colours): string =>
  `${colours.bold(id)}  ${claim} ${colours.dim(`(${stands})`)}`

/**
 * What there is to print when a case is done: its row, and a line for each thing that is not as expected. Cases of a table
 * are printed with the last one of them.
 *
 * @param earlier the cases of the claim that are done
 */
export function caseRows(
  run: RunCase,
  earlier: readonly RunCase[],
  widths: readonly number[],
  colours: Colours,
): string[] {
  const { claim, one } = run
  if (one.cell === undefined) return [rowOf(one.name, [run], widths, colours), ...differenceLines(run, '')]
  const inTable = claim.cases.filter(({ cell }) => cell !== undefined)
  return [
    ...differenceLines(run, `${one.name}: `),
    ...(one === inTable.at(-1) ? gridRows(claim, [...earlier, run], widths, colours) : []),
  ]
}

/** A line for each property that is not as expected. */
export const differenceLines = ({ judged }: RunCase, of: string): string[] =>
  judged.properties.flatMap(({ differs }) => (differs === undefined ? [] : [`    not so: ${of}${differs}`]))

/** The table of a claim, with a row about all of its cells. */
function gridRows(
  claim: Claim,
  done: readonly RunCase[],
  widths: readonly number[],
  colours: Colours,
): string[] {
  const runs = done.filter(({ one }) => one.cell !== undefined)
  const lines = gridsOf(claim, runs).flatMap((grid) => gridLines(grid, colours))
  return runs.length === 0 ? [] : [rowOf(tableTitle(runs.length), runs, widths, colours), ...lines]
}

/** What is known of the table of the last claim, if it was not finished. */
export function begunRows(done: readonly RunCase[], widths: readonly number[], colours: Colours): string[] {
  const last = done.at(-1)
  if (last === undefined) return []
  const ofClaim = done.filter(({ claim }) => claim === last.claim)
  const inTable = (cases: readonly ClaimCase[]) => cases.filter(({ cell }) => cell !== undefined)
  const isFinished = inTable(ofClaim.map(({ one }) => one)).length === inTable(last.claim.cases).length
  return isFinished ? [] : gridRows(last.claim, ofClaim, widths, colours)
}

function gridLines({ about, titles, rows }: Grid, colours: Colours): string[] {
  const cells = rows.map(({ title, cells }) => [title, ...cells.map((cell) => cell?.text ?? '-')])
  const lines = tableLines(
    titles.map((title) => ({ title })),
    cells,
    (text, row, column) =>
      rows[row]?.cells[column - 1]?.asExpected === false ? colours.verdict('violated', text) : text,
  )
  return [...(about.length === 0 ? [] : [about.join('; ')]), ...lines].map((line) => `    ${line}`)
}

/** One case, or several together. */
function rowOf(name: string, runs: readonly RunCase[], widths: readonly number[], colours: Colours): string {
  const isExpected = runs.every(({ judged }) => judged.asExpected)
  const results = runs.map(({ judged }) => judged.result)
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
  const presets = [...new Set(runs.map((run) => presetOf(run) ?? ''))]
  const cells = [
    `  ${name}`,
    presets.length === 1 ? (presets[0] ?? '') : 'several',
    verdictsText(runs.flatMap(({ one }) => Object.values(one.expected))),
    isExpected
      ? asExpected
      : verdictsText(runs.flatMap(({ judged }) => judged.properties.map(({ found }) => found))),
    grouped(sum(results.map(({ states }) => states.distinct))),
    String(Math.max(...results.map(({ depth }) => depth))),
    (sum(results.map(({ elapsedMs }) => elapsedMs)) / 1000).toFixed(1),
  ]
  return rowLine(columns, widths, cells, (cell, column) =>
    column === foundColumn ? colours.verdict(isExpected ? 'proved' : 'violated', cell) : cell,
  )
}

/** How many claims and cases are as expected. */
export function summaryLines(
  done: readonly RunCase[],
  claims: readonly Claim[],
  interrupted: boolean,
): string[] {
  const planned = casesOf(claims).length
  const differing = done.filter(({ judged }) => !judged.asExpected)
  const ids = [...new Set(differing.map(({ claim }) => claim.id))]
  const standing = (stands: Claim['stands']) => claims.filter((claim) => claim.stands === stands).length
  const counts = (['holds', 'holds within limits', 'refuted'] as const)
    .map((stands) => ({ stands, count: standing(stands) }))
    .filter(({ count }) => count > 0)
    .map(({ stands, count }) => `${count} ${stands}`)
  return [
    interrupted
      ? `stopped by you after ${done.length} of ${planned} cases`
      : `${claims.length} ${claims.length === 1 ? 'claim' : 'claims'}: ${counts.join(', ')}`,
    ids.length === 0
      ? `${done.length} ${done.length === 1 ? 'case' : 'cases'}, all as expected`
      : `${differing.length} of ${done.length} cases not as expected: ${ids.join(', ')}`,
  ]
}
