/** The logs after a step: records as cells, where the watermarks stand, and what each kind of reader is given. */
import type { LogView } from '../../checker/view.ts'
import { visible } from '../text/value.ts'
import type { Bound, Box, Cell, Label, Sight } from './geometry.ts'
import { labelAt, textOf } from './label.ts'
import { textWidth } from './metrics.ts'

const cell = { width: 76, gap: 6, lines: 3 }
/** Left of the cells: whose log it is, and who reads it. */
const margin = { min: 60, max: 130 }

export interface Panels {
  readonly boxes: readonly Box[]
  readonly labels: readonly Label[]
  readonly cells: readonly Cell[]
  readonly bounds: readonly Bound[]
  readonly sights: readonly Sight[]
}

interface Growing {
  boxes: Box[]
  labels: Label[]
  cells: Cell[]
  bounds: Bound[]
  sights: Sight[]
}

export interface ShownLogs {
  readonly title: string
  readonly logs: readonly LogView[]
  /** Where the step ends. */
  readonly bottom: number
}

const distance = 14

/**
 * Each beside its step, ending where that ends, or as near as those above it allow. With `onlyWhatFits`, those that would
 * meet a later one are left out.
 */
export function panelsOf(
  shown: readonly ShownLogs[],
  place: { readonly x: number; readonly top: number },
  onlyWhatFits: boolean,
): Panels {
  const growing: Growing = { boxes: [], labels: [], cells: [], bounds: [], sights: [] }
  const filled = shown
    .map((one) => ({ ...one, logs: one.logs.filter(({ cells }) => cells.length > 0) }))
    .filter(({ logs }) => logs.length > 0)
    .map((one) => ({ ...one, y: Math.max(place.top, one.bottom - panelHeight(one.logs)) }))
  const chosen = onlyWhatFits ? fitting(filled, place.top) : filled
  let free = place.top
  for (const { title, logs, y } of chosen) {
    free = addPanel(growing, title, logs, place.x, Math.max(y, free)) + distance
  }
  return growing
}

function panelHeight(logs: readonly LogView[]): number {
  const scrap: Growing = { boxes: [], labels: [], cells: [], bounds: [], sights: [] }
  return addPanel(scrap, '', logs, 0, 0)
}

/** The last one, and of those before it as many as there is room for, the later ones first. */
function fitting<Shown extends ShownLogs & { readonly y: number }>(
  shown: readonly Shown[],
  top: number,
): Shown[] {
  const chosen: Shown[] = []
  for (const one of shown.toReversed()) {
    const next = chosen[0]
    const height = panelHeight(one.logs)
    if (next !== undefined && (one.bottom - height < top || one.bottom + distance > next.y)) continue
    chosen.unshift(one)
  }
  return chosen
}

/** Returns its lower edge. */
function addPanel(growing: Growing, title: string, logs: readonly LogView[], x: number, top: number): number {
  const wish = logs.flatMap(({ label, readers }) => [label, ...readers.map((reader) => reader.label)])
  const side = Math.min(
    margin.max,
    Math.max(margin.min, ...wish.map((text) => textWidth(visible(text), 10) + 2)),
  )
  const columns = Math.max(...logs.map(({ cells }) => cells.length))
  const head = textOf(visible(title), 'head', side + 100, 1)
  growing.labels.push(labelAt(head, 'head', { x: x + 12, y: top + 8 }))
  let y = top + 8 + head.height + 8
  for (const log of logs) y = addLog(growing, log, { x: x + 12, y, side }) + 12
  const width = 12 + side + 10 + Math.max(columns * (cell.width + cell.gap), head.width - side) + 30
  growing.boxes.push({ x, y: top, width, height: y - top })
  return y
}

function addLog(
  { labels, cells, bounds, sights }: Growing,
  log: LogView,
  { x, y, side }: { x: number; y: number; side: number },
): number {
  const left = x + side + 10
  const place = (index: number) => left + index * (cell.width + cell.gap)
  const height = 19 + Math.max(...log.cells.map(({ lines }) => Math.min(lines.length, cell.lines))) * 11
  labels.push(labelAt(textOf(visible(log.label), 'log', side, 3), 'log', { x, y: y + 4 }))
  log.cells.forEach(({ offset, kind, lines }, index) => {
    const box = { x: place(index), y, width: cell.width, height }
    cells.push({ ...box, kind })
    const middle = box.x + cell.width / 2
    const shown = [String(offset), ...lines.slice(0, cell.lines).map(visible)]
    shown.forEach((text, line) => {
      const label = textOf(text, 'cell', cell.width - 6, 1)
      labels.push(labelAt(label, 'cell', { x: middle, y: y + 2 + line * 11 + (line > 0 ? 2 : 0) }, 'middle'))
    })
  })
  let below = y + height + 4
  if (Object.keys(log.bounds).length > 0) {
    for (const [at, names] of boundsByCell(log)) {
      const edge = place(at) - cell.gap / 2
      bounds.push({ x: edge, y: y - 3, height: below - y + 3 })
      labels.push(
        labelAt(
          textOf(visible(names.join(' ')), 'log', cell.width, 1),
          'log',
          { x: edge, y: below },
          'middle',
        ),
      )
    }
    below += 16
  }
  for (const { label, offsets } of log.readers) {
    labels.push(labelAt(textOf(visible(label), 'log', side, 1), 'log', { x, y: below }))
    log.cells.forEach(({ offset, kind }, index) => {
      if (kind === 'marker') return
      sights.push({ x: place(index) + cell.width / 2, y: below + 6, isSeen: offsets.includes(offset) })
    })
    below += 15
  }
  return below
}

/** Where the lines stand, by the index of the cell that they are before. */
function boundsByCell({ cells, bounds }: LogView): Map<number, string[]> {
  const found = new Map<number, string[]>()
  for (const [name, offset] of Object.entries(bounds)) {
    const after = cells.findIndex((one) => one.offset >= offset)
    const index = after < 0 ? cells.length : after
    found.set(index, [...(found.get(index) ?? []), name])
  }
  return found
}
