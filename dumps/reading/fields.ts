/** `name: value` pairs, as kafka-dump-log.sh prints them. */

export interface Fields {
  readonly values: Readonly<Record<string, string>>
  /** Where the text goes on that is no pair any more. */
  readonly end: number
  /** A name that stands twice: two lines were taken for one. */
  readonly repeated: boolean
  /** The name of the last pair, if nothing follows it: its value may have been cut. */
  readonly last?: string
}

const pair =
  /\s*([A-Za-z]\w*):\s*(OptionalLong\.empty|OptionalLong\[-?\d+\]|Some\(-?\d+\)|[^\s:[\]()|]+)(?=\s|$)/y

/** Reads pairs until something else comes, or one of the names at which to stop. */
export function fieldsOf(text: string, from = 0, stop: ReadonlySet<string> = new Set()): Fields {
  const values: Record<string, string> = Object.create(null)
  let end = from
  let repeated = false
  let last = ''
  for (;;) {
    pair.lastIndex = end
    const match = pair.exec(text)
    if (match === null) break
    const [, name = '', value = ''] = match
    if (stop.has(name)) break
    if (name in values) repeated = true
    else values[name] = value
    end = pair.lastIndex
    last = name
  }
  return { values, end, repeated, ...(end === text.length ? { last } : {}) }
}

/** A whole number that can be told from its neighbours; anything else is undefined. */
export function integer(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 21 || !/^-?\d+$/.test(text)) return undefined
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : undefined
}

export const boolean = (text: string | undefined): boolean | undefined =>
  text === 'true' ? true : text === 'false' ? false : undefined

/** `None`, `Some(5)`, `OptionalLong.empty`, `OptionalLong[5]` or a bare number; -1 is none. */
export function optionalLong(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (text === 'None' || text === 'OptionalLong.empty') return -1
  return integer(/^(?:Some\(|OptionalLong\[)?(-?\d+)[)\]]?$/.exec(text)?.[1])
}

/** The object itself, without the fields that are undefined, so that what was not printed is absent. */
export function known<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const all = fields as Record<string, unknown>
  for (const name in all) if (all[name] === undefined) delete all[name]
  return all as never
}
