/** How the participants and states of a trace are shown: as its model says, if that is at hand. */
import * as v from 'valibot'
import { failed, ModelError, UsageError } from '../checker/errors.ts'
import type { Model, Plain } from '../checker/model.ts'
import { canonical } from '../checker/plain.ts'
import { type Prepared, prepare } from '../checker/prepare.ts'
import { componentsOf } from '../checker/shape.ts'
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

/**
 * What the model says. Nothing if it has no such configuration any more, and nothing of the insides of participants if its
 * states are of another shape by now.
 */
export function presentationOf<Config, State>(
  model: Model<Config, State>,
  { config, defencesOff, states }: Pick<Trace, 'config' | 'defencesOff' | 'states'>,
): Presentation {
  const prepared = preparedFor(model, config, defencesOff)
  if (prepared === undefined) return {}
  const { lanes, view } = prepared.body
  return {
    ...(lanes === undefined ? {} : { lanes }),
    ...(view === undefined || !fits(prepared, states) ? {} : { view: checked(view as View) }),
  }
}

type View = (state: Plain) => StateView

function preparedFor<Config, State>(
  model: Model<Config, State>,
  config: Plain,
  defencesOff: readonly string[],
) {
  try {
    return prepare(model, config, { defencesOff })
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

function fits({ shape }: Prepared, states: readonly Plain[]): boolean {
  try {
    for (const state of states) componentsOf(shape, canonical(state, 'state'), 'state')
    return true
  } catch (error) {
    if (error instanceof ModelError) return false
    throw error
  }
}

/** Models are also written by others than us. */
const checked =
  (view: View): View =>
  (state) => {
    const found = viewed(view, state)
    const parsed = v.safeParse(viewSchema, found)
    if (parsed.success) return found
    const [issue] = parsed.issues
    throw new ModelError({
      code: 'invalid-model',
      where: 'view',
      found: `${v.getDotPath(issue) ?? 'it'} is ${issue.received}`,
      expected: issue.expected ?? issue.message,
    })
  }

function viewed(view: View, state: Plain): StateView {
  try {
    return view(state)
  } catch (error) {
    throw failed('view', error)
  }
}

const integer = v.pipe(v.number(), v.integer())
const viewSchema = v.object({
  lanes: v.record(
    v.string(),
    v.object({
      status: v.optional(v.picklist(['up', 'down', 'paused'])),
      facts: v.record(v.string(), v.any()),
    }),
  ),
  logs: v.array(
    v.object({
      lane: v.string(),
      label: v.string(),
      cells: v.array(
        v.object({
          offset: integer,
          kind: v.picklist(['plain', 'committed', 'aborted', 'open', 'marker']),
          lines: v.array(v.string()),
        }),
      ),
      bounds: v.record(v.string(), integer),
      readers: v.array(v.object({ label: v.string(), offsets: v.array(integer) })),
    }),
  ),
})

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
