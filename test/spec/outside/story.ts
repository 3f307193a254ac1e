/** Runs programs to their end and tells what happened. */
import { expect } from 'vitest'
import { labelOf } from '../../../checker/instances.ts'
import type { Plain } from '../../../checker/model.ts'
import { stepper } from '../../../checker/stepper.ts'
import { fairActions } from '../../../spec/outside/actions.ts'
import { programs } from '../../../spec/outside/model.ts'
import type { State } from '../../../spec/outside/state.ts'
import { eventText } from '../../../traces/text/event.ts'

interface Told {
  readonly story: readonly string[]
  readonly state: State
}

/** A step to be taken when the last event has this text: its label, `Crash(process: app)`, or a choice, `commit: under way`. */
export type Wanted = readonly [after: string, step: string]

/** Takes the first step that is no fault, again and again, until none is left; and those that are wanted when it is time. */
export function run(
  config: unknown,
  wanted: readonly Wanted[] = [],
  defencesOff: readonly string[] = [],
): Told {
  const world = stepper(programs, config, { defencesOff })
  let state = world.initialStates[0] as Plain
  const story: string[] = []
  const left = [...wanted]
  for (let steps = 0; steps < 60; steps += 1) {
    const { enabled } = world.successors(state)
    const [after, step] = left[0] ?? ['', '']
    const isTime = story.at(-1)?.includes(after) === true
    const named = enabled.find(
      ({ action, args, choices }) =>
        isTime &&
        [labelOf(action, args), ...choices.map(({ name, value }) => `${name}: ${value}`)].includes(step),
    )
    const chosen = named ?? enabled.find(({ action }) => fairActions.includes(action))
    if (named !== undefined) left.shift()
    if (chosen === undefined) break
    story.push(...chosen.events.map(eventText))
    state = chosen.next
  }
  expect(left, 'steps that were wanted and never possible').toEqual([])
  return { story, state: state as unknown as State }
}

/** The story from a text on, a line for each event. */
export const from = (text: string, { story }: Told): string =>
  `\n${story.slice(story.findIndex((event) => event.includes(text))).join('\n')}\n`
