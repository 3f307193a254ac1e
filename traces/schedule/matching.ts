/** Whether a step is the one that a line of a schedule means. */
import type { TraceStep } from '../../checker/trace.ts'
import type { StepEvent } from '../../checker/view.ts'
import { callText } from '../text/steps.ts'
import { valueText } from '../text/value.ts'
import { type Assigned, type CallPattern, kindOf, type Pattern, type WordPattern } from './pattern.ts'
import { sameWords, saysWords, unquoted } from './words.ts'

/** A step as it is known while it is taken. */
export type Told = Pick<TraceStep, 'action' | 'args' | 'choices' | 'events'>

export const matches = (pattern: Pattern, told: Told): boolean =>
  pattern.kind === 'call' ? isCall(pattern, told) : saysAll(pattern, told)

/** Whether a pattern can mean this instance of an action, as far as its name and arguments say. */
export function mayMean(pattern: CallPattern, { action, args }: Pick<Told, 'action' | 'args'>): boolean {
  if (pattern.action !== action) return false
  if (pattern.printed !== undefined) return callWithout({ action, args }) === withoutChoices(pattern.printed)
  return pattern.given.every((one) => !Object.hasOwn(args, one.name) || isSame(args[one.name], one))
}

function isCall(pattern: CallPattern, told: Told): boolean {
  if (!mayMean(pattern, told)) return false
  if (pattern.printed?.includes(';')) return callText(told) === pattern.printed
  const assigned = assignedIn(told)
  return pattern.given.every((one) =>
    assigned.some(([name, value]) => name === one.name && isSame(value, one)),
  )
}

const callWithout = ({ action, args }: Pick<Told, 'action' | 'args'>): string =>
  callText({ action, args, choices: [], events: [] })

const withoutChoices = (printed: string): string => printed.replace(/;[\s\S]*/, ']')

/** Words mean a step if one thing that happens in it, or the action itself, says all of them. */
function saysAll(pattern: WordPattern, told: Told): boolean {
  const assigned = assignedIn(told)
  return [undefined, ...told.events].some((event) => saysOf(pattern, told.action, event, assigned))
}

function saysOf(
  { words, arrow, given, quoted }: WordPattern,
  action: string,
  event: StepEvent | undefined,
  assigned: readonly (readonly [string, unknown])[],
): boolean {
  const all = [...assigned, ...Object.entries(event?.fields ?? {})]
  if (!given.every((one) => all.some(([name, value]) => name === one.name && isSame(value, one))))
    return false
  const said = [
    event?.message ?? '',
    event?.text ?? '',
    ...all.map(([name, value]) => `${name}: ${textOf(value)}`),
  ]
  if (!quoted.every((text) => said.some((one) => one.includes(text)))) return false
  if (arrow !== undefined && (event === undefined || !goes(event, arrow))) return false
  const others = words.filter((word) => word !== event?.lane && word !== event?.peer)
  const verb = others.findIndex((word) => kindOf(word) === event?.kind && event !== undefined)
  if (verb >= 0 && names(others.toSpliced(verb, 1).join(' '), action, event)) return true
  return names(others.join(' '), action, event) && (others.length > 0 || event !== undefined)
}

/** Whether some words, if there are any, name the action, the message, or a part of what is told. */
function names(words: string, action: string, event: StepEvent | undefined): boolean {
  if (words === '') return true
  const { message = '', text = '' } = event ?? {}
  return sameWords(words, action) || sameWords(words, message) || saysWords(`${message} ${text}`, words)
}

/** From sender to receiver, whoever takes the step. */
function goes({ kind, lane, peer }: StepEvent, { from, to }: { from: string; to: string }): boolean {
  return kind === 'delivered' ? peer === from && lane === to : lane === from && peer === to
}

const assignedIn = ({ args, choices }: Told) => [
  ...Object.entries(args),
  ...choices.map(({ name, value }) => [name, value] as const),
]

const isSame = (value: unknown, { value: wanted }: Assigned): boolean =>
  textOf(value) === wanted || unquoted(textOf(value)) === wanted || value === wanted

const textOf = (value: unknown): string => valueText(value as Parameters<typeof valueText>[0])
