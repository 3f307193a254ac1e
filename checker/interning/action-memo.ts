/**
 * What is known about the actions: per instance a trie over the components that its recipe read and the choices it
 * made. Its leaves say 'disabled', or what is written. A recipe runs once per distinct path; the search itself only
 * looks up integers.
 */
import { impureRecipe, type ModelError } from '../errors.ts'
import type { Instance } from '../instances.ts'
import type { Choice, Plain, Taken } from '../model.ts'
import { samePlain } from '../plain.ts'
import { choicesOf } from '../player.ts'
import type { Prepared } from '../prepare.ts'
import { type RecipeRun, RecipeRunner, type RunRequest } from '../recipe-run.ts'
import type { Components } from './components.ts'
import type { Layout } from './layout.ts'
import type { LiveInstances } from './live.ts'
import { Notes } from './notes.ts'
import { disabled, Outcomes } from './outcomes.ts'
import { QuotientCheck } from './quotient-check.ts'
import { SecondRuns } from './second-runs.ts'
import { choice, choiceHeader, leaf, type Question, Trie } from './trie.ts'

export interface TakenBy extends Taken {
  readonly instance: Instance
}

/** What an instance does in one state. */
export interface Walk {
  readonly reads: Set<number>
  /** One for each path of choices. */
  readonly leaves: number[]
  chooses: boolean
}

export class ActionMemo {
  readonly trie = new Trie()
  readonly notes = new Notes()
  /** By instance, the place of the first node. */
  readonly roots: Int32Array
  /** By number, the steps that outcomes take: instances with choices. */
  readonly takens: TakenBy[] = []
  /** By action. */
  readonly recipeRuns: number[]
  /** By action, in the order in which its runs came to them first. */
  readonly guards: Set<string>[]
  /** Told where a recipe had to be run. */
  onCompletion: ((instance: Instance, ids: Int32Array) => void) | undefined
  readonly #outcomes: Outcomes
  readonly #components: Components
  readonly #live: LiveInstances
  readonly #runner: RecipeRunner
  readonly #takenIds = new Map<string, number>()
  readonly #quotientCheck: QuotientCheck | undefined
  /** By action. */
  readonly #secondRuns: readonly SecondRuns[]

  constructor(prepared: Prepared, components: Components, live: LiveInstances, layout: Layout) {
    const { shape, instances, body, happens } = prepared
    this.#components = components
    this.#live = live
    this.#outcomes = new Outcomes(this.trie, components, layout)
    this.#runner = new RecipeRunner(shape, happens)
    this.recipeRuns = new Array(body.actions.length).fill(0)
    this.guards = Array.from(body.actions, () => new Set())
    this.#quotientCheck = body.quotient === undefined ? undefined : new QuotientCheck(prepared)
    this.#secondRuns = body.actions.map(() => new SecondRuns())
    this.roots = Int32Array.from(instances, () => this.trie.allocate(1))
  }

  get bytes(): number {
    return this.trie.bytes + this.#outcomes.bytes
  }

  /** Runs the recipe of an instance for a state until its trie answers every question that the state raises. */
  complete(instance: Instance, ids: Int32Array): void {
    this.#completeFrom(this.roots[instance.index]!, instance, ids)
    this.#listByRoot(instance.index, ids)
    this.onCompletion?.(instance, ids)
  }

  /** All that is asked and said about a state, for which the trie of an instance must be complete. */
  walk(instance: number, ids: Int32Array): Walk {
    const walk: Walk = { reads: new Set(), leaves: [], chooses: false }
    this.#walkBelow(this.trie.words[this.roots[instance]!]!, ids, walk)
    return walk
  }

  #walkBelow(from: number, ids: Int32Array, walk: Walk): void {
    const { words } = this.trie
    let node = from
    while ((words[node]! & 3) !== leaf) {
      const slot = words[node]! >>> 2
      if ((words[node]! & 3) === choice) {
        walk.chooses = true
        for (let option = 0; option < slot; option++) {
          this.#walkBelow(words[node + choiceHeader + option]!, ids, walk)
        }
        return
      }
      walk.reads.add(slot)
      node = this.trie.child(node, ids[slot]!)
    }
    walk.leaves.push(node)
  }

  /** Whether the trie at a place answers every question that a state raises. */
  isComplete(place: number, ids: Int32Array): boolean {
    return this.#missingBelow(this.trie.words[place]!, ids, []) === undefined
  }

  /**
   * The same as `complete` without remembering: makes a trie for this state alone.
   * @returns the place of its first node, for `forgetFrom`
   */
  completeApart(instance: Instance, ids: Int32Array): number {
    const place = this.trie.allocate(1)
    this.#completeFrom(place, instance, ids)
    return place
  }

  /** Forgets the trie at a place, and all that was made since. */
  forgetFrom(place: number): void {
    this.#outcomes.forgetFrom(place)
    this.trie.truncate(place)
  }

  /** Forgets the tries that judge steps. */
  forgetStepTries(): void {
    this.#outcomes.forgetStepTries()
  }

  /** The components that a recipe read before it came to a leaf in a state: their values are fixed by the leaf. */
  readsBefore(end: number, instance: number, ids: Int32Array): number[] {
    return this.#readsBelow(this.trie.words[this.roots[instance]!]!, end, ids) ?? []
  }

  /** Brings the outcomes into line with a new layout. */
  relayout(layout: Layout): void {
    this.#outcomes.relayout(layout)
  }

  /**
   * Runs a recipe again in a state for which its trie is complete, and compares with what is remembered.
   * @param turn picks the options of its choices
   * @returns the leaf that was confirmed
   */
  audit(instance: Instance, ids: Int32Array, turn: number): number {
    const place = this.roots[instance.index]!
    const { node, options } = this.#walk(place, ids, turn)
    const values = this.#components.values(ids)
    const run = this.#reference(instance, 'run again later', { instance, values, options, draft: 'plain' })
    const end = this.trie.follow(place, this.#questions(run), ids)
    if (end === undefined || this.trie.words[end] !== node || !this.#leafSays(node, instance, run, ids)) {
      throw impure(instance, 'run again later')
    }
    return node
  }

  #completeFrom(place: number, instance: Instance, ids: Int32Array): void {
    for (;;) {
      const options = this.#missingBelow(this.trie.words[place]!, ids, [])
      if (options === undefined) return
      this.#runAndInsert(place, instance, ids, options)
    }
  }

  /** The choices that lead to the first unknown node for a state; undefined if there is none. */
  #missingBelow(from: number, ids: Int32Array, options: number[]): number[] | undefined {
    const words = this.trie.words
    let node = from
    while (node !== 0) {
      const head = words[node]!
      const kind = head & 3
      if (kind === leaf) return undefined
      if (kind === choice) return this.#missingAmong(node, head >>> 2, ids, options)
      node = this.trie.child(node, ids[head >>> 2]!)
    }
    return options
  }

  #missingAmong(node: number, count: number, ids: Int32Array, options: number[]): number[] | undefined {
    for (let option = 0; option < count; option++) {
      const child = this.trie.words[node + choiceHeader + option]!
      const missing = this.#missingBelow(child, ids, [...options, option])
      if (missing !== undefined) return missing
    }
    return undefined
  }

  #readsBelow(node: number, end: number, ids: Int32Array): number[] | undefined {
    const head = this.trie.words[node]!
    const kind = head & 3
    if (kind === leaf) return node === end ? [] : undefined
    if (kind !== choice) {
      const component = head >>> 2
      const below = this.#readsBelow(this.trie.child(node, ids[component]!), end, ids)
      return below && [component, ...below]
    }
    for (let option = 0; option < head >>> 2; option++) {
      const below = this.#readsBelow(this.trie.words[node + choiceHeader + option]!, end, ids)
      if (below !== undefined) return below
    }
    return undefined
  }

  #walk(place: number, ids: Int32Array, turn: number): { node: number; options: number[] } {
    const { words } = this.trie
    const options: number[] = []
    let node = words[place]!
    while ((words[node]! & 3) !== leaf) {
      const count = words[node]! >>> 2
      if ((words[node]! & 3) !== choice) node = this.trie.child(node, ids[count]!)
      else {
        const option = turn % count
        options.push(option)
        node = words[node + choiceHeader + option]!
      }
    }
    return { node, options }
  }

  #runAndInsert(place: number, instance: Instance, ids: Int32Array, options: readonly number[]): void {
    const values = this.#components.values(ids)
    const run = this.#runner.run({ instance, values, options, draft: 'plain' })
    if (this.#secondRuns[instance.actionIndex]!.isDue()) this.#runAgain(instance, values, options, run)
    this.#quotientCheck?.outcome(instance, values, options, run)
    this.#count(instance.actionIndex, run)
    const end = this.trie.follow(place, this.#questions(run), ids)
    if (end === undefined || this.trie.words[end] !== 0) {
      throw impure(instance, 'run on another state with the same values in what it had read')
    }
    this.#insertLeaf(end, instance, ids, run)
  }

  /** Runs a recipe on the reference draft, and compares. */
  #runAgain(instance: Instance, values: readonly Plain[], options: readonly number[], run: RecipeRun): void {
    const { touched: touching, storesContainers: mayStoreContainers, written: expected } = run
    const when = 'run a second time'
    const draft = 'immer' as const
    const request = { instance, values, options, draft, touching, mayStoreContainers, expected }
    if (!sameRun(run, this.#reference(instance, when, request))) throw impure(instance, when)
  }

  #count(action: number, { passed, blockedBy }: RecipeRun): void {
    this.recipeRuns[action]!++
    for (const { guard } of passed) this.guards[action]!.add(guard)
    if (blockedBy !== undefined) this.guards[action]!.add(blockedBy)
  }

  /** A run that must do what an earlier run did. */
  #reference(instance: Instance, when: string, request: RunRequest): RecipeRun {
    try {
      return this.#runner.run(request)
    } catch (error) {
      throw impure(instance, when, error)
    }
  }

  #questions(run: RecipeRun): Question[] {
    return run.path.map((item, position) => {
      const note = this.notes.numberOf(guardsAt(run, position))
      return item.kind === 'read'
        ? { kind: 'read', slot: item.component, note }
        : { kind: 'choice', options: item.options.length, taken: item.taken, note }
    })
  }

  #insertLeaf(place: number, instance: Instance, ids: Int32Array, run: RecipeRun): void {
    const note = this.#leafNote(run)
    if (run.blockedBy !== undefined) this.trie.makeLeaf(place, disabled, note, 0)
    else this.#outcomes.make(place, note, this.takenId(instance, choicesOf(run)), run, ids)
  }

  #leafNote(run: RecipeRun): number {
    return this.notes.numberOf(guardsAt(run, run.path.length), run.blockedBy)
  }

  #leafSays(node: number, instance: Instance, run: RecipeRun, ids: Int32Array): boolean {
    const { words } = this.trie
    if (words[node + 1] !== this.#leafNote(run)) return false
    if (words[node]! >>> 2 === disabled) return run.blockedBy !== undefined
    return this.#outcomes.says(node, this.takenId(instance, choicesOf(run)), run, ids)
  }

  /** The number of the step that an instance takes with these choices. */
  takenId(instance: Instance, choices: readonly Choice[]): number {
    const text = `${instance.index} ${JSON.stringify(choices)}`
    const known = this.#takenIds.get(text)
    if (known !== undefined) return known
    const { action, args } = instance
    this.#takenIds.set(text, this.takens.length)
    const frozen = Object.freeze(choices.map((choice) => Object.freeze(choice)))
    return this.takens.push(Object.freeze({ instance, action: action.name, args, choices: frozen })) - 1
  }

  /** Lists the instance by the component that it is asked about first, and drops it where that rules it out. */
  #listByRoot(instance: number, ids: Int32Array): void {
    const { words } = this.trie
    const root = words[this.roots[instance]!]!
    const head = words[root]!
    if ((head & 3) === leaf) {
      if (head >>> 2 === disabled) this.#live.remove(instance)
      return
    }
    if ((head & 3) === choice) return
    const component = head >>> 2
    this.#live.setRoot(instance, component)
    const child = words[this.trie.child(root, ids[component]!)]!
    if ((child & 3) === leaf && child >>> 2 === disabled) {
      this.#live.ruleOut(instance, component, ids[component]!)
    }
  }
}

function guardsAt(run: RecipeRun, position: number): string[] {
  const guards: string[] = []
  for (const passed of run.passed) if (passed.position === position) guards.push(passed.guard)
  return guards
}

function sameRun(one: RecipeRun, two: RecipeRun): boolean {
  return (
    one.blockedBy === two.blockedBy &&
    samePlain(one.path, two.path) &&
    samePlain(one.passed, two.passed) &&
    one.written.size === two.written.size &&
    [...one.written].every(([component, value]) => samePlain(value, two.written.get(component)))
  )
}

const impure = (instance: Instance, when: string, cause?: unknown): ModelError =>
  impureRecipe(instance.label, `it behaves differently when it is ${when}`, cause)
