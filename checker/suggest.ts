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
    expected: known.length === 0 ? `no ${kind} exists here` : `one of: ${known.join(', ')}`,
    ...(near === undefined ? {} : { fix: `did you mean '${near}'?` }),
  })
}

/** The known name with the fewest edits to `name`, unless that many edits would turn it into something else. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let bestEdits = Infinity
  for (const candidate of known) {
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (edits < bestEdits) [best, bestEdits] = [candidate, edits]
  }
  return best !== undefined && bestEdits <= Math.max(2, Math.floor(best.length / 2)) ? best : undefined
}

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
