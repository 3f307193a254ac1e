/** The reporters that a search can be asked for: the report for people, or one for continuous integration. */
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { safeParse } from 'valibot'
import { type CheckResult, UsageError } from '../../checker/index.ts'
import { type AboutProperty, reporters } from '../../traces/index.ts'
import type { Subject } from '../subject.ts'
import { version } from '../version.ts'

export const reporterNames = ['pretty', ...(Object.keys(reporters) as (keyof typeof reporters)[])] as const
export type ReporterName = (typeof reporterNames)[number]

/** @throws UsageError (invalid-option) if two things are to go to standard output */
export function refuseTwoOutputs(reporter: ReporterName | undefined, json: string | undefined) {
  if (reporter === undefined || json !== '-') return
  throw new UsageError({
    code: 'invalid-option',
    where: '--reporter',
    found: `the ${reporter} report and the JSON of --json - are both to go to standard output`,
    fix: 'give --json the name of a file, or leave one of them out',
  })
}

export interface ReportFacts {
  readonly title: string
  readonly repeat: string
  /** The folder that paths of the user start from. */
  readonly folder: string
}

/** The whole of what a reporter for continuous integration prints. */
export function reportText(
  reporter: Exclude<ReporterName, 'pretty'>,
  result: CheckResult,
  subject: Subject,
  { title, repeat, folder }: ReportFacts,
): string {
  const isFile = subject.catalogue === undefined
  return reporters[reporter]({
    result,
    title,
    repeat,
    version,
    about: aboutProperties(subject),
    ...(isFile ? { file: uriOf(subject.argument, folder) } : {}),
  })
}

/** What the properties of a model say of themselves. The result has only their names. */
function aboutProperties({ model, config }: Subject): Map<string, AboutProperty> {
  const complete = safeParse(model.config, config)
  if (!complete.success) return new Map()
  const { properties } = model.build(complete.output, { defences: { has: () => true } })
  return new Map(properties.map((property) => [property.name, property]))
}

/** Relative to the folder of the run where it lies in it, so that it means the same on every machine. */
function uriOf(argument: string, folder: string): string {
  const path = resolve(folder, argument)
  const inside = relative(folder, path)
  if (inside.startsWith('..') || isAbsolute(inside)) return pathToFileURL(path).href
  return inside.split(sep).map(encodeURIComponent).join('/')
}
