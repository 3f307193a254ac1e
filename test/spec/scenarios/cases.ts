/** Every standard scenario under every preset it is meant for, dealt out to several files that run side by side. */
import { scenarios } from '../../../spec/index.ts'
import type { KafkaScenario } from '../../../spec/scenarios/expecting.ts'
import { pinnedRow, presetsOf, readVerdicts, rowOf, runUnder } from '../verdicts.ts'

const minutes = 60_000
export const patienceMs = 20 * minutes

/** How many files share the scenarios. */
export const files = 3
const page = readVerdicts()

export const casesOf = (file: number) =>
  scenarios
    .filter((_, index) => index % files === file)
    .flatMap((scenario) => presetsOf(scenario).map((preset) => ({ name: scenario.name, scenario, preset })))

type Case = ReturnType<typeof casesOf>[number]

/** Runs a case to its end. `row` says verdict, counts, steps to each violation, and the actions that never happen. */
export async function outcomeOf({ scenario, preset }: Case) {
  const result = await runUnder(scenario, preset)
  return {
    result,
    row: rowOf(preset, result),
    pinned: pinnedRow(page, scenario.name, preset),
    expected: expectedOf(scenario, preset),
    vacuous: result.properties.filter((property) => property.vacuous).map(({ name }) => name),
  }
}

const expectedOf = ({ expected }: KafkaScenario, preset: string) => expected?.[preset] ?? {}
