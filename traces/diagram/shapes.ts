/** The signs of a diagram as SVG: arrows, what happens at a participant, and both again in the legend. */
import type { Element } from '../reporters/xml.ts'
import { circle, line, path, polyline, rectangle } from './elements.ts'
import type { Arrow, LegendEntry, Mark, Point, Sign } from './geometry.ts'

export function arrowShapes({ points, lateFrom, origin, end, muted }: Arrow): Element[] {
  const faded = muted ? ' faded' : ''
  const how = origin === 'sent again' ? ' again' : origin === 'copy' ? ' copy' : ''
  const fate = end === 'arrives' ? '' : ` ${end}`
  const cut = lateFrom ?? points.length
  const prompt = points.slice(0, cut + 1)
  const late = lateFrom === undefined ? [] : points.slice(lateFrom)
  return [
    ...(prompt.length < 2
      ? []
      : [path(`arrow${how}${late.length > 1 ? '' : fate}${faded}`, polyline(prompt))]),
    ...(late.length < 2 ? [] : [path(`arrow late${how}${faded}`, polyline(late))]),
    ...(lateFrom === undefined ? [] : [clockAt(points[lateFrom] as Point)]),
    ...tip(points, end, `${lateFrom === undefined ? '' : ' late'}${faded}`),
  ]
}

function tip(points: readonly Point[], end: Arrow['end'], classes: string): Element[] {
  const [from, to] = [points.at(-2), points.at(-1)]
  if (from === undefined || to === undefined) return []
  if (end === 'lost') return [path('cross', crossAt(to, 5))]
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length]
  const corner = (side: number) => ({ x: to.x - 9 * dx - side * 4 * dy, y: to.y - 9 * dy + side * 4 * dx })
  return [path(`tip${classes}`, `${polyline([to, corner(1), corner(-1)])}Z`)]
}

const crossAt = ({ x, y }: Point, size: number): string =>
  polyline([
    { x: x - size, y: y - size },
    { x: x + size, y: y + size },
  ]) +
  polyline([
    { x: x - size, y: y + size },
    { x: x + size, y: y - size },
  ])

/** Here its connection was closed, and it goes on in its own time. */
const clockAt = (at: Point): Element => ({
  name: 'g',
  attributes: { class: 'mark' },
  content: [
    circle('mark', at, 5),
    path('mark', polyline([{ x: at.x, y: at.y - 3.5 }, at, { x: at.x + 2.5, y: at.y }])),
  ],
})

export function markShapes({ x, y, glyph, muted }: Mark): Element[] {
  const faded = muted ? ' faded' : ''
  switch (glyph) {
    case 'dot':
      return [circle(`mark full${faded}`, { x, y }, 2.5)]
    case 'record':
      return [rectangle(`mark full${faded}`, { x: x - 4, y: y - 4, width: 8, height: 8 })]
    case 'crash':
      return [path('cross', crossAt({ x, y }, 6))]
    case 'start':
      return [circle(`mark${faded}`, { x, y }, 5)]
    case 'pause':
      return [-3, 3].map((side) => line(`mark${faded}`, x + side, y - 5, x + side, y + 5))
    case 'resume': {
      const corners = [
        { x: x - 4, y: y - 5 },
        { x: x + 5, y },
        { x: x - 4, y: y + 5 },
      ]
      return [path(`mark full${faded}`, `${polyline(corners)}Z`)]
    }
  }
}

export function signShapes({ sign, x, y }: LegendEntry): Element[] {
  const points = [
    { x, y: y - 4 },
    { x: x + 30, y: y + 4 },
  ]
  const arrow = (change: Partial<Arrow>) =>
    arrowShapes({ points, origin: 'sent', end: 'arrives', muted: false, ...change })
  const box = { x: x + 2, y: y - 6, width: 26, height: 12 }
  const signs: Partial<Record<Sign, () => Element[]>> = {
    arrives: () => arrow({}),
    lost: () => arrow({ end: 'lost' }),
    flying: () => arrow({ end: 'flying' }),
    'sent again': () => arrow({ origin: 'sent again' }),
    copy: () => arrow({ origin: 'copy' }),
    late: () =>
      arrow({
        points: [
          { x, y: y - 4 },
          { x: x + 12, y },
          { x: x + 30, y: y + 4 },
        ],
        lateFrom: 1,
      }),
    down: () => [
      rectangle('down', box, 2),
      line('hatch', x + 6, y + 6, x + 18, y - 6),
      line('hatch', x + 14, y + 6, x + 26, y - 6),
    ],
    paused: () => [rectangle('paused', box, 2)],
    matters: () => [rectangle('stripe', box)],
  }
  return signs[sign]?.() ?? [rectangle(`record ${sign}`, box, 3)]
}
