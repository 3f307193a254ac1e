/**
 * Runs a sample of what is remembered again, long after it was run first. A recipe or property that depends on
 * something outside of the state may agree with itself twice in a row, but hardly for the length of a search.
 */
import type { Judging } from './judging.ts'
import { applyWrites, outcome, takenAt } from './outcomes.ts'
import type { PropertyMemo } from './property-memo.ts'
import type { Space } from './space.ts'

/** Per level: so few that it costs milliseconds, so many that a small model is sampled throughout. */
const statesPerLevel = 16
const instancesPerState = 4

export class Audit {
  readonly #space: Space
  readonly #ids: Int32Array
  readonly #transitions: readonly PropertyMemo[]
  readonly #states: readonly PropertyMemo[]
  #turn = 0

  constructor(space: Space, judging: Judging) {
    this.#space = space
    this.#ids = new Int32Array(2 * space.components.count)
    this.#states = judging.stateJudges.map(({ memo }) => memo)
    this.#transitions = judging.transitions.flatMap(({ memos }) => memos)
  }

  /**
   * Samples the states of a level that was expanded, evenly.
   * @throws ModelError 'impure-recipe'
   */
  level(from: number, to: number): void {
    const count = Math.min(statesPerLevel, to - from)
    for (let index = 0; index < count; index++) {
      this.#state(from + Math.floor(((to - from) * index) / count))
    }
  }

  #state(state: number): void {
    const ids = this.#ids
    this.#space.read(state, ids)
    this.#space.repeat(ids)
    for (const memo of this.#states) memo.audit(ids)
    const { instances } = this.#space.prepared
    const { memo } = this.#space
    for (let index = 0; index < Math.min(instancesPerState, instances.length); index++) {
      const instance = instances[this.#turn++ % instances.length]!
      // A state that was cut, or run without remembering, has nothing to compare with.
      if (!memo.isComplete(memo.roots[instance.index]!, ids)) continue
      this.#transition(memo.audit(instance, ids, this.#turn))
    }
  }

  #transition(node: number): void {
    const { words } = this.#space.memo.trie
    if (this.#transitions.length === 0 || words[node]! >>> 2 !== outcome) return
    const after = this.#space.components.count
    const ids = this.#ids.slice()
    applyWrites(words, node, ids, after)
    const takenId = words[node + takenAt]!
    for (const memo of this.#transitions) memo.audit(ids, takenId, this.#space.memo.takens[takenId]!)
  }
}
