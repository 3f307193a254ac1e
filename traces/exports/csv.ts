/** A trace as a table for spreadsheets and data frames: comma separated values (RFC 4180), one row for each event. */
import type { Trace, TraceStep } from '../../checker/trace.ts'
import type { StepEvent } from '../../checker/view.ts'
import { fieldTexts } from '../text/event.ts'
import { valueText, visible } from '../text/value.ts'

const columns = [
  'step',
  'action',
  'arguments',
  'choices',
  'faults',
  'event',
  'lane',
  'peer',
  'message',
  'fields',
  'text',
] as const

/** A step without an event has a row of its own. */
export function writeCsv({ steps }: Trace): string {
  const rows = steps.flatMap((step, index) => rowsOf(step, index + 1))
  return [columns, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

function rowsOf(step: TraceStep, number: number): string[][] {
  const assigned = ([name, value]: readonly [string, Parameters<typeof valueText>[0]]) =>
    `${name}=${valueText(value)}`
  const ofStep = [
    String(number),
    step.action,
    Object.entries(step.args).map(assigned).join(' '),
    step.choices.map(({ name, value }) => assigned([name, value])).join(' '),
    (step.faults ?? []).join(' '),
  ]
  const told: readonly (StepEvent | undefined)[] = step.events.length === 0 ? [undefined] : step.events
  return told.map((event) => [
    ...ofStep,
    event?.kind ?? '',
    event?.lane ?? '',
    event?.peer ?? '',
    event?.message ?? '',
    fieldTexts(event?.fields).join(' '),
    event?.text ?? '',
  ])
}

/** A spreadsheet takes what begins with one of these for a formula, unless it is marked as a text. */
const formula = /^[=+\-@]/

function cell(text: string): string {
  const shown = visible(text)
  const safe = formula.test(shown) ? `'${shown}` : shown
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
