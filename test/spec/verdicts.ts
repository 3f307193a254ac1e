/** The page of verdicts, docs/verdicts.md: how a row is made from a result, and how the page is made and read. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CheckResult, check } from '../../checker/index.ts'
import type { Scenario } from '../../spec/catalogue.ts'
import { type KafkaConfig, kafka } from '../../spec/index.ts'
import { type PresetName, presetNames } from '../../spec/presets.ts'
import { root } from '../project/sources.ts'

type KafkaScenario = Scenario<KafkaConfig>

export const verdictsFile = join(root, 'docs/verdicts.md')
export const readVerdicts = (): string => readFileSync(verdictsFile, 'utf8')

/** The presets that a scenario is run under. */
export const presetsOf = ({ presets }: KafkaScenario): readonly PresetName[] =>
  presetNames.filter((name) => presets?.includes(name) ?? true)

/** Runs a scenario to its end, violations or not. */
export const runUnder = (scenario: KafkaScenario, preset: PresetName): Promise<CheckResult> =>
  check(kafka, { ...scenario.config, preset }, { continueAfterViolation: true })

/** Properties that do not hold, as the catalogue names what it expects. */
export const brokenIn = ({ properties }: CheckResult): Record<string, string> =>
  Object.fromEntries(
    properties
      .filter(({ verdict }) => verdict !== 'proved' && verdict !== 'witnessed')
      .map(({ name, verdict }) => [name, verdict]),
  )

const grouped = (count: number) => count.toLocaleString('en-US')

/** `| kafka-3.9 | violated | 31,308 | 100,378 | 78 | output and offset are atomic (43) | |` */
export function rowOf(
  preset: PresetName,
  { verdict, states, depth, properties, coverage }: CheckResult,
): string {
  const broken = properties
    .filter((property) => property.verdict === 'violated' || property.verdict === 'unwitnessed')
    .map(({ name, depth: found = 1 }) => `${name} (${found - 1})`)
  const idle = coverage.actions.filter(({ fired }) => fired === 0).map(({ name }) => name)
  const counts = [grouped(states.distinct), grouped(states.generated), depth]
  return `| ${[preset, verdict, ...counts, broken.join('; '), idle.join(', ')].join(' | ')} |`
}

const header = [
  '| preset | verdict | states | transitions | depth | violated (steps) | actions that never happen |',
  '|---|---|---:|---:|---:|---|---|',
]

/** The section of a scenario. */
export const sectionOf = ({ name, summary }: KafkaScenario, rows: readonly string[]): string =>
  `## ${name}\n\n${summary}\n\n${[...header, ...rows].join('\n')}\n`

/** The row of the page for a scenario under a preset; undefined if there is none. */
export function pinnedRow(page: string, scenario: string, preset: PresetName): string | undefined {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${scenario}\n`))
  return section?.split('\n').find((line) => line.startsWith(`| ${preset} |`))
}
