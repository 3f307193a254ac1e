/** What the rule tests share: protocols with defences removed, and short notations for tables. */
import { parse } from 'valibot'
import { expect } from 'vitest'
import { configSchema, type KafkaConfig } from '../../../spec/config.ts'
import { type DefenceName, defences } from '../../../spec/defences.ts'
import { type Flags, type PresetName, presetFlags, presetNames } from '../../../spec/presets.ts'
import { type Protocol, protocolOf } from '../../../spec/protocol/protocol.ts'

export const presets: readonly PresetName[] = presetNames

/** The last version of each transaction.version that most rules are told of. */
export const standardPresets = ['kafka-3.9', 'kafka-4.4'] as const
export type StandardPreset = (typeof standardPresets)[number]

export const presetsWith = (has: (flags: Flags) => boolean): PresetName[] =>
  presets.filter((preset) => has(presetFlags[preset]))

interface Changes {
  readonly without?: readonly DefenceName[]
  readonly config?: Partial<KafkaConfig>
}

/** The rules of a version; a defence is active where it applies and is not removed, as in a check. */
export function rulesOf(preset: PresetName, { without = [], config = {} }: Changes = {}): Protocol {
  const complete = parse(configSchema, { ...config, preset })
  const active = new Set(
    defences
      .filter(
        ({ name, appliesTo }) => (appliesTo?.(complete) ?? true) && !without.includes(name as DefenceName),
      )
      .map(({ name }) => name),
  )
  return protocolOf(complete, { has: (name) => active.has(name) })
}

/** Every combination of the given values, as objects with the same keys. */
export function combinations<Domains extends Record<string, readonly unknown[]>>(
  domains: Domains,
): { [Key in keyof Domains]: Domains[Key][number] }[] {
  let rows: Record<string, unknown>[] = [{}]
  for (const [name, values] of Object.entries(domains)) {
    rows = rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value })))
  }
  return rows as { [Key in keyof Domains]: Domains[Key][number] }[]
}

interface Comparison<Case> {
  readonly cases: readonly Case[]
  readonly on: (one: Case) => unknown
  readonly off: (one: Case) => unknown
  /** The cases that the defence is there for. */
  readonly guarded: (one: Case) => boolean
}

/** A removed defence changes the rule in the cases that it guards, in every one of them, and nowhere else. */
export function expectOnlyGuardedCasesDiffer<Case>({ cases, on, off, guarded }: Comparison<Case>): void {
  const differing = cases.filter((one) => JSON.stringify(on(one)) !== JSON.stringify(off(one)))
  expect(differing).toEqual(cases.filter(guarded))
  expect(differing.length).toBeGreaterThan(0)
  expect(differing.length).toBeLessThan(cases.length)
}
