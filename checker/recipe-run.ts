/**
 * Runs a recipe on a state that is given by its components, and records what the run depends on: the components
 * it read before writing them, in order, and the choices it made.
 *
 * Two kinds of draft exist. The plain copy is cheap; the immer draft is the reference. Both must come to the same.
 */
import { current, Immer } from 'immer'
import type { ComponentAccess } from './container-view.ts'
import { viewOf } from './container-view.ts'
import { failed, impureRecipe, ModelError } from './errors.ts'
import { checkedEvent } from './event.ts'
import type { Instance } from './instances.ts'
import type { Plain, Step } from './model.ts'
import { canonical, deepFreeze, mutableCopy, samePlain } from './plain.ts'
import { checkReturnedByRecipe } from './returned.ts'
import type { Shape } from './shape.ts'
import type { StepEvent } from './view.ts'

export type PathItem =
  | { readonly kind: 'read'; readonly component: number }
  | {
      readonly kind: 'choice'
      readonly name: string
      readonly options: readonly Plain[]
      readonly taken: number
    }

/** A named guard that was found true after `position` items of the path. */
export interface PassedGuard {
  readonly guard: string
  readonly position: number
}

export interface RecipeRun {
  /** What the outcome depends on; the same values and choices lead to the same outcome. */
  readonly path: readonly PathItem[]
  readonly passed: readonly PassedGuard[]
  /** The guard that disabled the action; then nothing counts as written. */
  readonly blockedBy?: string
  /** New canonical values: of components that were written unread, and of those that were read and differ. */
  readonly written: ReadonlyMap<number, Plain>
  /** The components that were read or written. */
  readonly touched: readonly number[]
  /** Whether a container (which is only a view) was stored in a component. */
  readonly storesContainers: boolean
  /** Empty unless events were asked for. */
  readonly events: readonly StepEvent[]
  /** Kinds of faults, each once. */
  readonly faults: readonly string[]
}

/** Whether faults of a kind may happen. */
export type FaultFilter = (kind: string) => boolean

export interface RunRequest {
  readonly instance: Instance
  /** Canonical value of each component. */
  readonly values: readonly Plain[]
  /** Options to take at the first choices; the first option at all further ones. */
  readonly options: readonly number[]
  readonly draft: 'plain' | 'immer'
  /** The only components that an immer draft is made of, if it is known which the recipe touches; default: all. */
  readonly touching?: readonly number[]
  /** False if it is known that the recipe stores no container, so that an immer draft can be finished by immer. */
  readonly mayStoreContainers?: boolean
  /** What another run wrote: a value that is the same is taken from there, which is cheaper than a copy. */
  readonly expected?: ReadonlyMap<number, Plain>
  readonly withEvents?: boolean
}

/** Thrown inside a recipe to leave it; never seen outside. */
const leave = new Error('the action is disabled in this state; let this exception pass')

const untouched = 0
const readFirst = 1
const writtenFirst = 2

/** Freezing is done here, once, after the result was copied. */
const immer = new Immer({ autoFreeze: false, useStrictIteration: false })

export class RecipeRunner implements ComponentAccess {
  readonly #shape: Shape
  readonly #state: unknown
  readonly #step: Step
  readonly #happens: FaultFilter
  #request: RunRequest | undefined
  #touched: Uint8Array
  /** By component: copies of the touched ones, or an immer draft of the array of all values. */
  #draft: unknown[] = []
  #path: PathItem[] = []
  #passed: PassedGuard[] = []
  #events: StepEvent[] = []
  #faults: string[] = []
  #choices = 0
  #collecting = false
  #storesContainers = false
  #blockedBy: string | undefined
  #fault: ModelError | undefined

  /** @param happens where it says no, a step that is such a fault is disabled */
  constructor(shape: Shape, happens: FaultFilter = () => true) {
    this.#shape = shape
    this.#happens = happens
    this.#touched = new Uint8Array(shape.components.length)
    this.#state = viewOf(shape.root, this)
    this.#step = {
      when: (guard, condition) => this.#when(guard, condition),
      choose: (name, options) => this.#choose(name, options),
      emit: (event) => this.#emit(event),
      fault: (kind) => this.#isFault(kind),
    }
  }

  /**
   * @throws ModelError 'model-failed' if the recipe throws, returns something or does what no recipe may do,
   * 'invalid-model' if it stores what is not plain data
   */
  run(request: RunRequest): RecipeRun {
    this.#begin(request)
    let written: ReadonlyMap<number, Plain> | undefined
    try {
      written = request.draft === 'plain' ? this.#runOnPlainCopy(request) : this.#runOnImmerDraft(request)
    } finally {
      this.#request = undefined
    }
    return {
      path: this.#path,
      passed: this.#passed,
      ...(this.#blockedBy === undefined ? {} : { blockedBy: this.#blockedBy }),
      written,
      touched: this.#touchedComponents(),
      storesContainers: this.#storesContainers,
      events: this.#events,
      faults: this.#faults,
    }
  }

  read(component: number): unknown {
    const request = this.#running()
    if (this.#collecting) this.#storesContainers = true
    if (this.#touched[component] === untouched) {
      this.#touched[component] = readFirst
      this.#path.push({ kind: 'read', component })
      if (request.draft === 'plain') this.#draft[component] = mutableCopy(request.values[component])
    }
    return this.#draft[this.#place(component, request)]
  }

  write(component: number, value: unknown): void {
    const request = this.#running()
    if (this.#touched[component] === untouched) this.#touched[component] = writtenFirst
    this.#draft[this.#place(component, request)] = value
  }

  /** Where the draft has a component. */
  #place(component: number, { touching, instance }: RunRequest): number {
    if (touching === undefined) return component
    const place = touching.indexOf(component)
    if (place >= 0) return place
    const path = this.#shape.components[component]
    this.#fault = impureRecipe(instance.label, `it touches '${path}' only when it is run a second time`)
    throw this.#fault
  }

  refuse(found: string, path: string): never {
    const { instance } = this.#running()
    this.#fault = new ModelError({
      code: 'model-failed',
      found: `${found}${path === '' ? ' in the state' : ` in '${path}'`}: containers are fixed in shape`,
      where: instance.label,
      expected: 'writes to components and to what is inside them',
      fix: 'make the container itself a component if its keys come and go',
    })
    throw this.#fault
  }

  #touchedComponents(): number[] {
    const components: number[] = []
    this.#touched.forEach((touched, component) => {
      if (touched !== untouched) components.push(component)
    })
    return components
  }

  #begin(request: RunRequest): void {
    this.#request = request
    this.#touched.fill(untouched)
    this.#path = []
    this.#passed = []
    this.#events = []
    this.#faults = []
    this.#choices = 0
    this.#collecting = false
    this.#storesContainers = false
    this.#blockedBy = undefined
    this.#fault = undefined
  }

  #runOnPlainCopy(request: RunRequest): ReadonlyMap<number, Plain> {
    this.#callOn(new Array(request.values.length), request)
    return this.#blockedBy === undefined ? this.#written(request, this.#draft) : new Map()
  }

  #runOnImmerDraft(request: RunRequest): ReadonlyMap<number, Plain> {
    const { values, touching, mayStoreContainers = true } = request
    const drafted = touching === undefined ? values : touching.map((component) => values[component]!)
    return mayStoreContainers
      ? this.#readOffImmerDraft(request, drafted)
      : this.#finishImmerDraft(request, drafted)
  }

  /** The result is read off the live draft, at twice the price: immer must not finish views of containers. */
  #readOffImmerDraft(request: RunRequest, drafted: readonly Plain[]): ReadonlyMap<number, Plain> {
    let written: ReadonlyMap<number, Plain> = new Map()
    try {
      immer.produce(drafted, (draft) => {
        this.#callOn(draft, request)
        if (this.#blockedBy === undefined) written = this.#written(request, current(draft))
        // Leaving by an exception revokes the draft.
        throw leave
      })
    } catch (error) {
      if (error !== leave) throw error
    }
    return written
  }

  #finishImmerDraft(request: RunRequest, drafted: readonly Plain[]): ReadonlyMap<number, Plain> {
    try {
      const result = immer.produce(drafted, (draft) => {
        this.#callOn(draft, request)
        if (this.#blockedBy !== undefined) throw leave
        this.#collecting = true
      })
      return this.#written(request, result)
    } catch (error) {
      if (error !== leave) throw error
      return new Map()
    }
  }

  #callOn(draft: unknown[], request: RunRequest): void {
    this.#draft = draft
    this.#call(request.instance)
  }

  #call(instance: Instance): void {
    let returned: unknown
    try {
      returned = instance.action.recipe(this.#state, instance.argumentsForRun(), this.#step)
    } catch (error) {
      if (this.#blockedBy === undefined && this.#fault === undefined) throw failed(instance.label, error)
    }
    checkReturnedByRecipe(returned, this.#state, instance.label)
    if (this.#fault !== undefined) throw this.#fault
  }

  /** Runs while the draft is still readable, since a recipe may have stored a container, which is read only now. */
  #written(request: RunRequest, result: readonly unknown[]): ReadonlyMap<number, Plain> {
    const { values, expected } = request
    this.#collecting = true
    const written = new Map<number, Plain>()
    for (let component = 0; component < values.length; component++) {
      const touched = this.#touched[component]
      if (touched === untouched) continue
      const value = result[this.#place(component, request)]
      if (touched === readFirst && samePlain(value, values[component])) continue
      const known = expected?.get(component)
      const same = known !== undefined && samePlain(value, known)
      written.set(component, same ? known : this.#canonical(value, component, request))
      // What a recipe stored may be a constant of the model: later writes through it must throw.
      deepFreeze(value)
    }
    return written
  }

  #canonical(value: unknown, component: number, { instance }: RunRequest): Plain {
    return canonical(value, `${instance.label}, component ${this.#shape.components[component]}`)
  }

  #running(): RunRequest {
    if (this.#blockedBy !== undefined || this.#fault !== undefined) throw this.#fault ?? leave
    if (this.#request === undefined)
      throw new Error('the draft or the step of a run is used outside of this run')
    return this.#request
  }

  #when(guard: string, condition: boolean): void {
    this.#running()
    if (!condition) this.#block(guard)
    this.#passed.push({ guard, position: this.#path.length })
  }

  #block(guard: string): never {
    this.#blockedBy = guard
    throw leave
  }

  #choose<Option>(name: string, options: readonly Option[]): Option {
    const request = this.#running()
    if (options.length === 0) this.#block(name)
    const plain = options.map((option, index) =>
      canonical(option, `${request.instance.label}, ${name}[${index}]`),
    )
    const taken = request.options[this.#choices++] ?? 0
    this.#path.push({ kind: 'choice', name, options: plain, taken })
    // A copy, since the option may be part of the draft: a choice is a value, not a place in the state.
    return mutableCopy(plain[taken]) as Option
  }

  #isFault(kind: string): void {
    const { instance } = this.#running()
    if (typeof kind !== 'string')
      throw failed(instance.label, new TypeError('the kind of a fault is no string'))
    if (!this.#happens(kind)) this.#block(`faults of the kind '${kind}' happen`)
    if (!this.#faults.includes(kind)) this.#faults.push(kind)
  }

  /** Checks also what nobody asked for, so that the search finds the mistake and not whoever tells a trace. */
  #emit(emitted: StepEvent): void {
    const { instance, withEvents } = this.#running()
    const event = checkedEvent(emitted, instance.label)
    if (withEvents) this.#events.push(event)
  }
}
