/**
 * The main job as a list of runs: the standard scenario under each standard preset, a smaller one with every kind of
 * fault under every preset, then each defence removed where the catalogue says that its absence shows.
 */
import { type PropertyVerdict, unknownName } from '../../checker/index.ts'
import { type Catalogue, type ConfigInput, defaultScenario } from '../catalogue.ts'
import { slug } from '../trace-files.ts'

const standardPresets = ['kafka-4.4', 'kafka-3.9']
/** Asked of every version. */
const comparedScenario = 'every-fault'

export interface PlannedRun {
  readonly scenario: string
  readonly preset: string
  readonly config: ConfigInput
  readonly defencesOff: readonly string[]
  /** Only these; all if absent. */
  readonly properties?: readonly string[]
  /** Verdicts that are not simply proved or witnessed, by property. */
  readonly expected: Readonly<Record<string, PropertyVerdict>>
  /** Name of a trace file for the counterexample of a property. */
  readonly traceFile: (property: string) => string
}

/** @throws UsageError (unknown-name) if the catalogue names a scenario that it does not have */
export function standardPlan(catalogue: Catalogue): PlannedRun[] {
  return [
    ...standardPresets.map((preset) => scenarioRun(catalogue, defaultScenario, preset)),
    ...comparedRuns(catalogue),
    ...catalogue.defences.map((defence) => defenceRun(catalogue, defence)),
  ]
}

/** A catalogue without that scenario has no versions to compare. */
function comparedRuns(catalogue: Catalogue): PlannedRun[] {
  const compared = catalogue.scenarios.some(({ name }) => name === comparedScenario)
  return compared ? catalogue.presets.map(({ name }) => scenarioRun(catalogue, comparedScenario, name)) : []
}

function scenarioRun(catalogue: Catalogue, scenario: string, preset: string): PlannedRun {
  const { name, config, expected } = scenarioOf(catalogue, scenario)
  return {
    scenario: name,
    preset,
    config: { ...config, preset },
    defencesOff: [],
    expected: expected?.[preset] ?? {},
    traceFile: (property) => `${slug(name)}-${slug(preset)}-${slug(property)}.itf.json`,
  }
}

function defenceRun(catalogue: Catalogue, { name, exercisedBy }: Catalogue['defences'][number]): PlannedRun {
  const { scenario, preset, property, together = [] } = exercisedBy
  const defencesOff = [name, ...together]
  return {
    scenario,
    preset,
    config: { ...scenarioOf(catalogue, scenario).config, preset },
    defencesOff,
    properties: [property],
    expected: { [property]: 'violated' },
    traceFile: () => `${removalSlug(scenario, preset, defencesOff)}.itf.json`,
  }
}

/** What was removed and where, as the beginning of a file name. */
export const removalSlug = (scenario: string, preset: string, defencesOff: readonly string[]): string =>
  `${slug(scenario)}-${slug(preset)}-without-${defencesOff.map(slug).join('-and-')}`

/** @throws UsageError (unknown-name) */
export function scenarioOf({ scenarios }: Catalogue, name: string, where = 'catalogue of the spec') {
  const found = scenarios.find((scenario) => scenario.name === name)
  if (found !== undefined) return found
  throw unknownName(
    'scenario',
    name,
    scenarios.map((scenario) => scenario.name),
    where,
  )
}
