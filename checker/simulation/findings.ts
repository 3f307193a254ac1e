/** Judges the states and steps of walks, and keeps for each property the shortest walk that settles it. */
import { type JudgedProperty, Judging } from '../interning/judging.ts'
import { fails, holdsAndGiven, notGiven, type PropertyMemo } from '../interning/property-memo.ts'
import type { Space } from '../interning/space.ts'
import type { PropertyCoverage } from '../result.ts'
import type { FailedPart } from '../trace.ts'
import type { Walk } from './walk.ts'

export class Finding {
  readonly property: JudgedProperty
  /** Whether an evaluation passed all antecedents; undefined if there were none. */
  given: boolean | undefined
  /** The shortest walk that violates it or, a `reachable`, witnesses it; of equals the first. */
  walk: Walk | undefined
  failed: FailedPart | undefined

  constructor(property: JudgedProperty) {
    this.property = property
  }

  get isViolated(): boolean {
    return this.walk !== undefined && this.property.kind !== 'reachable'
  }

  /** @returns whether the property is violated here */
  judge(memo: PropertyMemo, ids: Int32Array, walk: Walk, takenId: number, space: Space): boolean {
    const isReachable = this.property.kind === 'reachable'
    if (!isReachable && memo.isKnownToHold(ids, takenId)) return false
    const taken = this.property.kind === 'transition' ? space.memo.takens[takenId] : undefined
    const judgement = memo.evaluate(ids, takenId, taken)
    if (judgement === holdsAndGiven) this.given = true
    else if (judgement === notGiven) this.given ??= false
    if ((judgement === fails) === isReachable) return false
    if (this.walk === undefined || walk.steps.length < this.walk.steps.length) {
      this.walk = { initialState: walk.initialState, steps: [...walk.steps] }
      this.failed = isReachable ? undefined : memo.lastFailed
    }
    return !isReachable
  }
}

export class Findings {
  /** As declared, deadlock freedom last. */
  readonly all: readonly Finding[]
  readonly #space: Space

  constructor(space: Space) {
    this.#space = space
    this.all = new Judging(space.prepared, space.judgements).all.map((property) => new Finding(property))
  }

  get violated(): boolean {
    return this.all.some(({ isViolated }) => isViolated)
  }

  /** Judges the state in which a walk is. */
  judgeState(ids: Int32Array, walk: Walk): boolean {
    return this.#judge(['always', 'reachable'], ids, walk, 0)
  }

  /** Judges the last step of a walk; `ids` has the state before, then the state after. */
  judgeStep(ids: Int32Array, walk: Walk): boolean {
    return this.#judge(['transition'], ids, walk, walk.steps.at(-1)!)
  }

  /** Judges the end of a walk, a state without a next step. */
  judgeEnd(ids: Int32Array, walk: Walk): boolean {
    return this.#judge(['deadlock'], ids, walk, 0)
  }

  coverage(): PropertyCoverage[] {
    return this.all.map(({ property: { name, memos } }) => ({
      name,
      evaluations: memos.reduce((sum, { evaluations }) => sum + evaluations, 0),
      served: memos.reduce((sum, { served }) => sum + served, 0),
    }))
  }

  #judge(kinds: readonly string[], ids: Int32Array, walk: Walk, takenId: number): boolean {
    let violated = false
    for (const finding of this.all) {
      if (!kinds.includes(finding.property.kind)) continue
      for (const memo of finding.property.memos) {
        if (!finding.judge(memo, ids, walk, takenId, this.#space)) continue
        violated = true
        break
      }
    }
    return violated
  }
}
