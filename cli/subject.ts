/** What a command is to check: a scenario of the catalogue, or the model in a user's own file. */
import { resolve } from 'node:path'
import type { GenericSchema } from 'valibot'
import { UsageError, unknownName } from '../checker/index.ts'
import {
  type AnyModel,
  type Catalogue,
  type ConfigInput,
  defaultPreset,
  defaultScenario,
} from './catalogue.ts'
import { entriesOf, mergeConfiguration, parseAssignment } from './configuration.ts'
import { readConfiguration } from './configuration-file.ts'
import type { Environment } from './environment.ts'
import { loadUserModel, looksLikeFile } from './user-model.ts'

export interface Subject {
  /** As it is named on the command line. */
  readonly argument: string
  readonly model: AnyModel
  /** Merged, not yet validated. */
  readonly config: ConfigInput
  readonly preset?: string
  /** Where a scenario comes from; a model of the user's own is in none. */
  readonly catalogue?: Catalogue
}

export interface SubjectFlags {
  readonly config?: string
  readonly set: readonly string[]
  readonly preset?: string
}

/**
 * Later sources win: the scenario, `--config`, `--set` in order, `--preset`. The schema of the model fills in the rest.
 *
 * @throws UsageError for a scenario, preset, key or file that does not exist
 */
export async function resolveSubject(
  argument: string | undefined,
  flags: SubjectFlags,
  environment: Environment,
): Promise<Subject> {
  const file = flags.config === undefined ? {} : readConfiguration(resolve(environment.folder, flags.config))
  const own: Layers = (schema) => [
    file,
    ...flags.set.map((assignment) => parseAssignment(schema, assignment)),
    ...(flags.preset === undefined ? [] : [{ preset: flags.preset }]),
  ]
  return argument !== undefined && looksLikeFile(argument)
    ? userSubject(argument, own, flags, environment)
    : scenarioSubject(argument ?? defaultScenario, own, environment)
}

/** What the command line adds to a configuration of a schema, later layers over earlier ones. */
type Layers = (schema: GenericSchema) => ConfigInput[]

async function userSubject(
  argument: string,
  layers: Layers,
  flags: SubjectFlags,
  environment: Environment,
): Promise<Subject> {
  const model = await loadUserModel(resolve(environment.folder, argument))
  const keys = entriesOf(model.config)
  if (flags.preset !== undefined && keys !== undefined && !Object.hasOwn(keys, 'preset')) {
    throw new UsageError({
      code: 'invalid-option',
      where: '--preset',
      found: `the model ${model.name} has no presets`,
      fix: 'leave --preset out',
    })
  }
  const config = mergeConfiguration(model.config, layers(model.config))
  return { argument, model, config, ...(typeof config.preset === 'string' ? { preset: config.preset } : {}) }
}

async function scenarioSubject(argument: string, layers: Layers, environment: Environment): Promise<Subject> {
  const catalogue = await environment.catalogue()
  const { model, scenarios, presets } = catalogue
  const scenario = scenarios.find(({ name }) => name === argument)
  if (scenario === undefined)
    throw unknownName(
      'scenario',
      argument,
      scenarios.map(({ name }) => name),
    )
  const config = mergeConfiguration(model.config, [
    { preset: defaultPreset },
    scenario.config,
    ...layers(model.config),
  ])
  const preset = String(config.preset)
  if (!presets.some(({ name }) => name === preset))
    throw unknownName(
      'preset',
      preset,
      presets.map(({ name }) => name),
    )
  return { argument, model, config, preset, catalogue }
}
