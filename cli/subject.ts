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
import { type WhatIf, whatIfOf } from './what-if.ts'

export interface Subject {
  /** As it is named on the command line. */
  readonly argument: string
  readonly model: AnyModel
  /** Merged, not yet validated. */
  readonly config: ConfigInput
  readonly preset?: string
  /** Where a scenario comes from; a model of the user's own is in none. */
  readonly catalogue?: Catalogue
  /** What the file of the configuration says of defences and properties. */
  readonly without: readonly string[]
  readonly properties: readonly string[]
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
  const own: Added = (schema) => {
    const { parameters, ...asked } = whatIfOf(file, schema, flags.config ?? 'configuration')
    const layers = [
      parameters,
      ...flags.set.map((assignment) => parseAssignment(schema, assignment)),
      ...(flags.preset === undefined ? [] : [{ preset: flags.preset }]),
    ]
    return { layers, ...asked }
  }
  return argument !== undefined && looksLikeFile(argument)
    ? userSubject(argument, own, flags, environment)
    : namedSubject(argument ?? textOf(file.scenario) ?? defaultScenario, own, flags, environment)
}

/** What is not a text is refused when the file is looked through. */
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** What the file and the command line add to a model with this schema; later layers over earlier ones. */
type Added = (schema: GenericSchema) => Omit<WhatIf, 'parameters'> & { readonly layers: ConfigInput[] }

async function userSubject(
  argument: string,
  added: Added,
  flags: SubjectFlags,
  environment: Environment,
): Promise<Subject> {
  const model = await loadUserModel(resolve(environment.folder, argument))
  refusePreset(model, flags)
  const { layers, scenario, without, properties } = added(model.config)
  if (scenario !== undefined) {
    throw new UsageError({
      code: 'invalid-configuration',
      where: `${flags.config}, scenario`,
      found: `'${scenario}' is to be checked, and so is ${argument}`,
      fix: 'leave one of them out',
    })
  }
  const config = mergeConfiguration(model.config, layers)
  const preset = typeof config.preset === 'string' ? { preset: config.preset } : {}
  return { argument, model, config, ...preset, without, properties }
}

/** @throws UsageError (invalid-option) for a preset of a model that has none */
function refusePreset({ name, config }: AnyModel, { preset }: SubjectFlags) {
  const keys = entriesOf(config)
  if (preset === undefined || keys === undefined || Object.hasOwn(keys, 'preset')) return
  throw new UsageError({
    code: 'invalid-option',
    where: '--preset',
    found: `the model ${name} has no presets`,
    fix: 'leave --preset out',
  })
}

/** A scenario of the catalogue, or applications as programs. */
async function namedSubject(
  argument: string,
  added: Added,
  flags: SubjectFlags,
  environment: Environment,
): Promise<Subject> {
  const catalogue = await environment.catalogue()
  const { programs } = catalogue
  if (argument !== programs.name) return scenarioSubject(argument, added(catalogue.model.config), catalogue)
  refusePreset(programs, flags)
  const { layers, without, properties } = added(programs.config)
  const config = mergeConfiguration(programs.config, layers)
  const ofPrograms = { ...catalogue, model: programs, scenarios: [], presets: [], defences: [] }
  return { argument, model: programs, config, catalogue: ofPrograms, without, properties }
}

function scenarioSubject(
  argument: string,
  { layers, without, properties }: ReturnType<Added>,
  catalogue: Catalogue,
): Subject {
  const { model, programs, scenarios, presets } = catalogue
  const scenario = scenarios.find(({ name }) => name === argument)
  if (scenario === undefined) {
    const names = [...scenarios.map(({ name }) => name), programs.name]
    throw unknownName('scenario', argument, names)
  }
  const config = mergeConfiguration(model.config, [{ preset: defaultPreset }, scenario.config, ...layers])
  const preset = String(config.preset)
  if (!presets.some(({ name }) => name === preset)) {
    const names = presets.map(({ name }) => name)
    throw unknownName('preset', preset, names)
  }
  return { argument, model, config, preset, catalogue, without, properties }
}
