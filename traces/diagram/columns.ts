/** Where participants stand, side by side: as far apart as what is written between them needs. */
import type { Lane } from '../../checker/view.ts'
import { fonts } from './label.ts'
import { textWidth } from './metrics.ts'
import type { Item, Row } from './plan.ts'

/** Room for the numbers of steps. */
export const gutter = 44
const gap = { min: 132, max: 236 }
/** Between a text and the lines beside it. */
export const padding = 10

export class Columns {
  readonly lanes: readonly Lane[]
  /** Of each participant. */
  readonly xs: readonly number[]
  /** Behind what is written right of the last one. */
  readonly right: number
  readonly #index: ReadonlyMap<string, number>

  constructor(lanes: readonly Lane[], rows: readonly Row[]) {
    this.lanes = lanes
    this.#index = new Map(lanes.map(({ id }, index) => [id, index]))
    const widths = lanes.map(() => gap.min)
    for (const { items } of rows) {
      for (const item of items) {
        const wish = this.#wish(item)
        if (wish === undefined) continue
        widths[wish.gap] = Math.max(widths[wish.gap] ?? 0, Math.min(wish.width, gap.max))
      }
    }
    const xs: number[] = []
    let x = gutter + gap.min / 2
    for (const width of widths) {
      xs.push(x)
      x += width
    }
    this.xs = xs
    this.right = x
  }

  at(lane: string): number {
    return this.xs[this.#index.get(lane) ?? 0] ?? gutter
  }

  /** How wide a text right of a participant may be. */
  roomRight(lane: string): number {
    const index = this.#index.get(lane) ?? 0
    return (this.xs[index + 1] ?? this.right) - (this.xs[index] ?? 0) - 2 * padding
  }

  /** The width that an item would like to have between a participant and the next. */
  #wish(item: Item): { readonly gap: number; readonly width: number } | undefined {
    if (item.kind === 'silent') return undefined
    const size = fonts[item.kind === 'note' || item.kind === 'facts' ? item.kind : 'message'].size
    const width = textWidth(item.text, size) + 2 * padding + 2
    if (item.kind === 'note' || item.kind === 'facts') return { gap: this.#index.get(item.lane) ?? 0, width }
    const { from, to } = item.message
    const [one, other] = [this.#index.get(from) ?? 0, this.#index.get(to) ?? 0]
    return Math.abs(one - other) === 1 ? { gap: Math.min(one, other), width } : undefined
  }
}
