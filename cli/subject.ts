/** What a command is to check: a scenario of the catalogue, or the model in a user's own file. */
import { resolve } from 'node:path'
import { UsageError, unknownName } from '../checker/index.ts'
import { type AnyModel, type ConfigInput, defaultPreset, defaultScenario } from './catalogue.ts'
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
  const file =
    flags.config === undefined ? {} : await readConfiguration(resolve(environment.folder, flags.config))
  const own: ConfigInput[] = [file, ...flags.set.map(parseAssignment)]
  if (flags.preset !== undefined) own.push({ preset: flags.preset })
  return argument !== undefined && looksLikeFile(argument)
    ? userSubject(argument, own, flags, environment)
    : scenarioSubject(argument ?? defaultScenario, own, environment)
}

async function userSubject(
  argument: string,
  layers: readonly ConfigInput[],
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
  const config = mergeConfiguration(model.config, layers)
  return { argument, model, config, ...(typeof config.preset === 'string' ? { preset: config.preset } : {}) }
}

async function scenarioSubject(
  argument: string,
  layers: readonly ConfigInput[],
  environment: Environment,
): Promise<Subject> {
  const { model, scenarios, presets } = await environment.catalogue()
  const scenario = scenarios.find(({ name }) => name === argument)
  if (scenario === undefined)
    throw unknownName(
      'scenario',
      argument,
      scenarios.map(({ name }) => name),
    )
  const config = mergeConfiguration(model.config, [{ preset: defaultPreset }, scenario.config, ...layers])
  const preset = String(config.preset)
  if (!presets.some(({ name }) => name === preset))
    throw unknownName(
      'preset',
      preset,
      presets.map(({ name }) => name),
    )
  return { argument, model, config, preset }
}
