/** What one run of a checker on two-phase commit has found, and how long it took. */
export interface Run {
  readonly distinct: number
  readonly generated: number
  /** Levels of the breadth-first search; absent where the tool does not search in levels. */
  readonly depth?: number
  /** To how many digits the tool prints its counts; all if absent. */
  readonly significantDigits?: number
  /** The search alone. */
  readonly seconds: number
  /** What comes before: starting the run time, translating and compiling the model. */
  readonly startSeconds: number
  /** Absent where the tool does not tell. */
  readonly memoryBytes?: number
}

/** A checker on this machine. */
export interface Tool {
  readonly name: string
  readonly version: string
  run(managers: number): Run
}

/** A checker that is not on this machine, and how to get it into the comparison. */
export interface AbsentTool {
  readonly name: string
  readonly absent: string
}

/** Published by the authors of other checkers, and found by all that are compared here. */
export const published: Readonly<Record<number, { distinct: number; generated: number; depth: number }>> = {
  1: { distinct: 12, generated: 20, depth: 5 },
  2: { distinct: 56, generated: 154, depth: 8 },
  3: { distinct: 288, generated: 1_146, depth: 11 },
  4: { distinct: 1_568, generated: 8_258, depth: 14 },
  5: { distinct: 8_832, generated: 58_146, depth: 17 },
  6: { distinct: 50_816, generated: 402_306, depth: 20 },
  7: { distinct: 296_448, generated: 2_744_706, depth: 23 },
  8: { distinct: 1_745_408, generated: 18_507_778, depth: 26 },
  9: { distinct: 10_340_352, generated: 123_558_402, depth: 29 },
}

/** What is wrong with the counts of a run; undefined if nothing is. */
export function wrongCounts(managers: number, run: Run): string | undefined {
  const expected = published[managers]
  if (expected === undefined) return `no counts are known for ${managers} managers`
  const asPrinted = (count: number) =>
    run.significantDigits === undefined ? count : Number(count.toPrecision(run.significantDigits))
  const differences = (['distinct', 'generated', 'depth'] as const).filter(
    (count) => run[count] !== undefined && run[count] !== asPrinted(expected[count]),
  )
  if (differences.length === 0) return undefined
  return differences.map((count) => `${count} is ${run[count]}, expected ${expected[count]}`).join('; ')
}

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('there is no median of no values')
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
