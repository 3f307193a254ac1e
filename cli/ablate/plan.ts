/** Which defences are removed, and where: each where its absence shows, or all in one place. */
import { safeParse } from 'valibot'
import { deadlockFreedom, unknownName } from '../../checker/index.ts'
import type { Catalogue, ConfigInput } from '../catalogue.ts'
import { refuseDefencesOfOtherPresets } from '../defences.ts'
import { scenarioOf } from '../standard/plan.ts'

type DefenceEntry = Catalogue['defences'][number]

interface AblationChoice {
  /** Only these defences; all if empty. */
  readonly only: readonly string[]
  /** Instead of the scenario or preset that exercises a defence. */
  readonly scenario?: string
  readonly preset?: string
}

/** Where defences are removed. */
export interface Situation {
  readonly scenario: string
  readonly preset: string
  readonly config: ConfigInput
}

/** A defence to be removed. */
export interface Target {
  readonly name: string
  readonly situation: Situation
  /** The rules that cover it, as far as they exist there. */
  readonly coveredBy: readonly string[]
  /** Where the catalogue says that its absence shows, if that is not here. */
  readonly elsewhere?: string
}

export interface AblationPlan {
  readonly targets: readonly Target[]
  /** Defences that do not exist where they were to be removed. */
  readonly lacking: readonly string[]
}

/** @throws UsageError (unknown-name) for a name of the command line or the catalogue that does not exist */
export function ablationPlan(catalogue: Catalogue, choice: AblationChoice): AblationPlan {
  const { only, scenario, preset } = choice
  if (scenario !== undefined) scenarioOf(catalogue, scenario, '--scenario')
  if (preset !== undefined) assertKnown('preset', preset, presetNames(catalogue), '--preset')
  for (const name of only) assertKnown('defence', name, defenceNames(catalogue), '--only')
  const chosen = catalogue.defences.filter(({ name }) => only.length === 0 || only.includes(name))
  for (const defence of chosen) validateExercise(catalogue, defence)

  const [targets, lacking] = [[] as Target[], [] as string[]]
  for (const defence of chosen) {
    const target = targetOf(catalogue, defence, choice)
    const { name, situation } = target
    if (only.includes(name)) refuseDefencesOfOtherPresets(catalogue, situation.config, [name], '--only')
    if (applies(catalogue, name, situation.config)) targets.push(target)
    else lacking.push(name)
  }
  return { targets, lacking }
}

function targetOf(catalogue: Catalogue, { name, exercisedBy }: DefenceEntry, choice: AblationChoice): Target {
  const { scenario: home, preset: homePreset, together = [] } = exercisedBy
  const { scenario = home, preset = homePreset } = choice
  const config = { ...scenarioOf(catalogue, scenario).config, preset }
  return {
    name,
    situation: { scenario, preset, config },
    coveredBy: together.filter((other) => applies(catalogue, other, config)),
    ...(scenario === home && preset === homePreset ? {} : { elsewhere: `${home}, ${homePreset}` }),
  }
}

/** Every name in `exercisedBy` must exist: a mistyped one would make a survivor, or hide one. */
function validateExercise(catalogue: Catalogue, { name, exercisedBy }: DefenceEntry): void {
  const where = `catalogue of the spec, defence "${name}"`
  const { scenario, preset, property, together = [] } = exercisedBy
  const { config } = scenarioOf(catalogue, scenario, where)
  assertKnown('preset', preset, presetNames(catalogue), where)
  assertKnown('property', property, propertyNames(catalogue, { ...config, preset }), where)
  for (const other of together) assertKnown('defence', other, defenceNames(catalogue), where)
}

/** The properties that may fall somewhere in a plan, each once. */
export const propertiesOf = (catalogue: Catalogue, { targets }: AblationPlan): string[] => [
  ...new Set(targets.flatMap(({ situation }) => propertyNames(catalogue, situation.config))),
]

function assertKnown(kind: string, name: string, known: readonly string[], where: string): void {
  if (!known.includes(name)) throw unknownName(kind, name, known, where)
}

const presetNames = ({ presets }: Catalogue) => presets.map(({ name }) => name)
const defenceNames = ({ defences }: Catalogue) => defences.map(({ name }) => name)

function propertyNames({ model }: Catalogue, config: ConfigInput): string[] {
  const complete = safeParse(model.config, config)
  if (!complete.success) return []
  const { properties } = model.build(complete.output, { defences: { has: () => true } })
  return [...properties.map(({ name }) => name), deadlockFreedom]
}

/** A configuration that is not valid is refused later, by the checker, with what is wrong about it. */
function applies({ model, defences }: Catalogue, name: string, config: ConfigInput): boolean {
  const complete = safeParse(model.config, config)
  const defence = defences.find((candidate) => candidate.name === name)
  return !complete.success || (defence?.appliesTo?.(complete.output) ?? true)
}
