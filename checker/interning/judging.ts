/** The properties of a search: judges states and transitions, and remembers where each property was settled. */

import { deadlockFreedom, type Prepared } from '../prepare.ts'
import { judgeOf, terminationJudge } from '../property-run.ts'
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
  readonly memo: PropertyMemo
  settled: Settled | undefined
  given: boolean | undefined
  /** Of a settled transition property: the steps that were known to satisfy it until then. */
  stepsKnown: number | undefined

  constructor(name: string, kind: PropertyKind, memo: PropertyMemo) {
    this.name = name
    this.kind = kind
    this.memo = memo
  }

  /** Whether there is nothing to learn here: the property is settled, or it is remembered to hold. */
  isKnownToHold(ids: Int32Array, takenId: number): boolean {
    return this.settled !== undefined || (this.kind !== 'reachable' && this.memo.isKnownToHold(ids, takenId))
  }

  /** Judges a state or a transition, unless the property is settled already. */
  judge(ids: Int32Array, state: number, takenId: number, taken: TakenBy | undefined): void {
    if (this.settled !== undefined) return
    const judgement = this.memo.evaluate(ids, takenId, taken)
    if (judgement === holdsAndGiven) this.given = true
    else if (judgement === notGiven) this.given ??= false
    if ((judgement === fails) === (this.kind === 'reachable')) return
    const failed = this.memo.lastFailed
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
      return new JudgedProperty(property.name, property.kind, new PropertyMemo(judgeOf(property), store))
    })
    if (checksDeadlock) {
      const memo = new PropertyMemo(terminationJudge(body.properTermination!), store)
      this.deadlock = new JudgedProperty(deadlockFreedom, 'deadlock', memo)
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
    return this.all.map(({ name, kind, memo, stepsKnown }) => {
      const steps = kind === 'transition' ? (stepsKnown ?? this.stepsKnown) : 0
      return { name, evaluations: memo.evaluations, served: memo.served + steps }
    })
  }
}
