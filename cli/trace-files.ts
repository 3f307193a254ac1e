/** Writes the traces of a result to files. */
import { isAbsolute, relative, resolve } from 'node:path'
import type { CheckResult, PropertyResult, Trace } from '../checker/index.ts'
import { writeItf } from '../traces/index.ts'
import { writeAtomically } from './files.ts'
import { version } from './version.ts'

/** A trace by a name of its own: that of its property, or of one of the other ways to break it. */
interface Traced {
  readonly name: string
  readonly trace: Trace
}

const hasTrace = (property: PropertyResult): property is PropertyResult & Traced =>
  property.trace !== undefined

/**
 * The traces worth a file: counterexamples; if there is none, the witnesses of properties that were asked for by name.
 */
export function tracesToWrite({ properties }: CheckResult, asked: readonly string[]): Traced[] {
  const counterexamples = properties.filter(hasTrace).filter(({ verdict }) => verdict === 'violated')
  if (counterexamples.length > 0) return counterexamples.flatMap(withOtherWays)
  return properties.filter(hasTrace).filter(({ name }) => asked.includes(name))
}

function withOtherWays({ name, trace, ways }: PropertyResult & Traced): Traced[] {
  const others = (ways?.found ?? []).flatMap((way, index) =>
    way.trace === trace ? [] : [{ name: wayName(name, index), trace: way.trace }],
  )
  return [{ name, trace }, ...others]
}

/** The name of the trace of a way; the first is number 0. */
export const wayName = (property: string, index: number): string => `${property}, way ${index + 1}`

/** The first trace goes to `path`, every other one to `path` with the name of its property before the extension. */
export function traceFileNames(path: string, traced: readonly Traced[]): Map<string, string> {
  return new Map(traced.map(({ name }, index) => [name, index === 0 ? path : withName(path, name)]))
}

function withName(path: string, name: string): string {
  const [, stem = path] = /^(.*?)(?:\.itf)?(?:\.json)?$/s.exec(path) ?? []
  return `${stem}-${slug(name)}.itf.json`
}

/** A name as a part of a file name: `aborted-records-stay-invisible`. */
export const slug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}.]+/gu, '-')
    .replaceAll(/^-|-$/g, '')

/** @throws UsageError (cannot-write) */
export function writeTraces(traced: readonly Traced[], fileOf: (name: string) => string, option: string) {
  for (const { name, trace } of traced) writeAtomically(fileOf(name), writeItf(trace, { version }), option)
}

/** A folder as it can be given to other commands from `here`. */
export const shownFolder = (folder: string, here: string): string =>
  isAbsolute(folder) ? folder : relative(here, resolve(here, folder))
