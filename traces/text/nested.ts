/** Changes as an outline: what they have in common stands above them once. */
import { type Change, type Path, pathText } from '../changes.ts'
import { changeParts } from './change.ts'
import type { Style } from './style.ts'

interface Outline {
  readonly segment: Path[number]
  readonly inner: Outline[]
  /** Of what changed right here, in the order of the changes. */
  readonly changes: Change[]
}

/** One line for each change, and one for each place that several of them lie in, indented by two blanks a level. */
export function outlineLines(changes: readonly Change[], style: Style): string[] {
  const root: Outline = { segment: '', inner: [], changes: [] }
  for (const change of changes) insert(root, change)
  return root.inner
    .flatMap((outline) => linesOf(outline, [], '', style))
    .concat(ownLines(root, [], '', style))
}

/** An element that came or went belongs to its list; whatever changed as a whole stands in its own place. */
function insert(root: Outline, change: Change): void {
  const place = change.kind === 'changed' ? change.path : change.path.slice(0, -1)
  let at = root
  for (const segment of place) {
    let next = at.inner.find((one) => one.segment === segment)
    if (next === undefined) {
      next = { segment, inner: [], changes: [] }
      at.inner.push(next)
    }
    at = next
  }
  at.changes.push(change)
}

function linesOf({ segment, inner, changes }: Outline, before: Path, indent: string, style: Style): string[] {
  const path = [...before, segment]
  const [only, ...others] = inner
  if (only !== undefined && others.length === 0 && changes.length === 0)
    return linesOf(only, path, indent, style)
  if (inner.length === 0 && changes.length === 1)
    return ownLines({ segment, inner, changes }, path, indent, style)
  const deeper = `${indent}  `
  return [
    `${indent}${style('change', pathText(path))}`,
    ...inner.flatMap((outline) => linesOf(outline, [], deeper, style)),
    ...ownLines({ segment, inner, changes }, [], deeper, style),
  ]
}

const ownLines = ({ changes }: Outline, path: Path, indent: string, style: Style): string[] =>
  changes.map((change) => {
    const place = path.length === 0 ? '' : `${style('change', pathText(path))}: `
    return `${indent}${place}${changeParts(change, style)}`
  })
