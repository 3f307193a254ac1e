/** What a page about a scenario says, apart from how it is written. Nothing of it differs from run to run. */
import type { CheckResult, PropertyResult, Trace } from '../../checker/index.ts'
import type { LogPicture } from '../../spec/log-picture.ts'
import {
  callText,
  failureLines,
  type Presentation,
  presentationOf,
  slicePresentation,
  stepTitle,
  valueText,
} from '../../traces/index.ts'
import type { AnyModel, Catalogue } from '../catalogue.ts'
import { isVacuous } from '../exit-codes.ts'
import { counted } from '../report/numbers.ts'
import { shownVerdict, verdictSentences } from '../report/verdict.ts'
import type { Subject } from '../subject.ts'

export interface ScenarioDocument {
  readonly name: string
  readonly summary: string
  readonly preset: string
  readonly sources: readonly string[]
  /** What the scenario sets: `inputs`, `1`, and what it means. */
  readonly settings: readonly (readonly [name: string, value: string, meaning: string])[]
  readonly verdict: string
  /** Sentences about the search that the verdict must not be read without. */
  readonly about: readonly string[]
  /** Name, verdict, and after how many steps. */
  readonly properties: readonly (readonly [name: string, verdict: string, steps: string])[]
  readonly stories: readonly Story[]
}

/** The shortest trace of one or more properties. */
export interface Story {
  readonly title: string
  readonly trace: Trace
  /** What a picture of it shows beside the events. */
  readonly presentation: Presentation
  /** Number of the step, what happens in it, and the action. */
  readonly steps: readonly (readonly [number: string, happens: string, action: string])[]
  readonly outcome: readonly string[]
  /** The logs at its end, where the catalogue can draw them. */
  readonly logs: readonly LogPicture[]
}

export function documentOf(
  { argument, preset = '', model }: Subject,
  catalogue: Catalogue,
  result: CheckResult,
): ScenarioDocument {
  const {
    summary = '',
    sources = [],
    config: own = {},
  } = catalogue.scenarios.find(({ name }) => name === argument) ?? {}
  const { distinct, generated } = result.states
  return {
    name: argument,
    summary,
    preset,
    sources,
    settings: Object.entries(own).map(([name, value]) => {
      const meaning = catalogue.parameters.find((parameter) => parameter.name === name)?.summary ?? ''
      return [name, valueText(value as never), meaning]
    }),
    verdict: shownVerdict(result),
    about: [
      ...verdictSentences(result),
      `${counted(distinct, 'distinct state')}, ${counted(generated, 'state')} generated, depth ${result.depth}`,
    ],
    properties: result.properties.map((property) => {
      const { name, verdict, depth } = property
      return [
        name,
        isVacuous(property) ? `${verdict}, vacuous` : verdict,
        depth === undefined ? '' : String(depth - 1),
      ]
    }),
    stories: told(result).map((properties) => storyOf(properties, model, catalogue)),
  }
}

type Traced = PropertyResult & { readonly trace: Trace }

/** What is violated, each behaviour once; if nothing is, how it goes when all goes well: the longest witness. */
function told({ properties }: CheckResult): (readonly Traced[])[] {
  const traced = properties.filter((property): property is Traced => property.trace !== undefined)
  const violated = traced.filter(({ verdict }) => verdict === 'violated')
  if (violated.length === 0)
    return traced
      .toSorted((one, other) => length(other) - length(one))
      .slice(0, 1)
      .map((one) => [one])
  const bySteps = new Map<string, Traced[]>()
  for (const property of violated) {
    const key = JSON.stringify([property.trace.steps, property.trace.loop])
    bySteps.set(key, [...(bySteps.get(key) ?? []), property])
  }
  return [...bySteps.values()].toSorted(([one], [other]) => length(one!) - length(other!))
}

const length = ({ trace }: Traced): number => trace.steps.length

function storyOf(properties: readonly Traced[], model: AnyModel, catalogue: Catalogue): Story {
  const [first] = properties
  const { trace, verdict } = first!
  return {
    title: `${verdict} in ${counted(trace.steps.length, 'step')}: ${properties.map(({ name }) => name).join('; ')}`,
    trace,
    presentation: { ...presentationOf(model, trace), ...slicePresentation(model, trace) },
    steps: trace.steps.map((step, index) => {
      const action = callText(step)
      const happens = stepTitle(step).slice(0, -action.length).trim()
      return [String(index + 1), happens, action]
    }),
    outcome: properties.flatMap((property) => failureLines(property.trace)),
    logs: catalogue.logPictures?.(trace.states.at(-1)) ?? [],
  }
}
