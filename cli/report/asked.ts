/** The report of a way that was asked for, by a schedule or a goal: what became of it, its steps, and what else is in it. */
import type { CheckResult, PropertyResult } from '../../checker/index.ts'
import { type Completion, failureLines, type Stuck, stepLines, stepTitle } from '../../traces/index.ts'
import type { Colours } from './colours.ts'
import { counted } from './numbers.ts'
import { verdictSentences } from './verdict.ts'

/** What was asked for. */
export interface Asked {
  /** `completed` or `reached`. */
  readonly participle: string
  /** Of a schedule: what is known of its lines. */
  readonly completion?: Pick<Completion, 'done' | 'stuck'>
}

/** `completed in 9 steps`, `cannot be completed`, `not completed so far` */
export function askedHeadline(
  { properties: [goal, ...violated] }: CheckResult,
  { participle }: Asked,
): string {
  const { verdict, depth = 1 } = goal!
  if (verdict === 'unwitnessed') return `cannot be ${participle}`
  if (verdict !== 'witnessed') return `not ${participle} so far`
  return `${participle} in ${counted(depth - 1, 'step')}${violated.length > 0 ? ', violated' : ''}`
}

export function askedSentences(result: CheckResult, { participle }: Asked): string[] {
  const [goal, ...violated] = result.properties
  if (goal?.verdict === 'unwitnessed') {
    const { reason } = goal
    return [
      `every behaviour within the configured bounds was tried, and in none is it ${participle}`,
      ...(reason === undefined ? [] : [reason]),
    ]
  }
  if (goal?.verdict !== 'witnessed') return verdictSentences(result)
  return [
    'no behaviour does it in fewer steps',
    ...violated.map(({ name, depth = 1 }) => `violated on the way, in step ${depth - 1}: ${name}`),
    ...(violated.length > 0 ? [] : ['no property of states or steps is violated on the way']),
  ]
}

export function askedStory(result: CheckResult, { completion }: Asked, colours: Colours): string[] {
  const [goal, ...violated] = result.properties
  const { done = [], stuck } = completion ?? {}
  const lines = done.map(({ line, step }) => `line ${line.number} is step ${step}: ${line.text}`)
  const story = goal?.trace === undefined ? [] : stepLines(goal.trace, { style: colours.trace })
  return [
    ...part(story),
    ...part(lines),
    ...violated.flatMap((property) => part(violationLines(property, goal!, colours))),
    ...(stuck === undefined ? [] : stuckLines(stuck, done.at(-1)?.line.number, colours)),
  ]
}

const part = (lines: readonly string[]): string[] => (lines.length === 0 ? [] : ['', ...lines])

function violationLines({ name, kind, failed }: PropertyResult, { trace }: PropertyResult, colours: Colours) {
  const property = { name, kind, ...(failed === undefined ? {} : { failed }) }
  return failureLines({ ...trace!, property }, colours.trace)
}

/** Longer lists are cut: the first few tell what kind of steps there are. */
const shownSteps = 12

function stuckLines(stuck: Stuck, lineBefore: number | undefined, colours: Colours): string[] {
  const { line, before, possible, similar, meant } = stuck
  const steps = before?.steps.length ?? 0
  const place = steps === 0 ? 'in the initial state' : `after step ${steps}`
  const when = lineBefore === undefined ? '' : `, once line ${lineBefore} is done`
  const titles = possible.map((step) => stepTitle(step, colours.trace))
  return [
    ...(steps === 0 ? [] : part(stepLines(before!, { style: colours.trace, brief: true }))),
    '',
    colours.trace(
      'failed',
      `line ${line.number} cannot be done${line.afterGap ? when : ` ${place}`}: ${line.text}`,
    ),
    ...meant.map(({ label, guard }) => `    ${label}: ${reason(guard, line.afterGap)}`),
    ...(meant.length + similar.length > 0 ? [] : ['    no step that was met is called so']),
    ...listed('steps that are called similarly', similar),
    ...listed(`possible ${place}`, titles.slice(0, shownSteps)),
    ...(titles.length > shownSteps ? [`        and ${titles.length - shownSteps} more`] : []),
  ]
}

function reason(guard: string | undefined, anywhere: boolean): string {
  if (guard === undefined)
    return anywhere ? 'happens, but not there' : 'possible, but not with what the line says'
  return anywhere ? `comes no nearer than the guard '${guard}'` : `the guard '${guard}' blocks it`
}

const listed = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`    ${title}:`, ...lines.map((line) => `        ${line}`)]
