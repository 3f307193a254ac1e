/** What a search for a way to something found, as a result like any other. */
import type { CheckResult, PropertyResult, PropertyVerdict } from '../../checker/result.ts'
import type { Trace } from '../../checker/trace.ts'
import { runVerdict } from '../../checker/verdict.ts'

const verdicts: Readonly<Partial<Record<PropertyVerdict, PropertyVerdict>>> = {
  violated: 'witnessed',
  proved: 'unwitnessed',
}

/**
 * The search was told that the goal is never reached, so that it ended where that is violated: the same as a
 * `reachable` property that is witnessed.
 *
 * @param denied the name of the property that says so
 * @param name what the goal is called
 */
export function asGoal(result: CheckResult, denied: string, name: string): CheckResult {
  const found = result.properties.find((property) => property.name === denied)!
  const verdict = verdicts[found.verdict] ?? found.verdict
  const { depth, reason, trace } = found
  const goal: PropertyResult = {
    name,
    kind: 'reachable',
    verdict,
    vacuous: verdict !== 'witnessed',
    ...(depth === undefined ? {} : { depth }),
    ...(reason === undefined ? {} : { reason }),
    ...(trace === undefined ? {} : { trace: ofGoal(trace, name) }),
  }
  // A limit does not matter any more where there is a way: levels are searched in order.
  const { limit: hit, ...about } = result
  const limit = verdict === 'witnessed' ? undefined : hit
  const properties = about.coverage.properties.filter((property) => property.name === denied)
  return {
    ...about,
    ...(limit === undefined ? {} : { limit }),
    verdict: runVerdict([goal], limit),
    properties: [goal],
    coverage: { ...about.coverage, properties: properties.map((property) => ({ ...property, name })) },
  }
}

const ofGoal = (trace: Trace, name: string): Trace => ({ ...trace, property: { name, kind: 'reachable' } })
