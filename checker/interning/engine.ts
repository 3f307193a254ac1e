/**
 * The fast engine: breadth-first search over interned states, level by level. A level is always finished, so that
 * counts do not depend on where in it a violation was found.
 */
import { ModelError, failed as modelFailed, UsageError } from '../errors.ts'
import { deadlockFreedom, type Prepared } from '../prepare.ts'
import type { CheckOptions, CheckResult, Limit, Progress } from '../result.ts'
import { type PropertyFinding, propertyResult, runVerdict, type SearchEnd } from '../verdict.ts'
import { Audit } from './audit.ts'
import { behaviourTo } from './behaviour.ts'
import { CoverageCounts, coverageOf } from './coverage.ts'
import { Equivariance } from './equivariance.ts'
import { Expander, type Failure } from './expander.ts'
import { type JudgedProperty, Judging } from './judging.ts'
import { LivenessJudging } from './liveness-judging.ts'
import { MemoryExhausted } from './memory.ts'
import { Pauses } from './pauses.ts'
import { RenamedBehaviour, type Told } from './renamed-behaviour.ts'
import { Space } from './space.ts'
import { StateJudging } from './state-judging.ts'
import { States } from './states.ts'
import { symmetryOf, usedSymmetries } from './symmetry-used.ts'
import { TreeStates } from './tree-states.ts'

/** Tries may grow to this size if no limit of memory is given. */
const defaultMemoBytes = 2 ** 31

export interface ExploreOptions extends CheckOptions {
  /** What tries may take; half of the memory, at most 2 GiB, if absent. */
  readonly memoBytes?: number
}

/**
 * Checks a model that was prepared.
 * @throws ModelError if the model fails, with the way to the state where it does
 * @throws UsageError if the memory does not even hold the tables of an empty search
 */
export function explore(prepared: Prepared, options: ExploreOptions): Promise<CheckResult> {
  return begun(prepared, options).run()
}

function begun(prepared: Prepared, options: ExploreOptions): Search {
  try {
    return new Search(prepared, options)
  } catch (error) {
    if (!(error instanceof MemoryExhausted)) throw error
    throw new UsageError({
      code: 'invalid-option',
      where: 'maxMemoryBytes',
      found: `${options.maxMemoryBytes} bytes do not hold the tables of a search that has found nothing yet`,
      expected: 'some megabytes at least',
    })
  }
}

class Search {
  readonly #prepared: Prepared
  readonly #options: ExploreOptions
  readonly #memoBytes: number
  readonly #space: Space
  readonly #judging: Judging
  readonly #states: StateJudging
  readonly #coverage: CoverageCounts
  readonly #expander: Expander
  readonly #audit: Audit
  readonly #equivariance: Equivariance | undefined
  readonly #pauses: Pauses
  /** The first state of each level. */
  readonly #levels: number[] = []
  /** The end of the current level. */
  #levelEnd = 0

  constructor(prepared: Prepared, options: ExploreOptions) {
    this.#prepared = prepared
    this.#options = options
    const { maxMemoryBytes = Infinity } = options
    this.#memoBytes = options.memoBytes ?? Math.min(defaultMemoBytes, maxMemoryBytes / 2)
    this.#pauses = new Pauses(options)
    const { liveness } = prepared
    const symmetries = usedSymmetries(prepared, options)
    const store = options.memory === 'small' ? TreeStates : States
    this.#space = new Space(prepared, options.maxMemoryBytes, liveness.length > 0, symmetries, store)
    this.#judging = new Judging(prepared, this.#space.judgements)
    this.#states = new StateJudging(this.#space, this.#judging)
    this.#coverage = new CoverageCounts(prepared.body.actions.length)
    this.#expander = new Expander(this.#space, this.#judging, this.#coverage)
    this.#audit = new Audit(this.#space, this.#judging)
    const { orbits } = this.#space
    this.#equivariance =
      orbits && new Equivariance(this.#space, orbits, this.#judging, this.#expander.constraint)
  }

  async run(): Promise<CheckResult> {
    const { states } = this.#space
    this.#limitMemo()
    this.#judgeFound()
    let from = 0
    while (from < states.count) {
      this.#levels.push(from)
      this.#levelEnd = states.count
      const end = this.#endBeforeLevel()
      if (end !== undefined) return this.#result(end)
      const limit = await this.#expandLevel(from, this.#levelEnd)
      if (limit !== undefined) return this.#result({ kind: 'limit', limit })
      this.#audit.level(from, this.#levelEnd)
      if (!this.#testEquivariance((tests) => tests.goThrough(this.#levelEnd))) {
        return this.#result(this.#limit('memory', this.#space.bytes))
      }
      from = this.#levelEnd
    }
    return this.#result({ kind: 'exhausted' })
  }

  get #depth(): number {
    return this.#levels.length
  }

  #endBeforeLevel(): SearchEnd | undefined {
    const { continueAfterViolation = false, maxStates = Infinity, maxDepth = Infinity } = this.#options
    const isSettled = this.#judging.allSettled && this.#prepared.liveness.length === 0
    if (this.#judging.violated && !(continueAfterViolation && !isSettled)) {
      return { kind: 'violation', depth: this.#depth }
    }
    if (this.#space.states.count >= maxStates) return this.#limit('states', maxStates)
    if (this.#depth >= maxDepth) return this.#limit('depth', maxDepth)
    return undefined
  }

  #limit(kind: Limit['kind'], value: number): { readonly kind: 'limit'; readonly limit: Limit } {
    return { kind: 'limit', limit: { kind, value, completeToDepth: this.#completeToDepth() } }
  }

  /** Levels before the current one were expanded, as far as the constraint allowed. */
  #completeToDepth(): number {
    const { firstCut } = this.#expander
    const cutLevel =
      firstCut === undefined ? Infinity : this.#levels.findLastIndex((first) => first <= firstCut) + 1
    return Math.min(this.#depth, cutLevel) - 1
  }

  /** @returns the limit that was hit, if any */
  async #expandLevel(from: number, to: number): Promise<Limit | undefined> {
    let next = from
    while (next < to) {
      next = this.#expander.expandSome(next, to)
      this.#judgeFound()
      if (this.#expander.failure !== undefined) throw this.#modelError(this.#expander.failure)
      this.#testEquivariance((tests) => tests.test())
      if (next >= to && this.#isExhausted) return undefined
      const limit = this.#limitHit()
      if (limit !== undefined) return limit
      await this.#pauses.pauseIfDue(() => this.#progress(next))
    }
    return undefined
  }

  /** How far the search is when it has expanded all states before `next`. */
  #progress(next: number): Omit<Progress, 'elapsedMs'> {
    const { maxMemoryBytes: most } = this.#options
    return {
      distinct: this.#space.states.count,
      generated: this.#expander.generated,
      depth: this.#depth,
      frontier: this.#space.states.count - next,
      levels: this.#levels.map((first, level) => (this.#levels[level + 1] ?? this.#levelEnd) - first),
      memory: { used: this.#space.bytes, ...(most === undefined ? {} : { most }) },
    }
  }

  /** Whether nothing is left to expand, so that no limit matters any more. */
  get #isExhausted(): boolean {
    return this.#space.states.count === this.#levelEnd && !this.#expander.exhausted
  }

  #limitHit(): Limit | undefined {
    const { maxMemoryBytes = Infinity, timeoutMs = Infinity, signal } = this.#options
    this.#limitMemo()
    const { bytes } = this.#space
    if (this.#expander.exhausted || bytes > maxMemoryBytes) {
      return this.#limit('memory', Math.min(bytes, maxMemoryBytes)).limit
    }
    if (this.#pauses.elapsedMs > timeoutMs) return this.#limit('time', timeoutMs).limit
    if (signal?.aborted) return this.#limit('interrupted', this.#space.states.count).limit
    return undefined
  }

  #limitMemo(): void {
    if (this.#space.memoBytes <= this.#memoBytes) return
    this.#expander.remembers = false
    this.#space.judgements.remembers = false
  }

  /**
   * Tests that renaming changes nothing, if states are explored up to renaming.
   * @returns whether the memory sufficed
   * @throws ModelError 'asymmetric-model'
   */
  #testEquivariance(test: (equivariance: Equivariance) => void): boolean {
    if (this.#equivariance === undefined) return true
    try {
      if (this.#expander.remembers) test(this.#equivariance)
      else this.#equivariance.giveUp()
      if (this.#space.outgrown) this.#space.relayout()
    } catch (error) {
      if (!(error instanceof MemoryExhausted)) throw error
      this.#expander.exhausted = true
    }
    return !this.#expander.exhausted
  }

  /** Judges the states that were found since the last time. */
  #judgeFound(): void {
    const { states } = this.#space
    while (this.#judging.states < states.count) {
      const state = this.#judging.states
      try {
        this.#states.judgeNext()
      } catch (error) {
        if (!(error instanceof MemoryExhausted)) throw this.#modelError({ state, error })
        this.#expander.exhausted = true
        return
      }
    }
  }

  #modelError({ state, taken, error }: Failure): unknown {
    const known = modelFailed('model', error)
    if (known.trace !== undefined) return known
    try {
      if (this.#space.orbits !== undefined) new RenamedBehaviour(this.#space).failing(state, known)
      const trace = behaviourTo(this.#space, state, taken)
      return new ModelError(known.details, { cause: known.cause, trace })
    } catch (impure) {
      if (this.#space.orbits !== undefined) return impure
      // Without its way, what is known to be impure is still better news than that the way cannot be told.
      return known.code === 'impure-recipe' ? known : impure
    }
  }

  #result(end: SearchEnd): CheckResult {
    const { name, config, defencesOff } = this.#prepared
    const liveness = new LivenessJudging(this.#space, this.#expander)
    const promises = this.#livenessFindings(liveness)
    const { cut, generated, expanded } = this.#expander
    const constraint = cut === 0 ? undefined : this.#limit('constraint', cut).limit
    const limit = end.kind === 'limit' ? end.limit : constraint
    const findings = this.#asDeclared([...this.#judging.all.map((each) => this.#finding(each)), ...promises])
    const properties = findings.map((each) => propertyResult(each, end, constraint))
    const { actions, guards } = coverageOf(this.#space, this.#coverage, expanded)
    const { components, states } = this.#space
    return {
      model: name,
      config,
      defencesOff,
      verdict: runVerdict(properties, limit),
      states: { distinct: states.count, generated },
      depth: states.count > this.#levelEnd ? this.#depth + 1 : this.#depth,
      properties,
      coverage: {
        actions,
        guards,
        components: this.#prepared.shape.components.map((path, index) => {
          return { path, values: components.tables[index]!.size }
        }),
        properties: this.#asDeclared([...this.#judging.coverage(), ...liveness.coverage]),
        recipeRuns: this.#space.memo.recipeRuns.reduce((sum, runs) => sum + runs, 0),
      },
      ...symmetryOf(this.#prepared, this.#options, this.#equivariance),
      ...(limit === undefined ? {} : { limit }),
      elapsedMs: this.#pauses.elapsedMs,
      workers: 1,
      memoryBytes: { engine: this.#space.bytes, process: this.#options.processMemoryBytes?.() ?? 0 },
    }
  }

  #livenessFindings(liveness: LivenessJudging): PropertyFinding[] {
    if (this.#prepared.liveness.length === 0) return []
    try {
      return liveness.findings()
    } catch (error) {
      throw this.#modelError({ state: liveness.state, error })
    }
  }

  /** Sorts what has the names of properties; deadlock freedom, which is not declared, stays last. */
  #asDeclared<Named extends { readonly name: string }>(all: readonly Named[]): Named[] {
    const names = [...this.#prepared.body.properties.map(({ name }) => name), deadlockFreedom]
    const place = ({ name }: Named) => names.indexOf(name)
    return all.toSorted((one, other) => place(one) - place(other))
  }

  #finding(judged: JudgedProperty): PropertyFinding {
    const { name, kind, settled, given } = judged
    const about = { name, kind, ...(given === undefined ? {} : { given }) }
    if (settled === undefined) return about
    const { trace: way, failed }: Told =
      this.#space.orbits === undefined
        ? { ...settled, trace: behaviourTo(this.#space, settled.state, settled.taken) }
        : new RenamedBehaviour(this.#space).settling(judged)
    const trace = { ...way, property: { name, kind, ...(failed === undefined ? {} : { failed }) } }
    const depth = trace.states.length
    return { ...about, settled: { depth, trace, ...(failed === undefined ? {} : { failed }) } }
  }
}
