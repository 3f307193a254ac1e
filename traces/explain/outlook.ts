/** Whether a violation can still be avoided from a state on. */
import { textOf } from '../../checker/plain.ts'
import type { PlayedStep, Values } from '../../checker/player.ts'
import { isFault } from '../replay/participants.ts'
import type { Rehearsal } from '../replay/rehearsal.ts'

export interface Outlook {
  /** `open`: some way leads past the violation. `unknown`: more states can be reached than may be explored. */
  readonly kind: 'open' | 'sealed' | 'unknown'
  /** Of an open outlook, the first step of such a way; absent if nothing can happen without a fault. */
  readonly firstStep?: PlayedStep
  readonly states: number
}

interface Node {
  readonly values: Values
  readonly firstStep?: PlayedStep
  readonly before: Node[]
}

/**
 * Explores what can happen from a state without further faults and without the violation. Depth first: most ways lead
 * past it, and the first one that comes to an end answers the question.
 */
export function outlookFrom(rehearsal: Rehearsal, from: Values, statesMax: number): Outlook {
  const root: Node = { values: from, before: [] }
  const nodes = new Map([[textOf(from as never), root]])
  const lastBefore: Node[] = []
  const stack = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (nodes.size > statesMax) return { kind: 'unknown', states: nodes.size }
    const steps = harmlessSteps(rehearsal, node.values)
    if (steps.length === 0) return open(node, nodes.size)
    for (const step of steps.toReversed()) {
      if (rehearsal.goal.shownAt({ values: step.next, reached: { from: node.values, by: step } })) {
        lastBefore.push(node)
        continue
      }
      const key = textOf(step.next as never)
      const known = nodes.get(key)
      if (known !== undefined) {
        known.before.push(node)
        continue
      }
      const next: Node = { values: step.next, firstStep: node.firstStep ?? step, before: [node] }
      nodes.set(key, next)
      stack.push(next)
    }
  }
  const doomed = reachedBackwards(lastBefore)
  const trap = [...nodes.values()].find((node) => !doomed.has(node))
  return trap === undefined ? { kind: 'sealed', states: nodes.size } : open(trap, nodes.size)
}

const open = ({ firstStep }: Node, states: number): Outlook => ({
  kind: 'open',
  ...(firstStep === undefined ? {} : { firstStep }),
  states,
})

function harmlessSteps({ player }: Rehearsal, values: Values): PlayedStep[] {
  if (player.isCut(values)) return []
  return [...player.successors(values)].filter((step) => !isFault(step))
}

function reachedBackwards(from: readonly Node[]): Set<Node> {
  const reached = new Set(from)
  for (const node of reached) for (const before of node.before) reached.add(before)
  return reached
}
