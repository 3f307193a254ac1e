/** A trace as numbered steps: who does what to whom, then only what changed in the state. */
import type { Plain } from '../../checker/model.ts'
import type { Trace, TraceStep } from '../../checker/trace.ts'
import type { StepEvent } from '../../checker/view.ts'
import { changes, type Path } from '../changes.ts'
import { changeText } from './change.ts'
import { eventText } from './event.ts'
import { outlineLines } from './nested.ts'
import { plainStyle, type Style } from './style.ts'
import { valueText, visible } from './value.ts'

export interface StepsOptions {
  readonly style?: Style
  /** Only steps that this participant has a part in. */
  readonly lane?: string
  /** Only these steps, counted from 1. */
  readonly only?: ReadonlySet<number>
  /** First and last step, counted from 1. */
  readonly from?: number
  readonly to?: number
  /** Leaves out what changed in the state. */
  readonly brief?: boolean
  /** Shows changes of the trace's background paths as well. */
  readonly all?: boolean
  /** Changes as an outline instead of one full path each. */
  readonly nested?: boolean
}

/** Lines of text. Step n leads to state n; state 0 is the initial state. Steps left out are counted. */
export function stepLines(trace: Trace, options: StepsOptions = {}): string[] {
  const { lane, only, from = 1, to = trace.steps.length, style = plainStyle } = options
  const width = String(trace.steps.length).length
  const lines: string[] = []
  let leftOut = 0
  let loopMarked = false
  trace.steps.forEach((step, index) => {
    const number = index + 1
    const asked = number >= from && number <= to && (only === undefined || only.has(number))
    const shown = asked && (lane === undefined || takesPart(step, lane))
    if (!shown) {
      leftOut++
      return
    }
    lines.push(...leftOutLines(leftOut, width, style))
    if (!loopMarked && trace.loop !== undefined && index >= trace.loop) {
      lines.push(`${' '.repeat(width + 2)}the loop begins in state ${trace.loop}:`)
      loopMarked = true
    }
    lines.push(...oneStep(trace, index, width, options))
    leftOut = 0
  })
  lines.push(...leftOutLines(leftOut, width, style))
  if (trace.loop !== undefined) {
    const stays = trace.loop === trace.steps.length
    const end = stays ? endText(trace) : `and so on for ever from state ${trace.loop}`
    lines.push(`${' '.repeat(width + 2)}${end}`)
  }
  return lines
}

/** What is said of a behaviour that stays where it is; what is not fair may be possible there, and never happen. */
export const endText = ({ property }: Trace): string =>
  property?.lasso?.brokenBy.weak.length
    ? 'nothing that has to happen can happen any more'
    : 'nothing can happen any more'

/** Participants named by the events of a trace, in order of appearance. */
export function lanesOf(trace: Trace): string[] {
  const lanes = trace.steps.flatMap(({ events }) => events.flatMap(({ lane, peer }) => [lane, peer ?? lane]))
  return [...new Set(lanes)]
}

const takesPart = ({ events }: TraceStep, lane: string) =>
  events.some((event) => event.lane === lane || event.peer === lane)

function oneStep(trace: Trace, index: number, width: number, options: StepsOptions): string[] {
  const { style = plainStyle, brief = false } = options
  const step = trace.steps[index] as TraceStep
  const margin = ' '.repeat(width + 2)
  const [, ...others] = toldEvents(step)
  return [
    `${style('number', String(index + 1).padStart(width))}  ${stepTitle(step, style)}`,
    ...others.map((event) => `${margin}${style('message', eventText(event))}`),
    ...(brief ? [] : changeLines(trace, index, options)).map((line) => `${margin}    ${line}`),
  ]
}

/** A step on one line: its first event, and the action with its arguments. */
export function stepTitle(step: TraceStep, style: Style = plainStyle): string {
  const call = style('action', callText(step))
  const [first] = toldEvents(step)
  return first === undefined ? call : `${style('message', eventText(first))}  ${call}`
}

/** The events of a step, without arrivals in the very step that sends. */
export const toldEvents = ({ events }: TraceStep): StepEvent[] =>
  events.filter((event, at) => !arrivesAtOnce(events[at - 1], event))

/** A message that is sent and delivered in one step is told once. */
const arrivesAtOnce = (sent: StepEvent | undefined, event: StepEvent): boolean =>
  sent?.kind === 'sent' &&
  event.kind === 'delivered' &&
  sent.message === event.message &&
  sent.lane === event.peer &&
  sent.peer === event.lane

function changeLines({ states, background = [] }: Trace, index: number, options: StepsOptions): string[] {
  const { style = plainStyle, all = false, nested = false } = options
  const found = changes(states[index] as Plain, states[index + 1] as Plain)
  if (found.length === 0) return [style('change', 'nothing changes')]
  const shown = found.filter(({ path }) => all || !isBackground(path, background))
  return nested ? outlineLines(shown, style) : shown.map((change) => style('change', changeText(change)))
}

/** Whether a path is one of those whose changes are shown only on request. */
export const isBackground = (path: Path, background: readonly string[]): boolean =>
  background.some((pattern) => lies(path, pattern))

/** Whether a path is, or leads into, what a pattern such as `instance[].phase` names. */
function lies(path: Path, pattern: string): boolean {
  const segments = pattern.match(/\[\]|[^.[\]]+/g) ?? []
  return (
    segments.length <= path.length &&
    segments.every((segment, index) => segment === '[]' || segment === String(path[index]))
  )
}

const leftOutLines = (count: number, width: number, style: Style): string[] =>
  count === 0
    ? []
    : [style('hint', `${' '.repeat(width + 2)}(${count} ${count === 1 ? 'step' : 'steps'} not shown)`)]

/** `[Deliver client=0; outcome=lost]`: the action with its arguments; what was chosen stands after the semicolon. */
export function callText({ action, args, choices }: TraceStep): string {
  const assigned = (name: string, value: Plain) => ` ${name}=${valueText(value)}`
  const argumentTexts = Object.entries(args).map(([name, value]) => assigned(name, value))
  const choiceTexts = choices.map(({ name, value }) => assigned(name, value))
  const chosen = choiceTexts.length === 0 ? '' : `;${choiceTexts.join('')}`
  return visible(`[${action}${argumentTexts.join('')}${chosen}]`)
}
