/** A diagram as SVG: one file that needs nothing else, for pages, pictures and printing. */
import { type Element, xmlDocument } from '../reporters/xml.ts'
import { circle, line, path, polyline, rectangle, rounded } from './elements.ts'
import type { Band, Box, Diagram, Label } from './geometry.ts'
import { fonts } from './label.ts'
import { textWidth } from './metrics.ts'
import { arrowShapes, markShapes, signShapes } from './shapes.ts'
import { styleSheet } from './style.ts'

export function svgOf(diagram: Diagram): string {
  const { width, height, title } = diagram
  return xmlDocument({
    name: 'svg',
    attributes: {
      xmlns: 'http://www.w3.org/2000/svg',
      class: 'fencepost-diagram',
      role: 'img',
      'aria-label': title,
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
    },
    content: [
      { name: 'title', attributes: {}, content: title },
      { name: 'style', attributes: {}, content: `\n${styleSheet}\n` },
      rectangle('paper', { x: 0, y: 0, width, height }),
      ...bodyOf(diagram),
    ],
  })
}

/** What lies on top comes last. */
function bodyOf(diagram: Diagram): Element[] {
  const { labels, loop } = diagram
  return [
    ...diagram.stripes.map((box) => rectangle('stripe', box)),
    ...diagram.groups.map((box) => rectangle('frame', box, 6)),
    ...diagram.lifelines.map(({ x, y, bottom }) => line('lifeline', x, y, x, bottom)),
    ...diagram.bands.flatMap(bandShapes),
    ...diagram.heads.map((box) => rectangle('box', box, 5)),
    ...diagram.panels.map((box) => rectangle('panel', box, 6)),
    ...diagram.cells.map((box) => rectangle(`record ${box.kind}`, box, 3)),
    ...diagram.bounds.map(({ x, y, height }) => line('bound', x, y, x, y + height)),
    ...diagram.sights.map(({ x, y, isSeen }) => circle(isSeen ? 'sight seen' : 'sight', { x, y }, 3.5)),
    ...diagram.arrows.flatMap(arrowShapes),
    ...diagram.marks.flatMap(markShapes),
    ...diagram.chips.map((box) => rectangle('chip', box, 4)),
    ...(loop === undefined ? [] : [loopShape(loop)]),
    ...diagram.legend.flatMap(signShapes),
    ...labels.flatMap((label) => textLines(label, diagram.stripes.length > 0)),
  ]
}

/** The width is given, so that it stays in its box whatever font draws it. */
function textLines({ lines, role, anchor, muted, x, y, width }: Label, isSliced: boolean): Element[] {
  const { size, line: distance } = fonts[role]
  const at = anchor === 'start' ? x : anchor === 'end' ? x + width : x + width / 2
  const halo = role === 'message' || role === 'note' || role === 'silent' ? ' halo' : ''
  // Upon a stripe, what frees a text from the lines behind it has the colour of the stripe.
  const ground = halo !== '' && isSliced && !muted ? ' striped' : ''
  const emphasis = muted ? ' muted' : role === 'number' && isSliced ? ' matters' : ''
  return lines.flatMap((text, index) => {
    if (text === '') return []
    return [
      {
        name: 'text',
        attributes: {
          class: `${role}${halo}${ground}${emphasis}`,
          x: rounded(at),
          y: rounded(y + index * distance + distance / 2 + size * 0.36),
          'font-size': size,
          ...(anchor === 'start' ? {} : { 'text-anchor': anchor }),
          textLength: textWidth(text, size),
          lengthAdjust: 'spacingAndGlyphs',
        },
        content: text,
      },
    ]
  })
}

/** A lane that is down is hatched: the colour alone would not tell everybody. */
function bandShapes(band: Band): Element[] {
  const { x, y, width, height, status } = band
  const box = rectangle(status, band, 2)
  if (status === 'paused') return [box]
  const hatches: Element[] = []
  for (let at = y + 6; at <= y + height - 8; at += 8) hatches.push(line('hatch', x, at + 8, x + width, at))
  return [box, ...hatches]
}

function loopShape({ x, y, width, height }: Box): Element {
  const right = x + width
  const corners = [y, y + height].map((edge) => ({ x, y: edge }))
  return path('loop', polyline([{ x: right, y }, ...corners, { x: right, y: y + height }]))
}
