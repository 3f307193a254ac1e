/** Whether a search explores states up to renaming, and what its result says of that. */
import type { Prepared } from '../prepare.ts'
import type { CheckOptions, CheckResult } from '../result.ts'
import type { Symmetries } from '../symmetry/symmetries.ts'
import type { Equivariance } from './equivariance.ts'

/** Undefined if there is nothing to rename, or if it must not be. */
export function usedSymmetries(prepared: Prepared, options: CheckOptions): Symmetries | undefined {
  const { symmetries, liveness } = prepared
  const isUsed = options.symmetry !== false && liveness.length === 0
  return isUsed && symmetries !== undefined && symmetries.generators.length > 0 ? symmetries : undefined
}

export function symmetryOf(
  { symmetries, liveness }: Prepared,
  options: CheckOptions,
  equivariance: Equivariance | undefined,
): Pick<CheckResult, 'symmetry'> {
  const sorts = (symmetries?.sorts ?? []).filter(({ members }) => members.length > 1)
  if (options.symmetry === false || sorts.length === 0) return {}
  if (equivariance === undefined) {
    const unused = `'${liveness[0]!.property.name}' is about whole behaviours, in which everybody is followed by name`
    return { symmetry: { sorts: [], tests: 0, complete: true, unused } }
  }
  const { tests, isComplete: complete } = equivariance
  const renamed = sorts.map(({ name, members }) => ({ sort: name, members: members.length }))
  return { symmetry: { sorts: renamed, tests, complete } }
}
