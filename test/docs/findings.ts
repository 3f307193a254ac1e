/** The runs behind docs/findings.md: each finding is made again and its story printed from the trace. */
import { type CheckResult, check, type Model, reachable, stepLines, type Trace } from '../../index.ts'
import { type KafkaConfig, type KafkaState, kafka, scenarios } from '../../spec/index.ts'

export interface Finding {
  /** Name of the section of the page. */
  readonly section: string
  readonly scenario: string
  readonly config: Partial<KafkaConfig>
  readonly property: string
  /** A state to look for, where the finding is no violation. */
  readonly goal?: (state: KafkaState) => boolean
}

const atomic = 'output and offset are atomic'
const visible = 'aborted and open records stay invisible'

export const findings: readonly Finding[] = [
  { section: 'lateEnd', scenario: 'read-process-write', config: { preset: 'kafka-3.9' }, property: atomic },
  { section: 'givenUp', scenario: 'given-up-batch', config: { preset: 'kafka-3.9' }, property: visible },
  { section: 'lateMarker', scenario: 'late-marker', config: { preset: 'kafka-3.9' }, property: visible },
  {
    section: 'twoMoves',
    scenario: 'coordinator-failover',
    config: {
      preset: 'kafka-4.4',
      inputs: 1,
      outputPartitions: 1,
      coordinatorFailovers: 2,
      transactionTimeouts: 1,
    },
    property: atomic,
  },
  {
    section: 'duel',
    scenario: 'zombie',
    config: { preset: 'kafka-4.4', inputs: 1 },
    property: 'a session begins its third transaction for one input',
    goal: ({ instance }) => instance.some(({ transaction }) => transaction === 3),
  },
]

/** Runs a finding; the property that it is about is the only one judged. */
export function run({ scenario, config, property, goal }: Finding): Promise<CheckResult> {
  const standard = scenarios.find(({ name }) => name === scenario)
  const model: Model<KafkaConfig, KafkaState> = {
    ...kafka,
    build: (built, context) => {
      const body = kafka.build(built, context)
      const added = goal === undefined ? [] : [reachable(property, goal)]
      return { ...body, properties: [...body.properties, ...added] }
    },
  }
  return check(model, { ...standard?.config, ...config }, { properties: [property] })
}

/** The story as text, without what changed in the state. */
export const story = (trace: Trace): string => {
  const { failed } = trace.property ?? {}
  const values = Object.entries(failed?.values ?? {}).map(([name, value]) => `${name}=${String(value)}`)
  const end = failed === undefined ? [] : [`=> not "${failed.part}": ${values.join(' ')}`]
  return `\`\`\`text\n${[...stepLines(trace, { brief: true }), ...end].join('\n')}\n\`\`\`\n`
}
