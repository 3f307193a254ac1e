/** Completes a schedule to a behaviour of the model, the shortest that there is. */
import { check } from '../../checker/check.ts'
import type { Model, Plain } from '../../checker/model.ts'
import { Player } from '../../checker/player.ts'
import { prepare } from '../../checker/prepare.ts'
import type { CheckOptions, CheckResult, PropertyResult } from '../../checker/result.ts'
import type { Trace } from '../../checker/trace.ts'
import { asGoal } from '../goals/found.ts'
import { withViolated } from '../goals/on-the-way.ts'
import { Overheard } from './overheard.ts'
import { doneName, scheduled, unfinished } from './product.ts'
import { parseSchedule, type Schedule, type ScheduleLine } from './schedule.ts'
import { type Stuck, stuckAt } from './stuck.ts'

export interface Completion {
  readonly schedule: Schedule
  /**
   * Of the search. Its first property is the schedule itself, witnessed if it can be completed; the others are
   * properties that the completed behaviour violates, if there are any.
   */
  readonly result: CheckResult
  /** The completed behaviour; a trace like any other. */
  readonly trace?: Trace
  /** The lines with the steps that they mean, counted from 1; those that can be done, if not all can. */
  readonly done: readonly { readonly line: ScheduleLine; readonly step: number }[]
  /** Where it ends, if it cannot be completed, or was not yet when a limit ended the search. */
  readonly stuck?: Stuck
}

export type ScheduleOptions = Omit<
  CheckOptions,
  'properties' | 'continueAfterViolation' | 'counterexamples' | 'symmetry'
>

/**
 * Searches the behaviours that follow a schedule.
 *
 * @param text one step a line, see the guide
 * @param source what messages call it: the name of the file
 * @throws UsageError (rejects) for a line that the model cannot mean, and as `check` does
 * @throws ModelError (rejects) if the model is wrong
 */
export async function completeSchedule<Config, State>(
  model: Model<Config, State>,
  config: unknown,
  { text, source }: { readonly text: string; readonly source: string },
  options: ScheduleOptions = {},
): Promise<Completion> {
  const prepared = prepare(model, config, options)
  const schedule = parseSchedule(text, source, prepared)
  const { lines } = schedule
  const overheard = new Overheard(lines)
  const found = await check(scheduled(model, lines, overheard), config, options)
  const { trace, done } = told(furthestTrace(found, lines.length), schedule, prepared.body.background)
  const goal = ofModel(asGoal(found, unfinished, `the schedule ${source}`))
  const [property] = goal.properties
  const player = new Player(prepared)
  if (property?.verdict === 'witnessed' && trace !== undefined) {
    return { schedule, done, ...judged({ ...goal, properties: [property] }, trace, player) }
  }
  const explore = (watch: Overheard) =>
    check(scheduled(model, [anything], watch), config, { ...options, maxStates: statesForNames })
  return {
    schedule,
    result: goal,
    done,
    stuck: await stuckAt(lines[done.length]!, trace, player, overheard, explore),
  }
}

/** With what it violates; if that happens at its very end, that is what the trace shows. */
function judged(result: CheckResult, given: Trace, player: Player): Pick<Completion, 'result' | 'trace'> {
  const [schedule, ...violated] = withViolated(result, given, player).properties
  const last = violated.find(({ depth }) => depth === given.states.length)
  const trace = last === undefined ? given : { ...given, property: aboutOf(last) }
  const verdict = violated.length > 0 ? 'violated' : result.verdict
  return { result: { ...result, verdict, properties: [{ ...schedule!, trace }, ...violated] }, trace }
}

const aboutOf = ({ name, kind, failed }: PropertyResult) => ({
  name,
  kind,
  ...(failed === undefined ? {} : { failed }),
})

/** Enough to meet most kinds of steps, in well under a second. */
const statesForNames = 3000

/** A line that means no step at all, however many there are before it. */
const anything: ScheduleLine = {
  number: 0,
  text: '',
  pattern: { kind: 'call', action: '', given: [] },
  afterGap: true,
}

/** The components of the product as those of the model. */
function ofModel(result: CheckResult): CheckResult {
  const components = result.coverage.components.flatMap(({ path, values }) =>
    path === 'done' ? [] : [{ path: path.replace(/^model\.?/, ''), values }],
  )
  return { ...result, coverage: { ...result.coverage, components } }
}

/** The way to the last line that can be done; absent if not even the first can. */
function furthestTrace({ properties }: CheckResult, lines: number): Trace | undefined {
  const names = [unfinished, ...Array.from({ length: lines - 1 }, (_, index) => doneName(lines - 1 - index))]
  return names.map((name) => properties.find((property) => property.name === name)?.trace).find(Boolean)
}

/** A behaviour of the product as one of the model, with the steps that did a line. */
function told(
  trace: Trace | undefined,
  { lines }: Schedule,
  background: Trace['background'],
): { readonly trace?: Trace; readonly done: Completion['done'] } {
  if (trace === undefined) return { done: [] }
  const states = trace.states as readonly { readonly model: Plain; readonly done: number }[]
  const done = states.flatMap((state, index) => {
    return index > 0 && state.done > states[index - 1]!.done
      ? [{ line: lines[states[index - 1]!.done]!, step: index }]
      : []
  })
  const { property: _, ...about } = trace
  const shown: Trace = {
    ...about,
    ...(background === undefined ? {} : { background }),
    states: states.map((state) => state.model),
    steps: trace.steps.map((step) => ({ ...step, choices: step.choices.slice(0, -1) })),
  }
  return { trace: shown, done }
}
