/** The sequence diagram of a trace as shapes: computed from the trace alone, the same everywhere. */
import type { Trace } from '../../checker/trace.ts'
import { type Presentation, participantsOf } from '../presentation.ts'
import { failureLines } from '../text/failure.ts'
import { endText } from '../text/steps.ts'
import { valueText, visible } from '../text/value.ts'
import { Columns } from './columns.ts'
import type { Arrow, Band, Box, Diagram, Label, LegendEntry, Sign } from './geometry.ts'
import { labelAt, textOf } from './label.ts'
import { legendText, signsOf } from './legend.ts'
import { panelsOf, type ShownLogs } from './panels.ts'
import { initialFacts, planOf, type Row, statusesOf } from './plan.ts'
import { type PlacedRow, type Route, Slots } from './slots.ts'

export interface DiagramOptions extends Presentation {
  /** Instead of the name of the property. */
  readonly title?: string
  /** Numbers of the steps after which the logs are shown; if it is not said, the last and what else there is room for. */
  readonly logsAt?: readonly number[]
}

const margin = 16

export function diagramOf(trace: Trace, options: DiagramOptions = {}): Diagram {
  const rows = planOf(trace, options)
  const columns = new Columns(lanesFor(trace, options), rows)
  const top = headOf(trace, columns, options)
  const slots = new Slots(columns, top.bottom + 8)
  for (const row of rows) slots.add(row)
  const place = { x: columns.right + margin, top: top.bottom }
  const panels = panelsOf(shownLogs(trace, slots.rows, options), place, options.logsAt === undefined)
  const foot = footOf(trace, columns, slots, Math.max(slots.bottom, ...panels.boxes.map(bottomOf)))
  const arrows = arrowsOf(slots.routes)
  const bands = columns.lanes.flatMap(({ id }) =>
    bandsOf(statusesOf(trace, id, options), columns.at(id), slots.rows),
  )
  const stripes = stripesOf(slots.rows, columns.right, options)
  const signs = signsOf({ arrows, bands, stripes, cells: panels.cells })
  const legend = legendOf(signs, foot.bottom + 12)
  const everything = [...top.labels, ...slots.labels, ...panels.boxes, ...foot.labels, ...legend.labels]
  const loop = loopOf(trace, slots.rows)
  return {
    width: Math.ceil(Math.max(columns.right, ...everything.map(({ x, width }) => x + width)) + margin),
    height: Math.ceil(legend.bottom + margin),
    title: titleOf(trace, options),
    labels: [...top.labels, ...slots.labels, ...panels.labels, ...foot.labels, ...legend.labels],
    groups: top.groups,
    heads: top.heads,
    lifelines: columns.xs.map((x) => ({ x, y: top.bottom, bottom: slots.bottom })),
    bands,
    stripes,
    arrows,
    marks: slots.marks,
    chips: slots.chips,
    panels: panels.boxes,
    cells: panels.cells,
    bounds: panels.bounds,
    sights: panels.sights,
    ...(loop === undefined ? {} : { loop }),
    legend: legend.entries,
  }
}

const bottomOf = ({ y, height }: Pick<Box, 'y' | 'height'>): number => y + height

/** Somebody has to be there for what happens without events. */
function lanesFor(trace: Trace, options: DiagramOptions) {
  const lanes = participantsOf(trace, options)
  return lanes.length > 0 ? lanes : [{ id: trace.model, label: trace.model, group: '' }]
}

function titleOf({ model, property }: Trace, { title }: DiagramOptions): string {
  if (title !== undefined || property === undefined) return visible(title ?? `A trace of ${model}`)
  return visible(
    property.kind === 'reachable' ? `Witness of: ${property.name}` : `Violated: ${property.name}`,
  )
}

function headOf(trace: Trace, columns: Columns, options: DiagramOptions) {
  const room = Math.max(columns.right - margin, 320)
  const title = labelAt(textOf(titleOf(trace, options), 'title', room), 'title', { x: margin, y: 14 })
  const about = textOf(subtitleOf(trace), 'subtitle', room, 3)
  const subtitle = labelAt(about, 'subtitle', { x: margin, y: bottomOf(title) + 2 })
  const { labels, groups, y } = groupHeads(columns, bottomOf(subtitle) + 12)
  const facts = initialFacts(trace, options)
  const heads = columns.lanes.map(({ id, label }, index) => {
    const width = headWidth(columns)
    const name = textOf(visible(label), 'head', width - 12, 2)
    const known = facts[id] ? textOf(facts[id], 'silent', width - 12, 2) : undefined
    const x = columns.xs[index] ?? 0
    return { x, width, name, known, height: name.height + (known?.height ?? 0) + 10 }
  })
  const height = Math.max(...heads.map((head) => head.height))
  const headLabels = heads.flatMap(({ x, name, known }) => [
    labelAt(name, 'head', { x, y: y + 5 }, 'middle'),
    ...(known === undefined ? [] : [labelAt(known, 'silent', { x, y: y + 5 + name.height }, 'middle')]),
  ])
  return {
    labels: [title, subtitle, ...labels, ...headLabels],
    groups: groups.map((box) => ({ ...box, height: y + height + 5 - box.y })),
    heads: heads.map(({ x, width }) => ({ x: x - width / 2, y, width, height })),
    bottom: y + height,
  }
}

/** The narrowest distance decides, so that no two heads meet. */
function headWidth({ xs }: Columns): number {
  const distances = xs.slice(1).map((x, index) => x - (xs[index] ?? 0))
  return Math.min(124, ...distances.map((distance) => distance - 14))
}

/** A frame around neighbours of one group, with its name above. */
function groupHeads(columns: Columns, y: number): { labels: Label[]; groups: Box[]; y: number } {
  const half = headWidth(columns) / 2
  const runs: { group: string; from: number; to: number }[] = []
  columns.lanes.forEach(({ group }, index) => {
    const x = columns.xs[index] ?? 0
    const last = runs.at(-1)
    if (last !== undefined && last.group === group) last.to = x
    else runs.push({ group, from: x, to: x })
  })
  const named = runs.filter(({ group }) => group !== '')
  if (named.length === 0) return { labels: [], groups: [], y }
  const boxes = named.map(({ from, to }) => ({
    x: from - half - 5,
    y,
    width: to - from + 2 * half + 10,
    height: 0,
  }))
  const labels = named.map(({ group, from, to }) => {
    const text = textOf(visible(group), 'group', to - from + 2 * half, 1)
    return labelAt(text, 'group', { x: (from + to) / 2, y: y + 3 }, 'middle')
  })
  return { labels, groups: boxes, y: y + 20 }
}

function subtitleOf({ model, config, defencesOff, steps }: Trace): string {
  const preset = (config as { preset?: string } | null)?.preset
  const off = defencesOff.length === 0 ? [] : [`without ${defencesOff.join(', ')}`]
  const count = `${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`
  return visible([model, ...(preset === undefined ? [] : [valueText(preset)]), count, ...off].join(' · '))
}

/** What is violated, below all. */
function footOf(trace: Trace, columns: Columns, slots: Slots, y: number) {
  const room = Math.max(columns.right - margin, 320)
  const lines = [...(trace.loop === undefined ? [] : [endLine(trace, trace.loop)]), ...failureLines(trace)]
  let bottom = Math.max(y, slots.bottom) + 12
  const labels = lines.map((line) => {
    const label = labelAt(textOf(line.trim(), 'failed', room), 'failed', { x: margin, y: bottom })
    bottom += label.height + 2
    return label
  })
  return { labels, bottom }
}

const endLine = (trace: Trace, loop: number): string =>
  loop === trace.steps.length ? endText(trace) : `and so on for ever from state ${loop}`

/** The logs after the steps that are asked for, or else after those that changed them and after the last. */
function shownLogs(trace: Trace, rows: readonly PlacedRow[], { view, logsAt }: DiagramOptions): ShownLogs[] {
  if (view === undefined) return []
  const logs = trace.states.map((state) => view(state).logs)
  const changing = logs.flatMap((_, number) => {
    const isNew = JSON.stringify(logs[number]) !== JSON.stringify(logs[number - 1])
    return number > 0 && (isNew || number === trace.steps.length) ? [number] : []
  })
  return (logsAt ?? changing).flatMap((number) => {
    const shown = logs[number]
    const row = rows.find((one) => one.row.number === number) ?? rows[0]
    if (shown === undefined) return []
    const title = number === 0 ? 'Logs at first' : `Logs after step ${number}`
    return [{ title, logs: shown, bottom: row === undefined ? 0 : bottomOf(row) }]
  })
}

/** What was never placed (a copy that is under way, say) has no arrow. */
function arrowsOf(routes: Slots['routes']): Arrow[] {
  return [...routes.values()].flatMap((route): Arrow[] => {
    const { message, delayed, end, muted } = route
    const start = route.start ?? originOf(routes, route)
    if (end === undefined || (start === undefined && delayed === undefined)) return []
    const points = [start, delayed, end].filter((point) => point !== undefined)
    const kind = message.end?.event.kind
    return [
      {
        points,
        ...(delayed === undefined ? {} : { lateFrom: points.indexOf(delayed) }),
        origin: message.origin === 'unsaid' ? 'sent' : message.origin,
        end: kind === 'delivered' ? 'arrives' : kind === 'lost' ? 'lost' : 'flying',
        muted,
      },
    ]
  })
}

/** A copy begins where the message does that it is a copy of. */
const originOf = (routes: Slots['routes'], { message }: Route) =>
  [...routes.values()].find(
    ({ message: other, start }) =>
      start !== undefined &&
      other.start.step === message.start.step &&
      other.start.position === message.start.position,
  )?.start

function bandsOf(
  statuses: readonly ('up' | 'down' | 'paused')[],
  x: number,
  rows: readonly PlacedRow[],
): Band[] {
  const bands: Band[] = []
  rows.forEach(({ row, y, height }) => {
    const status = statuses[row.number === 0 ? statuses.length - 1 : row.number]
    if (status === undefined || status === 'up') return
    const last = bands.at(-1)
    if (last?.status === status && bottomOf(last) === y) {
      bands[bands.length - 1] = { ...last, height: last.height + height }
    } else bands.push({ x: x - 7, y, width: 14, height, status })
  })
  return bands
}

function stripesOf(rows: readonly PlacedRow[], right: number, { slice }: DiagramOptions): Box[] {
  // Where all of them matter, none stands out.
  if (slice === undefined || rows.every(({ row }) => row.matters)) return []
  return rows
    .filter(({ row }: { row: Row }) => row.number > 0 && row.matters)
    .map(({ y, height }) => ({ x: 12, y, width: right - 12, height }))
}

function loopOf({ loop, steps }: Trace, rows: readonly PlacedRow[]): Box | undefined {
  const within = rows.filter(
    ({ row }) => loop !== undefined && row.number > loop && row.number <= steps.length,
  )
  const [first] = within
  const last = within.at(-1)
  if (first === undefined || last === undefined) return undefined
  return { x: 6, y: first.y, width: 5, height: bottomOf(last) - first.y }
}

function legendOf(
  signs: readonly Sign[],
  top: number,
): { labels: Label[]; entries: LegendEntry[]; bottom: number } {
  const column = 250
  const labels = signs.map((sign, index) => {
    const x = margin + 46 + (index % 3) * column
    const y = top + Math.floor(index / 3) * 18
    return labelAt(textOf(legendText[sign], 'legend', column - 60, 1), 'legend', { x, y })
  })
  const entries = signs.map((sign, index) => ({
    sign,
    x: (labels[index]?.x ?? 0) - 40,
    y: (labels[index]?.y ?? 0) + 6,
  }))
  return { labels, entries, bottom: top + Math.ceil(signs.length / 3) * 18 }
}
