/**
 * A schedule: an order of events that a person asks for, one a line.
 *
 *     # the older instance wakes after the newer one has started
 *     ...
 *     pause app-0
 *     ...
 *     start app-1
 */
import { UsageError } from '../../checker/errors.ts'
import type { Prepared } from '../../checker/prepare.ts'
import { nearest, unknownName } from '../../checker/suggest.ts'
import { type CallPattern, kindOf, type Pattern, parsePattern, type WordPattern } from './pattern.ts'

/** A line that means one step. */
export interface ScheduleLine {
  /** In the file, counted from 1. */
  readonly number: number
  /** Without its comment. */
  readonly text: string
  readonly pattern: Pattern
  /** Whether any steps may come before it: there is a line `...` between it and the one before. */
  readonly afterGap: boolean
}

export interface Schedule {
  /** The file, for messages. */
  readonly source: string
  readonly lines: readonly ScheduleLine[]
}

/** More than anybody writes; each line multiplies the states that there may be. */
const linesMax = 1000

/**
 * Reads a schedule for a model that was prepared.
 *
 * @throws UsageError 'unknown-name' for an action, argument, value or participant that the model does not have,
 * 'unreadable-input' if no line means a step; with the number of the line
 */
export function parseSchedule(text: string, source: string, prepared: Prepared): Schedule {
  const actions = prepared.body.actions.map(({ name }) => name)
  const lines: ScheduleLine[] = []
  let afterGap = false
  text.split(/\r\n|\r|\n/).forEach((written, index) => {
    const line = withoutComment(written)
    if (line === '') return
    if (/^(?:\.{3}|\u2026)$/.test(line)) {
      afterGap = true
      return
    }
    const pattern = parsePattern(line, actions)
    refuseUnknown(pattern, prepared, `${source}, line ${index + 1}`)
    lines.push({ number: index + 1, text: line, pattern, afterGap })
    afterGap = false
  })
  if (lines.length === 0) throw unreadable(source, 'no line of it means a step')
  if (lines.length > linesMax) throw unreadable(source, `it has ${lines.length} steps, more than ${linesMax}`)
  return { source, lines }
}

/** A comment begins at a # that begins a word. */
const withoutComment = (line: string): string => line.replace(/(?:^|\s)#.*$/, '').trim()

function refuseUnknown(pattern: Pattern, prepared: Prepared, where: string): void {
  if (pattern.kind === 'call') refuseCall(pattern, prepared, where)
  else refuseWords(pattern, prepared, where)
}

/** A name that is no argument may be one of a choice, which nobody knows before it is made. */
function refuseCall({ action, given }: CallPattern, { body }: Prepared, where: string): void {
  const known = body.actions.find(({ name }) => name === action)
  if (known === undefined) {
    throw unknownName(
      'action',
      action,
      body.actions.map(({ name }) => name),
      where,
    )
  }
  for (const { name, value } of given) {
    const domain = known.parameters[name]
    if (domain === undefined || domain.some((one) => String(one) === value || typeof one === 'object'))
      continue
    throw unknownName(`value of ${name}`, value, domain.map(String), where)
  }
}

/** Where a model names its participants, what stands beside an arrow or a word such as `crash` is one of them. */
function refuseWords({ words, arrow, given, quoted }: WordPattern, { body }: Prepared, where: string): void {
  const lanes = body.lanes?.map(({ id }) => id) ?? []
  if (lanes.length === 0) return
  const refuse = (lane: string) => {
    if (!lanes.includes(lane)) throw unknownName('participant', lane, lanes, where)
  }
  if (arrow !== undefined) [arrow.from, arrow.to].forEach(refuse)
  const [first = '', second = '', ...more] = words
  const happening = ['started', 'crashed', 'paused', 'resumed']
  const isAlone = arrow === undefined && given.length + quoted.length + more.length === 0
  if (!isAlone || second === '') return
  if (happening.includes(kindOf(first) ?? '') && nearest(second, lanes) !== undefined) refuse(second)
}

const unreadable = (where: string, found: string) =>
  new UsageError({
    code: 'unreadable-input',
    where,
    found,
    expected:
      'one step a line, such as `crash app-1` or `Crash(client: 1)`, and `...` for any steps between two',
  })
