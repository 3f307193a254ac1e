/** The table of claims. Its rows are printed as they come, so its widths are known from the claims alone. */
import type { PropertyVerdict } from '../../checker/index.ts'
import type { Claim } from '../../spec/claims/claim.ts'
import type { Colours } from '../report/colours.ts'
import { grouped } from '../report/numbers.ts'
import { type Column, rowLine, widthsOf } from '../report/table.ts'
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
    ...casesOf(claims).map(({ one }) => [
      `  ${one.name}`,
      '',
      verdictsText(Object.values(one.expected)),
      asExpected,
      '10,000,000',
    ]),
    ...presets.map((preset) => ['', preset]),
  ])

export const titleRow = (widths: readonly number[]): string =>
  rowLine(
    columns,
    widths,
    columns.map(({ title }) => title),
  )

/** Before the first case of a claim. */
export const claimRow = ({ id, claim, stands }: Claim, colours: Colours): string =>
  `${colours.bold(id)}  ${claim} ${colours.dim(`(${stands})`)}`

/** The row of a case, and a line for each thing that is not as expected. */
export function caseRows(run: RunCase, widths: readonly number[], colours: Colours): string[] {
  const { one, judged } = run
  const { properties, result } = judged
  const found = verdictsText(properties.map((property) => property.found))
  const cells = [
    `  ${one.name}`,
    presetOf(run) ?? '',
    verdictsText(Object.values(one.expected)),
    judged.asExpected ? asExpected : found,
    grouped(result.states.distinct),
    String(result.depth),
    (result.elapsedMs / 1000).toFixed(1),
  ]
  const row = rowLine(columns, widths, cells, (cell, column) =>
    column === foundColumn ? colours.verdict(judged.asExpected ? 'proved' : 'violated', cell) : cell,
  )
  return [
    row,
    ...properties.flatMap(({ differs }) => (differs === undefined ? [] : [`    not so: ${differs}`])),
  ]
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
