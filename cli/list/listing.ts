/** Everything that has a name, as data: functions of the catalogue are left out. */
import { safeParse } from 'valibot'
import type { Allowed } from '../../spec/allowed.ts'
import type { Exercise } from '../../spec/catalogue.ts'
import type { Catalogue, ConfigInput } from '../catalogue.ts'

/** The kinds of things that have names, in the order in which they are listed. */
export const listKinds = [
  'scenarios',
  'properties',
  'defences',
  'presets',
  'profiles',
  'parameters',
  'claims',
] as const
export type ListKind = (typeof listKinds)[number]

interface Entry {
  readonly name: string
  readonly summary: string
  readonly sources: readonly string[]
}
export interface ScenarioEntry extends Entry {
  readonly config: ConfigInput
  readonly presets?: readonly string[]
  readonly expected?: Readonly<Record<string, Readonly<Record<string, string>>>>
}
export interface PropertyEntry extends Entry {
  readonly kind: string
  /** Judged only if it is selected by name. */
  readonly onRequest?: true
}
export interface DefenceEntry extends Entry {
  /** Those that have the rule. */
  readonly presets: readonly string[]
  readonly exercisedBy: Exercise
}
export interface PresetEntry extends Entry {
  readonly flags: Readonly<Record<string, string | number | boolean>>
}
export interface ProfileEntry extends Entry {
  /** What it sets, where the user does not. */
  readonly settings: Readonly<Record<string, string>>
}
export interface ParameterEntry extends Entry {
  readonly default: string | number | boolean
  readonly allowed?: Allowed
}

export interface ClaimEntry extends Entry {
  readonly stands: string
  /** Names of its cases. */
  readonly cases: readonly string[]
}

export interface Listing {
  readonly scenarios: readonly ScenarioEntry[]
  readonly properties: readonly PropertyEntry[]
  readonly defences: readonly DefenceEntry[]
  readonly presets: readonly PresetEntry[]
  /** Of clients. */
  readonly profiles: readonly ProfileEntry[]
  readonly parameters: readonly ParameterEntry[]
  readonly claims: readonly ClaimEntry[]
}

export function listingOf(catalogue: Catalogue): Listing {
  const { scenarios, defences, presets, profiles, parameters, claims } = catalogue
  return {
    scenarios: scenarios.map(({ name, summary, sources, config, presets: meantFor, expected }) => ({
      name,
      summary,
      sources,
      config,
      ...(meantFor === undefined ? {} : { presets: meantFor }),
      ...(expected === undefined ? {} : { expected }),
    })),
    properties: propertiesOf(catalogue),
    defences: defences.map(({ name, summary, sources, exercisedBy }) => {
      return { name, summary, sources, presets: presetsWith(catalogue, name), exercisedBy }
    }),
    presets: presets.map(({ name, summary, sources, flags }) => ({ name, summary, sources, flags })),
    profiles: profiles.map(({ name, summary, sources, settings }) => ({ name, summary, sources, settings })),
    parameters: parameters.map(({ name, summary, sources, default: initial, allowed }) => {
      return { name, summary, sources, default: initial, ...(allowed === undefined ? {} : { allowed }) }
    }),
    claims: claims.map(({ id, claim, sources, stands, cases }) => {
      return { name: id, summary: claim, sources, stands, cases: cases.map(({ name }) => name) }
    }),
  }
}

/**
 * The presets that have a defence, be it in the default configuration or in one of the scenarios. A scenario that replaces
 * flags of its preset says nothing about the preset.
 */
export function presetsWith(catalogue: Catalogue, defence: string): string[] {
  const appliesTo = catalogue.defences.find(({ name }) => name === defence)?.appliesTo
  return catalogue.presets
    .map(({ name }) => name)
    .filter((preset) =>
      configurationsOf(catalogue, preset).some(
        ({ config, ownFlags }) => ownFlags && (appliesTo?.(config) ?? true),
      ),
    )
}

/** Properties may depend on the configuration: those of all scenarios under all presets, each once. */
function propertiesOf(catalogue: Catalogue): PropertyEntry[] {
  const found = new Map<string, PropertyEntry>()
  for (const preset of catalogue.presets) {
    for (const { config } of configurationsOf(catalogue, preset.name)) {
      const { properties, questions = [] } = catalogue.model.build(config, { defences: { has: () => true } })
      for (const { name, kind, summary = '', sources = [] } of properties) {
        if (!found.has(name)) found.set(name, { name, kind, summary, sources })
      }
      for (const { name, kind, summary = '', sources = [] } of questions) {
        if (!found.has(name)) found.set(name, { name, kind, summary, sources, onRequest: true })
      }
    }
  }
  return [...found.values()]
}

interface Complete {
  readonly config: unknown
  /** Whether all flags are those of the preset. */
  readonly ownFlags: boolean
}

/** Hundreds, each with dozens of parameters to validate, and asked for once for each defence. */
const completed = new WeakMap<Catalogue, Map<string, readonly Complete[]>>()

/** The complete configurations that can be asked for by name under a preset: the default one and each scenario. */
function configurationsOf(catalogue: Catalogue, preset: string): readonly Complete[] {
  const known = completed.get(catalogue) ?? new Map<string, readonly Complete[]>()
  completed.set(catalogue, known)
  const found = known.get(preset) ?? complete(catalogue, preset)
  known.set(preset, found)
  return found
}

function complete({ model, scenarios }: Catalogue, preset: string): readonly Complete[] {
  return [{}, ...scenarios.map(({ config }) => config)].flatMap((config: ConfigInput) => {
    const result = safeParse(model.config, { ...config, preset })
    return result.success ? [{ config: result.output, ownFlags: config.flags === undefined }] : []
  })
}
