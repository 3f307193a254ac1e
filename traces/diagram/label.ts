/** Texts with boxes that they fit into. */
import type { Label, LabelRole } from './geometry.ts'
import { shortened, textWidth, wrapped } from './metrics.ts'

/** Size of the font and distance of lines, in pixels. */
export const fonts: Readonly<Record<LabelRole, { readonly size: number; readonly line: number }>> = {
  title: { size: 16, line: 21 },
  subtitle: { size: 11, line: 15 },
  group: { size: 10, line: 13 },
  head: { size: 12, line: 15 },
  number: { size: 11, line: 14 },
  message: { size: 11, line: 14 },
  note: { size: 11, line: 14 },
  facts: { size: 10, line: 13 },
  silent: { size: 10, line: 13 },
  failed: { size: 12, line: 16 },
  log: { size: 10, line: 13 },
  cell: { size: 9, line: 11 },
  legend: { size: 10, line: 13 },
}

/** Longer texts are cut: a diagram is looked at, the steps as text say all. */
const linesMax = 4

export interface Text {
  readonly lines: readonly string[]
  readonly width: number
  readonly height: number
}

export function textOf(text: string, role: LabelRole, widthMax: number, lines = linesMax): Text {
  const { size, line } = fonts[role]
  const broken = shortened(wrapped(text, widthMax, size), lines)
  return {
    lines: broken,
    width: Math.max(...broken.map((one) => textWidth(one, size))),
    height: broken.length * line,
  }
}

/** `x` is where the text begins, its middle or its end, as `anchor` says; `y` is its upper edge. */
export function labelAt(
  { lines, width, height }: Text,
  role: LabelRole,
  { x, y }: { readonly x: number; readonly y: number },
  anchor: Label['anchor'] = 'start',
  muted = false,
): Label {
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2
  return { role, lines, anchor, muted, x: left, y, width, height }
}
