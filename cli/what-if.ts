/** A question in a file: parameters of the model, and beside them where to start, what to leave out and what to ask. */
import type { GenericSchema } from 'valibot'
import { UsageError, unknownName } from '../checker/index.ts'
import type { ConfigInput } from './catalogue.ts'
import { entriesOf } from './configuration.ts'

export interface WhatIf {
  /** The scenario that the parameters change. */
  readonly scenario?: string
  /** Names of defences that are switched off. */
  readonly without: readonly string[]
  /** Names of properties; what the model promises if it is empty. */
  readonly properties: readonly string[]
  /** Everything else. */
  readonly parameters: ConfigInput
}

/** `$schema` is for editors. */
const ownKeys = ['$schema', 'scenario', 'without', 'properties'] as const
type OwnKey = (typeof ownKeys)[number]

/**
 * What a model has a parameter of that name for is a parameter of the model.
 *
 * @param where name of the file, for messages
 * @throws UsageError (unknown-name) for a key that means nothing, (invalid-configuration) for a value of another type
 */
export function whatIfOf(file: ConfigInput, schema: GenericSchema, where: string): WhatIf {
  const parameters = entriesOf(schema)
  const isOwn = (key: string): key is OwnKey =>
    ownKeys.some((own) => own === key) && !(parameters !== undefined && Object.hasOwn(parameters, key))
  const known = [...ownKeys.filter(isOwn), ...Object.keys(parameters ?? {})]
  const unknown = Object.keys(file).find((key) => parameters !== undefined && !known.includes(key))
  if (unknown !== undefined) throw unknownName('key', unknown, known, where)
  const own = (key: OwnKey) => (isOwn(key) && Object.hasOwn(file, key) ? file[key] : undefined)
  const scenario = own('scenario')
  if (scenario !== undefined && typeof scenario !== 'string')
    throw unfit(where, 'scenario', scenario, 'the name of a scenario, as a text')
  return {
    ...(scenario === undefined ? {} : { scenario }),
    without: namesIn(own('without'), 'without', where),
    properties: namesIn(own('properties'), 'properties', where),
    parameters: Object.fromEntries(Object.entries(file).filter(([key]) => !isOwn(key))),
  }
}

function namesIn(value: unknown, key: OwnKey, where: string): readonly string[] {
  if (value === undefined) return []
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return value
  throw unfit(where, key, value, 'a list of names, such as ["sequence check"]')
}

const unfit = (where: string, key: string, value: unknown, expected: string) =>
  new UsageError({
    code: 'invalid-configuration',
    where: `${where}, ${key}`,
    found: `${JSON.stringify(value)} will not do`,
    expected,
  })
