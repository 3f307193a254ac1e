/**
 * A trace as a Mermaid sequence diagram, for places that draw Mermaid text: https://mermaid.js.org/syntax/sequenceDiagram
 *
 * Mermaid draws messages level: an arrow has one place in time. So a message is drawn where it arrives, with the step in
 * which it was sent if that was an earlier one; what is lost or still under way is drawn where it was sent.
 */
import type { Trace } from '../../checker/trace.ts'
import type { Lane, StepEvent } from '../../checker/view.ts'
import { type Message, messagesOf, type Occurrence, occurrencesOf, placeOf } from '../messages.ts'
import { type Presentation, participantsOf } from '../presentation.ts'
import { fieldTexts } from '../text/event.ts'
import { endText } from '../text/steps.ts'
import { visible } from '../text/value.ts'

/** Mermaid refuses longer texts unless its settings say otherwise (maxTextSize). */
export const mermaidLengthMax = 50_000

export interface MermaidOptions extends Presentation {
  /** Draws a box around the participants of each group. */
  readonly boxes?: boolean
}

export function writeMermaid(trace: Trace, options: MermaidOptions = {}): string {
  const participants = participantsOf(trace, options)
  const idOf = new Map(participants.map(({ id }, index) => [id, `p${index}`]))
  const draw = eventDrawer(trace, (lane) => idOf.get(lane) ?? '')
  const events = occurrencesOf(trace)
  const drawn = (from: number, to: number) =>
    events.filter(({ step }) => step > from && step <= to).flatMap(draw)
  const everybody = `p0,p${participants.length - 1}`
  const failed = trace.property?.failed === undefined ? '' : `: not "${trace.property.failed.part}"`
  return [
    'sequenceDiagram',
    ...participantLines(participants, options.boxes === true).map((line) => `  ${line}`),
    ...bodyLines(trace, drawn, everybody).map((line) => `  ${line}`),
    ...(trace.property === undefined || trace.property.kind === 'reachable' || participants.length === 0
      ? []
      : [`  Note over ${everybody}: ${escaped(`violated: ${trace.property.name}${failed}`)}`]),
    '',
  ].join('\n')
}

/** Neighbours of one group share a box; a colour must be named, or the first word of the label could be one. */
function participantLines(participants: readonly Lane[], boxes: boolean): string[] {
  return participants.flatMap(({ label, group }, index) => {
    const isBoxed = boxes && group !== ''
    const begins = isBoxed && participants[index - 1]?.group !== group
    const ends = isBoxed && participants[index + 1]?.group !== group
    return [
      ...(begins ? [`box transparent ${escaped(group)}`] : []),
      `${isBoxed ? '  ' : ''}participant p${index} as ${escaped(label)}`,
      ...(ends ? ['end'] : []),
    ]
  })
}

/** The steps, the loop in a frame of its own. `drawn` draws the steps after one up to another. */
function bodyLines(
  trace: Trace,
  drawn: (from: number, to: number) => string[],
  everybody: string,
): readonly string[] {
  const { loop, steps } = trace
  if (loop === undefined) return drawn(0, steps.length)
  if (loop === steps.length) return [...drawn(0, loop), `Note over ${everybody}: ${endText(trace)}`]
  const within = drawn(loop, steps.length)
  const silent = `Note over ${everybody}: steps ${loop + 1} to ${steps.length}, without a message`
  return [...drawn(0, loop), 'loop for ever', ...(within.length === 0 ? [silent] : within), 'end']
}

/** Draws one event; what was sent and arrives or is lost later is drawn there. */
function eventDrawer(trace: Trace, idOf: (lane: string) => string): (occurrence: Occurrence) => string[] {
  const messages = messagesOf(trace)
  const started = byPlace(messages, ({ start }) => start)
  const ended = byPlace(messages, ({ end }) => end)
  return (occurrence) => {
    const { step, event } = occurrence
    const { kind, lane, peer } = event
    const isSettled = started.get(placeOf(occurrence))?.end !== undefined
    if (kind === 'sent' && isSettled) return []
    const message = ended.get(placeOf(occurrence))
    const sentIn = message?.origin === 'sent' ? message.start.step : step
    const since = sentIn === step ? '' : `(sent in step ${sentIn})`
    const text = escaped([`${step}.`, describe(event), since].filter((part) => part !== '').join(' '))
    if (peer === undefined || kind === 'appended' || kind === 'note')
      return [`Note over ${idOf(lane)}: ${text}`]
    if (kind === 'delivered') return [`${idOf(peer)}->>${idOf(lane)}: ${text}`]
    if (kind === 'lost') return [`${idOf(lane)}-x${idOf(peer)}: ${text}`]
    return [`${idOf(lane)}--)${idOf(peer)}: ${text}`]
  }
}

/** The first message of each place: a copy starts where the one before it did. */
function byPlace(
  messages: readonly Message[],
  occurrenceOf: (message: Message) => Occurrence | undefined,
): Map<string, Message> {
  return new Map(
    messages.toReversed().flatMap((message) => {
      const occurrence = occurrenceOf(message)
      return occurrence === undefined ? [] : [[placeOf(occurrence), message] as const]
    }),
  )
}

function describe({ kind, message = '', fields = {}, text, peer }: StepEvent): string {
  const assigned = fieldTexts(fields)
  const happening = {
    sent: 'under way',
    delivered: '',
    lost: 'lost',
    delayed: 'late',
    appended: 'appended',
    note: '',
  }
  const word = kind in happening ? happening[kind as keyof typeof happening] : kind
  const happened = word === '' || (kind === 'appended' && text !== undefined) ? '' : peer ? `(${word})` : word
  const said = text === undefined || happened === '' ? text : `- ${text}`
  return [message, ...assigned, happened, said ?? ''].filter((part) => part !== '').join(' ')
}

/** Mermaid ends a line at ;, begins an entity at #, a comment or settings at %%; `wrap:` has a meaning. */
const escaped = (text: string): string =>
  visible(text).replaceAll(/[#;<>%]|(?<=wrap):/gi, (character) => `#${character.charCodeAt(0)};`)
