/** Options with a unit or a range. */
import { UsageError } from '../checker/index.ts'

const sizeUnits: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 }
const durationUnits: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  '': 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
}

/** Bytes: `512M`, `8GiB`, `1.5g`. Units are powers of 1024, with or without iB or B. */
export function parseSize(text: string, option: string): number {
  const match = /^(\d+(?:\.\d+)?) ?([kmgt]?)(?:i?b)?$/i.exec(text)
  const bytes = Math.floor(Number(match?.[1]) * (sizeUnits[match?.[2]?.toLowerCase() ?? ''] ?? 1))
  if (bytes > 0) return bytes
  throw invalid(option, text, 'a size such as 512M, 8G or 1.5GiB')
}

/** Milliseconds: `90s`, `5m`, `1h`; a bare number is seconds. */
export function parseDuration(text: string, option: string): number {
  const match = /^(\d+(?:\.\d+)?) ?(ms|s|m|min|h|)$/i.exec(text)
  const milliseconds = Math.floor(Number(match?.[1]) * (durationUnits[match?.[2]?.toLowerCase() ?? ''] ?? 1))
  if (milliseconds > 0) return milliseconds
  throw invalid(option, text, 'a duration such as 90s, 5m or 1h')
}

/** A whole number of at least `minimum`; digits may be grouped by underscores. */
export function parseCount(text: string, option: string, minimum = 1): number {
  const value = /^\d[\d_]*$/.test(text) ? Number(text.replaceAll('_', '')) : Number.NaN
  if (Number.isSafeInteger(value) && value >= minimum) return value
  throw invalid(option, text, `a whole number, ${minimum} or more`)
}

/** The weight of an action: `Crash=0.1`. */
export function parseWeight(text: string, option: string): readonly [action: string, weight: number] {
  const [, action, weight] = /^(.+)=(\d+(?:\.\d+)?)$/.exec(text) ?? []
  if (action !== undefined) return [action, Number(weight)]
  throw invalid(option, text, 'NAME=WEIGHT with a weight of 0 or more, for example Crash=0.1')
}

export const invalid = (option: string, found: string, expected: string) =>
  new UsageError({ code: 'invalid-option', where: option, found: `'${found}' is not valid here`, expected })
