/**
 * Gives each state the representative of its orbit: the states that are the same up to renaming.
 *
 * Members are sorted by a signature, a number made of what a state says of a member and not of its name. Members with
 * equal signatures are mostly equal altogether, so that exchanging them changes nothing. Where it does, every order of
 * them is tried and the smallest state is taken. So a signature that tells too little, or collides, costs time and no
 * more: two states have one representative if and only if one is the other renamed.
 */
import { textOf } from '../plain.ts'
import { type Permutation, viewOf } from '../symmetry/names.ts'
import type { Symmetries } from '../symmetry/symmetries.ts'
import type { Components } from './components.ts'
import { Renaming } from './renaming.ts'
import { randomWord } from './values.ts'

/** Renamings that are kept with what they make of values; there may be millions. */
const renamingsKept = 5000

/** Members of a sort in neighbouring positions. */
interface Tie {
  readonly sort: number
  readonly from: number
  readonly to: number
}

export class Orbits {
  readonly symmetries: Symmetries
  /** The components that some renaming may change. */
  readonly moving: Int32Array
  readonly #components: Components
  readonly #renamings = new Map<string, Renaming>()
  /** Per sort, the exchanges of neighbours. */
  readonly #exchanges: readonly (readonly Renaming[])[]
  /** The first member of each sort among all members. */
  readonly #firsts: readonly number[]
  readonly #signatures: Int32Array
  /** Per component, by id: what its value says of each member. */
  readonly #contributions: (Int32Array | undefined)[][]
  /** Per component, by id: a word of the value, the same in all components of a family. */
  readonly #ranks: number[][]
  readonly #scratch: Int32Array

  constructor(symmetries: Symmetries, components: Components) {
    this.symmetries = symmetries
    this.#components = components
    this.moving = Int32Array.from(
      symmetries.components.flatMap(({ owners, cursors }, index) =>
        owners.length > 0 || cursors.length > 0 ? [index] : [],
      ),
    )
    let members = 0
    this.#firsts = symmetries.sorts.map((sort) => {
      members += sort.members.length
      return members - sort.members.length
    })
    this.#signatures = new Int32Array(members)
    this.#contributions = symmetries.components.map(() => [])
    this.#ranks = symmetries.components.map(() => [])
    this.#scratch = new Int32Array(components.count)
    const generators = symmetries.generators.map((each) => this.renaming(each))
    this.#exchanges = symmetries.sorts.map((_, sort) =>
      generators.filter(({ permutation }) => permutation[sort]!.some((image, member) => image !== member)),
    )
  }

  renaming(permutation: Permutation): Renaming {
    const key = permutation.join(';')
    const known = this.#renamings.get(key)
    if (known !== undefined) return known
    if (this.#renamings.size >= renamingsKept) this.#renamings.clear()
    const renaming = new Renaming(permutation, this.symmetries, this.#components)
    this.#renamings.set(key, renaming)
    return renaming
  }

  /** Replaces a state by the representative of its orbit. */
  canonicalise(ids: Int32Array): void {
    this.#sign(ids)
    const order = this.symmetries.sorts.map((_, sort) => this.#sorted(sort))
    if (order.some((members) => members.some((member, position) => member !== position))) {
      this.#rename(ids, order)
    }
    const ties = this.#tiesOf(ids, order)
    if (ties.length > 0) this.#takeSmallest(ids, ties)
  }

  #sign(ids: Int32Array): void {
    const { moving } = this
    const signatures = this.#signatures.fill(0)
    for (let index = 0; index < moving.length; index++) {
      const component = moving[index]!
      const id = ids[component]!
      const words = this.#contributions[component]![id] ?? this.#contribution(component, id)
      for (let at = 0; at < words.length; at += 2) signatures[words[at]!]! += words[at + 1]!
    }
  }

  /** Pairs of a member and a word: what a value says of those that own it or occur in it. */
  #contribution(component: number, id: number): Int32Array {
    const { sorts, components } = this.symmetries
    const { family, owners, cursors } = components[component]!
    const value = this.#components.tables[component]!.value(id)
    const pairs: number[] = []
    sorts.forEach(({ members }, sort) => {
      members.forEach((_, member) => {
        const roles = owners.map((owner) => Number(owner.sort === sort && owner.member === member))
        const text = viewOf(value, cursors, sorts, { sort, member })
        if (!roles.includes(1) && !text.includes('@self')) return
        pairs.push(this.#firsts[sort]! + member, randomWord(`${family} ${roles.join()}`, text))
      })
    })
    const words = Int32Array.from(pairs)
    this.#contributions[component]![id] = words
    return words
  }

  /** The members of a sort in the order of their signatures, then of their names. */
  #sorted(sort: number): number[] {
    const first = this.#firsts[sort]!
    const signatures = this.#signatures
    const order: number[] = []
    for (let member = 0; member < this.symmetries.sorts[sort]!.members.length; member++) {
      let at = order.length
      while (at > 0 && signatures[first + order[at - 1]!]! > signatures[first + member]!) at--
      order.splice(at, 0, member)
    }
    return order
  }

  /** @param order by sort, which member takes the name of the first, of the second, ... */
  #rename(ids: Int32Array, order: Permutation): void {
    const permutation = order.map((members) => {
      const images: number[] = new Array(members.length)
      members.forEach((member, position) => {
        images[member] = position
      })
      return images
    })
    const scratch = this.#scratch
    this.renaming(permutation).apply(ids, scratch, this.moving)
    for (const component of this.moving) ids[component] = scratch[component]!
  }

  /** The runs of members that have equal signatures, and of which not every order gives the same state. */
  #tiesOf(ids: Int32Array, order: Permutation): Tie[] {
    const ties: Tie[] = []
    order.forEach((members, sort) => {
      const signature = (position: number) => this.#signatures[this.#firsts[sort]! + members[position]!]!
      for (let from = 0, to = 0; from < members.length; from = to) {
        let same = true
        for (to = from + 1; to < members.length && signature(to) === signature(from); to++)
          same = same && this.#isFixed(ids, this.#exchanges[sort]![to - 1]!)
        if (!same) ties.push({ sort, from, to })
      }
    })
    return ties
  }

  #isFixed(ids: Int32Array, exchange: Renaming): boolean {
    const { moving } = this
    for (let index = 0; index < moving.length; index++) {
      const component = moving[index]!
      if (ids[exchange.target(component)]! !== exchange.image(component, ids[component]!)) return false
    }
    return true
  }

  /** Tries every order of the members of each tie. */
  #takeSmallest(ids: Int32Array, ties: readonly Tie[]): void {
    const begun = ids.slice()
    const candidate = ids.slice()
    for (const order of this.#ordersOf(ties)) {
      candidate.set(begun)
      this.#rename(candidate, order)
      if (this.#isSmaller(candidate, ids)) ids.set(candidate)
    }
  }

  *#ordersOf(ties: readonly Tie[]): Generator<Permutation> {
    const [tie, ...others] = ties
    if (tie === undefined) {
      yield this.symmetries.identity
      return
    }
    for (const rest of this.#ordersOf(others)) {
      const members = rest[tie.sort]!
      for (const tied of ordersOf(members.slice(tie.from, tie.to))) {
        const order = [...members.slice(0, tie.from), ...tied, ...members.slice(tie.to)]
        yield rest.map((each, sort) => (sort === tie.sort ? order : each))
      }
    }
  }

  /** An order of states that depends on values only, and not on their ids. */
  #isSmaller(one: Int32Array, other: Int32Array): boolean {
    for (const component of this.moving) {
      const [a, b] = [one[component]!, other[component]!]
      if (a === b) continue
      const [rankOfA, rankOfB] = [this.#rank(component, a), this.#rank(component, b)]
      if (rankOfA !== rankOfB) return rankOfA < rankOfB
      const { tables } = this.#components
      return textOf(tables[component]!.value(a)) < textOf(tables[component]!.value(b))
    }
    return false
  }

  #rank(component: number, id: number): number {
    const known = this.#ranks[component]![id]
    if (known !== undefined) return known
    const rank = randomWord('', textOf(this.#components.tables[component]!.value(id)))
    this.#ranks[component]![id] = rank
    return rank
  }
}

function* ordersOf(items: readonly number[]): Generator<number[]> {
  if (items.length <= 1) {
    yield [...items]
    return
  }
  for (const [index, item] of items.entries()) {
    for (const rest of ordersOf([...items.slice(0, index), ...items.slice(index + 1)])) yield [item, ...rest]
  }
}
