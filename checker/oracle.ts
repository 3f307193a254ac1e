/**
 * The oracle: a naive breadth-first checker that the fast engine must equal. It copies whole states, compares
 * them as JSON text with sorted keys, remembers nothing, and expects a well-formed model and valid options.
 *
 * State properties are judged when a state is found, transition properties on every transition, deadlock when a
 * state is expanded. A level is always finished; the search ends before the next one if a property is violated,
 * or if `maxStates` states or `maxDepth` levels are known. Each report is the first in breadth-first order.
 */
import { parse } from 'valibot'
import type { Action, Choice, Claim, Domains, Model, ModelBody, Plain, Step } from './model.ts'
import type { CheckOptions, CheckResult, Limit, PropertyKind, PropertyResult } from './result.ts'
import type { FailedPart, Trace, TraceStep } from './trace.ts'
import type { StepEvent } from './view.ts'

type Honoured = 'defencesOff' | 'properties' | 'continueAfterViolation' | 'maxStates' | 'maxDepth'
export type OracleOptions = Pick<CheckOptions, Honoured>
export type OracleResult = Omit<CheckResult, 'coverage' | 'elapsedMs' | 'workers' | 'memoryBytes'>

type Args = Record<string, Plain>
type Found = { key: string; level: number; from?: Found; step?: TraceStep }
type Holds = (found: Found, claim: Claim) => unknown
type Judged = {
  name: string
  kind: PropertyKind
  holds: Holds
  given?: boolean
  at?: Found
  failed?: FailedPart
}

const copy = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))
const sorted = (_: string, value: unknown) =>
  value === null || typeof value !== 'object' || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
const keyOf = (state: unknown) => JSON.stringify(state, sorted)
const instancesOf = (domains: Domains) =>
  Object.entries(domains).reduce<Args[]>(
    (rows, [name, values]) =>
      rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value as Plain }))),
    [{}],
  )

/** Thrown to end a recipe; made once, as making an error costs more than running a recipe. */
const DISABLED = new Error('disabled')

/** Runs an instance of an action along every path of choices: options in order, those of the last choice fastest. */
function* outcomes<State>({ name: action, recipe }: Action<State>, args: Args, before: string) {
  const path: { index: number; count: number }[] = []
  do {
    const run = { choices: [] as Choice[], events: [] as StepEvent[], disabled: false }
    const demand = (condition: boolean) => {
      run.disabled ||= !condition
      if (!condition) throw DISABLED
    }
    const step: Step = {
      when: (_, condition) => demand(condition),
      choose(name, options) {
        demand(options.length > 0)
        const depth = run.choices.length
        if (depth === path.length) path.push({ index: 0, count: options.length })
        const option = options[path[depth]!.index]!
        run.choices.push(copy({ name, value: option as Plain }))
        return copy(option)
      },
      emit: (event) => void run.events.push(copy(event)),
    }
    const after: State = JSON.parse(before)
    try {
      recipe(after, copy(args) as Record<string, never>, step)
    } catch (error) {
      if (!run.disabled) throw error
    }
    const { choices, events, disabled } = run
    if (!disabled) yield { key: keyOf(after), step: { action, args, choices, events } }
    while (path.length > 0 && ++path.at(-1)!.index === path.at(-1)!.count) path.pop()
  } while (path.length > 0)
}

function judgedProperties<State>({ properties, properTermination }: ModelBody<State>): Judged[] {
  const state = ({ key }: Found): State => JSON.parse(key)
  const judged = properties.map((property): Judged => {
    const { name, kind } = property
    if (kind === 'reachable') return { name, kind, holds: (found) => property.holds(state(found)) }
    if (kind === 'always') return { name, kind, holds: (found, claim) => property.holds(state(found), claim) }
    const holds: Holds = (found, claim) =>
      property.holds(state(found.from!), state(found), claim, found.step!)
    return { name, kind, holds }
  })
  if (!properTermination) return judged
  return [
    ...judged,
    { name: 'deadlock freedom', kind: 'deadlock', holds: (found) => properTermination(state(found)) },
  ]
}

/** Evaluates a property unless it is settled already, that is: violated or, a `reachable`, witnessed. */
function judge(property: Judged, at: Found): void {
  if (property.at) return
  const said: { given?: boolean; failed?: FailedPart; answer?: unknown } = {}
  const claim: Claim = {
    given(_, condition) {
      said.given = (said.given ?? true) && condition
      if (!condition) throw new Error('the property says nothing here')
    },
    that(part, condition, values = {}) {
      if (!condition) said.failed ??= { part, values: copy(values) as FailedPart['values'] }
    },
  }
  try {
    said.answer = property.holds(at, claim)
  } catch (error) {
    if (said.given !== false) throw error
  }
  if (said.given !== undefined) property.given ||= said.given
  const violated = said.given !== false && (said.failed !== undefined || said.answer === false)
  if (property.kind === 'reachable' ? said.answer === true : violated)
    Object.assign(property, { at, failed: said.failed })
}

/** Explores a model; returns what `check` returns, apart from how the search went about it. */
export function oracle<Config, State>(
  model: Model<Config, State>,
  configuration: unknown,
  options: OracleOptions = {},
): OracleResult {
  const { defencesOff = [], maxStates = Infinity, maxDepth = Infinity } = options
  const config = parse(model.config, configuration)
  const defences = model.defences?.filter(({ appliesTo }) => appliesTo?.(config) ?? true) ?? []
  const has = (name: string) =>
    !defencesOff.includes(name) && defences.some((defence) => defence.name === name)
  const body = model.build(config, { defences: { has } })
  const instances = body.actions.flatMap((action) =>
    instancesOf(action.parameters).map((args) => ({ action, args })),
  )
  const properties = judgedProperties(body).filter(({ name }) => options.properties?.includes(name) ?? true)
  const judgeAll = (found: Found, ...kinds: PropertyKind[]) => {
    for (const property of properties) if (kinds.includes(property.kind)) judge(property, found)
  }

  const known = new Set<string>()
  let [frontier, next]: [Found[], Found[]] = [[], []]
  let [depth, generated, cut, completeToDepth] = [0, 0, 0, Infinity]
  const find = (found: Found) => {
    generated++
    if (known.has(found.key)) return
    known.add(found.key)
    next.push(found)
    judgeAll(found, 'always', 'reachable')
  }
  const expand = (from: Found) => {
    const before = generated
    for (const { action, args } of instances)
      for (const { key, step } of outcomes(action, args, from.key)) {
        const found = { key, level: depth + 1, from, step }
        judgeAll(found, 'transition')
        find(found)
      }
    if (generated === before) judgeAll(from, 'deadlock')
  }
  const stopsAt = () => {
    const violated = properties.some(({ kind, at }) => at && kind !== 'reachable')
    if (violated && !(options.continueAfterViolation && properties.some(({ at }) => !at))) return 'violation'
    return known.size >= maxStates ? 'states' : depth >= maxDepth ? 'depth' : undefined
  }

  for (const state of body.initialStates ?? [body.initial]) find({ key: keyOf(state), level: 1 })
  let stop: ReturnType<typeof stopsAt>
  while (next.length > 0) {
    depth++
    stop = stopsAt()
    if (stop) break
    ;[frontier, next] = [next, []]
    for (const found of frontier)
      if (body.constraint?.(JSON.parse(found.key)) ?? true) expand(found)
      else if (++cut === 1) completeToDepth = depth - 1
  }
  completeToDepth = Math.min(completeToDepth, depth - 1)
  const limit: Limit | undefined =
    stop === 'states' || stop === 'depth'
      ? { kind: stop, value: stop === 'states' ? maxStates : maxDepth, completeToDepth }
      : cut > 0
        ? { kind: 'constraint', value: cut, completeToDepth }
        : undefined

  const traceTo = (property: Judged, at: Found): Trace => {
    const path = [at]
    while (path[0]!.from) path.unshift(path[0]!.from)
    const { name, kind, failed } = property
    const states = path.map(({ key }): Plain => JSON.parse(key))
    const steps = path.flatMap(({ step }) => step ?? [])
    return {
      model: model.name,
      config: config as Plain,
      defencesOff,
      states,
      steps,
      property: { name, kind, failed },
    }
  }
  const unsettled = stop === 'violation' ? 'inconclusive' : limit ? 'bounded' : undefined
  const results = properties.map((property): PropertyResult => {
    const { name, kind, at, given, failed } = property
    if (!at) {
      const verdict = unsettled ?? (kind === 'reachable' ? 'unwitnessed' : 'proved')
      return { name, kind, verdict, vacuous: kind === 'reachable' || given === false }
    }
    const verdict = kind === 'reachable' ? 'witnessed' : 'violated'
    return { name, kind, verdict, vacuous: false, depth: at.level, failed, trace: traceTo(property, at) }
  })
  const broken = results.some(({ verdict }) => verdict === 'violated' || verdict === 'unwitnessed')
  return {
    model: model.name,
    config: config as Plain,
    defencesOff,
    verdict: broken ? 'violated' : limit ? 'bounded' : 'proved',
    states: { distinct: known.size, generated },
    depth,
    properties: results,
    limit,
  }
}
