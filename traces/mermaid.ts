/**
 * A trace as a Mermaid sequence diagram, for places that draw Mermaid text: https://mermaid.js.org/syntax/sequenceDiagram
 *
 * Mermaid draws messages level: an arrow has one place in time. So a message is drawn where it arrives, with the step in
 * which it was sent if that was an earlier one; what is lost or still under way is drawn where it was sent.
 */
import type { Trace } from '../checker/trace.ts'
import type { Lane, StepEvent } from '../checker/view.ts'
import { fieldTexts } from './text/event.ts'
import { endText, lanesOf } from './text/steps.ts'
import { visible } from './text/value.ts'

export interface MermaidOptions {
  /** Participants in their order, with their labels; those of the trace that are not named here come after them. */
  readonly lanes?: readonly Lane[]
}

interface Numbered {
  readonly step: number
  readonly event: StepEvent
  /** For what arrives: the step that sent it. */
  sentIn?: number
  /** For what was sent: it arrived or was lost in this trace, and is drawn there. */
  settled?: boolean
}

export function writeMermaid(trace: Trace, { lanes = [] }: MermaidOptions = {}): string {
  const events = numbered(trace)
  matchMessages(events)
  const present = lanesOf(trace)
  const named = lanes.filter(({ id }) => present.includes(id))
  const others = present
    .filter((id) => !named.some((lane) => lane.id === id))
    .map((id) => ({ id, label: id }))
  const participants = [...named, ...others]
  const idOf = new Map(participants.map(({ id }, index) => [id, `p${index}`]))
  const drawn = (from: number, to: number) =>
    events
      .filter(({ step }) => step > from && step <= to)
      .flatMap((event) => eventLine(event, (lane) => idOf.get(lane) ?? ''))
  const last = `p${participants.length - 1}`
  const failed = trace.property?.failed === undefined ? '' : `: not "${trace.property.failed.part}"`
  return [
    'sequenceDiagram',
    ...participants.map(({ label }, index) => `  participant p${index} as ${escaped(label)}`),
    ...bodyLines(trace, drawn, `p0,${last}`).map((line) => `  ${line}`),
    ...(trace.property === undefined || trace.property.kind === 'reachable' || participants.length === 0
      ? []
      : [`  Note over p0,${last}: ${escaped(`violated: ${trace.property.name}${failed}`)}`]),
    '',
  ].join('\n')
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

const numbered = ({ steps }: Trace): Numbered[] =>
  steps.flatMap(({ events }, index) => events.map((event) => ({ step: index + 1, event })))

/** Pairs what arrives with what was sent: the oldest message of that name between the two that has not arrived yet. */
function matchMessages(events: readonly Numbered[]) {
  events.forEach((arrival, at) => {
    const { kind, lane, peer, message } = arrival.event
    if ((kind !== 'delivered' && kind !== 'lost') || peer === undefined) return
    const [from, to] = kind === 'delivered' ? [peer, lane] : [lane, peer]
    const sent = events.slice(0, at).find((candidate) => {
      const { event, settled } = candidate
      return (
        event.kind === 'sent' &&
        !settled &&
        event.lane === from &&
        event.peer === to &&
        event.message === message
      )
    })
    if (sent === undefined) return
    sent.settled = true
    arrival.sentIn = sent.step
  })
}

function eventLine(numberedEvent: Numbered, idOf: (lane: string) => string): string[] {
  const { step, event, sentIn, settled } = numberedEvent
  const { kind, lane, peer } = event
  if (kind === 'sent' && settled) return []
  const since = sentIn === undefined || sentIn === step ? '' : `(sent in step ${sentIn})`
  const text = escaped([`${step}.`, describe(event), since].filter((part) => part !== '').join(' '))
  if (peer === undefined || kind === 'appended' || kind === 'note')
    return [`Note over ${idOf(lane)}: ${text}`]
  if (kind === 'delivered') return [`${idOf(peer)}->>${idOf(lane)}: ${text}`]
  if (kind === 'lost') return [`${idOf(lane)}-x${idOf(peer)}: ${text}`]
  return [`${idOf(lane)}--)${idOf(peer)}: ${text}`]
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

/** Mermaid ends a line at ; and begins an entity at #; entities stand for both. */
const escaped = (text: string): string =>
  visible(text).replaceAll(/[#;<>]/g, (character) => `#${character.charCodeAt(0)};`)
