/** What the spec offers by name: presets and scenarios, as data that tools list and run. */

import type { DefenceInfo } from '../checker/model.ts'
import type { PropertyVerdict } from '../checker/result.ts'
import type { Allowed } from './allowed.ts'

/** A version of the protocol. */
export interface PresetInfo {
  readonly name: string
  readonly summary: string
  readonly sources: readonly string[]
  /** Where the versions differ: flag to value. */
  readonly flags: Readonly<Record<string, string | number | boolean>>
}

/** What a client does if nobody configures it. */
export interface ProfileInfo {
  readonly name: string
  readonly summary: string
  /** Parameter to value. */
  readonly settings: Readonly<Record<string, string>>
  readonly sources: readonly string[]
}

/** A parameter of the configuration: a bound, a budget of faults, a choice of the application. */
export interface ParameterInfo {
  readonly name: string
  readonly summary: string
  readonly default: string | number | boolean
  /** Absent where any value of its type will do. */
  readonly allowed?: Allowed
  readonly sources: readonly string[]
}

/** A rule in which versions of the protocol differ. */
export interface FlagInfo {
  readonly name: string
  readonly summary: string
  readonly allowed?: Allowed
  readonly sources: readonly string[]
}

/** A configuration with a name, and what is expected of it under each preset. */
export interface Scenario<Config> {
  readonly name: string
  readonly summary: string
  readonly sources: readonly string[]
  /** Overrides of the default configuration; the preset apart. */
  readonly config: Partial<Config>
  /** The presets that it is meant for; all if it is not said. */
  readonly presets?: readonly string[]
  /** Preset to property to verdict; only what is not simply proved or witnessed needs to be said. */
  readonly expected?: Readonly<Record<string, Readonly<Record<string, PropertyVerdict>>>>
}

/** Where the removal of a defence shows: `property` is violated there; `together` names the others that must go too. */
export interface Exercise {
  readonly scenario: string
  readonly preset: string
  readonly property: string
  readonly together?: readonly string[]
}

/** A protective rule of the protocol. */
export interface Defence<Config> extends DefenceInfo<Config> {
  readonly exercisedBy: Exercise
}
