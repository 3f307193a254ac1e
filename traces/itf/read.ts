/** Reads trace files: those that fencepost writes, and those of others to be looked at. One clear error for the rest. */
import * as v from 'valibot'
import { type ErrorDetails, UsageError } from '../../checker/errors.ts'
import type { Plain } from '../../checker/model.ts'
import type { Trace, TraceStep } from '../../checker/trace.ts'
import { type ForeignDocument, readForeign } from './foreign.ts'
import { actionVariable, initialAction, picksVariable, traceFormat } from './format.ts'
import { scan } from './scan.ts'
import { type Document, documentSchema, isObject, type StateLine, stepSchema } from './schema.ts'
import { decode, NotAnExpression, nestingMax } from './value.ts'

/** Longer texts are refused before they are parsed: no trace is that long. */
export const traceLengthMax = 128 * 1024 * 1024
/** So are texts with more lists and objects than this: they would take gigabytes of memory. */
const containersMax = 8_000_000

/**
 * The trace in the text of an `.itf.json` file. `name` says in errors where the text came from.
 *
 * @throws UsageError (unreadable-input) if it is cut off, not ITF, not written by fencepost, or contradicts itself
 */
export function readItf(text: string, name = 'trace'): Trace {
  const json = parseJson(text, name)
  if (isForeign(json)) throw foreign(name, 'the file is an ITF trace of another tool')
  return readOwn(json, name)
}

/**
 * As `readItf`, and the traces of other tools as well (Quint, Apalache). They can be looked at, but nothing is known of the
 * model that they are of.
 *
 * @throws UsageError (unreadable-input)
 */
export function readAnyItf(text: string, name = 'trace'): Trace {
  const json = parseJson(text, name)
  if (!isForeign(json)) return readOwn(json, name)
  try {
    return readForeign(json, name)
  } catch (error) {
    if (!(error instanceof NotAnExpression)) throw error
    throw unreadable(name, {
      found: `${error.path}: ${error.message}`,
      expected: 'a trace in the Informal Trace Format (https://apalache-mc.org/docs/adr/015adr-trace.html)',
    })
  }
}

function readOwn(json: unknown, name: string): Trace {
  refuseForeign(json, name)
  const document = validated(documentSchema, json, name, '')
  const { fencepost } = document['#meta']
  const states = document.states.map((state, index) => decodeState(state, index, document.vars, name))
  const steps = document.states.slice(1).map((state, offset) => decodeStep(state, offset + 1, name))
  checkFirstState(document, name)
  const { loop } = document
  if (loop !== undefined && loop >= states.length) {
    throw unreadable(name, { found: `loop is ${loop}, but there are only ${states.length} states` })
  }
  return {
    model: fencepost.model,
    config: fencepost.config,
    defencesOff: fencepost.defencesOff,
    ...(fencepost.background === undefined ? {} : { background: fencepost.background }),
    states,
    steps,
    ...(fencepost.property === undefined
      ? {}
      : { property: fencepost.property as Trace['property'] & object }),
    ...(loop === undefined ? {} : { loop }),
  }
}

function validated<Output>(
  schema: v.GenericSchema<unknown, Output>,
  json: unknown,
  name: string,
  at: string,
): Output {
  const parsed = v.safeParse(schema, json)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  const path = [at, v.getDotPath(issue)].filter((part) => part).join('.')
  throw unreadable(name, { found: `${path} is ${issue.received}`, expected: issue.expected ?? issue.message })
}

function parseJson(text: string, name: string): unknown {
  if (text.length > traceLengthMax) {
    throw unreadable(name, {
      found: `the file has ${text.length} characters, more than the ${traceLengthMax} that a trace may have`,
      fix: 'give a trace file written by fencepost',
    })
  }
  refuseFlawed(text, name)
  try {
    const json: unknown = JSON.parse(text)
    refuseHostile(json, name)
    return json
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const cut = /unexpected end|unterminated/i.test(error.message)
    throw cut ? cutOff(name, error.message) : notJson(name, error.message)
  }
}

/** Only what begins like a JSON document: anything else has its own mistakes. */
function refuseFlawed(text: string, name: string) {
  if (!/^\s*[[{]/.test(text)) return
  const flaw = scan(text, { depth: nestingMax, containers: containersMax })
  if (flaw === undefined) return
  if (flaw.kind === 'cut') throw cutOff(name, `${flaw.within} does not end`)
  throw unreadable(name, {
    found:
      flaw.kind === 'deep'
        ? `values are nested deeper than ${nestingMax} levels`
        : `the file has more than ${containersMax} lists and objects`,
  })
}

const jsonExpected = 'a trace in the Informal Trace Format, a JSON document'

const cutOff = (name: string, message: string) =>
  unreadable(name, {
    found: `the file ends in the middle of a value (${message})`,
    expected: jsonExpected,
    fix: 'copy or write the file again',
  })

const notJson = (name: string, message: string) =>
  unreadable(name, {
    found: `it is not JSON: ${message}`,
    expected: jsonExpected,
    fix: 'give a file that `--trace` wrote',
  })

const isItf = (json: unknown): json is ForeignDocument =>
  isObject(json) && typeof json.format !== 'string' && Array.isArray(json.vars) && Array.isArray(json.states)

const isForeign = (json: unknown): json is ForeignDocument =>
  isItf(json) && !(isObject(json['#meta']) && isObject(json['#meta'].fencepost))

const foreign = (name: string, found: string) =>
  unreadable(name, {
    found,
    expected: `a trace with "#meta": { "fencepost": { "format": "${traceFormat}", ... } }`,
    fix: 'give a file that `fencepost check --trace FILE` wrote; `trace show`, `export` and `diff` read ITF of others, too',
  })

function refuseForeign(json: unknown, name: string) {
  if (!isObject(json)) throw foreign(name, 'the file is JSON, but not an object')
  if (typeof json.format === 'string')
    throw foreign(name, `the file is a ${JSON.stringify(json.format)}, not a trace`)
  if (!isItf(json))
    throw foreign(name, 'the file is JSON, but not a trace: it has no lists "vars" and "states"')
  const own = isObject(json['#meta']) ? json['#meta'].fencepost : undefined
  if (isObject(own) && own.format === traceFormat) return
  const format = isObject(own) ? JSON.stringify(own.format) : 'none'
  throw foreign(name, `the file has the trace format ${format}, which this version does not know`)
}

/** Looked for without recursion and before anything else touches the document; how deep it is was looked at before. */
function refuseHostile(json: unknown, name: string) {
  const open: unknown[] = [json]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string') refuseHalves(value, name)
    if (typeof value !== 'object' || value === null) continue
    if (Object.hasOwn(value, '__proto__')) {
      throw unreadable(name, { found: 'a field is named __proto__, which no state has' })
    }
    if (!Array.isArray(value)) for (const key of Object.keys(value)) refuseHalves(key, name)
    for (const inner of Object.values(value)) open.push(inner)
  }
}

function refuseHalves(text: string, name: string) {
  if (!/\p{Cs}/u.test(text)) return
  throw unreadable(name, {
    found: `a text has half of a surrogate pair, which no state has: ${JSON.stringify(text.slice(0, 40))}`,
  })
}

function decodeState(state: StateLine, index: number, vars: readonly string[], name: string): Plain {
  const wanted = ['#meta', ...vars]
  const missing = wanted.find((key) => !Object.hasOwn(state, key))
  const extra = Object.keys(state).find((key) => !wanted.includes(key))
  if (missing !== undefined)
    throw unreadable(name, { found: `state ${index} has no ${JSON.stringify(missing)}` })
  if (extra !== undefined)
    throw unreadable(name, { found: `state ${index} has ${extra}, which is not in "vars"` })
  const variables = vars.filter((key) => key !== actionVariable && key !== picksVariable)
  return Object.fromEntries(
    variables.map((key) => {
      try {
        return [key, decode(state[key], key)] as const
      } catch (error) {
        if (!(error instanceof NotAnExpression)) throw error
        throw unreadable(name, { found: `state ${index}, ${error.path}: ${error.message}` })
      }
    }),
  )
}

function decodeStep(state: StateLine, index: number, name: string): TraceStep {
  const step = validated(stepSchema, state['#meta'], name, `states.${index}.#meta`)
  if (state[actionVariable] !== step.action)
    throw contradiction(name, index, state[actionVariable], step.action)
  const { action, args, choices, events, faults } = step
  return {
    action,
    args,
    choices,
    events: events as TraceStep['events'],
    ...(faults === undefined ? {} : { faults }),
  }
}

function checkFirstState(document: Document, name: string) {
  const [first] = document.states
  if (first === undefined) throw unreadable(name, { found: 'the trace has no states' })
  if (first[actionVariable] !== initialAction)
    throw contradiction(name, 0, first[actionVariable], initialAction)
}

const contradiction = (name: string, index: number, found: unknown, expected: string) =>
  unreadable(name, {
    found: `state ${index} contradicts itself: ${actionVariable} is ${JSON.stringify(found)}`,
    expected: JSON.stringify(expected),
    fix: 'use the file as fencepost wrote it',
  })

const unreadable = (where: string, details: Omit<ErrorDetails, 'code' | 'where'>) =>
  new UsageError({ code: 'unreadable-input', where, ...details })
