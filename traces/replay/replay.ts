/** Whether a trace still is what the model does. */
import { UsageError } from '../../checker/errors.ts'
import { labelOf } from '../../checker/instances.ts'
import type { Model, Plain } from '../../checker/model.ts'
import { canonical, textOf } from '../../checker/plain.ts'
import { isRefusal, Player } from '../../checker/player.ts'
import { prepare } from '../../checker/prepare.ts'
import type { Trace, TraceStep } from '../../checker/trace.ts'
import { Goal, type Moment } from './goal.ts'
import { initialOf, type NumberedStep, numbered, toldStep } from './rehearsal.ts'

export interface Replayed {
  /** The same steps, with the states and events that the model now makes of them. */
  readonly trace: Trace
  /** The first state that is not the one in the trace; absent if all are. */
  readonly differsFrom?: number
  /** Whether its last state or step shows what the trace says. Absent of a lasso, of which only the steps are taken. */
  readonly shows?: boolean
}

/**
 * Takes the steps of a trace again, by action, arguments and choices.
 *
 * @throws UsageError 'trace-does-not-apply' if a step cannot be taken: which one, and what blocks it
 */
export function replay<Config, State>(model: Model<Config, State>, trace: Trace): Replayed {
  const { config, defencesOff, property } = trace
  const asked = property === undefined ? {} : { properties: [property.name] }
  const player = new Player(prepare(model, config, { defencesOff, ...asked }))
  const steps: TraceStep[] = []
  let moment: Moment = { values: initialOf(player, trace) }
  const states: Plain[] = [player.stateOf(moment.values)]
  for (const step of numbered(trace)) {
    const from = moment.values
    const by = player.take(from, step)
    if (isRefusal(by)) throw doesNotApply(step, trace, by.found)
    moment = { values: by.next, reached: { from, by } }
    states.push(player.stateOf(by.next))
    steps.push(toldStep(by))
  }
  const differsFrom = states.findIndex((state, index) => !isSame(state, trace.states[index]!))
  if (trace.loop !== undefined && !isSame(states.at(-1)!, states[trace.loop]!)) throw doesNotClose(trace.loop)
  return {
    trace: { ...trace, states, steps },
    ...(differsFrom < 0 ? {} : { differsFrom }),
    ...showsGoal(player, trace, moment),
  }
}

function showsGoal(player: Player, { property, loop }: Trace, last: Moment): Pick<Replayed, 'shows'> {
  if (property === undefined || loop !== undefined) return {}
  return { shows: new Goal(player).shownAt(last) !== undefined }
}

const isSame = (one: Plain, other: Plain) => textOf(one) === textOf(canonical(other, 'state'))

/** `step 7 of 31, HandleProduce(client: 0): the guard 'a request has arrived' blocks it` */
export const doesNotApply = ({ number, action, args }: NumberedStep, trace: Trace, found: string) =>
  new UsageError({
    code: 'trace-does-not-apply',
    where: `step ${number} of ${trace.steps.length}, ${labelOf(action, args)}`,
    found,
  })

const doesNotClose = (loop: number) =>
  new UsageError({
    code: 'trace-does-not-apply',
    where: 'the loop',
    found: `the last state is not state ${loop} any more`,
  })
