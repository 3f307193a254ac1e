/**
 * A model that goes no other way than a schedule: its states are those of the model, each with the number of lines that
 * are done. So whatever searches models searches schedules.
 */
import {
  type Action,
  type Claim,
  type Model,
  type ModelBody,
  reachable,
  type Step,
} from '../../checker/model.ts'
import { checkReturnedByRecipe } from '../../checker/returned.ts'
import { matches, type Told } from './matching.ts'
import type { ScheduleLine } from './schedule.ts'

/** A state of the product. */
interface Scheduled {
  readonly model: unknown
  done: number
}

/** What the search asks of the model, and is told of it. */
export interface Watch {
  /** A step of the model was made, before it is known whether a line allows it. */
  readonly stepped?: (told: Told) => void
  /** An instance was disabled, by the guard of which it has passed so many others before. */
  readonly blocked?: (action: string, args: Told['args'], guard: string, passed: number) => void
}

/** The choice between taking a step as a line of the schedule and as one of the steps before it. */
export const lineChoice = 'line of the schedule'
/** What is asked of the product: that every line is done. Said as its opposite, so that a search ends with it. */
export const unfinished = 'the schedule is not done'
/** Whether so many lines can be done. */
export const doneName = (lines: number): string => `${lines} lines are done`

export function scheduled<Config, State>(
  model: Model<Config, State>,
  lines: readonly ScheduleLine[],
  watch: Watch = {},
): Model<Config, Scheduled> {
  return { ...model, build: (config, context) => bodyOf(model.build(config, context), lines, watch) }
}

function bodyOf<State>(
  body: ModelBody<State>,
  lines: readonly ScheduleLine[],
  watch: Watch,
): ModelBody<Scheduled> {
  const { initial, initialStates, components, actions, quotient, constraint, lanes } = body
  const begun = (state: State): Scheduled => ({ model: state, done: 0 })
  return {
    ...(initial === undefined ? {} : { initial: begun(initial) }),
    ...(initialStates === undefined ? {} : { initialStates: initialStates.map(begun) }),
    components: [
      'done',
      ...components.map((path) => (path.startsWith('[') ? `model${path}` : `model.${path}`)),
    ],
    actions: actions.map((action) => following(action, lines, watch)),
    ...(quotient === undefined ? {} : { quotient: ({ model }) => quotient(model as State) }),
    ...(constraint === undefined ? {} : { constraint: ({ model }) => constraint(model as State) }),
    ...(lanes === undefined ? {} : { lanes }),
    properties: [
      { kind: 'always', name: unfinished, holds: ({ done }: Scheduled, _: Claim) => done < lines.length },
      ...lines
        .slice(1)
        .map((_, index) => reachable(doneName(index + 1), ({ done }: Scheduled) => done === index + 1)),
    ],
  }
}

function following<State>(
  action: Action<State>,
  lines: readonly ScheduleLine[],
  watch: Watch,
): Action<Scheduled> {
  const { name, parameters } = action
  const recipe: Action<Scheduled>['recipe'] = (state, args, step) => {
    const { told, listening } = listener(name, args, step, watch)
    checkReturnedByRecipe(action.recipe(state.model as State, args, listening), state.model, name)
    watch.stepped?.(told)
    state.done = step.choose(lineChoice, positions(lines, state.done, told))
  }
  return { name, parameters, recipe }
}

/** A step that hands everything on, and keeps what it was told. */
function listener(action: string, args: Told['args'], step: Step, watch: Watch) {
  const [choices, events]: [Told['choices'][number][], Told['events'][number][]] = [[], []]
  let passed = 0
  const listening: Step = {
    when: (guard, condition) => {
      if (!condition) watch.blocked?.(action, args, guard, passed)
      passed++
      step.when(guard, condition)
    },
    choose: (name, options) => {
      const value = step.choose(name, options)
      choices.push({ name, value: value as never })
      return value
    },
    emit: (event) => {
      events.push(event)
      step.emit(event)
    },
    fault: (kind) => step.fault(kind),
  }
  return { told: { action, args, choices, events }, listening }
}

/** How many lines can be done after a step, the more the better. None: no line allows the step. */
function positions(lines: readonly ScheduleLine[], done: number, told: Told): number[] {
  const line = lines[done]
  if (line === undefined) return []
  const isMeant = matches(line.pattern, told)
  if (!line.afterGap) return isMeant ? [done + 1] : []
  if (!isMeant) return [done]
  // Whatever comes later can come after the first step that the line means, if any steps may follow it.
  return lines[done + 1]?.afterGap !== false ? [done + 1] : [done + 1, done]
}
