/** Puts what a step tells one below the other, or beside each other where there is room. */
import type { Message } from '../messages.ts'
import { type Columns, gutter, padding } from './columns.ts'
import type { Box, Label, Mark, Point } from './geometry.ts'
import { labelAt, textOf } from './label.ts'
import type { Item, MessageItem, Row } from './plan.ts'

/** Where a message begins, was delayed, and ends. */
export interface Route {
  readonly message: Message
  readonly start?: Point
  readonly delayed?: Point
  readonly end?: Point
  readonly muted: boolean
}

/** What stands in one line of a row. */
interface Slot {
  readonly y: number
  height: number
  readonly taken: [left: number, right: number][]
}

export interface PlacedRow {
  readonly row: Row
  readonly y: number
  readonly height: number
}

/** An arrow within one step falls by this much. */
const fall = 9
/** Below a text on an arrow. */
const arrowRoom = 15
const rowPadding = 5
/** Of a text about what did not get through. */
const midwayMax = 240

/** Where on its way a message is lost or delayed, or is at the end. */
const midway = (kind: MessageItem): number => (kind === 'lost' ? 0.55 : 0.45)

type MessageToldItem = Extract<Item, { readonly message: Message }>

export class Slots {
  readonly labels: Label[] = []
  readonly marks: Mark[] = []
  readonly chips: Box[] = []
  readonly rows: PlacedRow[] = []
  readonly routes = new Map<Message, Route>()
  readonly #columns: Columns
  #y: number
  #slots: Slot[] = []

  constructor(columns: Columns, y: number) {
    this.#columns = columns
    this.#y = y
  }

  get bottom(): number {
    return this.#y
  }

  add(row: Row): void {
    const top = this.#y
    this.#slots = []
    this.#y += rowPadding
    for (const item of row.items) this.#place(item, !row.matters)
    if (row.items.length === 0) this.#take(14, 0, 0)
    if (row.number > 0) {
      const at = { x: 36, y: top + rowPadding }
      this.labels.push(labelAt(textOf(String(row.number), 'number', 40), 'number', at, 'end', !row.matters))
    }
    this.#y += rowPadding
    this.rows.push({ row, y: top, height: this.#y - top })
  }

  #place(item: Item, muted: boolean): void {
    if (item.kind === 'note' || item.kind === 'facts') return this.#beside(item, muted)
    if (item.kind === 'silent') {
      const text = textOf(item.text, 'silent', this.#columns.right - (this.#columns.xs[0] ?? 0))
      const x = (this.#columns.xs[0] ?? 0) + padding
      const { y } = this.#take(text.height + 4, x, x + text.width)
      this.labels.push(labelAt(text, 'silent', { x, y: y + 2 }, 'start', muted))
      return
    }
    this.#onArrow(item, muted)
  }

  /** What happens at a participant, and what it is at since. */
  #beside(item: Item & { readonly lane: string; readonly kind: 'note' | 'facts' }, muted: boolean): void {
    const lane = this.#columns.at(item.lane)
    const isChip = item.kind === 'facts'
    const text = textOf(item.text, item.kind, this.#columns.roomRight(item.lane) - (isChip ? 8 : 0))
    const x = lane + padding + (isChip ? 4 : 2)
    const { y } = this.#take(text.height + 6, lane - 8, x + text.width + 6, true)
    this.labels.push(labelAt(text, item.kind, { x, y: y + 3 }, 'start', muted))
    if (isChip) this.chips.push({ x: x - 4, y: y + 1.5, width: text.width + 8, height: text.height + 3 })
    else this.marks.push({ x: lane, y: y + 10, glyph: item.glyph, muted })
  }

  #onArrow({ kind, message, text: content }: MessageToldItem, muted: boolean): void {
    const [from, to] = [this.#columns.at(message.from), this.#columns.at(message.to)]
    const direction = Math.sign(to - from)
    const middle = (from + to) / 2
    const isWhole = kind === 'whole' || (kind === 'lost' && !this.routes.has(message))
    // What ends or turns in the middle is told beyond, where no arrow comes from.
    const beyond = direction > 0 ? this.#columns.right - middle : middle - gutter
    const isMidway = kind === 'lost' || kind === 'delayed' || kind === 'flying'
    const room = isMidway ? Math.min(beyond, midwayMax) : Math.abs(to - from)
    const text = textOf(content, 'message', room - 2 * padding - 4)
    const x =
      kind === 'sends'
        ? from
        : kind === 'arrives'
          ? to
          : isMidway
            ? from + (to - from) * midway(kind)
            : middle
    const inwards = kind === 'whole' ? 0 : kind === 'arrives' ? -direction : direction
    const anchor = inwards === 0 ? 'middle' : inwards > 0 ? 'start' : 'end'
    const label = labelAt(text, 'message', { x: x + inwards * padding, y: 0 }, anchor, muted)
    const edges = [label.x, label.x + label.width, ...(isWhole ? [from, to] : [])]
    const slot = this.#take(text.height + arrowRoom, Math.min(...edges) - 6, Math.max(...edges) + 6)
    this.labels.push({ ...label, y: slot.y })
    this.#joinRoute(message, kind, { from, to, y: slot.y + text.height + 3, isWhole, muted })
  }

  #joinRoute(
    message: Message,
    kind: MessageItem,
    at: { from: number; to: number; y: number; isWhole: boolean; muted: boolean },
  ): void {
    const { from, to, y, isWhole, muted } = at
    const known = this.routes.get(message)
    const between = from + (to - from) * midway(kind)
    const ends: Record<MessageItem, Partial<Route>> = {
      whole: { start: { x: from, y }, end: { x: to, y: y + fall } },
      sends: { start: { x: from, y } },
      arrives: { end: { x: to, y: y + fall } },
      lost: {
        ...(isWhole ? { start: { x: from, y } } : {}),
        end: { x: between, y: y + fall },
      },
      delayed: {
        ...(known === undefined ? { start: { x: from, y: y - fall } } : {}),
        delayed: { x: between, y },
      },
      flying: { end: { x: between, y: y + fall } },
    }
    this.routes.set(message, { message, ...known, ...ends[kind], muted: muted && (known?.muted ?? true) })
  }

  /** A line of this height; one of the same step is shared where nothing is in the way, if that is wanted. */
  #take(height: number, left: number, right: number, mayShare = false): Slot {
    const last = this.#slots.at(-1)
    const isFree = last?.taken.every(([from, to]) => right < from || left > to)
    if (mayShare && last !== undefined && isFree) {
      last.taken.push([left, right])
      this.#y += Math.max(0, height - last.height)
      last.height = Math.max(height, last.height)
      return last
    }
    const slot: Slot = { y: this.#y, height, taken: [[left, right]] }
    this.#slots.push(slot)
    this.#y += height
    return slot
  }
}
