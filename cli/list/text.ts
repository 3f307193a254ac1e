/** The list as text: each name with its summary, and under it what else there is to know. */
import { defaultPreset, defaultScenario } from '../catalogue.ts'
import type { Colours } from '../report/colours.ts'
import { tableLines } from '../report/table.ts'
import type {
  ClaimEntry,
  DefenceEntry,
  Listing,
  ListKind,
  ParameterEntry,
  PresetEntry,
  ProfileEntry,
  PropertyEntry,
  ScenarioEntry,
} from './listing.ts'

interface Block {
  readonly name: string
  readonly summary: string
  readonly details: readonly string[]
}

export function sectionLines(kind: ListKind, listing: Listing, { bold, dim }: Colours): string[] {
  const blocks = blocksOf[kind](listing)
  const width = Math.max(0, ...blocks.map(({ name }) => name.length))
  const lines = blocks.flatMap(({ name, summary, details }) => [
    `  ${name.padEnd(width)}  ${summary}`.trimEnd(),
    ...details.map((line) => `  ${' '.repeat(width)}  ${dim(line)}`),
  ])
  const flags = kind === 'presets' ? flagLines(listing.presets) : []
  return [
    bold(kind),
    ...lines,
    ...(flags.length === 0 ? [] : ['', bold('flags of the presets'), ...flags.map((line) => `  ${line}`)]),
  ]
}

const blocksOf: { readonly [Kind in ListKind]: (listing: Listing) => Block[] } = {
  scenarios: ({ scenarios }) => scenarios.map(scenarioBlock),
  properties: ({ properties }) => properties.map(propertyBlock),
  defences: ({ defences, presets }) => defences.map((defence) => defenceBlock(defence, presets.length)),
  presets: ({ presets }) => presets.map(presetBlock),
  profiles: ({ profiles }) => profiles.map(profileBlock),
  parameters: ({ parameters }) => parameters.map(parameterBlock),
  claims: ({ claims }) => claims.map(claimBlock),
}

const withDefault = (summary: string, isDefault: boolean) => (isDefault ? `${summary} (default)` : summary)

const sourceLines = (sources: readonly string[]) =>
  sources.length === 0 ? [] : [`sources: ${sources.join('; ')}`]

function scenarioBlock({ name, summary, sources, config, presets, expected = {} }: ScenarioEntry): Block {
  const settings = Object.entries(config).map(([key, value]) => `${key}=${settingText(value)}`)
  const expectations = Object.entries(expected).map(([preset, verdicts]) => {
    const parts = Object.entries(verdicts).map(([property, verdict]) => `${property} (${verdict})`)
    return `expected under ${preset}: ${parts.join(', ')}`
  })
  return {
    name,
    summary: withDefault(summary, name === defaultScenario),
    details: [
      `settings: ${settings.length === 0 ? 'the defaults' : settings.join(' ')}`,
      ...(presets === undefined ? [] : [`for ${presets.join(', ')}`]),
      ...expectations,
      ...sourceLines(sources),
    ],
  }
}

const settingText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const propertyBlock = ({ name, summary, sources, kind, onRequest }: PropertyEntry): Block => ({
  name,
  summary,
  details: [`kind: ${kind}${onRequest ? ', judged on request' : ''}`, ...sourceLines(sources)],
})

function defenceBlock({ name, summary, sources, presets, exercisedBy }: DefenceEntry, all: number): Block {
  const { scenario, preset, property, together = [] } = exercisedBy
  const others = together.map((other) => ` and "${other}"`).join('')
  return {
    name,
    summary,
    details: [
      `presets: ${presets.length === all ? 'all' : presets.join(', ')}`,
      `without it${others}: ${scenario} under ${preset} violates "${property}"`,
      ...sourceLines(sources),
    ],
  }
}

const presetBlock = ({ name, summary, sources }: PresetEntry): Block => ({
  name,
  summary: withDefault(summary, name === defaultPreset),
  details: sourceLines(sources),
})

const profileBlock = ({ name, summary, sources, settings }: ProfileEntry): Block => ({
  name,
  summary,
  details: [
    `settings: ${Object.entries(settings)
      .map(([parameter, value]) => `${parameter}=${value}`)
      .join(' ')}`,
    ...sourceLines(sources),
  ],
})

const parameterBlock = ({ name, summary, sources, default: initial, allowed }: ParameterEntry): Block => ({
  name,
  summary,
  details: [[`default: ${initial}`, ...allowedText(allowed)].join('; '), ...sourceLines(sources)],
})

const claimBlock = ({ name, summary, sources, stands, cases }: ClaimEntry): Block => ({
  name,
  summary,
  details: [stands, `cases: ${cases.join('; ')}`, ...sourceLines(sources)],
})

function allowedText(allowed: ParameterEntry['allowed']): string[] {
  if (allowed === undefined) return []
  if ('oneOf' in allowed) return [`one of: ${allowed.oneOf.join(', ')}`]
  if ('keys' in allowed) return [`keys: ${allowed.keys.join(', ')}`]
  return [allowed.to === undefined ? `from ${allowed.from}` : `${allowed.from} to ${allowed.to}`]
}

/** Which preset has which value: a row for each value that some preset has, and for each rule that is there or not. */
function flagLines(presets: readonly PresetEntry[]): string[] {
  const names = [...new Set(presets.flatMap(({ flags }) => Object.keys(flags)))]
  const rows = names.flatMap((name) => {
    const values = [...new Set(presets.map(({ flags }) => flags[name]))]
    const isRule = values.every((value) => typeof value === 'boolean')
    return (isRule ? [true] : values).map((value, index) => [
      index === 0 ? name : '',
      isRule ? '' : String(value),
      ...presets.map(({ flags }) => (flags[name] === value ? 'x' : '')),
    ])
  })
  if (rows.length === 0) return []
  const columns = ['flag', 'value', ...presets.map(({ name }) => name)].map((title) => ({ title }))
  return tableLines(columns, rows)
}
