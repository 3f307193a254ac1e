/** From what a search found to verdicts that never overstate it. */
import type { Limit, PropertyKind, PropertyResult, RunVerdict, Sample } from './result.ts'
import type { FailedPart, Trace } from './trace.ts'

/** How a search ended. */
export type SearchEnd =
  | { readonly kind: 'exhausted' }
  /** After the level in which a violation was found. */
  | { readonly kind: 'violation'; readonly depth: number }
  | { readonly kind: 'limit'; readonly limit: Limit }
  /** After so many random walks. */
  | { readonly kind: 'sample'; readonly sample: Sample }

/** What a search found out about a property. */
export interface PropertyFinding {
  readonly name: string
  readonly kind: PropertyKind
  /** Where it was violated or, a `reachable`, witnessed: the first time in breadth-first order. */
  readonly settled?: { readonly depth: number; readonly failed?: FailedPart; readonly trace: Trace }
  /** Whether an evaluation passed all antecedents; absent if there were none. */
  readonly given?: boolean
  /** Why it could not be judged on what the search found. */
  readonly notJudged?: string
}

/** @param constraint says that the constraint cut states, so that exhaustion proves nothing */
export function propertyResult(finding: PropertyFinding, end: SearchEnd, constraint?: Limit): PropertyResult {
  const { name, kind, settled, given, notJudged } = finding
  if (settled !== undefined) {
    const { depth, failed, trace } = settled
    const verdict = kind === 'reachable' ? 'witnessed' : 'violated'
    return { name, kind, verdict, vacuous: false, depth, ...(failed === undefined ? {} : { failed }), trace }
  }
  const vacuous = kind === 'reachable' || given === false
  if (end.kind === 'violation') {
    const reason = `the search ended at level ${end.depth}, where another property is violated`
    return { name, kind, verdict: 'inconclusive', vacuous, reason }
  }
  if (notJudged !== undefined) return { name, kind, verdict: 'inconclusive', vacuous, reason: notJudged }
  if (end.kind === 'sample') {
    const { walks, maxDepth } = end.sample
    const reason = `${walks} random walks of at most ${maxDepth} levels did not settle it`
    return { name, kind, verdict: 'sampled', vacuous, reason }
  }
  const limit = end.kind === 'limit' ? end.limit : constraint
  if (limit !== undefined) return { name, kind, verdict: 'bounded', vacuous, reason: sentenceOf(limit) }
  return { name, kind, verdict: kind === 'reachable' ? 'unwitnessed' : 'proved', vacuous }
}

/** Violated if any property is violated or unwitnessed, else the weakest of the others; a limit is never a proof. */
export function runVerdict(results: readonly PropertyResult[], limit: Limit | undefined): RunVerdict {
  const has = (verdict: PropertyResult['verdict']) => results.some((result) => result.verdict === verdict)
  if (has('violated') || has('unwitnessed')) return 'violated'
  if (has('inconclusive')) return 'inconclusive'
  return limit === undefined ? 'proved' : 'bounded'
}

function sentenceOf({ kind, value, completeToDepth }: Limit): string {
  const complete = `; the search is complete to level ${completeToDepth}`
  switch (kind) {
    case 'states':
      return `the limit of ${value} states was reached${complete}`
    case 'depth':
      return `the limit of ${value} levels was reached${complete}`
    case 'memory':
      return `the limit of ${value} bytes of memory was reached${complete}`
    case 'time':
      return `the time limit of ${value} ms was reached${complete}`
    case 'interrupted':
      return `the search was interrupted after ${value} states${complete}`
    case 'constraint':
      return `the constraint cut ${value} states${complete}`
  }
}
