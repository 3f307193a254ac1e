/**
 * What is known about the actions: per instance a trie over the components that its recipe read and the choices it
 * made. Its leaves say 'disabled', or what is written. A recipe runs once per distinct path; the search itself only
 * looks up integers.
 *
 * Outcome leaves, in words after the leaf's header: see the offsets below. A write is known if the old value is
 * fixed by the path (the component was read), blind otherwise. For known writes the words of the state change by a
 * constant xor, which is kept ready for the current layout.
 */
import { ModelError } from '../errors.ts'
import type { Instance } from '../instances.ts'
import type { Choice, Taken } from '../model.ts'
import { textOf } from '../plain.ts'
import { type RecipeRun, RecipeRunner } from '../recipe-run.ts'
import type { Shape } from '../shape.ts'
import { choicesOf } from '../stepper.ts'
import type { Components } from './components.ts'
import type { Layout } from './layout.ts'
import type { LiveInstances } from './live.ts'
import * as trieFormat from './trie.ts'
import { choiceHeader, leaf, leafHeader, type Question, Trie } from './trie.ts'

/** Flags of leaves. */
export const disabled = 0
export const outcome = 1

/** Of an outcome: which instance with which choices was taken. */
export const takenAt = leafHeader
/** By what the hash changes, apart from the old values of blind writes. */
export const hashChangeAt = leafHeader + 1
/** Number of (word, xor) pairs; of known writes, which is also the room for pairs; of blind writes. */
export const pairCountAt = leafHeader + 2
export const knownCountAt = leafHeader + 3
export const blindCountAt = leafHeader + 4
/** Then the pairs, the known writes (component, old id, new id), the blind writes (component, new id). */
export const pairsAt = leafHeader + 5
export const knownAt = (known: number): number => pairsAt + 2 * known
export const blindAt = (known: number): number => pairsAt + 5 * known

/** The guards that were passed on the way to a node, and (of a disabled leaf) the one that was not. */
export interface Note {
  readonly passed: readonly string[]
  readonly blockedBy?: string
}

export interface TakenBy extends Taken {
  readonly instance: Instance
}

export class ActionMemo {
  readonly trie = new Trie()
  /** By instance, the place of the first node. */
  readonly roots: Int32Array
  readonly takens: TakenBy[] = []
  /** By note number. */
  readonly notes: Note[] = [{ passed: [] }]
  /** By action. */
  readonly recipeRuns: number[]
  /** Outcome leaves, whose pairs follow the layout. */
  readonly #outcomes: number[] = []
  readonly #components: Components
  readonly #live: LiveInstances
  readonly #runner: RecipeRunner
  readonly #takenIds = new Map<string, number>()
  readonly #noteIds = new Map<string, number>([[textOf([[], null]), 0]])
  #layout: Layout

  constructor(
    shape: Shape,
    instances: readonly Instance[],
    actions: number,
    components: Components,
    live: LiveInstances,
    layout: Layout,
  ) {
    this.#components = components
    this.#live = live
    this.#layout = layout
    this.#runner = new RecipeRunner(shape)
    this.recipeRuns = new Array(actions).fill(0)
    this.roots = Int32Array.from(instances, () => this.trie.allocate(1))
  }

  get bytes(): number {
    return this.trie.bytes + 8 * this.#outcomes.length
  }

  /** Runs the recipe of an instance for a state until its trie answers every question that the state raises. */
  complete(instance: Instance, ids: Int32Array): void {
    this.#completeFrom(this.roots[instance.index]!, instance, ids)
    this.#noteRoot(instance.index, ids)
  }

  /** Whether the trie at a place answers every question that a state raises. */
  isComplete(place: number, ids: Int32Array): boolean {
    return this.#missing(place, ids) === undefined
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
    while (this.#outcomes.length > 0 && this.#outcomes.at(-1)! > place) this.#outcomes.pop()
    this.trie.truncate(place)
  }

  /** Brings the outcomes into line with a new layout. */
  relayout(layout: Layout): void {
    this.#layout = layout
    for (const node of this.#outcomes) this.#writePairs(node)
  }

  /** Runs a recipe again, and compares with what is remembered. */
  audit(instance: Instance, ids: Int32Array): void {
    const values = this.#components.values(ids)
    const options: number[] = []
    const run = this.#runner.run({ instance, values, options, draft: 'plain' })
    const place = this.trie.follow(this.roots[instance.index]!, this.#questions(run), ids)
    const node = place === undefined ? 0 : this.trie.words[place]!
    if (node === 0 || !this.#leafSays(node, instance, run, ids)) throw impure(instance, 'run again later')
  }

  #completeFrom(place: number, instance: Instance, ids: Int32Array): void {
    let options = this.#missing(place, ids)
    while (options !== undefined) {
      this.#runAndInsert(place, instance, ids, options)
      options = this.#missing(place, ids)
    }
  }

  /** The choices that lead to the first unknown node for a state; undefined if there is none. */
  #missing(place: number, ids: Int32Array): number[] | undefined {
    const words = this.trie.words
    const search = (node: number, options: number[]): number[] | undefined => {
      if (node === 0) return options
      const kind = words[node]! & 3
      if (kind === leaf) return undefined
      if (kind !== trieFormat.choice) return search(this.trie.child(node, ids[words[node]! >>> 2]!), options)
      for (let option = 0; option < words[node]! >>> 2; option++) {
        const missing = search(words[node + choiceHeader + option]!, [...options, option])
        if (missing !== undefined) return missing
      }
      return undefined
    }
    return search(words[place]!, [])
  }

  #runAndInsert(place: number, instance: Instance, ids: Int32Array, options: readonly number[]): void {
    const values = this.#components.values(ids)
    const run = this.#runner.run({ instance, values, options, draft: 'plain' })
    const reference = this.#referenceRun(instance, { instance, values, options, draft: 'immer' })
    if (!sameRun(run, reference)) throw impure(instance, 'run a second time')
    this.recipeRuns[instance.actionIndex]!++
    const end = this.trie.follow(place, this.#questions(run), ids)
    if (end === undefined || this.trie.words[end] !== 0) {
      throw impure(instance, 'run on another state with the same values in what it had read')
    }
    this.#insertLeaf(end, instance, ids, run)
  }

  #referenceRun(instance: Instance, request: Parameters<RecipeRunner['run']>[0]): RecipeRun {
    try {
      return this.#runner.run(request)
    } catch (error) {
      throw impure(instance, 'run a second time', error)
    }
  }

  #questions(run: RecipeRun): Question[] {
    return run.path.map((item, position) => {
      const note = this.#noteId(this.#guardsAt(run, position))
      return item.kind === 'read'
        ? { kind: 'read', slot: item.component, note }
        : { kind: 'choice', options: item.options.length, taken: item.taken, note }
    })
  }

  #guardsAt(run: RecipeRun, position: number): string[] {
    return run.passed.filter((guard) => guard.position === position).map(({ guard }) => guard)
  }

  #noteId(passed: readonly string[], blockedBy?: string): number {
    const text = textOf([[...passed], blockedBy ?? null])
    const known = this.#noteIds.get(text)
    if (known !== undefined) return known
    this.#noteIds.set(text, this.notes.length)
    return this.notes.push({ passed, ...(blockedBy === undefined ? {} : { blockedBy }) }) - 1
  }

  #insertLeaf(place: number, instance: Instance, ids: Int32Array, run: RecipeRun): void {
    const passed = this.#guardsAt(run, run.path.length)
    const note = this.#noteId(passed, run.blockedBy)
    if (run.blockedBy !== undefined) {
      this.trie.makeLeaf(place, disabled, note, 0)
      return
    }
    const { known, blind, hashChange } = this.#writes(run, ids)
    const size = blindAt(known.length) + 2 * blind.length - leafHeader
    const node = this.trie.makeLeaf(place, outcome, note, size)
    const words = this.trie.words
    words[node + takenAt] = this.#takenId(instance, choicesOf(run))
    words[node + hashChangeAt] = hashChange
    words[node + knownCountAt] = known.length
    words[node + blindCountAt] = blind.length
    words.set(known.flat(), node + knownAt(known.length))
    words.set(blind.flat(), node + blindAt(known.length))
    this.#writePairs(node)
    this.#outcomes.push(node)
  }

  #writes(run: RecipeRun, ids: Int32Array) {
    const read = new Set(run.path.map((item) => (item.kind === 'read' ? item.component : -1)))
    const known: [component: number, oldId: number, newId: number][] = []
    const blind: [component: number, newId: number][] = []
    let hashChange = 0
    for (const [component, value] of run.written) {
      const newId = this.#components.intern(component, value)
      const oldId = ids[component]!
      if (read.has(component) && newId === oldId) continue
      const { randomWords } = this.#components.tables[component]!
      hashChange ^= randomWords[newId]!
      if (!read.has(component)) blind.push([component, newId])
      else {
        hashChange ^= randomWords[oldId]!
        known.push([component, oldId, newId])
      }
    }
    return { known, blind, hashChange }
  }

  #takenId(instance: Instance, choices: readonly Choice[]): number {
    const text = `${instance.index} ${JSON.stringify(choices)}`
    const known = this.#takenIds.get(text)
    if (known !== undefined) return known
    const { action, args } = instance
    this.#takenIds.set(text, this.takens.length)
    const frozen = Object.freeze(choices.map((choice) => Object.freeze(choice)))
    return this.takens.push(Object.freeze({ instance, action: action.name, args, choices: frozen })) - 1
  }

  /** What the known writes do to the words of a state: one xor for each word that they touch. */
  #writePairs(node: number): void {
    const words = this.trie.words
    const known = words[node + knownCountAt]!
    const changes = new Map<number, number>()
    for (let index = 0; index < known; index++) {
      const at = node + knownAt(known) + 3 * index
      const [component, oldId, newId] = [words[at]!, words[at + 1]!, words[at + 2]!]
      const word = this.#layout.word[component]!
      changes.set(word, (changes.get(word) ?? 0) ^ ((oldId ^ newId) << this.#layout.shift[component]!))
    }
    words[node + pairCountAt] = changes.size
    words.set([...changes].flat(), node + pairsAt)
  }

  /** Lists the instance by the component that it is asked about first, and drops it where that rules it out. */
  #noteRoot(instance: number, ids: Int32Array): void {
    const words = this.trie.words
    const root = words[this.roots[instance]!]!
    const head = words[root]!
    const listedEverywhere = (this.#live.always[instance >>> 5]! >>> (instance & 31)) & 1
    if ((head & 3) === leaf) {
      if (head >>> 2 === disabled) this.#live.remove(instance)
      return
    }
    if ((head & 3) === trieFormat.choice) return
    const component = head >>> 2
    if (listedEverywhere) this.#live.setRoot(instance, component)
    const child = words[this.trie.child(root, ids[component]!)]!
    if ((child & 3) === leaf && child >>> 2 === disabled)
      this.#live.ruleOut(instance, component, ids[component]!)
  }

  #leafSays(node: number, instance: Instance, run: RecipeRun, ids: Int32Array): boolean {
    const words = this.trie.words
    if (words[node]! >>> 2 === disabled) return this.notes[words[node + 1]!]!.blockedBy === run.blockedBy
    if (run.blockedBy !== undefined) return false
    const { known, blind } = this.#writes(run, ids)
    const knownCount = words[node + knownCountAt]!
    const blindFrom = node + blindAt(knownCount)
    return (
      words[node + takenAt] === this.#takenId(instance, choicesOf(run)) &&
      known.flat().join() === words.slice(node + knownAt(knownCount), blindFrom).join() &&
      blind.flat().join() === words.slice(blindFrom, blindFrom + 2 * words[node + blindCountAt]!).join()
    )
  }
}

function sameRun(one: RecipeRun, two: RecipeRun): boolean {
  const text = ({ path, passed, blockedBy, written }: RecipeRun) =>
    JSON.stringify([path, passed, blockedBy ?? null, [...written]])
  return text(one) === text(two)
}

function impure(instance: Instance, when: string, cause?: unknown): ModelError {
  return new ModelError(
    {
      code: 'impure-recipe',
      found: `it behaves differently when it is ${when}${cause instanceof Error ? ` (${cause.message})` : ''}`,
      where: instance.label,
      expected: 'a recipe that depends on nothing but the state, its arguments and its choices',
      fix: 'look for variables outside of the recipe, clocks, random numbers and stored constants that are changed later',
    },
    cause === undefined ? undefined : { cause },
  )
}
