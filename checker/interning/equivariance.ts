/**
 * Tests that renaming changes nothing: what an action does in a renamed state must be what it did, renamed, and what a
 * property says must be the same. A difference stops the search.
 *
 * A case is what an instance or a judge says of all states that agree in certain components: those that it reads. It
 * is tested by every exchange of neighbours, and the renamed cases in turn, so that by induction it holds for every
 * renaming. That needs the renamed run to read nothing but the renamed components. One that stops early, at the first
 * of several that it looks for, does not keep to that. Then the components that it strayed to, and all that renaming
 * makes of them, count as read by the whole subject; its cases get finer, and all states are gone through again.
 *
 * There may be very many cases, of a property that looks at everything say. Past a budget, renamed cases are not tested
 * in turn, and the result says so.
 */
import { ModelError } from '../errors.ts'
import type { Instance } from '../instances.ts'
import type { Judging } from './judging.ts'
import type { Orbits } from './orbits.ts'
import { fails, type PropertyMemo } from './property-memo.ts'
import type { Renaming } from './renaming.ts'
import type { Space } from './space.ts'
import { ActionSubject, type Answer, JudgedSubject, type Subject, shortText, type Write } from './subjects.ts'
import { type Case, Tested } from './tested.ts'

export class Equivariance {
  readonly #space: Space
  readonly #orbits: Orbits
  readonly #actions: readonly Tested[]
  readonly #judged: readonly Tested[]
  readonly #byMemo = new Map<PropertyMemo, { readonly tested: Tested; readonly actor: number }>()
  readonly #generators: readonly Renaming[]
  readonly #constraint: PropertyMemo | undefined
  #testing = false

  constructor(space: Space, orbits: Orbits, judging: Judging, constraint: PropertyMemo | undefined) {
    this.#space = space
    this.#orbits = orbits
    this.#constraint = constraint
    this.#generators = orbits.symmetries.generators.map((generator) => orbits.renaming(generator))
    const { instances, body } = space.prepared
    this.#actions = body.actions.map(({ name }, action) => {
      const own = instances.filter(({ actionIndex }) => actionIndex === action)
      return new Tested(new ActionSubject(space, name, own), true)
    })
    const subjects = judging.all.map((property) => ({
      memos: property.memos,
      tested: new Tested(
        new JudgedSubject(space, property.memos, property),
        property.kind === 'always' || property.kind === 'reachable',
      ),
    }))
    if (constraint !== undefined) {
      const memos = [constraint]
      subjects.push({ memos, tested: new Tested(new JudgedSubject(space, memos), true) })
    }
    for (const { memos, tested } of subjects) {
      memos.forEach((memo, actor) => {
        this.#byMemo.set(memo, { tested, actor })
      })
    }
    this.#judged = subjects.map(({ tested }) => tested)
    space.memo.onCompletion = (instance, ids) => this.#noteRun(instance, ids)
    space.judgements.onEvaluation = (memo, ids, step) => this.#noteEvaluation(memo, ids, step)
  }

  /** Whether every case was tested, and those that it becomes. */
  get isComplete(): boolean {
    return this.#all.every(({ isComplete }) => isComplete)
  }

  get tests(): number {
    return this.#all.reduce((sum, { tests }) => sum + tests, 0)
  }

  get #all(): Tested[] {
    return [...this.#actions, ...this.#judged]
  }

  /**
   * Tests the cases that the search has come to since the last time.
   * @throws ModelError 'asymmetric-model'
   */
  test(): void {
    for (const tested of this.#all) this.#testWaiting(tested)
  }

  /**
   * Goes through the states of which not every case is told by a single run.
   * @param end all states before it were expanded and judged
   * @throws ModelError 'asymmetric-model'
   */
  goThrough(end: number): void {
    this.test()
    const ids = new Int32Array(this.#space.components.count)
    for (const tested of this.#all) {
      while (tested.isWatched && tested.isComplete && !tested.subject.isSettled && tested.next < end) {
        this.#space.read(tested.next++, ids)
        this.#goThrough(tested, ids)
      }
      tested.isAnew = false
      tested.isWatched &&= tested.hasManyRuns
    }
  }

  /** Nothing is remembered any more, so that nothing can be looked up. */
  giveUp(): void {
    for (const tested of this.#all) tested.isComplete = false
    this.#space.memo.onCompletion = undefined
    this.#space.judgements.onEvaluation = undefined
  }

  #goThrough(tested: Tested, ids: Int32Array): void {
    const isCut = this.#constraint?.judgement(ids) === fails
    if (isCut && tested.subject instanceof ActionSubject) return
    for (let actor = 0; actor < tested.subject.actors; actor++) {
      const { chooses } = tested.subject.look(actor, ids, 0)
      if (!chooses && !tested.isAnew && tested.widened.length === 0) continue
      tested.waiting.push({ actor, step: 0, ids: ids.slice() })
    }
    this.#testWaiting(tested)
  }

  #noteRun(instance: Instance, ids: Int32Array): void {
    if (this.#testing) return
    const tested = this.#actions[instance.actionIndex]!
    this.#note(tested, (tested.subject as ActionSubject).actorOf(instance), 0, ids)
  }

  #noteEvaluation(memo: PropertyMemo, ids: Int32Array, step: number): void {
    const judged = this.#byMemo.get(memo)
    if (judged !== undefined && !this.#testing) this.#note(judged.tested, judged.actor, step, ids)
  }

  #note(tested: Tested, actor: number, step: number, ids: Int32Array): void {
    tested.add({
      actor,
      step,
      ids: ids.slice(0, tested.subject.states * this.#space.components.count),
    })
  }

  #testWaiting(tested: Tested): void {
    if (tested.waiting.length === 0) return
    this.#testing = true
    try {
      // Grows on the way, and is emptied where the rest need not be tested.
      for (let next = 0; next < tested.waiting.length; next++) this.#testCase(tested, tested.waiting[next]!)
      tested.waiting.length = 0
    } finally {
      this.#testing = false
    }
  }

  #testCase(tested: Tested, { actor, step, ids }: Case): void {
    const { subject } = tested
    const own = subject.look(actor, ids, step)
    if (own.chooses) {
      tested.chooses = true
      tested.isWatched = tested.seesEveryState
    }
    const reads = new Set([...own.reads, ...tested.widened])
    const key = keyOf(actor, step, reads, ids)
    if (tested.done.has(key)) return
    tested.done.add(key)
    for (const generator of this.#generatorsFor(tested)) {
      tested.tests++
      const image = subject.image(actor, generator)
      const imageStep = subject.imageOfStep(step, generator)
      const renamed = this.#renamed(generator, ids)
      const other = this.#lookAtImage(subject, image, renamed, imageStep, { actor, step, generator })
      const allowed = new Set([...reads].map((slot) => this.#target(generator, slot)))
      if (!this.#agree(own, other, generator, reads, allowed)) {
        if (!subject.reinterpret()) throw this.#differ(subject, { actor, step, generator }, own, other, ids)
        tested.beginAnew()
        return
      }
      const strays = [...other.reads].filter((slot) => !allowed.has(slot))
      if (strays.length > 0 && tested.isComplete) {
        this.#widen(tested, strays)
        return
      }
      if (tested.isComplete) tested.waiting.push({ actor: image, step: imageStep, ids: renamed })
    }
    if (tested.isComplete && tested.tests > tested.budget) tested.stopBeingComplete()
  }

  /** All, or past the budget one after the other. */
  #generatorsFor({ isComplete, tests }: Tested): readonly Renaming[] {
    return isComplete ? this.#generators : [this.#generators[tests % this.#generators.length]!]
  }

  #widen(tested: Tested, strays: readonly number[]): void {
    const { components } = this.#orbits.symmetries
    for (const slot of strays) tested.families.add(components[slot % components.length]!.family)
    tested.widened = components.flatMap(({ family }, index) => (tested.families.has(family) ? [index] : []))
    tested.beginAnew()
  }

  #lookAtImage(subject: Subject, image: number, ids: Int32Array, step: number, at: At): Answer {
    try {
      return subject.look(image, ids, step)
    } catch (error) {
      if (!(error instanceof ModelError) || error.code === 'impure-recipe') throw error
      throw this.#asymmetric(subject, at, `with these names exchanged it fails: ${error.details.found}`)
    }
  }

  #agree(
    own: Answer,
    other: Answer,
    generator: Renaming,
    reads: ReadonlySet<number>,
    allowed: ReadonlySet<number>,
  ): boolean {
    if (own.judgement !== other.judgement) return false
    const expected = own.outcomes.map((writes) =>
      textOfWrites(
        effective(writes, reads).map(([component, , id]) => [
          generator.target(component),
          generator.image(component, id),
        ]),
      ),
    )
    const found = other.outcomes.map((writes) =>
      textOfWrites(effective(writes, allowed).map(([component, , id]) => [component, id])),
    )
    return expected.sort().join() === found.sort().join()
  }

  #renamed(generator: Renaming, ids: Int32Array): Int32Array {
    const renamed = ids.slice()
    for (let offset = 0; offset < ids.length; offset += this.#space.components.count) {
      generator.apply(ids, renamed, this.#orbits.moving, offset)
    }
    return renamed
  }

  #target(generator: Renaming, slot: number): number {
    const { count } = this.#space.components
    return slot < count ? generator.target(slot) : count + generator.target(slot - count)
  }

  #differ(subject: Subject, at: At, own: Answer, other: Answer, ids: Int32Array): ModelError {
    const { actor, step, generator } = at
    const { tables, count } = this.#space.components
    const { components } = this.#space.prepared.shape
    // Exchanging twice is nothing: so the components are found that the other one read.
    const slots = new Set([...own.reads, ...[...other.reads].map((slot) => this.#target(generator, slot))])
    const state = [...slots].map((slot) => {
      const component = slot % count
      const when = slot < count ? '' : ' afterwards'
      return `${components[component]} = ${shortText(tables[component]!.value(ids[slot]!))}${when}`
    })
    const where = state.length === 0 ? 'in every state' : `where ${state.join(', ')}`
    const image = subject.labelOf(subject.image(actor, generator), subject.imageOfStep(step, generator))
    const found = `${where}, ${subject.describe(own)}; with these names exchanged, in ${image}, ${subject.describe(other)}`
    return this.#asymmetric(subject, at, found)
  }

  #asymmetric(subject: Subject, { actor, step, generator }: At, found: string): ModelError {
    const exchanged = this.#orbits.symmetries.describe(generator.permutation)
    return new ModelError({
      code: 'asymmetric-model',
      where: subject.labelOf(actor, step),
      found: `it tells ${exchanged} apart: ${found}`,
      expected: 'the same up to the names of what is declared to be interchangeable',
      fix: 'use names for comparing only, declare all places where they occur, or leave the symmetry out (--no-symmetry)',
    })
  }
}

interface At {
  readonly actor: number
  readonly step: number
  readonly generator: Renaming
}

/** Without the writes that change nothing in any state of the case. */
const effective = (writes: readonly Write[], reads: ReadonlySet<number>): Write[] =>
  writes.filter(([component, oldId, newId]) => oldId !== newId || !reads.has(component))

const textOfWrites = (writes: readonly (readonly number[])[]): string =>
  writes
    .map((write) => write.join(':'))
    .sort()
    .join(' ')

const keyOf = (actor: number, step: number, reads: ReadonlySet<number>, ids: Int32Array): string =>
  `${actor} ${step} ${[...reads]
    .sort((one, other) => one - other)
    .map((slot) => `${slot}:${ids[slot]}`)
    .join()}`
