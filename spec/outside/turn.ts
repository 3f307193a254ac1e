/** What a step of a program has at hand. */
import type { Defences, Step } from '../../checker/model.ts'
import type { ProgramsConfig } from './config.ts'
import type { Placed, Process, Producer, State, Work } from './state.ts'

/** What does not change in a run. */
export interface World {
  readonly config: ProgramsConfig
  readonly defences: Defences
  readonly placed: readonly Placed[]
}

export interface Turn extends World {
  readonly state: State
  readonly step: Step
  readonly me: Placed
  readonly process: Process
  readonly producer: Producer
}

/** How a step ended: on to the next one, to the error handler, or with the end of the process. */
export type Outcome = 'next' | 'error' | 'end'

/** The work at hand; a step that needs some waits for ever without it. */
export function workOf({ process, step }: Turn): Work {
  step.when('there is something to work on', process.work !== null)
  return process.work as Work
}

export const note = ({ step, me }: Turn, text: string) => step.emit({ kind: 'note', lane: me.name, text })

/** The process asks `peer` for something, and it is done at once. */
export const tell = ({ step, me }: Turn, peer: string, message: string, about: Partial<Work> = {}) => {
  const { event } = about
  const fields = event === undefined ? {} : { fields: { event } }
  step.emit({ kind: 'delivered', lane: peer, peer: me.name, message, ...fields })
}

export const take = ({ state, step }: Pick<Turn, 'state' | 'step'>, fault: keyof State['budget']) => {
  step.when(`there are ${fault} left`, state.budget[fault] > 0)
  state.budget[fault] -= 1
}

/** An id or key that nobody has used. */
export function makeFresh({ state }: Turn): string {
  state.ghost.fresh += 1
  return `f${state.ghost.fresh}`
}
