/** `fencepost doc`: pages about scenarios, as Markdown for a documentation site or as one HTML report. */
import { resolve } from 'node:path'
import { type CheckOptions, check } from '../../checker/index.ts'
import { documentOf, type ScenarioDocument } from '../doc/document.ts'
import { documentsHtml } from '../doc/html.ts'
import { markdownOf } from '../doc/markdown.ts'
import type { Environment } from '../environment.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { explore } from '../explore.ts'
import { assertWritable, writeAtomically } from '../files.ts'
import { commandLine } from '../repeat.ts'
import { resolveSubject } from '../subject.ts'

export interface DocFlags {
  readonly preset?: string
  readonly html?: boolean
  readonly output?: string
  readonly maxStates?: number
}

/** Documents what is found, whatever it is: only a limit or an interruption is no success. */
export async function docCommand(
  scenarios: readonly string[],
  flags: DocFlags,
  environment: Environment,
): Promise<ExitCode> {
  const target = flags.output === undefined ? undefined : resolve(environment.folder, flags.output)
  if (target !== undefined) assertWritable(target, '--output')
  const catalogue = await environment.catalogue()
  const given = flags.preset === undefined ? {} : { preset: flags.preset }
  const names = [...new Set(scenarios)]
  const subjects = []
  for (const name of names) {
    const subject = await resolveSubject(
      name,
      { set: [], ...given },
      { ...environment, catalogue: async () => catalogue },
    )
    subjects.push(subject)
  }
  const interruption = new AbortController()
  const stopListening = environment.onInterrupt(() => interruption.abort())
  const options: CheckOptions = {
    continueAfterViolation: true,
    signal: interruption.signal,
    ...(flags.maxStates === undefined ? {} : { maxStates: flags.maxStates }),
  }
  const documents: ScenarioDocument[] = []
  let isComplete = true
  try {
    for (const subject of subjects) {
      const { model, config, argument } = subject
      const search = (watched: Partial<CheckOptions>) => check(model, config, { ...options, ...watched })
      const result = await explore(search, environment, argument)
      isComplete &&= result.limit === undefined
      documents.push(documentOf(subject, catalogue, result))
    }
  } finally {
    stopListening()
  }
  const repeat = commandLine(['doc', ...names], {
    '--preset': flags.preset,
    '--max-states': flags.maxStates,
    '--html': flags.html,
    '--output': flags.output,
  })
  const text = flags.html ? documentsHtml(documents, repeat) : markdownOf(documents, repeat)
  if (target === undefined) environment.stdout.write(text)
  else writeAtomically(target, text, '--output')
  return isComplete ? exitCodes.holds : exitCodes.stopped
}
