/**
 * The oracle: a naive breadth-first checker that the fast engine must equal. It copies whole states, compares
 * them as JSON text with sorted keys, remembers nothing, and expects a well-formed model and valid options.
 *
 * State properties are judged when a state is found, transition properties on every transition, deadlock when a
 * state is expanded. A level is always finished; the search ends before the next one if a property is violated,
 * or if `maxStates` states or `maxDepth` levels are known. Each report is the first in breadth-first order.
 */
import { parse } from 'valibot'
import type { Action, Choice, Domains, Model, ModelBody, Plain, Step } from './model.ts'
import { type Found, judge, judgedProperties, resultOf } from './oracle-judge.ts'
import type { CheckOptions, CheckResult, Limit, PropertyKind } from './result.ts'
import type { StepEvent } from './view.ts'

type Honoured = 'defencesOff' | 'properties' | 'continueAfterViolation' | 'maxStates' | 'maxDepth'
export type OracleOptions = Pick<CheckOptions, Honoured>
export type OracleResult = Omit<CheckResult, 'coverage' | 'elapsedMs' | 'workers' | 'memoryBytes'>
type Args = Record<string, Plain>

const copy = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))
const sorted = (_: string, value: unknown) => {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
const keyOf = (state: unknown) => JSON.stringify(state, sorted)
/** Every combination of arguments, those of the last parameter varying fastest. */
const instancesOf = (domains: Domains) =>
  Object.entries(domains).reduce<Args[]>(
    (rows, [name, values]) =>
      rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value as Plain }))),
    [{}],
  )
/** Thrown to end a recipe; made once, as making an error costs more than running a recipe. */
const DISABLED = new Error('disabled')

/** Runs an instance of an action along every path of choices, the options of the last choice varying fastest. */
function* outcomes<State>(
  { name: action, recipe }: Action<State>,
  args: Args,
  before: string,
  quotient: ModelBody<State>['quotient'],
) {
  const path: { index: number; count: number }[] = []
  do {
    const run = {
      choices: [] as Choice[],
      events: [] as StepEvent[],
      faults: [] as string[],
      disabled: false,
    }
    const demand = (condition: boolean) => {
      run.disabled ||= !condition
      if (!condition) throw DISABLED
    }
    const step: Step = {
      when: (_, condition) => demand(condition),
      choose(name, options) {
        demand(options.length > 0)
        const turn = run.choices.length
        if (turn === path.length) path.push({ index: 0, count: options.length })
        const option = options[path[turn]!.index]!
        run.choices.push(copy({ name, value: option as Plain }))
        return copy(option)
      },
      emit: (event) => void run.events.push(copy(event)),
      fault: (kind) => void (run.faults.includes(kind) || run.faults.push(kind)),
    }
    const after: State = JSON.parse(before)
    try {
      recipe(after, copy(args) as Record<string, never>, step)
    } catch (error) {
      if (!run.disabled) throw error
    }
    const { choices, events, disabled } = run
    if (!disabled) quotient?.(after)
    const faults = run.faults.length === 0 ? {} : { faults: run.faults }
    if (!disabled) yield { key: keyOf(after), step: { action, args, choices, events, ...faults } }
    while (path.length > 0 && ++path.at(-1)!.index === path.at(-1)!.count) path.pop()
  } while (path.length > 0)
}

/** Explores a model; returns what `check` returns, apart from how the search went about it. */
export function oracle<Config, State>(
  model: Model<Config, State>,
  configuration: unknown,
  options: OracleOptions = {},
): OracleResult {
  const { defencesOff = [], maxStates = Infinity, maxDepth = Infinity } = options
  const config = parse(model.config, configuration)
  const known = (model.defences ?? []).filter(({ appliesTo }) => appliesTo?.(config) ?? true)
  const active = new Set(known.map(({ name }) => name).filter((name) => !defencesOff.includes(name)))
  const body = model.build(config, { defences: active })
  const actions = body.actions.map((action) => ({ action, instances: instancesOf(action.parameters) }))
  const properties = judgedProperties(body, options.properties)
  const judgeAll = (found: Found, ...kinds: PropertyKind[]) => {
    for (const property of properties) if (kinds.includes(property.kind)) judge(property, found)
  }

  const seen = new Set<string>()
  const next: Found[] = []
  let [depth, generated, cut, completeToDepth] = [0, 0, 0, Infinity]
  const find = (found: Found) => {
    generated++
    if (seen.has(found.key)) return
    seen.add(found.key)
    next.push(found)
    judgeAll(found, 'always', 'reachable')
  }
  const expand = (from: Found) => {
    const before = generated
    for (const { action, instances } of actions)
      for (const args of instances)
        for (const outcome of outcomes(action, args, from.key, body.quotient)) {
          const found = { ...outcome, from, level: depth + 1 }
          judgeAll(found, 'transition')
          find(found)
        }
    if (generated === before) judgeAll(from, 'deadlock')
  }
  const whyStop = () => {
    const violated = properties.some(({ kind, at }) => at && kind !== 'reachable')
    if (violated && !(options.continueAfterViolation && properties.some(({ at }) => !at))) return 'violation'
    return seen.size >= maxStates ? 'states' : depth >= maxDepth ? 'depth' : undefined
  }

  for (const given of body.initialStates ?? [body.initial]) {
    const state = copy(given) as State
    body.quotient?.(state)
    find({ key: keyOf(state), level: 1 })
  }
  let stop: ReturnType<typeof whyStop>
  while (next.length > 0) {
    depth++
    stop = whyStop()
    if (stop) break
    const level = next.splice(0)
    for (const found of level)
      if (body.constraint?.(JSON.parse(found.key)) ?? true) expand(found)
      else if (++cut === 1) completeToDepth = depth - 1
  }
  const limits = { states: maxStates, depth: maxDepth, constraint: cut }
  const kind = stop === 'states' || stop === 'depth' ? stop : cut > 0 ? 'constraint' : undefined
  const limit: Limit | undefined = kind && {
    kind,
    value: limits[kind],
    completeToDepth: Math.min(completeToDepth, depth - 1),
  }
  const about = { model: model.name, config: config as Plain, defencesOff }
  const unsettled = stop === 'violation' ? 'inconclusive' : limit && 'bounded'
  const background = body.background === undefined ? {} : { background: body.background }
  const results = properties.map((property) => resultOf(property, { ...about, ...background }, unsettled))
  const violated = results.some(({ verdict }) => verdict === 'violated' || verdict === 'unwitnessed')
  const verdict = violated ? 'violated' : limit ? 'bounded' : 'proved'
  return { ...about, verdict, states: { distinct: seen.size, generated }, depth, properties: results, limit }
}
