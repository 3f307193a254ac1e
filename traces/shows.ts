/** Whether a trace contains what is said of it. */
import { labelOf } from '../checker/instances.ts'
import type { Trace, TraceStep } from '../checker/trace.ts'
import { eventText } from './text/event.ts'
import { valueText } from './text/value.ts'

/** Where a text of the list was found: the number of its step, counted from 1, and what it is part of. */
export interface Shown {
  readonly text: string
  readonly step: number
  readonly within: string
}

/**
 * Looks for texts in a trace, in their order. Each has to be part of something of a step: of its label,
 * `Crash(client: 0)`, of one of its choices, `late request: 0`, or of the text of one of its events. `missing` is the
 * first that is not there after those before it.
 */
export function findInTrace(
  { steps }: Trace,
  texts: readonly string[],
): { readonly shown: readonly Shown[]; readonly missing?: string } {
  const told = steps.flatMap((step, index) => textsOf(step).map((within) => ({ step: index + 1, within })))
  const shown: Shown[] = []
  let from = 0
  for (const text of texts) {
    const at = told.findIndex(({ within }, index) => index >= from && within.includes(text))
    const found = told[at]
    if (found === undefined) return { shown, missing: text }
    shown.push({ text, ...found })
    from = at + 1
  }
  return { shown }
}

const textsOf = ({ action, args, choices, events }: TraceStep): string[] => [
  labelOf(action, args),
  ...choices.map(({ name, value }) => `${name}: ${valueText(value)}`),
  ...events.map(eventText),
]
