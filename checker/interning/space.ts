/** The states of a search and all that is needed to read and extend them. */
import type { Plain } from '../model.ts'
import type { Prepared } from '../prepare.ts'
import { stateOf } from '../shape.ts'
import type { Symmetries } from '../symmetry/symmetries.ts'
import { ActionMemo } from './action-memo.ts'
import { Components } from './components.ts'
import { Edges } from './edges.ts'
import { Layout, type Placement } from './layout.ts'
import { LiveInstances } from './live.ts'
import { MemoryBudget } from './memory.ts'
import { Orbits } from './orbits.ts'
import { PropertyStore } from './property-memo.ts'
import type { MakeStore, StateStore } from './state-store.ts'
import { States } from './states.ts'

/**
 * So many states are repacked in no time, and as tightly as can be. Beyond, each field gets a spare bit, so that the
 * next repacking comes when some component has twice as many values, and all repackings together cost as much as
 * one or two.
 */
const cheaplyRepacked = 2 ** 15

export class Space {
  readonly prepared: Prepared
  readonly components: Components
  readonly live: LiveInstances
  readonly memo: ActionMemo
  readonly judgements: PropertyStore
  readonly states: StateStore
  readonly budget: MemoryBudget
  /** Given if states are explored up to renaming: every state is the representative of its orbit then. */
  readonly orbits: Orbits | undefined
  layout: Layout
  /** Whether some value no longer fits into the layout. */
  outgrown = false
  readonly #placement: Placement
  readonly #scratch: Int32Array
  #words: Int32Array

  /**
   * @param keepsGraph whether every step is kept; states must be expanded in order then
   * @param symmetries what may be renamed, if states are explored up to renaming
   * @param Store holds the states
   */
  constructor(
    prepared: Prepared,
    maximalBytes = Infinity,
    keepsGraph = false,
    symmetries: Symmetries | undefined = undefined,
    Store: MakeStore = States,
  ) {
    const { shape, instances, initial } = prepared
    this.prepared = prepared
    this.components = new Components(shape)
    this.live = new LiveInstances(instances.length, this.components.count)
    this.#placement = Store.placement
    this.components.onNewValue = (component, id) => this.#noteValue(component, id)
    this.layout = new Layout(this.components.sizes, 0, Store.placement)
    this.orbits = symmetries && new Orbits(symmetries, this.components)
    const initialIds = initial.map((values) => this.idsOf(values))
    this.layout = new Layout(this.components.sizes, 0, Store.placement)
    this.outgrown = false
    this.memo = new ActionMemo(prepared, this.components, this.live, this.layout)
    this.judgements = new PropertyStore(shape, this.components)
    const budget = new MemoryBudget(maximalBytes)
    const edges = keepsGraph ? new Edges(budget) : undefined
    this.states = new Store(this.layout.wordCount, instances.length, budget, edges)
    budget.used = () => this.bytes
    this.budget = budget
    this.#scratch = new Int32Array(this.components.count)
    this.#words = new Int32Array(this.layout.wordCount)
    for (const ids of initialIds) this.#addInitial(ids)
  }

  /** Bytes of the engine's own data, estimated where they are not in typed arrays. */
  get bytes(): number {
    return this.states.bytes + this.components.bytes + this.memoBytes
  }

  /** What is kept only to save recipe runs and evaluations. */
  get memoBytes(): number {
    return this.memo.bytes + this.live.bytes + this.judgements.trie.bytes
  }

  /** The ids of canonical values, or of the representative of their orbit. */
  idsOf(values: readonly Plain[]): Int32Array {
    const ids = Int32Array.from(values, (value, index) => this.components.intern(index, value))
    this.orbits?.canonicalise(ids)
    return ids
  }

  /** The ids of the components of a state. */
  read(state: number, ids: Int32Array): void {
    this.states.read(state, this.#words)
    this.layout.unpack(this.#words, ids)
  }

  /** The ids of the components of a packed state. */
  unpack(words: Int32Array, ids: Int32Array): void {
    this.layout.unpack(words, ids)
  }

  /** Takes the ids for those of the state after a step too, which writes nothing yet. */
  repeat(ids: Int32Array): void {
    ids.copyWithin(this.components.count, 0, this.components.count)
  }

  /** A state as people see it. */
  plainState(state: number): Plain {
    this.read(state, this.#scratch)
    return stateOf(this.prepared.shape, this.components.values(this.#scratch))
  }

  /**
   * Makes the fields of the tuples wide enough for all values that were met.
   * @throws MemoryExhausted
   */
  relayout(): void {
    this.states.flush()
    const old = this.layout
    const spareBits = this.states.count < cheaplyRepacked ? 0 : 1
    const layout = new Layout(this.components.sizes, spareBits, this.#placement)
    this.states.repack(layout.wordCount, (from, to) => {
      old.unpack(from, this.#scratch)
      layout.pack(this.#scratch, to)
    })
    this.layout = layout
    this.#words = new Int32Array(layout.wordCount)
    this.memo.relayout(layout)
    this.outgrown = false
  }

  #noteValue(component: number, id: number): void {
    this.live.addValue(component, id)
    if (!this.layout.fits(component, id)) this.outgrown = true
  }

  #addInitial(ids: Int32Array): void {
    const { states } = this
    this.layout.pack(ids, states.candidates.fill(0))
    states.candidateHashes[0] = this.components.hash(ids)
    states.candidateParents[0] = -1
    states.candidateSteps[0] = 0
    states.pending = 1
    states.flush()
  }
}
