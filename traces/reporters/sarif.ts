/**
 * A result in the Static Analysis Results Interchange Format, version 2.1.0
 * (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html): a rule for each property, a result for each that is
 * broken or open. A counterexample is the code flow of its result, its steps are logical locations.
 */
import type { PropertyResult, Ways } from '../../checker/result.ts'
import type { Trace, TraceStep } from '../../checker/trace.ts'
import { eventText } from '../text/event.ts'
import { callText } from '../text/steps.ts'
import { faultsText } from '../text/ways.ts'
import { type AboutProperty, outcomeOf, type Reported, sentenceOf } from './reported.ts'
import { messageOf } from './story.ts'

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

export function sarifReport(reported: Reported): string {
  const { result, title, repeat, version, about } = reported
  const { verdict, states, depth, config, defencesOff, properties } = result
  const run = {
    tool: {
      driver: {
        name: 'fencepost',
        semanticVersion: version,
        rules: properties.map(({ name, kind }) => ruleOf(name, kind, about.get(name) ?? {})),
      },
    },
    automationDetails: { description: { text: title } },
    invocations: [
      {
        executionSuccessful: true,
        commandLine: repeat,
        toolExecutionNotifications: openSentences(properties).map((text) => ({
          level: 'note',
          message: { text },
        })),
      },
    ],
    results: properties.flatMap((property, ruleIndex) => resultsOf(property, ruleIndex, reported)),
    properties: { verdict, states: states.distinct, depth, config, defencesOff },
  }
  return `${JSON.stringify({ $schema: schema, version: '2.1.0', runs: [run] }, null, 2)}\n`
}

/** Why something is open, each reason once. */
const openSentences = (properties: readonly PropertyResult[]): string[] => [
  ...new Set(properties.filter((property) => outcomeOf(property) === 'open').map(sentenceOf)),
]

function ruleOf(name: string, kind: string, { summary = '', sources = [] }: AboutProperty) {
  const help = [summary, sources.length === 0 ? '' : `Sources: ${sources.join('; ')}`].filter(Boolean)
  return {
    id: name,
    shortDescription: { text: name },
    ...(summary === '' ? {} : { fullDescription: { text: summary } }),
    ...(help.length === 0 ? {} : { help: { text: help.join('\n\n') } }),
    properties: { kind },
  }
}

/** What is open is of the kind that has no level: not enough is known to say whether there is a problem. */
function resultsOf(property: PropertyResult, ruleIndex: number, reported: Reported) {
  const outcome = outcomeOf(property)
  if (outcome === 'holds') return []
  const { name, verdict, vacuous, trace, ways } = property
  const judged = outcome === 'broken' ? { kind: 'fail', level: 'error' } : { kind: 'open', level: 'none' }
  return [
    {
      ruleId: name,
      ruleIndex,
      ...judged,
      message: { text: messageOf(property) },
      locations: [modelLocation(reported)],
      ...(outcome === 'broken' && trace !== undefined ? { codeFlows: codeFlows(trace, ways) } : {}),
      properties: { verdict, vacuous },
    },
  ]
}

const modelLocation = ({ result: { model }, file }: Reported) => ({
  ...(file === undefined ? {} : { physicalLocation: { artifactLocation: { uri: file } } }),
  logicalLocations: [{ fullyQualifiedName: model, kind: 'module' }],
})

/** The counterexample, then the other ways to break it, each with the faults that it needs. */
const codeFlows = (trace: Trace, ways: Ways | undefined) => [
  codeFlow(trace),
  ...(ways?.found ?? [])
    .filter((way) => way.trace !== trace)
    .map((way) => ({ message: { text: `with ${faultsText(way)}` }, ...codeFlow(way.trace) })),
]

/** The initial state, then one location for each step. */
const codeFlow = (trace: Trace) => ({
  threadFlows: [
    {
      locations: [
        { executionOrder: 1, location: { message: { text: 'initial state' } } },
        ...trace.steps.map((step, index) => ({
          executionOrder: index + 2,
          location: stepLocation(trace.model, step),
        })),
      ],
    },
  ],
})

const stepLocation = (model: string, step: TraceStep) => ({
  logicalLocations: [{ name: step.action, fullyQualifiedName: `${model}.${step.action}`, kind: 'function' }],
  message: { text: [...step.events.map(eventText), callText(step)].join('\n') },
})
