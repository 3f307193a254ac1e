/** What a search needs of whatever holds its states. There are two such stores: `states.ts` and `tree-states.ts`. */
import type { Edges } from './edges.ts'
import type { Placement } from './layout.ts'
import type { MemoryBudget } from './memory.ts'

/** Candidates per batch: enough for the misses to overlap, few enough for the batch to stay in the first cache. */
export const batchSize = 512

/**
 * All states found, in the order in which they were found, each with its parent and the instance of the step that
 * first led to it. Candidates are handed over in batches; whoever finds states writes them into the arrays.
 */
export interface StateStore {
  /** Words per state, as they are handed over and read. */
  readonly wordCount: number
  readonly count: number
  /** The candidates that wait to be looked up. */
  pending: number
  readonly candidates: Int32Array
  readonly candidateHashes: Int32Array
  readonly candidateParents: Int32Array
  /** Instance + 1; 0 for an initial state. */
  readonly candidateSteps: Int32Array
  /** By instance + 1: the new states that it led to. */
  readonly newBySteps: Float64Array
  /** Keeps every step, if given. */
  readonly edges: Edges | undefined
  readonly bytes: number

  /** Copies the words of a state. */
  read(state: number, into: Int32Array): void
  /** The hash that a state was handed over with, or 0 if the store makes its own. */
  hash(state: number): number
  /** The state from which a state was found first; -1 for an initial state. */
  parent(state: number): number
  /** The instance of the step by which a state was found first; -1 for an initial state. */
  instance(state: number): number
  /**
   * Looks the pending candidates up, in order, and appends those that are new.
   * @throws MemoryExhausted if there is no room for them; they are lost then, and what was found before may be
   */
  flush(): void
  /**
   * Gives every state another layout. Nothing may be pending.
   * @throws MemoryExhausted
   */
  repack(wordCount: number, convert: (from: Int32Array, to: Int32Array) => void): void
}

/** Makes a store for states of so many words. */
export interface MakeStore {
  new (wordCount: number, instances: number, budget: MemoryBudget, edges?: Edges): StateStore
  /** How the components of its states are best put into words. */
  readonly placement: Placement
}
