/** The properties of a search: judges states and transitions, and remembers where each property was settled. */

import { deadlockFreedom, type Prepared } from '../prepare.ts'
import { judgesOf, terminationJudge } from '../property-run.ts'
import type { PropertyCoverage, PropertyKind } from '../result.ts'
import type { FailedPart } from '../trace.ts'
import type { TakenBy } from './action-memo.ts'
import { fails, holdsAndGiven, notGiven, PropertyMemo, type PropertyStore } from './property-memo.ts'

/** Where a property was violated or witnessed. */
export interface Settled {
  readonly state: number
  /** Of a transition property, the step that was taken from the state. */
  readonly taken?: TakenBy
  readonly failed?: FailedPart
}

export class JudgedProperty {
  readonly name: string
  readonly kind: PropertyKind
  /** One for each thing that it is judged for; one only of a transition property. */
  readonly memos: readonly PropertyMemo[]
  settled: Settled | undefined
  given: boolean | undefined
  /** Of a settled transition property: the steps that were known to satisfy it until then. */
  stepsKnown: number | undefined

  constructor(name: string, kind: PropertyKind, memos: readonly PropertyMemo[]) {
    this.name = name
    this.kind = kind
    this.memos = memos
  }

  /** Judges a state or a transition, unless it is remembered to hold, so that there is nothing to learn here. */
  judge(ids: Int32Array, state: number, takenId: number, taken: TakenBy | undefined): void {
    const { memos } = this
    for (let one = 0; one < memos.length && this.settled === undefined; one++) {
      const memo = memos[one]!
      if (this.kind !== 'reachable' && memo.isKnownToHold(ids, takenId)) continue
      this.#judgeBy(memo, ids, state, takenId, taken)
    }
  }

  #judgeBy(
    memo: PropertyMemo,
    ids: Int32Array,
    state: number,
    takenId: number,
    taken: TakenBy | undefined,
  ): void {
    const judgement = memo.evaluate(ids, takenId, taken)
    if (judgement === holdsAndGiven) this.given = true
    else if (judgement === notGiven) this.given ??= false
    if ((judgement === fails) === (this.kind === 'reachable')) return
    const failed = memo.lastFailed
    this.settled = {
      state,
      ...(taken === undefined ? {} : { taken }),
      ...(judgement === fails && failed !== undefined ? { failed } : {}),
    }
  }
}

export class Judging {
  /** As declared, deadlock freedom last. */
  readonly all: readonly JudgedProperty[]
  readonly states: readonly JudgedProperty[]
  readonly transitions: readonly JudgedProperty[]
  readonly deadlock: JudgedProperty | undefined
  /** Steps of which it was known at once that all transition properties hold. */
  stepsKnown = 0

  constructor({ properties, body, checksDeadlock }: Prepared, store: PropertyStore) {
    const declared = properties.map((property) => {
      const memos = judgesOf(property).map((judge) => new PropertyMemo(judge, store))
      return new JudgedProperty(property.name, property.kind, memos)
    })
    if (checksDeadlock) {
      const memo = new PropertyMemo(terminationJudge(body.properTermination!), store)
      this.deadlock = new JudgedProperty(deadlockFreedom, 'deadlock', [memo])
    }
    this.all = this.deadlock === undefined ? declared : [...declared, this.deadlock]
    this.states = declared.filter(({ kind }) => kind === 'always' || kind === 'reachable')
    this.transitions = declared.filter(({ kind }) => kind === 'transition')
  }

  get violated(): boolean {
    return this.all.some(({ kind, settled }) => settled !== undefined && kind !== 'reachable')
  }

  get allSettled(): boolean {
    return this.all.every(({ settled }) => settled !== undefined)
  }

  coverage(): PropertyCoverage[] {
    return this.all.map(({ name, kind, memos, stepsKnown }) => {
      const steps = kind === 'transition' ? (stepsKnown ?? this.stepsKnown) : 0
      return {
        name,
        evaluations: memos.reduce((sum, { evaluations }) => sum + evaluations, 0),
        served: memos.reduce((sum, { served }) => sum + served, steps),
      }
    })
  }
}
