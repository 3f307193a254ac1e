/** An explanation in one sentence. */
import type { Trace } from '../../checker/trace.ts'
import type { StepEvent } from '../../checker/view.ts'
import { eventText } from '../text/event.ts'
import { callText } from '../text/steps.ts'
import type { Explanation } from './explain.ts'
import type { Remedy } from './prevention.ts'
import type { Sealing } from './sealing.ts'

export function sentenceOf({
  trace,
  sealing,
  prevention,
}: Pick<Explanation, 'trace' | 'sealing' | 'prevention'>): string {
  const { name, failed } = trace.property!
  const part = failed === undefined || failed.part === name ? '' : ` (not "${failed.part}")`
  const prevented = preventedText(trace, [...prevention.defences, ...prevention.alternatives])
  return `"${name}" is violated${part}: ${sealedText(trace, sealing)}${prevented}.`
}

function sealedText(trace: Trace, { step, atLatest }: Sealing): string {
  if (step === 0) return 'it was bound to happen from the beginning'
  const when = atLatest ? ' at the latest' : ''
  const isLast = step === trace.steps.length
  return isLast && !atLatest
    ? `it could have been avoided until ${stepText(trace, step)}, the last one`
    : `it was bound to happen after ${stepText(trace, step)}${when}`
}

function preventedText(trace: Trace, [first]: readonly Remedy[]): string {
  if (first === undefined) return ''
  return `; with ${namesText(first)} in place ${differenceText(trace, first)}`
}

export const namesText = ({ names }: Remedy): string => names.map((name) => `"${name}"`).join(' and ')

/** What is different with a remedy: `step 7 [Write worker=1] is blocked by the guard "the lock is held"`. */
export function differenceText(trace: Trace, remedy: Remedy): string {
  const { step, blocked } = remedy
  if (step === undefined) return 'the same steps violate nothing'
  if (step === 0) return 'it begins otherwise'
  if (blocked?.step !== step) return `${stepText(trace, step)} goes another way${howText(trace, remedy)}`
  const by = blocked.guard === undefined ? `: ${blocked.found}` : ` by the guard "${blocked.guard}"`
  return `${stepText(trace, step)} is blocked${by}`
}

/** Where a step goes another way: the first event that is new or, if there is none, the first one that is missing. */
function howText({ steps }: Trace, { step, events }: Remedy): string {
  const [now, old] = [events, steps[step! - 1]!.events].map((told) => told.map(inSentence)) as [
    string[],
    string[],
  ]
  const added = now.find((text) => !old.includes(text))
  if (added !== undefined) return ` (${added})`
  const missing = old.find((text) => !now.includes(text))
  return missing === undefined ? '' : ` (without: ${missing})`
}

const inSentence = (event: StepEvent): string => eventText(event).replace('  ', ' ')

/** `step 7 [Deliver client=0]` */
const stepText = ({ steps }: Trace, number: number): string =>
  `step ${number} ${callText(steps[number - 1]!)}`
