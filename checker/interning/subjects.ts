/** What is tested for equivariance: actions and properties, each as one thing with several instances or judges. */
import type { Instance } from '../instances.ts'
import { labelOf } from '../instances.ts'
import type { Plain } from '../model.ts'
import { textOf } from '../plain.ts'
import type { Judge } from '../property-run.ts'
import type { ActionMemo, TakenBy } from './action-memo.ts'
import type { JudgedProperty } from './judging.ts'
import { blindAt, blindCountAt, knownAt, knownCountAt, outcome } from './outcomes.ts'
import { fails, notGiven, type PropertyMemo } from './property-memo.ts'
import type { Renaming } from './renaming.ts'
import type { Space } from './space.ts'

/** What an instance, or a judge, says of a state. */
export interface Answer {
  readonly reads: ReadonlySet<number>
  /** Whether it made a choice: then what it says does not depend on one leaf of its trie. */
  readonly chooses: boolean
  /** In ids, so that it can be renamed: what is written for each path of choices; or a judgement. */
  readonly outcomes: readonly (readonly Write[])[]
  readonly judgement?: number
}

export type Write = readonly [component: number, oldId: number, newId: number]

export interface Subject {
  readonly label: string
  /** How many it has, from 0 on. */
  readonly actors: number
  /** 2 for properties of steps, which see two states. */
  readonly states: 1 | 2
  /** Whether nothing is asked of it any more. */
  readonly isSettled: boolean
  look(actor: number, ids: Int32Array, step: number): Answer
  image(actor: number, renaming: Renaming): number
  imageOfStep(step: number, renaming: Renaming): number
  /** Another way in which its judges may be renamed, if there is one. */
  reinterpret(): boolean
  labelOf(actor: number, step: number): string
  describe(answer: Answer): string
}

/** The instances of an action. */
export class ActionSubject implements Subject {
  readonly label: string
  readonly states = 1
  readonly isSettled = false
  readonly #space: Space
  readonly #instances: readonly Instance[]
  /** The first one among all; an action may have none. */
  readonly #first: number

  constructor(space: Space, name: string, instances: readonly Instance[]) {
    this.label = `action ${name}`
    this.#space = space
    this.#instances = instances
    this.#first = instances[0]?.index ?? 0
  }

  get actors(): number {
    return this.#instances.length
  }

  actorOf({ index }: Instance): number {
    return index - this.#first
  }

  look(actor: number, ids: Int32Array): Answer {
    const { memo } = this.#space
    const instance = this.#instances[actor]!
    if (!memo.isComplete(memo.roots[instance.index]!, ids)) memo.complete(instance, ids)
    const { reads, leaves, chooses } = memo.walk(instance.index, ids)
    const { words } = memo.trie
    const happening = leaves.filter((leaf) => words[leaf]! >>> 2 === outcome)
    return { reads, chooses, outcomes: happening.map((leaf) => writesOf(memo, leaf, ids)) }
  }

  image(actor: number, { permutation }: Renaming): number {
    return this.#space.orbits!.symmetries.instance(this.#first + actor, permutation) - this.#first
  }

  imageOfStep(): number {
    return 0
  }

  reinterpret(): boolean {
    return false
  }

  labelOf(actor: number): string {
    return this.#instances[actor]!.label
  }

  describe({ outcomes }: Answer): string {
    if (outcomes.length === 0) return 'it is disabled'
    const { tables } = this.#space.components
    const { components } = this.#space.prepared.shape
    const text = (writes: readonly Write[]) =>
      writes.length === 0
        ? 'nothing'
        : writes
            .map(
              ([component, , id]) => `${components[component]} = ${shortText(tables[component]!.value(id))}`,
            )
            .join(', ')
    return `it writes ${outcomes.map(text).join('; or ')}`
  }
}

function writesOf(memo: ActionMemo, leaf: number, ids: Int32Array): Write[] {
  const { words } = memo.trie
  const known = words[leaf + knownCountAt]!
  const blindFrom = leaf + blindAt(known)
  const writes: Write[] = []
  for (let at = leaf + knownAt(known); at < blindFrom; at += 3) {
    writes.push([words[at]!, words[at + 1]!, words[at + 2]!])
  }
  for (let at = blindFrom; at < blindFrom + 2 * words[leaf + blindCountAt]!; at += 2) {
    writes.push([words[at]!, ids[words[at]!]!, words[at + 1]!])
  }
  return writes
}

/**
 * A property, or another function that judges, with its judges. If it is judged for each of several things, these may
 * be names or not: that they are the members of a sort is tried first, that they are not if this does not hold.
 */
export class JudgedSubject implements Subject {
  readonly label: string
  readonly states: 1 | 2
  readonly #space: Space
  readonly #memos: readonly PropertyMemo[]
  readonly #property: JudgedProperty | undefined
  /** What the property is judged for, one by one, if it is. */
  readonly #things: readonly Plain[] | undefined
  /** Whether these are taken for names. */
  #renames: boolean

  constructor(space: Space, memos: readonly PropertyMemo[], property?: JudgedProperty) {
    const { label, judges }: Judge = memos[0]!.judge
    this.label = label
    this.states = judges === 'states' ? 1 : 2
    this.#space = space
    this.#memos = memos
    this.#property = property
    const declared = space.prepared.properties.find(({ name }) => name === property?.name)
    this.#things = declared?.kind === 'always' ? declared.each : undefined
    this.#renames = this.#things !== undefined
  }

  get actors(): number {
    return this.#memos.length
  }

  get isSettled(): boolean {
    return this.#property?.settled !== undefined
  }

  look(actor: number, ids: Int32Array, step: number): Answer {
    const memo = this.#memos[actor]!
    const taken = this.states === 1 ? undefined : this.#space.memo.takens[step]
    const judgement = memo.judgement(ids, step, taken)
    const slots: number[] = []
    memo.addAsked(ids, step, slots)
    return { reads: new Set(slots), chooses: false, outcomes: [], judgement }
  }

  image(actor: number, { permutation }: Renaming): number {
    if (!this.#renames) return actor
    const things = this.#things!
    const { sorts } = this.#space.orbits!.symmetries
    const sort = sorts.findIndex(({ members }) => members.every((member) => things.includes(member)))
    const member = sorts[sort]?.members.indexOf(things[actor] as string) ?? -1
    return member < 0 ? actor : things.indexOf(sorts[sort]!.members[permutation[sort]![member]!]!)
  }

  imageOfStep(step: number, { permutation }: Renaming): number {
    if (this.states === 1) return 0
    const { memo, prepared, orbits } = this.#space
    const { instance, choices } = memo.takens[step] as TakenBy
    const image = orbits!.symmetries.instance(instance.index, permutation)
    return memo.takenId(prepared.instances[image]!, orbits!.symmetries.choices(choices, permutation))
  }

  reinterpret(): boolean {
    const renamed = this.#renames
    this.#renames = false
    return renamed
  }

  labelOf(actor: number, step: number): string {
    if (this.actors > 1) return `${this.label} for ${textOf(this.#things![actor]!)}`
    if (this.states === 1) return this.label
    const { action, args } = this.#space.memo.takens[step]!
    return `${this.label} on ${labelOf(action, args)}`
  }

  describe({ judgement }: Answer): string {
    if (judgement === notGiven) return 'its antecedent is false'
    return judgement === fails ? 'it is false' : 'it is true'
  }
}

const longest = 120

/** A value for people, cut where it is too long for a message. */
export function shortText(value: Plain): string {
  const text = textOf(value)
  return text.length <= longest ? text : `${text.slice(0, longest)}...`
}
