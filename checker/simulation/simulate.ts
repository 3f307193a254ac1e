/** Simulation: random walks through a model that is too large to explore. It finds violations, and proves nothing. */
import { ModelError, failed as modelFailed } from '../errors.ts'
import { Pauses } from '../interning/pauses.ts'
import { Space } from '../interning/space.ts'
import type { Model } from '../model.ts'
import { type Prepared, prepare } from '../prepare.ts'
import type { CheckResult, Limit, Sample, SimulateOptions } from '../result.ts'
import { type PropertyFinding, propertyResult } from '../verdict.ts'
import { type Finding, Findings } from './findings.ts'
import { sampleAsked, weightsOf } from './options.ts'
import { Random } from './random.ts'
import { traceOf } from './walk.ts'
import { Walker } from './walker.ts'

/** Tries may grow to this size. */
const defaultMemoBytes = 2 ** 30

/**
 * Walks at random from the initial states, and judges all that it meets. Of the steps that are enabled, one for each
 * instance and path of choices, each is taken with a probability in proportion to the weight of its action. A walk
 * ends where nothing is enabled, where the constraint cuts, or at the depth.
 *
 * Unless asked to go on, the simulation ends with the walk that violates a property; its trace ends there. The verdict is
 * 'violated' or 'sampled' ('inconclusive' if liveness is asked for), never 'proved'. Each walk is a function of the seed and its number.
 *
 * @throws UsageError (rejects) for a configuration, defence, property, action or option that does not exist or is
 * impossible
 * @throws ModelError (rejects) if the model is wrong; with the way to the state in which it failed
 */
export async function simulate<Config, State>(
  model: Model<Config, State>,
  config: unknown,
  options: SimulateOptions = {},
): Promise<CheckResult> {
  return walkAtRandom(prepare(model, config, options), options)
}

interface WalkingOptions extends SimulateOptions {
  /** What tries may take, in bytes. */
  readonly memoBytes?: number
}

/** Simulates a model that was prepared; rejects as `simulate` does. */
export async function walkAtRandom(prepared: Prepared, options: WalkingOptions): Promise<CheckResult> {
  return new Simulation(prepared, sampleAsked(options), options).run()
}

class Simulation {
  readonly #prepared: Prepared
  readonly #asked: ReturnType<typeof sampleAsked>
  readonly #options: SimulateOptions
  readonly #pauses: Pauses
  readonly #space: Space
  readonly #findings: Findings
  readonly #walker: Walker
  #walks = 0
  #reachedMaxDepth = 0

  constructor(prepared: Prepared, asked: ReturnType<typeof sampleAsked>, options: WalkingOptions) {
    this.#prepared = prepared
    this.#asked = asked
    this.#options = options
    this.#pauses = new Pauses(options)
    const weights = weightsOf(prepared.body.actions, asked.bias)
    this.#space = new Space(prepared)
    this.#findings = new Findings(this.#space)
    this.#walker = new Walker(this.#space, this.#findings, {
      depth: asked.maxDepth,
      weights,
      continues: options.continueAfterViolation === true,
      memoBytes: options.memoBytes ?? defaultMemoBytes,
    })
  }

  async run(): Promise<CheckResult> {
    const { continueAfterViolation = false } = this.#options
    while (this.#walks < this.#asked.walks && (continueAfterViolation || !this.#findings.violated)) {
      const limit = await this.#walkOnce()
      if (limit !== undefined) return this.#result(limit)
    }
    return this.#result()
  }

  /** @returns what ended it before its end */
  async #walkOnce(): Promise<Limit | undefined> {
    const { signal, timeoutMs = Infinity } = this.#options
    const random = new Random(this.#asked.seed, this.#walks)
    for (let isFirst = true; ; isFirst = false) {
      if (signal?.aborted) return this.#limit('interrupted', this.#space.states.count)
      if (this.#pauses.elapsedMs > timeoutMs) return this.#limit('time', timeoutMs)
      if (isFirst) {
        this.#walks++
        this.#walker.begin(random)
      }
      const end = this.#advance(random)
      if (end === 'depth') this.#reachedMaxDepth++
      if (end !== undefined) return undefined
      await this.#pauses.pauseIfDue(() => ({
        distinct: this.#space.states.count,
        generated: this.#generated,
        depth: this.#walker.longest,
        frontier: 0,
        walks: this.#walks,
      }))
    }
  }

  #advance(random: Random) {
    try {
      return this.#walker.advance(random)
    } catch (error) {
      throw this.#modelError(error)
    }
  }

  #modelError(error: unknown): ModelError {
    const known = modelFailed('model', error)
    try {
      const trace = traceOf(this.#prepared, this.#space.memo, this.#walker.walk)
      return new ModelError(known.details, { cause: known.cause, trace })
    } catch {
      // Without its way, what is known is still news.
      return known
    }
  }

  get #generated(): number {
    return this.#prepared.initial.length + this.#walker.steps
  }

  #limit(kind: Limit['kind'], value: number): Limit {
    return { kind, value, completeToDepth: 0 }
  }

  #result(limit?: Limit): CheckResult {
    const { name, config, defencesOff } = this.#prepared
    const { seed, maxDepth, bias } = this.#asked
    const { states } = this.#space
    const reachedMaxDepth = this.#reachedMaxDepth
    const sample: Sample = {
      seed,
      walks: this.#walks,
      steps: this.#walker.steps,
      reachedMaxDepth,
      maxDepth,
      bias,
    }
    const end = { kind: 'sample', sample } as const
    return {
      model: name,
      config,
      defencesOff,
      verdict: this.#verdict,
      states: { distinct: states.count, generated: this.#generated },
      depth: this.#walker.longest,
      properties: [...this.#findings.all.map((each) => this.#finding(each)), ...this.#notJudged()].map(
        (each) => propertyResult(each, end),
      ),
      coverage: this.#coverage(),
      ...(limit === undefined ? {} : { limit }),
      sample,
      elapsedMs: this.#pauses.elapsedMs,
      workers: 1,
      memoryBytes: { engine: this.#space.bytes, process: this.#options.processMemoryBytes?.() ?? 0 },
    }
  }

  get #verdict(): CheckResult['verdict'] {
    if (this.#findings.violated) return 'violated'
    return this.#prepared.liveness.length > 0 ? 'inconclusive' : 'sampled'
  }

  #notJudged(): PropertyFinding[] {
    const notJudged = 'random walks do not judge liveness, which needs the graph of all states'
    return this.#prepared.liveness.map(({ property: { name, kind } }) => ({ name, kind, notJudged }))
  }

  #finding({ property: { name, kind }, given, walk, failed }: Finding): PropertyFinding {
    const about = { name, kind, ...(given === undefined ? {} : { given }) }
    if (walk === undefined) return about
    const failure = failed === undefined ? {} : { failed }
    const told = traceOf(this.#prepared, this.#space.memo, walk)
    const trace = { ...told, property: { name, kind, ...failure } }
    return { ...about, settled: { depth: trace.states.length, trace, ...failure } }
  }

  /** Of actions, steps that were taken; guards are not counted. */
  #coverage(): CheckResult['coverage'] {
    const { memo, states, components } = this.#space
    const { body, instances, shape } = this.#prepared
    const perAction = (action: number, count: (instance: number) => number) =>
      instances.reduce((sum, each) => sum + (each.actionIndex === action ? count(each.index) : 0), 0)
    return {
      actions: body.actions.map(({ name }, action) => ({
        name,
        tried: perAction(action, () => this.#walker.steps),
        fired: this.#walker.fired[action]!,
        newStates: perAction(action, (instance) => states.newBySteps[instance + 1]!),
        recipeRuns: memo.recipeRuns[action]!,
      })),
      guards: [],
      components: shape.components.map((path, index) => ({ path, values: components.tables[index]!.size })),
      properties: this.#findings.coverage(),
      recipeRuns: memo.recipeRuns.reduce((sum, runs) => sum + runs, 0),
    }
  }
}
