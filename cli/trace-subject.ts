/** A trace file, and the model that the trace is of. */
import { resolve } from 'node:path'
import { type Trace, UsageError } from '../checker/index.ts'
import { readItf, traceLengthMax, withGoalOf } from '../traces/index.ts'
import type { AnyModel, Catalogue } from './catalogue.ts'
import type { Environment } from './environment.ts'
import { readText } from './files.ts'
import { loadUserModel } from './user-model.ts'

/** @throws UsageError (unreadable-input) */
export function readTrace(file: string, environment: Environment): Trace {
  return readItf(readText(resolve(environment.folder, file), 'trace', traceLengthMax), file)
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
    if (catalogue.model.name === trace.model) {
      return { trace, model: withGoalOf(catalogue.model, trace), catalogue }
    }
    throw ofOtherModel(trace, file, 'name the file of this model: --model ./model.ts')
  }
  const model = await loadUserModel(resolve(environment.folder, modelFile))
  if (model.name === trace.model) return { trace, model: withGoalOf(model, trace) }
  throw ofOtherModel(trace, file, `name its file; the model in ${modelFile} is called '${model.name}'`)
}

const ofOtherModel = ({ model }: Trace, where: string, fix: string) =>
  new UsageError({ code: 'invalid-option', where, found: `the trace is of a model called '${model}'`, fix })
