/** What `fencepost suite` found as JSON, format `fencepost-suite/1`; its schema is schemas/suite.json. */
import { presetOf, type RunCase } from '../suite/run.ts'

/** @param fileOf the trace file of a property, if one was written */
export function suiteJson(
  done: readonly RunCase[],
  interrupted: boolean,
  fileOf: (run: RunCase, property: string) => string | undefined,
): string {
  const document = {
    format: 'fencepost-suite/1',
    interrupted,
    scenarios: done.map((run) => scenarioJson(run, fileOf)),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function scenarioJson(run: RunCase, fileOf: (run: RunCase, property: string) => string | undefined) {
  const { claim, one, judged } = run
  const { states, depth, elapsedMs, model, defencesOff } = judged.result
  const preset = presetOf(run)
  return {
    id: claim.id,
    claim: claim.claim,
    stands: claim.stands,
    case: one.name,
    ...(one.cell === undefined ? {} : { cell: one.cell }),
    model,
    ...(preset === undefined ? {} : { preset }),
    defencesOff,
    asExpected: judged.asExpected,
    properties: judged.properties.map(({ name, expected, found, differs, result }) => {
      const trace = result.trace === undefined ? undefined : fileOf(run, name)
      return {
        name,
        expected,
        found,
        ...(differs === undefined ? {} : { differs }),
        ...(result.depth === undefined ? {} : { steps: result.depth - 1 }),
        ...(trace === undefined ? {} : { trace }),
      }
    }),
    states,
    depth,
    elapsedMs,
  }
}
