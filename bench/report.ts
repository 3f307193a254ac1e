/** The outcome of a comparison as data, and as a table for people. */
import { type AbsentTool, median, type Run } from './measurement.ts'

export interface Row {
  readonly tool: string
  readonly version: string
  readonly managers: number
  readonly distinct: number
  readonly generated: number
  readonly depth: number | null
  /** To how many digits the tool prints its counts; null if to all. */
  readonly significantDigits: number | null
  /** What is wrong with these counts; null if they are the published ones, as far as they are printed. */
  readonly wrong: string | null
  readonly seconds: { readonly median: number; readonly all: readonly number[] }
  /** Median of what comes before the search. */
  readonly startSeconds: number
  /** Median; null where the tool does not tell. */
  readonly memoryBytes: number | null
  /** Median seconds in units of those of fencepost, with as many managers. */
  readonly ratio: number
}

export interface Report {
  readonly format: 'fencepost-bench/1'
  readonly machine: string
  readonly repetitions: number
  readonly rows: readonly Row[]
  readonly absent: readonly AbsentTool[]
}

/** @param reference median seconds of fencepost */
export function rowOf(
  tool: { readonly name: string; readonly version: string },
  managers: number,
  runs: readonly Run[],
  wrong: string | undefined,
  reference: number,
): Row {
  const { distinct, generated, depth, significantDigits } = runs[0]!
  const all = runs.map(({ seconds }) => seconds)
  const memory = runs.flatMap(({ memoryBytes }) => memoryBytes ?? [])
  return {
    tool: tool.name,
    version: tool.version,
    managers,
    distinct,
    generated,
    depth: depth ?? null,
    significantDigits: significantDigits ?? null,
    wrong: wrong ?? null,
    seconds: { median: median(all), all },
    startSeconds: median(runs.map(({ startSeconds }) => startSeconds)),
    memoryBytes: memory.length === 0 ? null : median(memory),
    ratio: median(all) / reference,
  }
}

const heading = [
  'managers',
  'checker',
  'distinct',
  'generated',
  'depth',
  'start s',
  'search s',
  'ratio',
  'MiB',
  'counts',
]

function judgement({ wrong, generated, significantDigits }: Row): string {
  if (wrong !== null) return wrong
  const rounded = significantDigits !== null && generated >= 10 ** significantDigits
  return rounded ? `as published, to ${significantDigits} digits` : 'as published'
}

/** A table in plain text; words to the left, numbers to the right. */
export function tableOf({ rows, absent, machine, repetitions }: Report): string {
  const count = (value: number | null) => value?.toLocaleString('en-US') ?? '-'
  const cells = rows.map((row) => [
    String(row.managers),
    row.tool,
    count(row.distinct),
    count(row.generated),
    count(row.depth),
    row.startSeconds.toFixed(1),
    row.seconds.median.toFixed(2),
    row.ratio.toFixed(2),
    row.memoryBytes === null ? '-' : Math.round(row.memoryBytes / 2 ** 20).toLocaleString('en-US'),
    judgement(row),
  ])
  const widths = heading.map((title, column) => {
    return Math.max(title.length, ...cells.map((line) => line[column]!.length))
  })
  const isText = (column: number) => heading[column] === 'checker' || heading[column] === 'counts'
  const line = (texts: readonly string[]) =>
    texts
      .map((text, column) => (isText(column) ? text.padEnd(widths[column]!) : text.padStart(widths[column]!)))
      .join('  ')
      .trimEnd()
  return [
    `Two-phase commit, all reachable states; medians of ${repetitions}; ${machine}`,
    '',
    line(heading),
    ...cells.map(line),
    ...absent.map(({ name, absent: why }) => `not compared: ${name}; ${why}`),
    '',
  ].join('\n')
}
