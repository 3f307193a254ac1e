/** A diagram as shapes with their places, in pixels from the upper left corner. */
import type { LogCell } from '../../checker/view.ts'
import type { Glyph } from './plan.ts'

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export type LabelRole =
  | 'title'
  | 'subtitle'
  | 'group'
  | 'head'
  | 'number'
  | 'message'
  | 'note'
  | 'facts'
  | 'silent'
  | 'failed'
  | 'log'
  | 'cell'
  | 'legend'

/** Text in a box that is just as large; no two of a diagram overlap. */
export interface Label extends Box {
  readonly role: LabelRole
  readonly lines: readonly string[]
  readonly anchor: 'start' | 'middle' | 'end'
  /** Of what does not matter for what the trace shows. */
  readonly muted: boolean
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** The way of a message. `late` begins where its connection was closed. */
export interface Arrow {
  readonly points: readonly Point[]
  readonly lateFrom?: number
  readonly origin: 'sent' | 'sent again' | 'copy'
  readonly end: 'arrives' | 'lost' | 'flying'
  readonly muted: boolean
}

export interface Mark extends Point {
  readonly glyph: Glyph
  readonly muted: boolean
}

export interface Band extends Box {
  readonly status: 'down' | 'paused'
}

export interface Cell extends Box {
  readonly kind: LogCell['kind']
}

/** A line before a cell of a log, and whether a reader is given the record under which it stands. */
export interface Bound extends Point {
  readonly height: number
}
export interface Sight extends Point {
  readonly isSeen: boolean
}

export interface Diagram {
  readonly width: number
  readonly height: number
  readonly title: string
  readonly labels: readonly Label[]
  readonly groups: readonly Box[]
  readonly heads: readonly Box[]
  readonly lifelines: readonly (Point & { readonly bottom: number })[]
  readonly bands: readonly Band[]
  /** Of the steps that matter, where that is known. */
  readonly stripes: readonly Box[]
  readonly arrows: readonly Arrow[]
  readonly marks: readonly Mark[]
  /** Frames of facts. */
  readonly chips: readonly Box[]
  readonly panels: readonly Box[]
  readonly cells: readonly Cell[]
  readonly bounds: readonly Bound[]
  readonly sights: readonly Sight[]
  /** Of a lasso, the steps that repeat for ever. */
  readonly loop?: Box
  /** A line for each kind of sign that is in the diagram. */
  readonly legend: readonly LegendEntry[]
}

export interface LegendEntry extends Point {
  readonly sign: Sign
}

export type Sign =
  | Arrow['end']
  | 'late'
  | 'sent again'
  | 'copy'
  | Band['status']
  | 'matters'
  | LogCell['kind']
