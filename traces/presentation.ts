/** How the participants and states of a trace are shown: as its model says, if that is at hand. */
import { UsageError } from '../checker/errors.ts'
import type { Model, Plain } from '../checker/model.ts'
import { prepare } from '../checker/prepare.ts'
import type { Trace } from '../checker/trace.ts'
import type { Lane, StateView } from '../checker/view.ts'
import { sliceOf } from './explain/slice.ts'
import { rehearsalOf } from './replay/rehearsal.ts'
import { violationOf } from './replay/violation.ts'
import { lanesOf } from './text/steps.ts'

/** All of it may be missing: then participants are those that the events name, and nothing is known of their insides. */
export interface Presentation {
  /** Participants in their order, with their labels and groups. */
  readonly lanes?: readonly Lane[]
  readonly view?: (state: Plain) => StateView
  /** Numbers of the steps that what the trace shows depends on. */
  readonly slice?: ReadonlySet<number>
}

/** What the model says; nothing if it has no such configuration any more. */
export function presentationOf<Config, State>(
  model: Model<Config, State>,
  { config, defencesOff }: Pick<Trace, 'config' | 'defencesOff'>,
): Presentation {
  try {
    const { body } = prepare(model, config, { defencesOff })
    return {
      ...(body.lanes === undefined ? {} : { lanes: body.lanes }),
      ...(body.view === undefined ? {} : { view: body.view as (state: Plain) => StateView }),
    }
  } catch (error) {
    if (error instanceof UsageError) return {}
    throw error
  }
}

/** What a violation depends on; nothing for a trace of anything else, and for one that the model does not do any more. */
export function slicePresentation<Config, State>(
  model: Model<Config, State>,
  trace: Trace,
): Pick<Presentation, 'slice'> {
  const { property, loop } = trace
  if (property === undefined || property.kind === 'reachable' || loop !== undefined) return {}
  try {
    const rehearsal = rehearsalOf(model, trace)
    const { steps } = sliceOf(rehearsal, violationOf(rehearsal, trace))
    return { slice: new Set(steps.map(({ number }) => number)) }
  } catch (error) {
    if (error instanceof UsageError) return {}
    throw error
  }
}

/** The participants that a trace names: first those of the model in its order, then others as they appear. */
export function participantsOf(trace: Trace, { lanes = [] }: Presentation = {}): Lane[] {
  const present = lanesOf(trace)
  const named = lanes.filter(({ id }) => present.includes(id))
  const others = present.filter((id) => !named.some((lane) => lane.id === id))
  return [...named, ...others.map((id) => ({ id, label: id, group: '' }))]
}
