/** Judges a behaviour that was asked for by everything that the model promises. */
import type { Player, Values } from '../../checker/player.ts'
import { type Judge, judgesOf, PropertyRunner } from '../../checker/property-run.ts'
import type { CheckResult, PropertyResult } from '../../checker/result.ts'
import type { Trace, TraceStep } from '../../checker/trace.ts'

/** What a behaviour violates, each property at its first moment. A behaviour that violates nothing proves nothing. */
export function violatedBy(trace: Trace, player: Player): PropertyResult[] {
  const runner = new PropertyRunner(player.prepared.shape)
  const moments = trace.states.map((state, index) => ({
    values: player.valuesOf(state),
    step: trace.steps[index - 1],
  }))
  return player.prepared.properties.flatMap((property) => {
    if (property.kind === 'reachable') return []
    const judges = judgesOf(property)
    for (const [index, { values, step }] of moments.entries()) {
      const before = moments[index - 1]?.values
      const failure = judges.map((judge) => failureAt(runner, judge, values, before, step)).find(Boolean)
      if (failure === undefined) continue
      const { name, kind } = property
      const { failed } = failure
      const about = { name, kind, verdict: 'violated', vacuous: false, depth: index + 1 } as const
      return [failed === undefined ? about : { ...about, failed }]
    }
    return []
  })
}

function failureAt(
  runner: PropertyRunner,
  judge: Judge,
  values: Values,
  before: Values | undefined,
  step: TraceStep | undefined,
) {
  if (judge.judges === 'transitions' && (before === undefined || step === undefined)) return undefined
  const evaluation =
    judge.judges === 'states' ? runner.run(judge, values) : runner.run(judge, before!, values, step)
  return evaluation.holds ? undefined : evaluation
}

/** Adds to the result of a search what the behaviour violates that it found: after its first property, the goal. */
export function withViolated(result: CheckResult, trace: Trace, player: Player): CheckResult {
  const violated = violatedBy(trace, player).filter(({ name }) => name !== result.properties[0]?.name)
  if (violated.length === 0) return result
  return { ...result, verdict: 'violated', properties: [...result.properties, ...violated] }
}
