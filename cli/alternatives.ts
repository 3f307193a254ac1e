/** The rules of other versions, one at a time, as configurations that a trace can be tried in. */
import type { Plain } from '../checker/index.ts'
import type { Alternative } from '../traces/index.ts'
import type { Catalogue } from './catalogue.ts'

type Flags = Readonly<Record<string, unknown>>

/** Each flag in which versions differ, with each value that another version has; labels as `--set` takes them. */
export function alternativesOf({ presets }: Catalogue, config: Plain): Alternative[] {
  const { preset, flags = {} } = config as { readonly preset?: string; readonly flags?: Flags }
  const own: Flags = { ...presets.find(({ name }) => name === preset)?.flags, ...flags }
  return Object.keys(own).flatMap((name) => {
    const values = new Set(presets.map((other) => other.flags[name]))
    values.delete(own[name] as never)
    return [...values].map((value) => ({
      label: `flags.${name}=${value}`,
      config: { ...(config as object), flags: { ...flags, [name]: value } },
    }))
  })
}
