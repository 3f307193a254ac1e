/** What was removed and what falls, for people: rows as they come, then the table defence x property. */
import type { Colours } from '../report/colours.ts'
import { type Column, rowLine, tableLines, widthsOf } from '../report/table.ts'
import { type Cell, type Effect, fallen } from './cells.ts'
import type { Target } from './plan.ts'
import type { PairKind, Removal } from './removals.ts'

const columns: readonly Column[] = [
  { title: 'without' },
  { title: 'scenario' },
  { title: 'preset' },
  { title: 'falls' },
  { title: 'steps', align: 'right' },
  { title: 'trace' },
]
const fallsColumn = 3

/**
 * Rows are printed as they come, so their widths follow from the plan alone.
 *
 * @param properties names of all that may fall
 */
export function widthsFor(
  targets: readonly Target[],
  properties: readonly string[],
  pairs: PairKind | undefined,
): number[] {
  const inTwos = (pairs === 'all' ? targets : []).flatMap(({ name }, index) =>
    targets.slice(index + 1).map((other) => [name, other.name]),
  )
  return widthsOf(columns, [
    ...targets.map(({ name, situation, coveredBy }) => [
      namesText([name, ...coveredBy]),
      situation.scenario,
      situation.preset,
    ]),
    ...inTwos.map((names) => [namesText(names)]),
    ...properties.map((property) => ['', '', '', property]),
  ])
}

/** @param traces whether there is a file for each cell */
export function titleRow(widths: readonly number[], traces: boolean): string {
  const titles = columns.map(({ title }) => title)
  return rowLine(columns, widths, traces ? titles : titles.slice(0, -1))
}

/** A line for each property that falls, or one that says why none does. */
export function removalRows(
  removal: Removal,
  widths: readonly number[],
  colours: Colours,
  fileOf: (property: string) => string | undefined,
): string[] {
  const { defencesOff, situation } = removal
  const first = [namesText(defencesOff), situation.scenario, situation.preset]
  const cells = fallen(removal.cells)
  if (cells.length === 0) {
    return [rowLine(columns, widths, [...first, nothingText(removal)], paintNothing(removal, colours))]
  }
  return cells.map(({ property, steps }, index) => {
    const shown = [property, String(steps ?? ''), fileOf(property) ?? '']
    return rowLine(columns, widths, [...(index === 0 ? first : ['', '', '']), ...shown])
  })
}

function nothingText({ outcome, coveredBy, elsewhere, defencesOff }: Removal): string {
  const hint = elsewhere === undefined ? '' : `; its absence shows in ${elsewhere}`
  if (outcome === 'covered') return `nothing: covered by ${namesText(coveredBy)}`
  if (outcome === 'unsettled') return 'nothing so far: a limit left it open'
  if (defencesOff.length > 1) return 'nothing'
  return coveredBy.length === 0
    ? `nothing: a survivor, unexplained${hint}`
    : `nothing: a survivor, unexplained: also without ${namesText(coveredBy)} nothing more falls${hint}`
}

const paintNothing =
  ({ outcome }: Removal, colours: Colours) =>
  (cell: string, column: number) => {
    if (column !== fallsColumn) return cell
    const verdict = outcome === 'covered' ? 'proved' : outcome === 'survives' ? 'violated' : 'bounded'
    return colours.verdict(verdict, cell)
  }

/**
 * Removals by properties, each property as a letter; the numbers are steps. Properties that hold
 * everywhere, or are only left open, are not shown.
 */
export function matrixLines(removals: readonly Removal[]): string[] {
  const cells = removals.flatMap((removal) => removal.cells)
  const told = cells.filter(({ effect }) => effect === 'falls' || effect === 'violated anyway')
  const properties = [...new Set(told.map(({ property }) => property))]
  if (properties.length === 0) return []
  const rows = removals.map((removal) => [
    namesText(removal.defencesOff),
    ...properties.map((property) => markOf(removal.cells.find((cell) => cell.property === property))),
  ])
  const shown = cells.filter(({ property }) => properties.includes(property))
  const used = new Set(shown.map(({ effect }) => effect))
  const lettered = properties.map((_, index): Column => ({ title: letters(index), align: 'right' }))
  return [
    ...tableLines([{ title: 'steps to failure' }, ...lettered], rows),
    '',
    ...properties.map((property, index) => `${letters(index).padEnd(4)}${property}`),
    ...legend.filter(([effect]) => used.has(effect)).map(([, mark, text]) => `${mark.padEnd(4)}${text}`),
  ]
}

const legend: readonly (readonly [Effect, string, string])[] = [
  ['holds', '.', 'holds'],
  ['violated anyway', '=', 'violated with every defence in place, too'],
  ['unsettled', '?', 'left open by a limit'],
]

/** A property that a scenario does not have says nothing there. */
function markOf(cell: Cell | undefined): string {
  if (cell === undefined) return ''
  if (cell.effect === 'falls') return String(cell.steps)
  return legend.find(([effect]) => effect === cell.effect)?.[1] ?? ''
}

/** A to Z, then AA, AB, ... */
const letters = (index: number): string =>
  (index < 26 ? '' : letters(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))

const namesText = (names: readonly string[]): string => names.join(' + ')
