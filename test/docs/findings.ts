/** The runs behind docs/findings.md: under which presets each finding is made, and what closes it. */
import { type CheckResult, check, type Model, reachable, stepLines, type Trace } from '../../index.ts'
import type { KafkaState } from '../../spec/index.ts'
import { type KafkaConfig, kafka, scenarios } from '../../spec/index.ts'
import { type PresetName, presetNames } from '../../spec/presets.ts'
import { type Finding, findings } from './findings-data.ts'

export { type Finding, findings }

/** What a finding looks like under one preset: the steps of its trace, or nothing where the guarantee holds. */
export interface Found {
  readonly preset: PresetName
  readonly trace: Trace | undefined
}

/** Runs a finding under a preset; the property that it is about is the only one judged. */
export async function find(
  finding: Finding,
  preset: PresetName,
  change: Partial<KafkaConfig> = {},
): Promise<Found> {
  const { scenario, config, property, goal } = finding
  const standard = scenarios.find(({ name }) => name === scenario)
  const whole = { ...standard?.config, ...config, ...change, preset }
  const result = await check(withGoal(property, goal), whole, { properties: [property] })
  return { preset, trace: traceOf(result) }
}

function withGoal(property: string, goal: Finding['goal']): Model<KafkaConfig, KafkaState> {
  if (goal === undefined) return kafka
  return {
    ...kafka,
    build: (built, context) => {
      const body = kafka.build(built, context)
      return { ...body, properties: [...body.properties, reachable(property, goal)] }
    },
  }
}

/** @throws where the search did not come to an end: then nothing can be said. */
function traceOf({ properties: [found], limit }: CheckResult): Trace | undefined {
  if (limit !== undefined || found === undefined) throw new Error('the search did not come to an end')
  if (found.verdict === 'violated' || found.verdict === 'witnessed') return found.trace
  return undefined
}

/** A row for each preset: how many steps lead there, or that nothing does. */
export function presetTable(found: readonly Found[]): string {
  const steps = (preset: PresetName) => {
    const one = found.find((other) => other.preset === preset)
    return one === undefined
      ? 'not there'
      : one.trace === undefined
        ? 'no'
        : `${one.trace.steps.length} steps`
  }
  const rule = presetNames.map(() => '---').join('|')
  return `| ${presetNames.join(' | ')} |\n|${rule}|\n| ${presetNames.map(steps).join(' | ')} |\n`
}

/** The command that makes the finding again; a witness needs a model with its goal. */
export function command({ scenario, config = {}, property, goal }: Finding, preset: PresetName): string {
  if (goal !== undefined) return ''
  const settings = Object.entries(config).flatMap(([name, value]) =>
    typeof value === 'object'
      ? Object.entries(value).map(([key, inner]) => setting(`${name}.${key}`, inner))
      : [setting(name, value)],
  )
  return `npx fencepost check ${scenario} --preset ${preset}${settings.join('')} --property '${property}'`
}

const setting = (name: string, value: unknown) => {
  const text = `${name}=${String(value)}`
  return ` --set ${/\s/.test(text) ? `'${text}'` : text}`
}

/** The finding under the preset in which it is told: the newest, and before it those on their own transaction.version. */
export function told(found: readonly Found[]): Found {
  const order: readonly PresetName[] = [
    'kafka-4.4',
    'kafka-4.1',
    'kafka-3.9',
    'kafka-3.6',
    'kafka-2.5',
    'kafka-1.1',
  ]
  const having = order.flatMap((preset) =>
    found.filter((one) => one.preset === preset && one.trace !== undefined),
  )
  const [first] = having
  if (first === undefined) throw new Error('a finding that is not found')
  return first
}

/** The section that is made for a finding. */
export function sectionOf(finding: Finding, found: readonly Found[]): string {
  const { preset: teller } = told(found)
  const again = command(finding, teller)
  const closed = finding.closedBy.map(
    ({ preset, change, what }) => `- under ${preset} with ${what} (${settingsText(change)}) it is not found`,
  )
  return [
    `\n${presetTable(found)}`,
    again === '' ? '' : `\`${again}\`\n`,
    `The story under ${teller}: [stories/${finding.section}.md](stories/${finding.section}.md)\n`,
    closed.length === 0 ? '' : `${closed.join('\n')}\n`,
  ]
    .filter((part) => part !== '')
    .join('\n')
}

const settingsText = (change: Partial<KafkaConfig>) => `\`${JSON.stringify(change)}\``

/** The story as a page, without what changed in the state. */
export function storyPage({ title, property }: Finding, { preset, trace }: Found): string {
  if (trace === undefined) throw new Error('there is no story to tell')
  const { failed } = trace.property ?? {}
  const values = Object.entries(failed?.values ?? {}).map(([name, value]) => `${name}=${String(value)}`)
  const end = failed === undefined ? [] : [`=> not "${failed.part}": ${values.join(' ')}`]
  const story = [...stepLines(trace, { brief: true }), ...end].join('\n')
  return `# ${title}\n\nUnder ${preset}, about \`${property}\`.\n\n\`\`\`text\n${story}\n\`\`\`\n`
}
