/** Finds what somebody meant by a mistyped name. */
import { UsageError } from './errors.ts'

/** The error for a name that does not exist, with the nearest one that does. */
export function unknownName(
  kind: string,
  name: string,
  known: readonly string[],
  where?: string,
): UsageError {
  const near = nearest(name, known)
  return new UsageError({
    code: 'unknown-name',
    found: `there is no ${kind} '${name}'`,
    ...(where === undefined ? {} : { where }),
    expected: known.length === 0 ? `no ${kind} exists here` : choices(name, known),
    ...(near === undefined ? {} : { fix: `did you mean '${near}'?` }),
  })
}

/** More names than that are no answer that somebody reads. */
const namesMax = 40
const nearNames = 8

function choices(name: string, known: readonly string[]): string {
  if (known.length > namesMax)
    return `one of ${known.length} names; the nearest are: ${byLikeness(name, known).slice(0, nearNames).join('; ')}`
  // A name may have a comma in it.
  return `one of: ${known.join(known.some((one) => one.includes(',')) ? '; ' : ', ')}`
}

/** The known name that is most like `name`, unless it is something else altogether. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const [best] = byLikeness(name, known)
  if (best === undefined) return undefined
  const edits = editDistance(name.toLowerCase(), best.toLowerCase())
  const isAnother = edits >= Math.max(name.length, best.length)
  return !isAnother && (isPart(name, best) || edits <= Math.max(2, Math.floor(best.length / 2)))
    ? best
    : undefined
}

/** First what looks like a slip of the pen, then what contains the name, then the others; the fewest edits first. */
function byLikeness(name: string, known: readonly string[]): string[] {
  const ranked = known.map((candidate) => {
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase())
    return { candidate, edits, rank: edits <= 2 ? 0 : isPart(name, candidate) ? 1 : 2 }
  })
  return ranked
    .toSorted((one, other) => one.rank - other.rank || one.edits - other.edits)
    .map(({ candidate }) => candidate)
}

const isPart = (name: string, candidate: string): boolean =>
  name.length >= 3 && candidate.toLowerCase().includes(name.toLowerCase())

/** Insertions, deletions and replacements of characters between two words (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[to.length]!
}
