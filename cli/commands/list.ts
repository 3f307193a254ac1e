/** `fencepost list`: what there is, by name. */
import { resolve } from 'node:path'
import { safeParse } from 'valibot'
import { type Catalogue, defaultPreset, defaultScenario } from '../catalogue.ts'
import type { Environment } from '../environment.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { writeAtomically } from '../files.ts'
import { commandLine } from '../repeat.ts'
import { coloursFor } from '../report/colours.ts'
import { tableLines } from '../report/table.ts'

/** The kinds of things that have names, in the order in which they are listed. */
export const listKinds = ['scenarios', 'properties', 'defences', 'presets', 'parameters'] as const
export type ListKind = (typeof listKinds)[number]

interface Entry {
  readonly name: string
  readonly summary: string
  readonly sources: readonly string[]
}
export type Listing = Readonly<Record<ListKind, readonly Entry[]>>

export interface ListFlags {
  readonly json?: string
}

export async function listCommand(
  kind: ListKind | undefined,
  flags: ListFlags,
  environment: Environment,
): Promise<ExitCode> {
  const listing = listingOf(await environment.catalogue())
  const json = `${JSON.stringify(listing, null, 2)}\n`
  const repeat = commandLine(['list', ...(kind === undefined ? [] : [kind])], { '--json': flags.json })
  if (flags.json === '-') {
    environment.stdout.write(json)
    return exitCodes.holds
  }
  if (flags.json !== undefined) writeAtomically(resolve(environment.folder, flags.json), json, '--json')
  const { bold } = coloursFor(environment.colours)
  const sections = listKinds
    .filter((each) => kind === undefined || each === kind)
    .map((each) => [bold(each), ...entryLines(each, listing[each])].join('\n'))
  environment.stdout.write(`${sections.join('\n\n')}\n\nrepeat: ${repeat}\n`)
  return exitCodes.holds
}

function entryLines(kind: ListKind, entries: readonly Entry[]): string[] {
  const rows = entries.map((entry) => [entry.name, `${entry.summary}${remark(kind, entry)}`])
  return tableLines([{ title: '' }, { title: '' }], rows)
    .slice(1)
    .map((line) => `  ${line}`)
}

function remark(kind: ListKind, entry: Entry): string {
  const { default: initial } = entry as { default?: unknown }
  if (initial !== undefined) return ` (default: ${initial})`
  const standard = kind === 'scenarios' ? defaultScenario : kind === 'presets' ? defaultPreset : undefined
  return entry.name === standard ? ' (default)' : ''
}

/** Data only: functions of the catalogue are left out. */
export function listingOf(catalogue: Catalogue): Listing {
  return {
    scenarios: catalogue.scenarios.map(({ name, summary, sources, config, expected }) => {
      return { name, summary, sources, config, ...(expected === undefined ? {} : { expected }) }
    }),
    properties: propertiesOf(catalogue),
    defences: catalogue.defences.map(({ name, summary, sources, exercisedBy }) => {
      return { name, summary, sources, exercisedBy }
    }),
    presets: catalogue.presets.map(({ name, summary, sources }) => ({ name, summary, sources })),
    parameters: catalogue.parameters.map(({ name, summary, sources, default: initial }) => {
      return { name, summary, sources, default: initial }
    }),
  }
}

/** Properties may depend on the configuration: those of all scenarios under all presets, each once. */
function propertiesOf({ model, scenarios, presets }: Catalogue): (Entry & { kind: string })[] {
  const found = new Map<string, Entry & { kind: string }>()
  for (const scenario of scenarios) {
    for (const preset of presets) {
      const config = safeParse(model.config, { ...scenario.config, preset: preset.name })
      if (!config.success) continue
      const { properties } = model.build(config.output, { defences: { has: () => true } })
      for (const { name, kind, summary = '', sources = [] } of properties) {
        if (!found.has(name)) found.set(name, { name, kind, summary, sources })
      }
    }
  }
  return [...found.values()]
}
