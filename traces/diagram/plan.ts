/** What a sequence diagram tells of a trace, step by step, before anything has a place. */
import type { Plain } from '../../checker/model.ts'
import type { Trace, TraceStep } from '../../checker/trace.ts'
import type { LaneView, StateView, StepEvent } from '../../checker/view.ts'
import { type Message, messagesOf, type Occurrence, placeOf } from '../messages.ts'
import type { Presentation } from '../presentation.ts'
import { fieldTexts } from '../text/event.ts'
import { callText } from '../text/steps.ts'
import { valueText, visible } from '../text/value.ts'

export type Glyph = 'dot' | 'record' | 'crash' | 'start' | 'pause' | 'resume'

/** One thing that is told; what has to do with a message names it, so that its ends can be joined. */
export type Item =
  | { readonly kind: 'note'; readonly lane: string; readonly glyph: Glyph; readonly text: string }
  | { readonly kind: 'facts'; readonly lane: string; readonly text: string }
  | { readonly kind: 'silent'; readonly text: string }
  | { readonly kind: MessageItem; readonly message: Message; readonly text: string }

/** `whole`: it begins and ends here. */
export type MessageItem = 'whole' | 'sends' | 'arrives' | 'lost' | 'delayed' | 'flying'

export interface Row {
  /** Of the step, counted from 1; 0 for what is told after the last one. */
  readonly number: number
  /** Whether what the trace shows depends on it; true where that is not known. */
  readonly matters: boolean
  readonly items: readonly Item[]
}

export function planOf(trace: Trace, { view, slice }: Presentation): Row[] {
  const messages = messagesOf(trace)
  const views = view === undefined ? undefined : trace.states.map(view)
  const rows = trace.steps.map((step, index): Row => {
    const told = step.events.flatMap((event, position) =>
      itemsOf(messages, { step: index + 1, position, event }),
    )
    const facts = views === undefined ? [] : factItems(views[index], views[index + 1])
    const silent: Item[] = told.length === 0 ? [{ kind: 'silent', text: callText(step) }] : []
    return {
      number: index + 1,
      matters: slice === undefined || slice.has(index + 1),
      items: [...silent, ...told, ...facts],
    }
  })
  const flying = messages.filter(({ end, from, to }) => end === undefined && from !== to)
  const last = flying.map(
    (message): Item => ({ kind: 'flying', message, text: `${nameOf(message)} under way` }),
  )
  return last.length === 0 ? rows : [...rows, { number: 0, matters: true, items: last }]
}

/** What is known of each participant at first: nothing has happened, so it stands in its head. */
export const initialFacts = (trace: Trace, { view }: Presentation): Readonly<Record<string, string>> => {
  const [first] = trace.states
  if (view === undefined || first === undefined) return {}
  const lanes = Object.entries(view(first).lanes)
  return Object.fromEntries(lanes.map(([lane, { facts }]) => [lane, factsText(Object.entries(facts))]))
}

function itemsOf(messages: readonly Message[], occurrence: Occurrence): Item[] {
  const place = placeOf(occurrence)
  const begins = messages.filter(({ start, origin }) => placeOf(start) === place && origin !== 'copy')
  const ends = messages.find(({ end }) => end !== undefined && placeOf(end) === place)
  const delays = messages.find(({ delayed }) => delayed !== undefined && placeOf(delayed) === place)
  const again = begins
    .filter(({ origin }) => origin === 'sent again')
    .map((message): Item => ({ kind: 'sends', message, text: `${nameOf(message)} sent again` }))
  return [...ownItems(occurrence, begins, ends, delays), ...again]
}

function ownItems(
  { step, position, event }: Occurrence,
  begins: readonly Message[],
  ends: Message | undefined,
  delays: Message | undefined,
): Item[] {
  const { kind, lane, peer } = event
  const message = ends ?? delays ?? begins.find(({ origin }) => origin === 'sent' || origin === 'unsaid')
  if (message === undefined || peer === lane) return [noteOf(event)]
  const { origin, start, end } = message
  if (kind === 'sent') {
    // Told once, where it arrives, if that is the next thing to happen.
    const arrivesAtOnce =
      end?.step === step && end.position === position + 1 && end.event.kind === 'delivered'
    return arrivesAtOnce ? [] : [{ kind: 'sends', message, text: contentOf(event) }]
  }
  if (kind === 'delayed')
    return [
      {
        kind: 'delayed',
        message,
        text: joined(origin === 'unsaid' ? `${contentOf(event)} delayed` : 'delayed', event),
      },
    ]
  if (kind === 'lost') {
    return [{ kind: 'lost', message, text: joined(`${event.message ?? ''} lost`, event) }]
  }
  const isWhole = origin === 'unsaid' ? message.delayed === undefined : isJustBefore(start, step, position)
  if (isWhole) return [{ kind: 'whole', message, text: said(contentOf(event), event.text) }]
  return [{ kind: 'arrives', message, text: arrivalText(message, event) }]
}

const isJustBefore = (start: Occurrence, step: number, position: number): boolean =>
  start.step === step && start.position === position - 1

function arrivalText(message: Message, { late, text }: StepEvent): string {
  const how = message.origin === 'copy' ? 'another ' : late ? 'late ' : ''
  return said(`${how}${nameOf(message)} of step ${message.start.step}`, late ? undefined : text)
}

const nameOf = ({ name }: Message): string => (name === '' ? 'message' : visible(name))

const contentOf = ({ message = '', fields }: StepEvent): string =>
  visible([message, ...fieldTexts(fields)].filter((part) => part !== '').join(' '))

const said = (what: string, text: string | undefined): string =>
  visible(text === undefined ? what : what === '' ? text : `${what}: ${text}`)

const joined = (what: string, { text }: StepEvent): string => said(what.trim(), text)

const glyphs: Partial<Record<StepEvent['kind'], Glyph>> = {
  appended: 'record',
  crashed: 'crash',
  started: 'start',
  paused: 'pause',
  resumed: 'resume',
}

function noteOf(event: StepEvent): Item {
  const { kind, lane, text } = event
  const content = contentOf(event)
  const word = kind === 'note' || (kind === 'appended' && content !== '') ? '' : kind
  const what = [content, word].filter((part) => part !== '').join(' ')
  return { kind: 'note', lane, glyph: glyphs[kind] ?? 'dot', text: said(what, text) }
}

/** For each participant, what is not as it was. */
function factItems(before: StateView | undefined, after: StateView | undefined): Item[] {
  return Object.entries(after?.lanes ?? {}).flatMap(([lane, { facts }]) => {
    const old = before?.lanes[lane]?.facts ?? {}
    const changed = Object.entries(facts).filter(
      ([name, value]) => !Object.hasOwn(old, name) || valueText(old[name] as Plain) !== valueText(value),
    )
    return changed.length === 0 ? [] : [{ kind: 'facts', lane, text: factsText(changed) } as const]
  })
}

const factsText = (facts: readonly (readonly [string, Plain])[]): string =>
  visible(facts.map(([name, value]) => `${name} ${valueText(value)}`).join(', '))

/** Whether a participant is up after each step, by the model or else by the events. */
export function statusesOf(trace: Trace, lane: string, { view }: Presentation): LaneStatus[] {
  if (view !== undefined) return trace.states.map((state) => view(state).lanes[lane]?.status ?? 'up')
  let status: LaneStatus = 'up'
  return [status, ...trace.steps.map((step) => (status = statusAfter(step, lane, status)))]
}

type LaneStatus = NonNullable<LaneView['status']>

/** Without a word from the model, whoever does something is up again. */
function statusAfter({ events }: TraceStep, lane: string, before: LaneStatus): LaneStatus {
  return events
    .filter((event) => event.lane === lane && event.kind !== 'lost' && event.kind !== 'delayed')
    .reduce<LaneStatus>((status, { kind }) => {
      if (kind === 'crashed') return 'down'
      if (kind === 'paused') return 'paused'
      return status === 'paused' && kind !== 'resumed' && kind !== 'started' ? status : 'up'
    }, before)
}
