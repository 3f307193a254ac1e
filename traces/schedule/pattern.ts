/** What a line of a schedule says of a step: a call of an action, or words about what happens in it. */
import type { StepEvent } from '../../checker/view.ts'
import { unquoted } from './words.ts'

export type Pattern = CallPattern | WordPattern

/** `Crash(client: 0)`, `Crash`, `[Crash client=0]`. What is not named may be anything. */
export interface CallPattern {
  readonly kind: 'call'
  readonly action: string
  /** Arguments and choices by name, as text. */
  readonly given: readonly Assigned[]
  /** The call as a printed trace has it, in brackets; stands in the place of `given`. */
  readonly printed?: string
}

/** `deliver produce app-0 -> partition-1`, `crash app-1`, `append marker COMMIT partition-0 offset=2`. */
export interface WordPattern {
  readonly kind: 'words'
  /** All words that are nothing else, in their order. */
  readonly words: readonly string[]
  readonly arrow?: { readonly from: string; readonly to: string }
  readonly given: readonly Assigned[]
  /** What must be said literally. */
  readonly quoted: readonly string[]
}

export interface Assigned {
  readonly name: string
  readonly value: string
}

type Kind = StepEvent['kind']

const verbs: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  sent: ['send', 'sends', 'sent'],
  delivered: ['deliver', 'delivers', 'delivered', 'arrive', 'arrives', 'receive', 'receives', 'received'],
  lost: ['lose', 'loses', 'lost'],
  delayed: ['delay', 'delays', 'delayed'],
  appended: ['append', 'appends', 'appended'],
  started: ['start', 'starts', 'started'],
  crashed: ['crash', 'crashes', 'crashed'],
  paused: ['pause', 'pauses', 'paused'],
  resumed: ['resume', 'resumes', 'resumed', 'wake', 'wakes'],
}

const kindByVerb: ReadonlyMap<string, Kind> = new Map(
  Object.entries(verbs).flatMap(([kind, words]) => words.map((word) => [word, kind as Kind] as const)),
)

/** The kind of event that a word stands for: `crashes` is `crashed`. */
export const kindOf = (word: string): Kind | undefined => kindByVerb.get(word.toLowerCase())

/**
 * Reads a line, without its comment.
 * @param actions the names of the actions, which mean a call wherever they can
 */
export function parsePattern(line: string, actions: readonly string[]): Pattern {
  return printedCall(line, actions) ?? call(line, actions) ?? words(line)
}

/** A line that was copied from a printed trace ends in the call: `3  app-0  crashed  [Crash client=0]`. */
function printedCall(line: string, actions: readonly string[]): CallPattern | undefined {
  const found = /\[(\w+)\b[^[]*.*\]$/.exec(line)
  if (found === null || !actions.includes(found[1]!)) return undefined
  return { kind: 'call', action: found[1]!, given: [], printed: found[0] }
}

function call(line: string, actions: readonly string[]): CallPattern | undefined {
  const found = /^([\p{L}_$][\p{L}\p{N}_$]*)(?:\s*\((.*)\))?$/u.exec(line)
  if (found === null) return undefined
  const [, action, inside] = found
  if (inside === undefined && !actions.includes(action!)) return undefined
  return { kind: 'call', action: action!, given: assignments(inside ?? '') }
}

/** `client: 0, copy: live; reply: lost`, split where no bracket or quote is open. */
function assignments(text: string): Assigned[] {
  const parts: string[] = text.match(/(?:"[^"]*"|'[^']*'|\[[^\]]*\]|\{[^}]*\}|[^,;"'[{])+/g) ?? []
  return parts.flatMap((part) => {
    const [, name = part, value = ''] = /^\s*(.*?)\s*[:=]\s*(.*?)\s*$/.exec(part) ?? []
    return part.trim() === '' ? [] : [{ name: unquoted(name), value: unquoted(value) }]
  })
}

const token = /(?:"[^"]*"|'[^']*'|[^\s"'=]+)=(?:"[^"]*"|'[^']*'|[^\s"']+)|"[^"]*"|'[^']*'|->|[^\s"']+/g

function words(line: string): WordPattern {
  const tokens: string[] = line.match(token) ?? []
  const at = tokens.indexOf('->')
  const isArrow = at > 0 && at < tokens.length - 1
  const arrow = isArrow ? { from: unquoted(tokens[at - 1]!), to: unquoted(tokens[at + 1]!) } : undefined
  const others = isArrow ? tokens.filter((_, index) => Math.abs(index - at) > 1) : tokens
  const isAssigned = (text: string) => /^(?:"[^"]*"|'[^']*'|[^"'=]+)=./.test(text)
  const isQuoted = (text: string) => /^["']/.test(text)
  return {
    kind: 'words',
    words: others.filter((text) => !isAssigned(text) && !isQuoted(text)),
    ...(arrow === undefined ? {} : { arrow }),
    given: others.filter(isAssigned).flatMap(assignments),
    quoted: others.filter((text) => !isAssigned(text) && isQuoted(text)).map(unquoted),
  }
}
