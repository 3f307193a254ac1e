/** The entry to the checker: validates what it is given and hands it to an engine. */
import { waysToBreak } from './counterexamples/ways.ts'
import { UsageError } from './errors.ts'
import { explore } from './interning/engine.ts'
import type { Model } from './model.ts'
import { oracle } from './oracle.ts'
import { type Prepared, prepare } from './prepare.ts'
import { type CheckOptions, type CheckResult, memories, type PropertyResult } from './result.ts'
import { unknownName } from './suggest.ts'

const engines = ['interning', 'oracle'] as const

/**
 * Explores a model exhaustively.
 *
 * A level of the breadth-first search is always finished: the search ends before the next level if a property is
 * violated, or if `maxStates` states or `maxDepth` levels are known. Only memory, time and interruption end it
 * inside a level. Every counterexample is the first in breadth-first order, ties broken by the order of actions,
 * arguments and choices.
 *
 * @throws UsageError (rejects) for a configuration, defence, property or option that does not exist or is impossible
 * @throws ModelError (rejects) if the model is wrong; with the way to the state in which it failed, if it got there
 */
export async function check<Config, State>(
  model: Model<Config, State>,
  config: unknown,
  options: CheckOptions = {},
): Promise<CheckResult> {
  const startedMs = performance.now()
  validate(options)
  const prepared = prepare(model, config, options)
  if (options.engine === 'oracle' && prepared.liveness.length > 0) throw noLiveness(prepared)
  if (options.engine === 'oracle') return askOracle(model, config, options, prepared)
  const result = await explore(prepared, options)
  const { counterexamples } = options
  if (counterexamples === undefined) return result
  const properties: PropertyResult[] = []
  for (const property of result.properties) {
    if (property.verdict !== 'violated') properties.push(property)
    else {
      const alone = prepare(model, config, { ...options, properties: [property.name] })
      const search = (each: Prepared) => explore(each, options)
      properties.push({ ...property, ways: await waysToBreak(alone, property, counterexamples, search) })
    }
  }
  return { ...result, properties, elapsedMs: performance.now() - startedMs }
}

function validate(options: CheckOptions): void {
  const { engine, memory, workers = 1 } = options
  if (engine !== undefined && !engines.includes(engine)) throw unknownName('engine', engine, engines)
  if (memory !== undefined && !memories.includes(memory)) throw unknownName('memory', memory, memories)
  if (workers !== 1) throw invalidOption('workers', workers, '1')
  for (const name of ['maxStates', 'maxDepth', 'maxMemoryBytes', 'timeoutMs', 'counterexamples'] as const) {
    const value = options[name]
    if (value !== undefined && !(value > 0)) throw invalidOption(name, value, 'a positive number')
  }
}

const invalidOption = (name: string, value: unknown, expected: string) =>
  new UsageError({
    code: 'invalid-option',
    found: `it is ${String(value)}`,
    where: `option ${name}`,
    expected,
  })

const noLiveness = ({ liveness: [first] }: Prepared) =>
  new UsageError({
    code: 'invalid-option',
    found: `the oracle does not judge liveness, as '${first!.property.name}' needs it`,
    where: 'option engine',
    fix: 'leave the option out, or select other properties',
  })

/** The oracle counts no coverage and knows no limit but those of states and depth. */
function askOracle<Config, State>(
  model: Model<Config, State>,
  config: unknown,
  options: CheckOptions,
  { body, properties, shape }: Prepared,
): CheckResult {
  const startedMs = performance.now()
  const result = oracle(model, config, options)
  return {
    ...result,
    coverage: {
      actions: body.actions.map(({ name }) => ({ name, tried: 0, fired: 0, newStates: 0, recipeRuns: 0 })),
      guards: [],
      components: shape.components.map((path) => ({ path, values: 0 })),
      properties: properties.map(({ name }) => ({ name, evaluations: 0, served: 0 })),
      recipeRuns: 0,
    },
    elapsedMs: performance.now() - startedMs,
    workers: 1,
    memoryBytes: { engine: 0, process: options.processMemoryBytes?.() ?? 0 },
  }
}
