/**
 * Traces of other tools that write ITF (Quint, Apalache), to be looked at. Their states may hold what ours never do: sets,
 * tuples, maps of anything, integers of any size. It is written here as plain values, each in the most readable way.
 */
import type { Plain } from '../../checker/model.ts'
import type { Trace, TraceStep } from '../../checker/trace.ts'
import { isRecord, type PlainRecord } from '../plain.ts'
import { valueText } from '../text/value.ts'
import { actionVariable, picksVariable } from './format.ts'
import { isObject } from './schema.ts'
import { NotAnExpression } from './value.ts'

/** As older versions of Quint called them. */
const actionVariables = [actionVariable, 'action_taken']
const picksVariables = [picksVariable, 'nondet_picks']

export interface ForeignDocument {
  readonly '#meta'?: unknown
  readonly vars: readonly unknown[]
  readonly params?: unknown
  readonly states: readonly unknown[]
  readonly loop?: unknown
}

/** @throws NotAnExpression with the path of what is not ITF */
export function readForeign(document: ForeignDocument, name: string): Trace {
  const variables = texts(document.vars, 'vars')
  const params = document.params === undefined ? [] : texts(document.params, 'params')
  const whole = document.states.map((state, index) => decodeState(state, index, [...variables, ...params]))
  if (whole.length === 0) throw new NotAnExpression('states', 'an empty list')
  const { loop } = document
  const isIndex = Number.isInteger(loop) && (loop as number) >= 0 && (loop as number) < whole.length
  if (loop !== undefined && !isIndex) throw new NotAnExpression('loop', 'not the index of a state')
  const shown = variables.filter((one) => ![...actionVariables, ...picksVariables].includes(one))
  return {
    model: sourceOf(document, name),
    config: pick(whole[0] as PlainRecord, params),
    defencesOff: [],
    states: whole.map((state) => pick(state, shown)),
    steps: whole.slice(1).map(stepTo),
    ...(loop === undefined ? {} : { loop: loop as number }),
  }
}

/** The file with the model, as far as the tool says it. */
function sourceOf({ '#meta': meta }: ForeignDocument, name: string): string {
  const source = isObject(meta) ? (meta.source ?? meta.description) : undefined
  return typeof source === 'string' && source !== '' ? source : name
}

function texts(list: unknown, path: string): string[] {
  if (Array.isArray(list) && list.every((one) => typeof one === 'string')) return list
  throw new NotAnExpression(path, 'not a list of names')
}

function decodeState(state: unknown, index: number, names: readonly string[]): PlainRecord {
  const path = `states[${index}]`
  if (!isObject(state)) throw new NotAnExpression(path, 'not an object')
  const entries = names.flatMap((name): [string, Plain][] => {
    // Constants may stand in the first state alone.
    if (!Object.hasOwn(state, name)) return []
    return [[name, decode(state[name], `${path}.${name}`)]]
  })
  return Object.fromEntries(entries)
}

function pick(state: PlainRecord, names: readonly string[]): PlainRecord {
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(state, name) ? [[name, state[name] as Plain]] : [])),
  )
}

/** Only Quint says which action led to a state, and what was chosen in it. */
function stepTo(state: PlainRecord): TraceStep {
  const taken = actionVariables.map((name) => state[name]).find((value) => typeof value === 'string')
  const picks = picksVariables
    .map((name) => state[name])
    .find((value) => value !== undefined && isRecord(value))
  const chosen = Object.entries((picks as PlainRecord | undefined) ?? {}).filter(
    ([, value]) => value !== null,
  )
  return {
    action: taken ?? 'Next',
    args: Object.fromEntries(chosen.map(([name, value]) => [name, withoutSome(value)])),
    choices: [],
    events: [],
  }
}

const withoutSome = (value: Plain): Plain =>
  isRecord(value) && value.tag === 'Some' ? (value.value as Plain) : value

function decode(expression: unknown, path: string): Plain {
  if (expression === null || typeof expression === 'boolean' || typeof expression === 'string')
    return expression
  if (typeof expression === 'number') return integer(String(expression), path)
  if (Array.isArray(expression)) return decodeList(expression, path)
  if (!isObject(expression)) throw new NotAnExpression(path, 'not a value')
  const entries = Object.entries(expression)
  const [special, ...others] = entries.filter(([key]) => key.startsWith('#'))
  if (special === undefined) return decodeRecord(entries, path)
  if (entries.length > 1 || others.length > 0)
    throw new NotAnExpression(path, `${special[0]} beside other fields`)
  return decodeSpecial(special[0], special[1], path)
}

function decodeSpecial(key: string, content: unknown, path: string): Plain {
  if (key === '#bigint' && typeof content === 'string') return integer(content, path)
  if (key === '#unserializable' && typeof content === 'string') return content
  if (!Array.isArray(content)) throw new NotAnExpression(path, `${key} of something else`)
  if (key === '#tup') return decodeList(content, path)
  if (key === '#set') return { '#set': decodeList(content, path).toSorted(byText) }
  if (key === '#map') return decodeMap(content, path)
  throw new NotAnExpression(path, `${key}, which is no kind of value of ITF`)
}

const decodeList = (list: readonly unknown[], path: string): Plain[] =>
  list.map((element, index) => decode(element, `${path}[${index}]`))

/** The variant None is what others call null. */
function decodeRecord(entries: readonly (readonly [string, unknown])[], path: string): Plain {
  const fields = entries.map(([key, value]) => [key, decode(value, `${path}.${key}`)] as const)
  const { tag, value } = Object.fromEntries(fields)
  const isNone = fields.length === 2 && tag === 'None' && Array.isArray(value) && value.length === 0
  return isNone ? null : Object.fromEntries(fields)
}

function decodeMap(pairs: readonly unknown[], path: string): Plain {
  const fields = new Map<string, Plain>()
  pairs.forEach((pair, index) => {
    const here = `${path}[${index}]`
    if (!Array.isArray(pair) || pair.length !== 2)
      throw new NotAnExpression(here, 'not a pair of a key and a value')
    const key = decode(pair[0], here)
    const name = typeof key === 'string' ? key : valueText(key)
    if (fields.has(name) || name === '__proto__') throw new NotAnExpression(here, `the key ${name} once more`)
    fields.set(name, decode(pair[1], here))
  })
  return Object.fromEntries([...fields].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Larger ones than states of ours may have are kept as texts. */
function integer(digits: string, path: string): Plain {
  if (!/^-?\d+$/.test(digits)) throw new NotAnExpression(path, `${digits} is no integer`)
  const value = Number(digits)
  return Number.isSafeInteger(value) ? value + 0 : digits
}

const byText = (one: Plain, other: Plain): number => {
  const [left, right] = [JSON.stringify(one), JSON.stringify(other)]
  return left < right ? -1 : Number(left > right)
}
