/** What the signs of a diagram mean; only those that are in it are explained. */
import type { Diagram, Sign } from './geometry.ts'

export const legendText: Readonly<Record<Sign, string>> = {
  arrives: 'a message, from sending to arrival',
  lost: 'lost on the way',
  flying: 'still under way at the end',
  late: 'delayed, and may arrive late',
  'sent again': 'sent again',
  copy: 'the same message once more',
  down: 'not running',
  paused: 'stands still, and does not know it',
  matters: 'the outcome depends on it',
  plain: 'a record outside of transactions',
  committed: 'committed',
  aborted: 'aborted',
  open: 'of a transaction that is open',
  marker: 'a marker that ends a transaction',
}

const order = Object.keys(legendText) as Sign[]

export function signsOf({
  arrows,
  bands,
  stripes,
  cells,
}: Pick<Diagram, 'arrows' | 'bands' | 'stripes' | 'cells'>): Sign[] {
  const found = new Set<Sign>([
    ...arrows.map(({ end }) => end),
    ...arrows.flatMap(({ lateFrom, origin }): Sign[] => [
      ...(lateFrom === undefined ? [] : (['late'] as const)),
      ...(origin === 'sent' ? [] : [origin]),
    ]),
    ...bands.map(({ status }) => status),
    ...(stripes.length === 0 ? [] : (['matters'] as const)),
    ...cells.map(({ kind }) => kind),
  ])
  return order.filter((sign) => found.has(sign))
}
