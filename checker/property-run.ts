/**
 * Evaluates the judging functions of a model (properties, constraint, proper termination) on states given by their
 * components, and records which components they read, in order. They see the canonical values themselves, which
 * are frozen, so that writing to them throws.
 */
import { type ComponentAccess, viewOf } from './container-view.ts'
import { failed, ModelError } from './errors.ts'
import type { Claim, ModelBody, Plain, SafetyProperty, Taken } from './model.ts'
import { displayed } from './plain.ts'
import { isPromise, wrongReturn } from './returned.ts'
import type { Shape } from './shape.ts'
import type { FailedPart } from './trace.ts'

/** Something that judges states or transitions. */
export interface Judge {
  readonly label: string
  /** States apart from transitions, which have a state before and a state after. */
  readonly judges: 'states' | 'transitions'
  readonly evaluate: (before: unknown, after: unknown, claim: Claim, taken: Taken | undefined) => unknown
  /** Whether to return nothing is an answer too, and means that nothing is wrong. */
  readonly maySayNothing: boolean
}

export interface Evaluation {
  /** Components read, in order; those of the state after count from the number of components on. */
  readonly reads: readonly number[]
  /** Of a `reachable`: whether it was seen. Of all others: whether the property is not violated. */
  readonly holds: boolean
  /** Whether all antecedents held; absent if there were none. */
  readonly given?: boolean
  readonly failed?: FailedPart
}

/** The judges of a property, one for each thing that it is judged for: false violates it, true witnesses a `reachable`. */
export function judgesOf(property: SafetyProperty<unknown>): Judge[] {
  if (property.kind !== 'always') return [judgeOf(property)]
  return (property.each ?? [null]).map((one) => ({
    label: labelOf(property),
    judges: 'states',
    evaluate: (state, _, claim) => property.holds(state, claim, one),
    maySayNothing: true,
  }))
}

const labelOf = ({ name }: SafetyProperty<unknown>) => `property '${name}'`

function judgeOf(property: Exclude<SafetyProperty<unknown>, { kind: 'always' }>): Judge {
  const label = labelOf(property)
  if (property.kind === 'reachable') {
    return {
      label,
      judges: 'states',
      evaluate: (state) => property.holds(state),
      maySayNothing: false,
    }
  }
  return {
    label,
    judges: 'transitions',
    evaluate: (before, after, claim, taken) => property.holds(before, after, claim, taken!),
    maySayNothing: true,
  }
}

export function terminationJudge(
  properTermination: NonNullable<ModelBody<unknown>['properTermination']>,
): Judge {
  return {
    label: 'properTermination',
    judges: 'states',
    evaluate: (state) => properTermination(state),
    maySayNothing: false,
  }
}

export function constraintJudge(constraint: NonNullable<ModelBody<unknown>['constraint']>): Judge {
  return {
    label: 'constraint',
    judges: 'states',
    evaluate: (state) => constraint(state),
    maySayNothing: false,
  }
}

/** A predicate of a liveness property. */
export function promiseJudge(name: string, predicate: (state: unknown) => boolean): Judge {
  return {
    label: `property '${name}'`,
    judges: 'states',
    evaluate: (state) => predicate(state),
    maySayNothing: false,
  }
}

/** Thrown inside a judging function to leave it; never seen outside. */
const leave = new Error('the property is settled here; let this exception pass')

export class PropertyRunner {
  readonly #before: StateReader
  readonly #after: StateReader
  readonly #reads: number[] = []
  readonly #claim: Claim
  #running = false
  #given: boolean | undefined
  #failed: FailedPart | undefined

  constructor(shape: Shape) {
    this.#before = new StateReader(shape, this.#reads, 0)
    this.#after = new StateReader(shape, this.#reads, shape.components.length)
    this.#claim = {
      given: (_, condition) => this.#assume(condition),
      that: (name, condition, values) => this.#demand(name, condition, values),
    }
  }

  /** @throws ModelError 'model-failed' if the judging function throws, or returns what is no answer */
  run(judge: Judge, before: readonly Plain[], after?: readonly Plain[], taken?: Taken): Evaluation {
    this.#begin(judge, before, after)
    let answer: unknown
    try {
      answer = judge.evaluate(this.#before.view, this.#after.view, this.#claim, taken)
    } catch (error) {
      if (this.#given !== false && this.#failed === undefined) throw failed(judge.label, error)
    } finally {
      this.#end()
    }
    const settled = this.#given === false || this.#failed !== undefined
    const saysNothing = answer === undefined && judge.maySayNothing
    if (typeof answer !== 'boolean' && !saysNothing) throw noAnswer(judge, answer)
    return {
      reads: this.#reads.slice(),
      holds: settled ? this.#given === false : answer !== false,
      ...(this.#given === undefined ? {} : { given: this.#given }),
      ...(this.#failed === undefined ? {} : { failed: this.#failed }),
    }
  }

  #begin(judge: Judge, before: readonly Plain[], after: readonly Plain[] | undefined): void {
    this.#reads.length = 0
    this.#before.open(before, judge.label)
    if (after !== undefined) this.#after.open(after, judge.label)
    this.#running = true
    this.#given = undefined
    this.#failed = undefined
  }

  #end(): void {
    this.#before.close()
    this.#after.close()
    this.#running = false
  }

  #assume(condition: boolean): void {
    this.#checkRunning()
    this.#given = Boolean(condition)
    if (!condition) throw leave
  }

  #demand(part: string, condition: boolean, values: Record<string, unknown> = {}): void {
    this.#checkRunning()
    if (condition) return
    this.#failed = { part, values: displayed(values) as FailedPart['values'] }
    throw leave
  }

  /** Once settled, a property stays settled, even if it catches the exception that tells it so. */
  #checkRunning(): void {
    if (!this.#running) throw new Error('the claim of an evaluation is used outside of this evaluation')
    if (this.#given === false || this.#failed !== undefined) throw leave
  }
}

function noAnswer({ label, maySayNothing }: Judge, answer: unknown): ModelError {
  return wrongReturn(label, answer, {
    expected: maySayNothing ? 'true, false or nothing' : 'true or false',
    fix: isPromise(answer)
      ? 'properties are synchronous: remove async and await'
      : 'return the outcome of a comparison, or wrap the value in Boolean(...)',
  })
}

/** One state, readable while it is open. */
class StateReader implements ComponentAccess {
  readonly view: unknown
  readonly #reads: number[]
  readonly #offset: number
  readonly #seen: Uint8Array
  #values: readonly Plain[] | undefined
  #label = ''

  constructor(shape: Shape, reads: number[], offset: number) {
    this.#reads = reads
    this.#offset = offset
    this.#seen = new Uint8Array(shape.components.length)
    this.view = viewOf(shape.root, this)
  }

  open(values: readonly Plain[], label: string): void {
    this.#values = values
    this.#label = label
    this.#seen.fill(0)
  }

  close(): void {
    this.#values = undefined
  }

  read(component: number): unknown {
    if (this.#values === undefined)
      throw new Error('a state is read outside of the evaluation that it was given to')
    if (this.#seen[component] === 0) {
      this.#seen[component] = 1
      this.#reads.push(this.#offset + component)
    }
    return this.#values[component]
  }

  write(): never {
    return this.refuse('writing to the state')
  }

  refuse(found: string): never {
    throw new ModelError({
      code: 'model-failed',
      found,
      where: this.#label,
      expected: 'a function that only looks at the state',
    })
  }
}
