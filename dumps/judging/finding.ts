/** Findings and doubts, kept in bounded memory. */
import type { Place } from '../observation.ts'
import { type DoubtName, type RuleName, rules, type Severity } from './rules.ts'

export interface Location extends Place {
  /** Name of the log. */
  readonly log?: string
  readonly offset?: number
}

/** Who is to blame, as far as the dumps tell. */
export interface Blame {
  readonly producerId: number
  readonly producerEpoch?: number
  readonly transactionalId?: string
}

export interface Finding {
  readonly rule: RuleName
  readonly severity: Severity
  /** One sentence with the numbers. */
  readonly found: string
  readonly at: Location
  readonly related: readonly Location[]
  readonly producer?: Blame
}

export interface Doubt {
  readonly about: DoubtName
  /** One sentence about the first case. */
  readonly found: string
  readonly at: Location
  /** Cases of this kind in this log. */
  count: number
}

/** What is allowed and worth knowing. */
export interface Note {
  readonly found: string
  readonly at: Location
}

/** Of each rule so many findings are kept; all are counted. */
export const keptMax = 200

export class Ledger {
  readonly findings: Finding[] = []
  readonly counts = new Map<RuleName, number>()
  readonly notes: Note[] = []
  private readonly doubtsByKey = new Map<string, Doubt>()

  find(
    rule: RuleName,
    found: string,
    at: Location,
    more: Partial<Pick<Finding, 'related' | 'producer'>> = {},
  ): void {
    const count = (this.counts.get(rule) ?? 0) + 1
    this.counts.set(rule, count)
    if (count > keptMax) return
    this.findings.push({ rule, severity: rules[rule].severity, found, at, related: [], ...more })
  }

  /** One doubt for each log and kind. */
  doubt(about: DoubtName, found: string, at: Location): void {
    const key = `${about}\n${at.log ?? at.file}`
    const known = this.doubtsByKey.get(key)
    if (known !== undefined) known.count += 1
    else this.doubtsByKey.set(key, { about, found, at, count: 1 })
  }

  note(found: string, at: Location): void {
    if (this.notes.length < keptMax) this.notes.push({ found, at })
  }

  get doubts(): Doubt[] {
    return [...this.doubtsByKey.values()]
  }
}
