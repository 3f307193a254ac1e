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
  /** The number of the judge among those of the property. */
  readonly judge: number
}

/** One of the judges of a property of states. */
export interface StateJudge {
  readonly property: JudgedProperty
  readonly memo: PropertyMemo
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

  /** Judges a state or a transition, of a property that has one judge. */
  judge(ids: Int32Array, state: number, takenId: number, taken: TakenBy | undefined): void {
    if (this.settled === undefined) this.judgeBy(this.memos[0]!, ids, state, takenId, taken)
  }

  /** Lets one of its judges judge, unless it is remembered to hold, so that there is nothing to learn here. */
  judgeBy(
    memo: PropertyMemo,
    ids: Int32Array,
    state: number,
    takenId: number,
    taken: TakenBy | undefined,
  ): void {
    if (this.kind !== 'reachable' && memo.isKnownToHold(ids, takenId)) return
    const judgement = memo.evaluate(ids, takenId, taken)
    if (judgement === holdsAndGiven) this.given = true
    else if (judgement === notGiven) this.given ??= false
    if ((judgement === fails) === (this.kind === 'reachable')) return
    const failed = memo.lastFailed
    this.settled = {
      state,
      judge: this.memos.indexOf(memo),
      ...(taken === undefined ? {} : { taken }),
      ...(judgement === fails && failed !== undefined ? { failed } : {}),
    }
  }
}

export class Judging {
  /** As declared, deadlock freedom last. */
  readonly all: readonly JudgedProperty[]
  /** The judges of all properties of states, in the order in which they are asked. */
  readonly stateJudges: readonly StateJudge[]
  readonly transitions: readonly JudgedProperty[]
  readonly deadlock: JudgedProperty | undefined
  /** States of which judging was begun. */
  states = 0
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
    this.stateJudges = declared
      .filter(isOfStates)
      .flatMap((property) => property.memos.map((memo) => ({ property, memo })))
    this.transitions = declared.filter(({ kind }) => kind === 'transition')
  }

  get violated(): boolean {
    return this.all.some(({ kind, settled }) => settled !== undefined && kind !== 'reachable')
  }

  get allSettled(): boolean {
    return this.all.every(({ settled }) => settled !== undefined)
  }

  coverage(): PropertyCoverage[] {
    return this.all.map((property) => ({
      name: property.name,
      evaluations: property.memos.reduce((sum, { evaluations }) => sum + evaluations, 0),
      served: isOfStates(property) ? this.#statesServed(property) : this.#stepsServed(property),
    }))
  }

  /** Each judge serves every state until the property is settled, whether it had to be asked or not. */
  #statesServed({ memos, settled }: JudgedProperty): number {
    return settled === undefined
      ? memos.length * this.states
      : memos.length * settled.state + settled.judge + 1
  }

  #stepsServed({ kind, memos, stepsKnown }: JudgedProperty): number {
    const known = kind === 'transition' ? (stepsKnown ?? this.stepsKnown) : 0
    return memos.reduce((sum, { served }) => sum + served, known)
  }
}

const isOfStates = ({ kind }: JudgedProperty): boolean => kind === 'always' || kind === 'reachable'
