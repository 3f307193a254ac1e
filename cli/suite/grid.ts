/** The table of a claim: what was found of its cases, by rows and columns. */
import type { Claim } from '../../spec/claims/claim.ts'
import type { RunCase } from './run.ts'

export interface GridCell {
  readonly text: string
  readonly asExpected: boolean
}

export interface GridRow {
  readonly title: string
  /** Undefined where there is no case, or where it does not judge the property. */
  readonly cells: readonly (GridCell | undefined)[]
}

export interface Grid {
  /** What stands in the cells: properties whose verdicts they are, or what the claim says of them. */
  readonly about: readonly string[]
  /** Of the column of row titles, then of the others. */
  readonly titles: readonly string[]
  readonly rows: readonly GridRow[]
}

/**
 * One table if its cells have texts, or if its columns are the properties. Else one for each property; properties of
 * which the same was found in every cell share one.
 *
 * @param runs of the claim, as far as they are done
 */
export function gridsOf({ table }: Claim, runs: readonly RunCase[]): Grid[] {
  const placed = runs.filter(({ one }) => one.cell !== undefined)
  if (table === undefined || placed.length === 0) return []
  const properties = distinct(placed.flatMap(({ judged }) => judged.properties.map(({ name }) => name)))
  const rows = distinct(placed.map(({ one }) => one.cell?.row ?? ''))
  const gridOf = (
    about: readonly string[],
    titles: readonly string[],
    cellOf: (row: string, column: string) => GridCell | undefined,
  ): Grid => ({
    about,
    titles,
    rows: rows
      .map((row) => ({ title: row, cells: titles.slice(1).map((column) => cellOf(row, column)) }))
      .filter(({ cells }) => cells.some((cell) => cell !== undefined)),
  })

  if (table.columns === undefined) {
    const inRow = (row: string) => placed.filter(({ one }) => one.cell?.row === row)
    return [gridOf([], [table.rows, ...properties], (row, property) => verdictIn(inRow(row), property))]
  }
  const titles = [
    `${table.rows} \\ ${table.columns}`,
    ...distinct(placed.map(({ one }) => one.cell?.column ?? '')),
  ]
  const at = (row: string, column: string) =>
    placed.filter(({ one }) => one.cell?.row === row && one.cell.column === column)
  return table.cells === undefined
    ? sharing(properties.map((name) => gridOf([name], titles, (...place) => verdictIn(at(...place), name))))
    : [gridOf([table.cells], titles, (...place) => textIn(at(...place)))]
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)]

function verdictIn(runs: readonly RunCase[], property: string): GridCell | undefined {
  const [judged] = runs.flatMap((run) => run.judged.properties.filter(({ name }) => name === property))
  return judged === undefined ? undefined : { text: judged.found, asExpected: judged.differs === undefined }
}

/** What the claim says is said only if it is so. */
function textIn([run]: readonly RunCase[]): GridCell | undefined {
  if (run === undefined) return undefined
  const { asExpected } = run.judged
  return { text: asExpected ? (run.one.cell?.text ?? '') : 'not as expected', asExpected }
}

/** Tables that have the same in all cells become one. */
function sharing(grids: readonly Grid[]): Grid[] {
  const sameAs = (grid: Grid) => JSON.stringify(grid.rows)
  return distinct(grids.map(sameAs)).map((content) => {
    const equal = grids.filter((grid) => sameAs(grid) === content)
    return { ...(equal[0] as Grid), about: equal.flatMap(({ about }) => about) }
  })
}
