/** Reads back the trace files that fencepost writes. Whatever else the file is, one clear error says so. */
import * as v from 'valibot'
import { type ErrorDetails, UsageError } from '../../checker/errors.ts'
import type { Plain } from '../../checker/model.ts'
import type { Trace, TraceStep } from '../../checker/trace.ts'
import { actionVariable, initialAction, picksVariable, traceFormat } from './format.ts'
import { type Document, documentSchema, isObject, type StateLine, stepSchema } from './schema.ts'
import { decode, NotAnExpression, nestingMax } from './value.ts'

/** Longer texts are refused before they are parsed: no trace is that long. */
export const traceLengthMax = 256 * 1024 * 1024

/**
 * The trace in the text of an `.itf.json` file. `name` says in errors where the text came from.
 *
 * @throws UsageError (unreadable-input) if it is cut off, not ITF, not written by fencepost, or contradicts itself
 */
export function readItf(text: string, name = 'trace'): Trace {
  const document = parseDocument(text, name)
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

function parseDocument(text: string, name: string): Document {
  if (text.length > traceLengthMax) {
    throw unreadable(name, {
      found: `the file has ${text.length} characters, more than the ${traceLengthMax} that a trace may have`,
      fix: 'give a trace file written by fencepost',
    })
  }
  const json = parseJson(text, name)
  refuseForeign(json, name)
  refuseHostile(json, name)
  return validated(documentSchema, json, name, '')
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
  try {
    return JSON.parse(text)
  } catch (error) {
    const { message } = error as SyntaxError
    const cut = /unexpected end|unterminated/i.test(message)
    throw unreadable(name, {
      found: cut ? `the file ends in the middle of a value (${message})` : `it is not JSON: ${message}`,
      expected: 'a trace in the Informal Trace Format, a JSON document',
      fix: cut ? 'copy or write the file again' : 'give a file that `--trace` wrote',
    })
  }
}

function refuseForeign(json: unknown, name: string) {
  const foreign = (found: string) =>
    unreadable(name, {
      found,
      expected: `a trace with "#meta": { "fencepost": { "format": "${traceFormat}", ... } }`,
      fix: 'give a file that `fencepost check --trace FILE` wrote',
    })
  if (!isObject(json)) throw foreign('the file is JSON, but not an object')
  if (typeof json.format === 'string')
    throw foreign(`the file is a ${JSON.stringify(json.format)}, not a trace`)
  if (!Array.isArray(json.vars) || !Array.isArray(json.states)) {
    throw foreign('the file is JSON, but not a trace: it has no lists "vars" and "states"')
  }
  const own = isObject(json['#meta']) ? json['#meta'].fencepost : undefined
  if (!isObject(own)) throw foreign('the file is an ITF trace of another tool')
  if (own.format !== traceFormat) {
    throw foreign(
      `the file has the trace format ${JSON.stringify(own.format)}, which this version does not know`,
    )
  }
}

/** Looked for without recursion and before anything else touches the document. */
function refuseHostile(json: unknown, name: string) {
  let level: unknown[] = [json]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > nestingMax)
      throw unreadable(name, { found: `values are nested deeper than ${nestingMax} levels` })
    const containers = level.filter((value) => typeof value === 'object' && value !== null) as object[]
    if (containers.some((value) => Object.hasOwn(value, '__proto__'))) {
      throw unreadable(name, { found: 'a field is named __proto__, which no state has' })
    }
    level = containers.flatMap((value) => Object.values(value))
  }
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
