/** Puts a configuration together from its sources and refuses names that the model does not know. */
import type { GenericSchema } from 'valibot'
import { UsageError, unknownName } from '../checker/index.ts'
import type { ConfigInput } from './catalogue.ts'

/**
 * Later layers win. Objects are merged, everything else is replaced.
 *
 * @throws UsageError (unknown-name) for a key that the schema does not have: a mistyped key must not be ignored
 */
export function mergeConfiguration(schema: GenericSchema, layers: readonly ConfigInput[]): ConfigInput {
  const merged = layers.reduce(mergeInto, {})
  refuseUnknownKeys(schema, merged, [])
  return merged
}

/**
 * `flags.verification=off` as `{ flags: { verification: 'off' } }`. The value is text where the schema has just that text
 * among its options (`acks=1`), else JSON if it is JSON, else text.
 */
export function parseAssignment(schema: GenericSchema, text: string): ConfigInput {
  const at = text.indexOf('=')
  const path = text.slice(0, at).split('.')
  if (at < 1 || path.some((key) => key === '')) {
    throw new UsageError({
      code: 'invalid-option',
      where: '--set',
      found: `'${text}' does not assign anything`,
      expected: 'KEY=VALUE, for example --set crashes=2 or --set flags.verification=off',
    })
  }
  const value = text.slice(at + 1)
  const parsed = isOption(schema, path, value) ? value : parseValue(value)
  return path.reduceRight<unknown>((inner, key) => record([[key, inner]]), parsed) as ConfigInput
}

/** Whether a text is one of the options at that place of the schema. */
function isOption(schema: GenericSchema, path: readonly string[], text: string): boolean {
  const [key, ...rest] = path
  if (key === undefined) return optionsOf(schema).includes(text)
  const entries = entriesOf(schema)
  const inner = entries !== undefined && Object.hasOwn(entries, key) ? entries[key] : undefined
  return inner !== undefined && isOption(inner, rest, text)
}

function optionsOf(schema: GenericSchema): readonly unknown[] {
  const { wrapped, options } = schema as { wrapped?: GenericSchema; options?: readonly unknown[] }
  return wrapped === undefined ? (options ?? []) : optionsOf(wrapped)
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function mergeInto(base: ConfigInput, layer: ConfigInput): ConfigInput {
  const merged = Object.entries(layer).map(([key, value]) => {
    const old = Object.hasOwn(base, key) ? base[key] : undefined
    return [key, isRecord(old) && isRecord(value) ? mergeInto(old, value) : value] as const
  })
  return record([...Object.entries(base), ...merged])
}

/** Later entries win. Without a prototype, because a key may be called anything. */
const record = (entries: readonly (readonly [string, unknown])[]): ConfigInput =>
  Object.assign(Object.create(null), Object.fromEntries(entries))

function refuseUnknownKeys(schema: GenericSchema, input: ConfigInput, path: readonly string[]) {
  const entries = entriesOf(schema)
  if (entries === undefined) return
  for (const [key, value] of Object.entries(input)) {
    const known = Object.hasOwn(entries, key) ? entries[key] : undefined
    if (known === undefined) {
      const where = path.length === 0 ? 'configuration' : `configuration, ${path.join('.')}`
      throw unknownName('key', key, Object.keys(entries), where)
    }
    if (isRecord(value)) refuseUnknownKeys(known, value, [...path, key])
  }
}

/** The keys of an object schema, also inside of optional(...) and the like; undefined if it takes any keys. */
export function entriesOf(schema: GenericSchema): Readonly<Record<string, GenericSchema>> | undefined {
  const { type, entries, wrapped } = schema as {
    type: string
    entries?: Record<string, GenericSchema>
    wrapped?: GenericSchema
  }
  if (entries !== undefined) return type === 'object' || type === 'strict_object' ? entries : undefined
  return wrapped === undefined ? undefined : entriesOf(wrapped)
}

const isRecord = (value: unknown): value is ConfigInput =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
