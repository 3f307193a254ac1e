/** One event of a step as text: `app-0 -> coordinator  EndTxn epoch=1`. */
import type { Plain } from '../../checker/model.ts'
import type { StepEvent } from '../../checker/view.ts'
import { valueText, visible } from './value.ts'

export function eventText(event: StepEvent): string {
  const { lane, peer, text } = event
  const what = [event.message ?? '', ...fieldTexts(event.fields), happening(event)].filter(
    (part) => part !== '',
  )
  const said = text === undefined ? [] : [what.length === 0 ? text : `- ${text}`]
  const parts = [participants(event.kind, lane, peer), [...what, ...said].join(' ')]
  return visible(parts.filter((part) => part !== '').join('  '))
}

/** `epoch=1`, in the order of the names: a message looks the same wherever it is told, from a file too. */
export const fieldTexts = (fields: Readonly<Record<string, Plain>> = {}): string[] =>
  Object.entries(fields)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${valueText(value)}`)

/** Messages are always written from their sender to their receiver, whoever takes the step. */
function participants(kind: StepEvent['kind'], lane: string, peer: string | undefined): string {
  if (peer === undefined) return lane
  return kind === 'delivered' ? `${peer} -> ${lane}` : `${lane} -> ${peer}`
}

function happening({ kind, peer, text }: StepEvent): string {
  if (kind === 'sent') return peer === undefined ? '(sent)' : ''
  if (kind === 'delivered') return '(arrives)'
  if (kind === 'lost') return '(lost)'
  if (kind === 'delayed') return '(delayed: may arrive late)'
  if (kind === 'appended') return text === undefined ? '(appended)' : ''
  return kind === 'note' ? '' : kind
}
