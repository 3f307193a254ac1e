/** Compares what a run found with what the catalogue says it should find. */
import type { CheckResult, PropertyVerdict } from '../../checker/index.ts'
import { isVacuous } from '../exit-codes.ts'
import type { PlannedRun } from './plan.ts'

export interface Difference {
  readonly property: string
  readonly expected: string
  readonly found: string
}

/** Every property whose verdict is another than expected; also vacuous ones, and expected ones that do not exist. */
export function differences({ expected }: PlannedRun, { properties }: CheckResult): Difference[] {
  const missing = Object.keys(expected).filter(
    (name) => !properties.some((property) => property.name === name),
  )
  return [
    ...properties.flatMap((property) => {
      const wanted = expected[property.name] ?? (property.kind === 'reachable' ? 'witnessed' : 'proved')
      const found = isVacuous(property) ? `${property.verdict}, vacuous` : property.verdict
      return found === wanted ? [] : [{ property: property.name, expected: wanted, found }]
    }),
    ...missing.map((name) => ({
      property: name,
      expected: String(expected[name]),
      found: 'no such property',
    })),
  ]
}

/** The verdict of a whole run that has these verdicts. */
export function expectedVerdict({ expected }: PlannedRun): PropertyVerdict {
  const verdicts = Object.values(expected)
  const broken = verdicts.some((verdict) => verdict === 'violated' || verdict === 'unwitnessed')
  return broken ? 'violated' : (verdicts.find((verdict) => verdict !== 'witnessed') ?? 'proved')
}
