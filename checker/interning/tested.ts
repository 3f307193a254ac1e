/** How far an action or a property is tested for equivariance. */
import type { Subject } from './subjects.ts'

/** Tests of one subject: so many, and so many more for each case that the search comes to. */
const testsToBegin = 10_000
const testsPerCase = 16

export interface Case {
  readonly actor: number
  readonly step: number
  readonly ids: Int32Array
}

export class Tested {
  readonly subject: Subject
  /** Whether each state can be gone through: a judge of steps, or of states without successors, does not see all. */
  readonly seesEveryState: boolean
  readonly waiting: Case[] = []
  readonly done = new Set<string>()
  /** Families of components that count as read, and these components. */
  readonly families = new Set<string>()
  widened: readonly number[] = []
  /** Whether states are gone through one by one; up to which that was done. */
  isWatched = false
  next = 0
  /** Whether every case is to be tested again, also those that a single run tells. */
  isAnew = false
  /** Whether it makes choices: a case is told by the runs for all options together. */
  chooses = false
  isComplete = true
  tests = 0
  budget = testsToBegin

  constructor(subject: Subject, seesEveryState: boolean) {
    this.subject = subject
    this.seesEveryState = seesEveryState
  }

  /** Whether a single run does not tell a case. */
  get hasManyRuns(): boolean {
    return this.chooses || this.widened.length > 0
  }

  /** Begins anew: what was tested so far is not enough. */
  beginAnew(): void {
    this.done.clear()
    this.waiting.length = 0
    this.next = 0
    this.isWatched = this.seesEveryState
    this.isAnew = true
    if (!this.seesEveryState) this.isComplete = false
  }

  /** A case that the search has come to. */
  add(found: Case): void {
    this.budget += testsPerCase
    this.waiting.push(found)
  }

  /** There are too many cases: from now on those that are waiting, and those that these become, are left out. */
  stopBeingComplete(): void {
    this.isComplete = false
    this.waiting.length = 0
    this.done.clear()
  }
}
