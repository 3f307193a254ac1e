/** The difference of two traces as text: a minus for what only the first has, a plus for what only the second has. */
import type { Trace } from '../../checker/trace.ts'
import { type Change, pathText } from '../changes.ts'
import { isBackground, stepTitle } from '../text/steps.ts'
import { plainStyle, type Style } from '../text/style.ts'
import { valueText, visible } from '../text/value.ts'
import type { StepPair, TraceDiff } from './diff.ts'

export interface DiffTextOptions {
  readonly style?: Style
  /** Shows differences in the traces' background paths as well. */
  readonly all?: boolean
}

/** @param diff of these two traces */
export function diffLines(
  diff: TraceDiff,
  first: Trace,
  second: Trace,
  options: DiffTextOptions = {},
): string[] {
  const { style = plainStyle } = options
  if (diff.equal) return ['the traces are equal']
  const parts = [
    questionLines(diff, style),
    [partingSentence(diff, first, second), ...stateLines('the states there', diff.there, first, options)],
    diff.rest.length === 0 ? [] : restLines(diff.rest, first, second, style),
    diff.parting === 'none' ? [] : stateLines('the last states', diff.end, first, options),
  ]
  return parts
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
}

/** What was asked of the model. */
function questionLines({ configuration, defencesOff, property }: TraceDiff, style: Style): string[] {
  const off = (names: readonly string[], which: string) =>
    names.map((name) => style('change', visible(`defence switched off only in the ${which}: ${name}`)))
  return [
    ...configuration.map((change) => style('change', visible(`configuration: ${differenceText(change)}`))),
    ...off(defencesOff.first, 'first'),
    ...off(defencesOff.second, 'second'),
    ...(property === undefined
      ? []
      : [style('change', visible(`property: ${property.first ?? 'none'} | ${property.second ?? 'none'}`))]),
  ]
}

function partingSentence({ parting, shared }: TraceDiff, first: Trace, second: Trace): string {
  const same =
    shared === 0
      ? ''
      : shared === 1
        ? 'the first step is the same'
        : `the first ${steps(shared)} are the same`
  const then = same === '' ? '' : `${same}; `
  switch (parting) {
    case 'none':
      return `what happens is the same, in ${steps(shared)}`
    case 'start':
      return 'the traces begin in different states'
    case 'step':
      return `${then}in step ${shared + 1} they part`
    case 'outcome':
      return `${then}step ${shared + 1} is the same, but leads to different states`
    case 'end': {
      const longer = first.steps.length > second.steps.length
      const more = Math.abs(first.steps.length - second.steps.length)
      return `${then}then the ${longer ? 'second' : 'first'} ends, the ${longer ? 'first' : 'second'} has ${steps(more)} more`
    }
    case 'loop':
      return `${then}but they go on in different ways: ${loopText(first)} | ${loopText(second)}`
  }
}

const loopText = ({ loop }: Trace): string => (loop === undefined ? 'it ends' : `for ever from state ${loop}`)

const steps = (count: number): string => `${count} ${count === 1 ? 'step' : 'steps'}`

function stateLines(
  what: string,
  found: readonly Change[],
  { background = [] }: Trace,
  { style = plainStyle, all = false }: DiffTextOptions,
): string[] {
  const shown = found.filter(({ path }) => all || !isBackground(path, background))
  const hidden = found.length - shown.length
  const more = hidden === 0 ? [] : [style('hint', `    (${hidden} more in the bookkeeping of the model)`)]
  if (found.length === 0) return what === 'the last states' ? ['the last states are equal'] : []
  return [
    `${what} differ, first | second:`,
    ...shown.map((each) => `    ${style('change', differenceText(each))}`),
    ...more,
  ]
}

/** As a change is told, but nothing became anything: both are. */
function differenceText(change: Change): string {
  if (change.kind === 'added')
    return visible(`${pathText(change.path.slice(0, -1))}: | ${valueText(change.after)}`)
  if (change.kind === 'removed')
    return visible(`${pathText(change.path.slice(0, -1))}: ${valueText(change.before)} |`)
  const { path, before, after } = change
  return visible(
    `${path.length === 0 ? 'all of it' : pathText(path)}: ${valueText(before)} | ${valueText(after)}`,
  )
}

/** Numbers of the step in both traces, then what it is. */
function restLines(rest: readonly StepPair[], first: Trace, second: Trace, style: Style): string[] {
  const width = String(Math.max(first.steps.length, second.steps.length)).length
  const number = (step: number | undefined) => (step === undefined ? '' : String(step + 1)).padStart(width)
  return rest.map((pair) => {
    const step = pair.first === undefined ? second.steps[pair.second as number] : first.steps[pair.first]
    const sign = pair.first === undefined ? '+' : pair.second === undefined ? '-' : ' '
    const line = `${sign} ${number(pair.first)} ${number(pair.second)}  ${step === undefined ? '' : stepTitle(step)}`
    return sign === ' ' ? line : style('change', line)
  })
}
