/** Refuses names in an expression that no state of a model can have, before anything is searched. */
import type { ContainerNode, Shape, ShapeNode } from '../../checker/shape.ts'
import { nearest } from '../../checker/suggest.ts'
import type { Expression, PathExpression, PathStep } from './expression.ts'
import { wrong } from './tokens.ts'

/**
 * What lies inside of components differs from state to state; what is around them is the same in all.
 *
 * @throws UsageError 'invalid-option' for the first name that is not there
 */
export function refuseUnknownPaths(
  expression: Expression,
  { root }: Shape,
  names: readonly string[] = [],
): void {
  const inside = (inner: Expression, more: readonly string[] = names) =>
    refuseUnknownPaths(inner, { root, components: [] }, more)
  switch (expression.kind) {
    case 'path':
      refusePath(expression, root, names)
      for (const step of expression.steps) if (step.kind === 'index') inside(step.index)
      return
    case 'not':
      return inside(expression.of)
    case 'and':
    case 'or':
    case 'operation':
      inside(expression.left)
      return inside(expression.right)
    case 'any':
    case 'all':
    case 'count':
      inside(expression.over)
      return inside(expression.condition, [...names, expression.name])
    case 'value':
  }
}

function refusePath(
  { root, at, steps }: PathExpression,
  shape: ContainerNode,
  names: readonly string[],
): void {
  if (names.includes(root)) return
  let node: ShapeNode | undefined = childOf(shape, root, at, names)
  for (const step of steps) {
    const key = keyOf(step)
    if (node?.kind !== 'container' || key === undefined || (node.isArray && key === 'length')) return
    if (step.kind !== 'each') node = childOf(node, key, step.at)
    else node = [...node.children.values()][0]
  }
}

/** Undefined if it is known only when it is evaluated. */
function keyOf(step: PathStep): string | undefined {
  if (step.kind === 'key') return step.key
  if (step.kind === 'each') return ''
  return step.index.kind === 'value' ? String(step.index.value) : undefined
}

const isNumber = (key: string): boolean => /^\d+$/.test(key)

function childOf(node: ContainerNode, key: string, at: number, names: readonly string[] = []): ShapeNode {
  const child = node.children.get(key)
  if (child !== undefined) return child
  const known = [...node.children.keys(), ...names]
  const near = nearest(key, known)
  const place = node.path === '' ? 'the state' : `'${node.path}'`
  throw wrong(
    `there is no '${key}' in ${place}`,
    at,
    `one of: ${known.join(', ')}`,
    near !== undefined
      ? `did you mean '${near}'?`
      : isNumber(key)
        ? undefined
        : `a text is written in quotes: '${key}'`,
  )
}
