/** Colours, or none: what a verdict and the parts of a trace look like on a terminal. */
import picocolors from 'picocolors'
import type { PropertyVerdict } from '../../checker/index.ts'
import type { Style } from '../../traces/index.ts'

export interface Colours {
  readonly trace: Style
  readonly verdict: (verdict: PropertyVerdict, text: string) => string
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
}

export function coloursFor(enabled: boolean): Colours {
  const { bold, cyan, dim, green, red, yellow } = picocolors.createColors(enabled)
  const roles = {
    number: bold,
    message: bold,
    action: dim,
    change: cyan,
    old: red,
    new: green,
    failed: red,
    hint: dim,
  }
  const verdicts: Partial<Record<PropertyVerdict, (text: string) => string>> = {
    proved: green,
    witnessed: green,
    violated: red,
    unwitnessed: red,
  }
  return {
    trace: (role, text) => roles[role](text),
    verdict: (verdict, text) => (verdicts[verdict] ?? yellow)(text),
    bold,
    dim,
  }
}
