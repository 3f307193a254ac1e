/** One change of a state as text. */
import { type Change, pathText } from '../changes.ts'
import { plainStyle, type Style } from './style.ts'
import { valueText } from './value.ts'

/** `tm.state: init -> committed`; an element that a list gained or lost: `log: + {...}`. */
export function changeText(change: Change): string {
  const { kind, path } = change
  return `${pathText(kind === 'changed' ? path : path.slice(0, -1))}: ${changeParts(change)}`
}

/** `init -> committed`, `+ {...}` */
export function changeParts(change: Change, style: Style = plainStyle): string {
  if (change.kind === 'added') return style('new', `+ ${valueText(change.after)}`)
  if (change.kind === 'removed') return style('old', `- ${valueText(change.before)}`)
  return `${style('old', valueText(change.before))} -> ${style('new', valueText(change.after))}`
}
