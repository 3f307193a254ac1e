/** What a check returns: data only. One formatter per output prints it. */
import type { Plain } from './model.ts'
import type { FailedPart, Trace } from './trace.ts'

/**
 * Per property. `proved`: every reachable state within the configured bounds was visited. `bounded`: a limit was
 * hit, see `CheckResult.limit`. `sampled`: random walks met nothing, see `CheckResult.sample`. `inconclusive`: the
 * search ended before this property was settled.
 */
export type PropertyVerdict =
  | 'proved'
  | 'violated'
  | 'witnessed'
  | 'unwitnessed'
  | 'bounded'
  | 'sampled'
  | 'inconclusive'

/** Of the run: `violated` if any is violated or unwitnessed, else the weakest of the others. */
export type RunVerdict = 'proved' | 'violated' | 'bounded' | 'sampled' | 'inconclusive'

export type PropertyKind =
  | 'always'
  | 'transition'
  | 'reachable'
  | 'deadlock'
  | 'eventually'
  | 'leadsTo'
  | 'alwaysEventually'

export interface PropertyResult {
  readonly name: string
  readonly kind: PropertyKind
  readonly verdict: PropertyVerdict
  /** The antecedent never held, or (reachable) the property was not witnessed. */
  readonly vacuous: boolean
  /**
   * Level at which it was violated or witnessed; the initial states are level 1, a trace has depth - 1 steps. Of a
   * liveness property, the number of states of its trace, the loop included.
   */
  readonly depth?: number
  readonly failed?: FailedPart
  readonly trace?: Trace
  /** Why it is inconclusive, bounded or sampled; of a goal that cannot be reached, what may be wrong with it. */
  readonly reason?: string
  /** Of a violated one, if they were asked for: counterexamples that need different faults. */
  readonly ways?: Ways
}

/** A counterexample, and the kinds of faults that happen in it: it is the shortest one that needs no other. */
export interface Way {
  readonly faults: readonly string[]
  /** Whether none of these kinds can be done without; if not, a search for fewer hit a limit. */
  readonly isMinimal: boolean
  readonly trace: Trace
}

export interface Ways {
  /** Shortest first; no set of faults contains another. */
  readonly found: readonly Way[]
  /** Whether each set of faults that breaks the property contains one of those found, within the configured bounds. */
  readonly complete: boolean
  /** Why it is not complete. */
  readonly reason?: string
  /** How many searches it took, besides the one that found the violation. */
  readonly searches: number
}

export interface ActionCoverage {
  readonly name: string
  /** Pairs of instance and expanded state: the action was tried, or known to be disabled. */
  readonly tried: number
  /** Transitions that it made (one for each path of choices), and those that led to a new state. */
  readonly fired: number
  readonly newStates: number
  /** Runs of the recipe, the runs of the impurity check not counted; they served all of `tried`. */
  readonly recipeRuns: number
}

/** How often a named guard was reached and found true or false, weighted by the states in which that happened. */
export interface GuardCoverage {
  readonly action: string
  readonly guard: string
  readonly passed: number
  readonly blocked: number
}

export interface ComponentCoverage {
  readonly path: string
  readonly values: number
}

export interface PropertyCoverage {
  readonly name: string
  readonly evaluations: number
  /** States or transitions that these evaluations served. */
  readonly served: number
}

export interface Coverage {
  readonly actions: readonly ActionCoverage[]
  readonly guards: readonly GuardCoverage[]
  readonly components: readonly ComponentCoverage[]
  readonly properties: readonly PropertyCoverage[]
  /** All recipe runs for transitions (properties apart), the runs of the impurity check not counted. */
  readonly recipeRuns: number
}

export interface Limit {
  readonly kind: 'states' | 'depth' | 'memory' | 'time' | 'interrupted' | 'constraint'
  readonly value: number
  /** Every state of the levels up to this one was expanded. */
  readonly completeToDepth: number
}

/** What a simulation walked. */
export interface Sample {
  readonly seed: number
  /** Walks begun, the steps of all of them, and the walks that ended because they had reached `maxDepth` levels. */
  readonly walks: number
  readonly steps: number
  readonly reachedMaxDepth: number
  readonly maxDepth: number
  /** Weights by the name of the action, as given. */
  readonly bias: Readonly<Record<string, number>>
}

/** How states were counted. */
export interface SymmetryUsed {
  /** What was renamed, and how many there are of each; empty if nothing was. */
  readonly sorts: readonly { readonly sort: string; readonly members: number }[]
  /** How often it was tested that renaming changes nothing, and whether that was every case. */
  readonly tests: number
  readonly complete: boolean
  /** Why what is declared to be interchangeable was not renamed. */
  readonly unused?: string
}

export interface CheckResult {
  readonly model: string
  readonly config: Plain
  readonly defencesOff: readonly string[]
  readonly verdict: RunVerdict
  /**
   * Distinct reachable states, up to renaming if `symmetry` says so; initial states plus every successor found of
   * these, repeats and self-loops included.
   */
  readonly states: { readonly distinct: number; readonly generated: number }
  /** Levels of the breadth-first search, or of the longest walk; the initial states are level 1. */
  readonly depth: number
  readonly properties: readonly PropertyResult[]
  readonly coverage: Coverage
  /** Present if the model declares interchangeable participants and they were not switched off. */
  readonly symmetry?: SymmetryUsed
  readonly limit?: Limit
  /** Of a simulation. */
  readonly sample?: Sample
  readonly elapsedMs: number
  readonly workers: number
  readonly memoryBytes: { readonly engine: number; readonly process: number }
}

export interface Progress {
  readonly distinct: number
  readonly generated: number
  readonly depth: number
  /** States found and not yet expanded; of a simulation, none. */
  readonly frontier: number
  /** Sizes of the levels all of whose states are known, the first one first; of a simulation, none. See `mostIfShrinking`. */
  readonly levels?: readonly number[]
  /** What the search holds, and what it may hold, in bytes; absent where that is not counted. */
  readonly memory?: { readonly used: number; readonly most?: number }
  /** Walks begun, of a simulation. */
  readonly walks?: number
  readonly elapsedMs: number
}

/** How states may be held. */
export const memories = ['usual', 'small'] as const

export interface CheckOptions {
  readonly defencesOff?: readonly string[]
  /** Only these properties (by name; 'deadlock freedom' for deadlock); all if absent. */
  readonly properties?: readonly string[]
  /** Go on after a violation, until every property is settled or the space is exhausted. */
  readonly continueAfterViolation?: boolean
  /**
   * How many counterexamples to look for of each property that is violated, distinct by the kinds of faults that they need
   * (`Step.fault`). Limits hold for each of the searches that this takes.
   */
  readonly counterexamples?: number
  readonly maxStates?: number
  readonly maxDepth?: number
  readonly maxMemoryBytes?: number
  /**
   * How states are held: 'usual' is fast, 'small' compresses them, to a half or a quarter of the memory and somewhat slower.
   * Nothing is forgotten, and the results are the same.
   */
  readonly memory?: (typeof memories)[number]
  readonly timeoutMs?: number
  /** Whether states are explored up to renaming, where the model declares what may be renamed; true if absent. */
  readonly symmetry?: boolean
  /** 'interning' is the fast engine, 'oracle' the naive one that it is tested against. */
  readonly engine?: 'interning' | 'oracle'
  readonly workers?: 1
  /** Tells the memory of the whole process, in bytes, where there is such a thing; 0 is reported otherwise. */
  readonly processMemoryBytes?: () => number
  readonly onProgress?: (progress: Progress) => void
  /** Stops the search cleanly; the verdict is then 'bounded', limit 'interrupted'. */
  readonly signal?: AbortSignal
}

export interface SimulateOptions
  extends Pick<
    CheckOptions,
    'defencesOff' | 'properties' | 'timeoutMs' | 'processMemoryBytes' | 'onProgress' | 'signal'
  > {
  /** Equal seeds give equal walks, on every machine; a whole number, default 1. */
  readonly seed?: number
  /** Default 1000. */
  readonly walks?: number
  /** Levels after which a walk ends, one more than its steps; default 100. */
  readonly depth?: number
  /** Weights by action: `{ Crash: 0.1 }` takes a step of Crash a tenth as often as another one; absent: 1. */
  readonly bias?: Readonly<Record<string, number>>
  /** Make all walks to their ends, and keep the shortest counterexample of each property. */
  readonly continueAfterViolation?: boolean
}
