/** The elements of SVG that diagrams are made of. */
import type { Element } from '../reporters/xml.ts'
import type { Box, Point } from './geometry.ts'

export const rounded = (value: number): number => Math.round(value * 10) / 10

export const rectangle = (className: string, { x, y, width, height }: Box, radius = 0): Element => ({
  name: 'rect',
  attributes: {
    class: className,
    x: rounded(x),
    y: rounded(y),
    width: rounded(width),
    height: rounded(height),
    ...(radius === 0 ? {} : { rx: radius }),
  },
})

export const line = (className: string, x1: number, y1: number, x2: number, y2: number): Element => ({
  name: 'line',
  attributes: { class: className, x1: rounded(x1), y1: rounded(y1), x2: rounded(x2), y2: rounded(y2) },
})

export const circle = (className: string, { x, y }: Point, r: number): Element => ({
  name: 'circle',
  attributes: { class: className, cx: rounded(x), cy: rounded(y), r },
})

export const path = (className: string, d: string): Element => ({
  name: 'path',
  attributes: { class: className, d },
})

/** `M1 2L3 4` */
export const polyline = (points: readonly Point[]): string =>
  points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${rounded(x)} ${rounded(y)}`).join('')
