/**
 * Writes a trace in the Informal Trace Format (ITF) of Apalache and Quint, strictly as their ADR-015 has it:
 * https://apalache-mc.org/docs/adr/015adr-trace.html
 *
 * What ITF has no place for (arguments, events, the property) stands under `#meta`, as ordinary JSON. There are no clock
 * times and keys are sorted: equal traces give equal bytes.
 */
import { ModelError } from '../../checker/errors.ts'
import type { Plain } from '../../checker/model.ts'
import type { Trace, TraceStep } from '../../checker/trace.ts'
import { isRecord, type PlainRecord, sortKeys } from '../plain.ts'
import { actionVariable, description, initialAction, picksVariable, traceFormat } from './format.ts'
import { type Expression, encode, NotAnExpression, optional } from './value.ts'

/** Facts about the file that a trace does not know of itself. */
export interface ItfOptions {
  /** Version of fencepost that found the trace. */
  readonly version: string
}

/** The text of an `.itf.json` file: one state a line, so that two traces can be compared line by line. */
export function writeItf(trace: Trace, { version }: ItfOptions): string {
  const variables = stateVariables(trace)
  const picked = pickNames(trace.steps)
  const states = trace.states.map((state, index) => {
    const step = index === 0 ? undefined : trace.steps[index - 1]
    return JSON.stringify(stateLine(state, index, step, variables, picked))
  })
  const parts = [
    `"#meta": ${JSON.stringify(traceMeta(trace, version), null, 2)}`,
    `"vars": ${JSON.stringify([...variables, actionVariable, picksVariable])}`,
    `"states": [\n${states.join(',\n')}\n]`,
    ...(trace.loop === undefined ? [] : [`"loop": ${trace.loop}`]),
  ]
  return `{\n${parts.join(',\n')}\n}\n`
}

function traceMeta(trace: Trace, version: string) {
  const { model, config, defencesOff, background, property } = trace
  return {
    format: 'ITF',
    'format-description': 'https://apalache-mc.org/docs/adr/015adr-trace.html',
    source: model,
    status: property === undefined || property.kind === 'reachable' ? 'example' : 'violation',
    description,
    fencepost: sortKeys<Plain>({
      format: traceFormat,
      version,
      model,
      config,
      ...presetOf(config),
      defencesOff: [...defencesOff],
      ...(background === undefined ? {} : { background: [...background] }),
      ...(property === undefined ? {} : { property: { ...property } as unknown as Plain }),
    }),
  }
}

/** The preset is part of the configuration; named apart it is easier to find. */
const presetOf = (config: Plain): PlainRecord =>
  isRecord(config) && typeof config.preset === 'string' ? { preset: config.preset } : {}

function stateLine(
  state: Plain,
  index: number,
  step: TraceStep | undefined,
  variables: readonly string[],
  picked: readonly string[],
) {
  const meta = step && {
    action: step.action,
    args: sortKeys(step.args),
    choices: step.choices.map(({ name, value }) => ({ name, value: sortKeys(value) })),
    events: step.events.map((event) => sortKeys(event as unknown as Plain)),
    ...(step.faults === undefined ? {} : { faults: [...step.faults] }),
  }
  const values = state as PlainRecord
  return {
    '#meta': { index, ...meta },
    ...Object.fromEntries(variables.map((name) => [name, encodeAt(name, values[name] as Plain, index)])),
    [actionVariable]: step?.action ?? initialAction,
    [picksVariable]: picks(step, picked),
  }
}

function encodeAt(variable: string, value: Plain, index: number): Expression {
  try {
    return encode(value)
  } catch (error) {
    if (!(error instanceof NotAnExpression)) throw error
    throw unwritable(`state ${index}, ${variable}${error.path}`, `it has ${error.message}`)
  }
}

/** The variables of ITF are the top-level keys of the state, the same in every state. */
function stateVariables(trace: Trace): string[] {
  const names = trace.states.map((state, index) => {
    if (!isRecord(state)) throw unwritable(`state ${index}`, 'it is not an object')
    return Object.keys(state).sort()
  })
  const variables = names[0] ?? []
  const reserved = variables.find((name) => name.startsWith('#') || /^mbt::|^__proto__$/.test(name))
  if (reserved !== undefined)
    throw unwritable('state 0', `it has a variable named ${JSON.stringify(reserved)}`)
  const odd = names.findIndex((found) => found.join('\0') !== variables.join('\0'))
  if (odd > 0) throw unwritable(`state ${odd}`, 'its top-level keys differ from those of state 0')
  return variables
}

const unwritable = (where: string, found: string) =>
  new ModelError({
    code: 'invalid-model',
    where,
    found: `this state cannot be written to a trace file: ${found}`,
    expected:
      'an object with the same keys in every state, none beginning with # or mbt::, none named __proto__',
    fix: 'rename these keys in the state of the model',
  })

/** Names of all arguments and choices, in order of appearance: every state has the same picks, absent ones are None. */
function pickNames(steps: readonly TraceStep[]): string[] {
  return [...new Set(steps.flatMap((step) => namedPicks(step).map(([name]) => name)))]
}

const picks = (step: TraceStep | undefined, names: readonly string[]): Expression => {
  const values = new Map(step && namedPicks(step))
  return Object.fromEntries(names.map((name) => [name, optional(values.get(name))]))
}

/** Arguments, then choices; a name that is taken gets a number, because a record has each name once. */
function namedPicks(step: TraceStep): (readonly [string, Plain])[] {
  const result = new Map<string, Plain>()
  const all = [
    ...Object.entries(sortKeys(step.args)),
    ...step.choices.map(({ name, value }) => [name, value] as const),
  ]
  for (const [given, value] of all) {
    // Fields beginning with # mean something else in ITF.
    const name = given.replace(/^(?=#)/, '_')
    let free = name
    for (let number = 2; result.has(free); number++) free = `${name} (${number})`
    result.set(free, value)
  }
  return [...result]
}
