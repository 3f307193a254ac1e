/** Counts how often actions fired and guards held, from the visits that the leaves of the tries have counted. */
import type { ActionCoverage, GuardCoverage } from '../result.ts'
import type { ActionMemo } from './action-memo.ts'
import { outcome } from './outcomes.ts'
import type { Space } from './space.ts'
import { choice, choiceHeader, leaf } from './trie.ts'

interface GuardCount {
  passed: number
  blocked: number
}

export class CoverageCounts {
  /** By action. */
  readonly fired: number[]
  readonly #guards: Map<string, GuardCount>[]

  constructor(actions: number) {
    this.fired = new Array(actions).fill(0)
    this.#guards = Array.from({ length: actions }, () => new Map())
  }

  /** Adds what was counted in a trie, or in a part of one. */
  addTrie(memo: ActionMemo, action: number, node: number): number {
    const { trie, notes } = memo
    if (node === 0) return 0
    const head = trie.words[node]!
    const kind = head & 3
    let visits = 0
    if (kind === leaf) {
      visits = trie.words[node + 2]! >>> 0
      if (head >>> 2 === outcome) this.fired[action]! += visits
      const { blockedBy } = notes.get(trie.words[node + 1]!)
      if (blockedBy !== undefined) this.#guard(action, blockedBy).blocked += visits
    } else if (kind === choice) {
      // Each visit of a choice goes on to every option.
      for (let option = 0; option < head >>> 2; option++) {
        visits = this.addTrie(memo, action, trie.words[node + choiceHeader + option]!)
      }
    } else {
      for (const { child } of trie.children(node)) visits += this.addTrie(memo, action, child)
    }
    this.#addPassed(memo, action, node, visits)
    return visits
  }

  /**
   * Adds what was counted for an instance, where a value that rules it out stands for all states that had it: they
   * were never looked at.
   * @param expanded states that were expanded
   */
  addInstance(space: Space, instance: number, action: number, expanded: number): void {
    const { memo, live } = space
    const { trie } = memo
    const root = trie.words[memo.roots[instance]!]!
    if (root === 0) return
    const head = trie.words[root]!
    if ((head & 3) === leaf && head >>> 2 !== outcome) {
      this.#addRuledOut(memo, action, root, expanded)
      return
    }
    if ((head & 3) === leaf || (head & 3) === choice) {
      this.addTrie(memo, action, root)
      return
    }
    let visits = 0
    for (const { id, child } of trie.children(root)) {
      const childHead = trie.words[child]!
      if ((childHead & 3) === leaf && childHead >>> 2 !== outcome) {
        const ruledOut = live.visits[head >>> 2]![id]! >>> 0
        this.#addRuledOut(memo, action, child, ruledOut)
        visits += ruledOut
      } else visits += this.addTrie(memo, action, child)
    }
    this.#addPassed(memo, action, root, visits)
  }

  /** What was counted of some guards of an action. */
  guards(action: string, index: number, names: Iterable<string>): GuardCoverage[] {
    return [...names].map((guard) => ({ action, guard, ...this.#guard(index, guard) }))
  }

  #addRuledOut(memo: ActionMemo, action: number, node: number, states: number): void {
    this.#addPassed(memo, action, node, states)
    this.#guard(action, memo.notes.get(memo.trie.words[node + 1]!).blockedBy!).blocked += states
  }

  #addPassed(memo: ActionMemo, action: number, node: number, visits: number): void {
    for (const guard of memo.notes.get(memo.trie.words[node + 1]!).passed)
      this.#guard(action, guard).passed += visits
  }

  #guard(action: number, guard: string): GuardCount {
    const guards = this.#guards[action]!
    const known = guards.get(guard)
    if (known !== undefined) return known
    const fresh = { passed: 0, blocked: 0 }
    guards.set(guard, fresh)
    return fresh
  }
}

/** What all instances of the actions did, and their guards. */
export function coverageOf(
  space: Space,
  counts: CoverageCounts,
  expanded: number,
): { actions: ActionCoverage[]; guards: GuardCoverage[] } {
  const { actions } = space.prepared.body
  const { instances } = space.prepared
  for (const { index, actionIndex } of instances) counts.addInstance(space, index, actionIndex, expanded)
  const tried = actions.map(() => 0)
  const newStates = actions.map(() => 0)
  for (const { index, actionIndex } of instances) {
    tried[actionIndex]! += expanded
    newStates[actionIndex]! += space.states.newBySteps[index + 1]!
  }
  const rows = actions.map(({ name }, action) => ({
    name,
    tried: tried[action]!,
    fired: counts.fired[action]!,
    newStates: newStates[action]!,
    recipeRuns: space.memo.recipeRuns[action]!,
  }))
  const guards = actions.flatMap(({ name }, action) =>
    counts.guards(name, action, space.memo.guards[action]!),
  )
  return { actions: rows, guards }
}
