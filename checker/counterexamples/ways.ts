/**
 * Several counterexamples of a property, distinct by the kinds of faults that they need.
 *
 * Whether a property is violated when only certain kinds of faults happen is asked by searching again without the others.
 * Fewer faults mean fewer behaviours, so what is violated with some faults is violated with more of them, and what matters
 * are the minimal sets. All of them are known as soon as each minimal hitting set of those that were found (a choice of
 * one kind out of each) leaves nothing when it is taken away: a minimal set that was not found yet would be disjoint
 * from one of these. That is exact, and costs a search for each set and each hitting set, besides those that make sets
 * minimal.
 */
import type { Prepared } from '../prepare.ts'
import type { CheckResult, PropertyResult, Way, Ways } from '../result.ts'
import type { Trace } from '../trace.ts'
import { isSubset, minimalHittingSets, type NameSet, nameSet, textOf } from './hitting-sets.ts'

/** Searches with the properties of a prepared model, and with the faults that it lets happen. */
export type SearchWith = (prepared: Prepared) => Promise<CheckResult>

/** Kinds of properties that hold with fewer faults if they hold with more. */
const monotoneKinds: readonly string[] = ['always', 'transition']

/**
 * @param prepared for a single property
 * @param violated what the search with all faults found
 * @param most how many sets are looked for; the list is complete only if there are no more
 */
export async function waysToBreak(
  prepared: Prepared,
  violated: PropertyResult,
  most: number,
  search: SearchWith,
): Promise<Ways> {
  const trace = violated.trace!
  if (monotoneKinds.includes(violated.kind)) return new Enumeration(prepared, search).run(trace, most)
  const reason =
    'a property of this kind can break because a fault does not happen, so no others were looked for'
  const found = [{ faults: faultsOf(trace), isMinimal: false, trace }]
  return { found, complete: false, reason, searches: 0 }
}

class Enumeration {
  readonly #prepared: Prepared
  readonly #search: SearchWith
  readonly #found: Way[] = []
  #searches = 0
  /** Why it is not known whether something was missed. */
  #reason: string | undefined
  #interrupted = false

  constructor(prepared: Prepared, search: SearchWith) {
    this.#prepared = prepared
    this.#search = search
  }

  async run(first: Trace, most: number): Promise<Ways> {
    this.#found.push(await this.#minimised(first))
    const settled = new Set<string>()
    while (!this.#interrupted) {
      const without = minimalHittingSets(this.#found.map(({ faults }) => faults)).find(
        (set) => !settled.has(textOf(set)),
      )
      if (without === undefined) return this.#result()
      if (this.#found.length >= most) {
        this.#reason ??= `the search for others ended after ${most}`
        return this.#result()
      }
      const trace = await this.#violatedWith((kind) => !without.includes(kind))
      if (trace === undefined) settled.add(textOf(without))
      else this.#found.push(await this.#minimised(trace))
    }
    return this.#result()
  }

  /** Takes kinds of faults away one by one, as long as the property is violated without them. */
  async #minimised(first: Trace): Promise<Way> {
    let trace = first
    let faults = faultsOf(trace)
    let isMinimal = true
    for (const kind of faults) {
      if (!faults.includes(kind)) continue
      const fewer = faults.filter((other) => other !== kind)
      const unknownBefore = this.#unknown
      const found = await this.#violatedWith((each) => fewer.includes(each))
      if (found !== undefined) {
        trace = found
        faults = faultsOf(found)
      } else if (this.#unknown > unknownBefore) isMinimal = false
      if (this.#interrupted) return { faults, isMinimal: false, trace }
    }
    return { faults, isMinimal, trace }
  }

  /** Searches that ended before they could say anything. */
  #unknown = 0

  /** @returns the shortest counterexample with such faults alone; undefined if there is none, or none was found */
  async #violatedWith(happens: (kind: string) => boolean): Promise<Trace | undefined> {
    this.#searches++
    const { properties, limit } = await this.#search({ ...this.#prepared, happens })
    const [{ verdict, trace, reason } = { verdict: 'inconclusive' }] = properties as [PropertyResult?]
    if (verdict === 'violated') return trace
    if (limit?.kind === 'interrupted') this.#interrupted = true
    if (verdict !== 'proved') {
      this.#unknown++
      this.#reason ??= reason ?? 'a search did not settle it'
    }
    return undefined
  }

  #result(): Ways {
    const sets = this.#found.map(({ faults }) => faults)
    const found = this.#found
      .filter(({ faults }) => !sets.some((set) => set.length < faults.length && isSubset(set, faults)))
      .toSorted((one, other) => one.trace.steps.length - other.trace.steps.length)
    return {
      found,
      complete: this.#reason === undefined,
      ...(this.#reason === undefined ? {} : { reason: this.#reason }),
      searches: this.#searches,
    }
  }
}

const faultsOf = ({ steps }: Trace): NameSet => nameSet(steps.flatMap(({ faults = [] }) => faults))
