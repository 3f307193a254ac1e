/** A trace file, and the model that the trace is of. */
import { resolve } from 'node:path'
import { type Trace, UsageError } from '../checker/index.ts'
import { readAnyItf, readItf, traceLengthMax } from '../traces/index.ts'
import type { AnyModel, Catalogue } from './catalogue.ts'
import type { Environment } from './environment.ts'
import { readText } from './files.ts'
import { loadUserModel } from './user-model.ts'

/** @throws UsageError (unreadable-input) */
function readTrace(file: string, environment: Environment): Trace {
  return readItf(readText(resolve(environment.folder, file), 'trace', traceLengthMax), file)
}

/**
 * A trace to be looked at: those of other tools will do.
 *
 * @throws UsageError (unreadable-input)
 */
export function readAnyTrace(file: string, environment: Environment): Trace {
  return readAnyItf(readText(resolve(environment.folder, file), 'trace', traceLengthMax), file)
}

export interface TraceSubject {
  readonly trace: Trace
  readonly model: AnyModel
  /** Where the model is from; that of a user is in none. */
  readonly catalogue?: Catalogue
}

export interface ModelFlag {
  /** A file of the user's own. */
  readonly model?: string
}

/** @throws UsageError for a file that cannot be read, and for a trace of another model */
export async function resolveTrace(
  file: string,
  { model: modelFile }: ModelFlag,
  environment: Environment,
): Promise<TraceSubject> {
  const trace = readTrace(file, environment)
  if (modelFile === undefined) {
    const catalogue = await environment.catalogue()
    const { model, programs } = catalogue
    if (model.name === trace.model) return { trace, model, catalogue }
    if (programs.name === trace.model) return { trace, model: programs }
    throw ofOtherModel(trace, file, 'name the file of this model: --model ./model.ts')
  }
  const model = await loadUserModel(resolve(environment.folder, modelFile))
  if (model.name === trace.model) return { trace, model }
  throw ofOtherModel(trace, file, `name its file; the model in ${modelFile} is called '${model.name}'`)
}

/**
 * The model of a trace, for those who can do without: undefined if none is named and the catalogue has none of this name.
 *
 * @throws UsageError if the file that is named has another model
 */
export async function modelOfTrace(
  trace: Trace,
  file: string,
  { model: modelFile }: ModelFlag,
  environment: Environment,
): Promise<AnyModel | undefined> {
  if (modelFile !== undefined) return (await resolveTrace(file, { model: modelFile }, environment)).model
  const { model, claims } = await environment.catalogue()
  return [model, ...claims.flatMap(({ cases }) => cases.map((one) => one.model))].find(
    ({ name }) => name === trace.model,
  )
}

const ofOtherModel = ({ model }: Trace, where: string, fix: string) =>
  new UsageError({ code: 'invalid-option', where, found: `the trace is of a model called '${model}'`, fix })
