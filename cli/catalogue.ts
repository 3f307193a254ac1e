/** What there is to check by name: the model of the spec with its scenarios, presets, defences and parameters. */
import type { Model } from '../checker/index.ts'
import type { Defence, ParameterInfo, PresetInfo, ProfileInfo, Scenario } from '../spec/catalogue.ts'
import type { Claim } from '../spec/claims/claim.ts'

/** A model of any configuration and state: commands hand both on without looking inside. */
export type AnyModel = Model<unknown, unknown>
/** A configuration as people write it: not validated, not complete. */
export type ConfigInput = { readonly [key: string]: unknown }

export interface Catalogue {
  readonly model: AnyModel
  /** Applications as programs. */
  readonly programs: AnyModel
  readonly scenarios: readonly Scenario<ConfigInput>[]
  readonly presets: readonly PresetInfo[]
  readonly profiles: readonly ProfileInfo[]
  readonly defences: readonly Defence<unknown>[]
  readonly parameters: readonly ParameterInfo[]
  readonly claims: readonly Claim[]
}

export const defaultScenario = 'read-process-write'
export const defaultPreset = 'kafka-4.4'
