/** Text tables: columns as wide as their widest cell, numbers to the right. */

export interface Column {
  readonly title: string
  readonly align?: 'right'
}

/** Paints a cell that already has its width; must not change how many columns it takes. */
export type Paint = (cell: string, row: number, column: number) => string

export const widthsOf = (columns: readonly Column[], rows: readonly (readonly string[])[]): number[] =>
  columns.map(({ title }, index) => Math.max(title.length, ...rows.map((row) => (row[index] ?? '').length)))

/** One line, without trailing blanks. */
export function rowLine(
  columns: readonly Column[],
  widths: readonly number[],
  row: readonly string[],
  paint: (cell: string, column: number) => string = (cell) => cell,
): string {
  const last = row.findLastIndex((cell) => cell !== '')
  const cells = row.slice(0, last + 1).map((cell, index) => {
    const width = widths[index] ?? 0
    if (columns[index]?.align === 'right') return paint(cell.padStart(width), index)
    return paint(index === last ? cell : cell.padEnd(width), index)
  })
  return cells.join('  ')
}

/** Title line and rows. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  paint: Paint = (cell) => cell,
): string[] {
  const widths = widthsOf(columns, rows)
  const titles = columns.map(({ title }) => title)
  return [
    rowLine(columns, widths, titles),
    ...rows.map((row, index) => rowLine(columns, widths, row, (cell, column) => paint(cell, index, column))),
  ]
}
