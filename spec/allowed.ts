/** Which values a schema takes, as data that tools can show. */
import type { GenericSchema } from 'valibot'

/** One of a few values, a whole number in a range (without an end: any from there on), or an object with these keys. */
export type Allowed =
  | { readonly oneOf: readonly (string | number | boolean)[] }
  | { readonly from: number; readonly to?: number }
  | { readonly keys: readonly string[] }

/** What this module looks at in a schema: optional and partial ones are taken off, checks of a range are read. */
interface Parts {
  readonly type: string
  readonly wrapped?: GenericSchema
  readonly options?: readonly (string | number)[]
  readonly entries?: Readonly<Record<string, GenericSchema>>
  readonly pipe?: readonly { readonly type: string; readonly requirement?: number }[]
}

/** Of what has another form, undefined: any value that the schema takes. */
export function allowedBy(schema: GenericSchema): Allowed | undefined {
  const { type, wrapped, options, entries, pipe = [] } = schema as unknown as Parts
  if (wrapped !== undefined) return allowedBy(wrapped)
  if (type === 'boolean') return { oneOf: [false, true] }
  if (type === 'picklist' && options !== undefined) return { oneOf: options }
  if (entries !== undefined) return { keys: Object.keys(entries) }
  const limit = (name: string) => pipe.find((check) => check.type === name)?.requirement
  const [from, to] = [limit('min_value'), limit('max_value')]
  return from === undefined ? undefined : { from, ...(to === undefined ? {} : { to }) }
}

/** The schema of a key of an object; undefined if there is none. */
export function schemaOf(schema: GenericSchema, key: string): GenericSchema | undefined {
  const { wrapped, entries } = schema as unknown as Parts
  return wrapped === undefined ? entries?.[key] : schemaOf(wrapped, key)
}
