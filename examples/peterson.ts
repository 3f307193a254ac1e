/**
 * Peterson's algorithm: mutual exclusion for two processes with three shared variables.
 *
 * G. L. Peterson, "Myths about the mutual exclusion problem" (1981); one step here is one label of the PlusCal version
 * in tlaplus/Examples.
 *
 * What to look at: the order of two assignments is the whole algorithm. With `politeFirst: true` a process gives the
 * turn away before it says that it is interested, and both can be in the critical section.
 */
import * as v from 'valibot'
import { action, always, defineModel, reachable } from '../checker/index.ts'

type Place = 'idle' | 'announce' | 'give way' | 'wait' | 'critical' | 'leave'

interface State {
  place: Place[]
  interested: boolean[]
  turn: number
}

export const peterson = defineModel({
  name: 'peterson',
  summary: "Peterson's mutual exclusion of two processes.",
  config: v.object({
    /** A mistake on purpose: the turn is given away before the interest is announced. */
    politeFirst: v.optional(v.boolean(), false),
  }),
  build({ politeFirst }) {
    const processes = [0, 1]
    const initial: State = { place: ['idle', 'idle'], interested: [false, false], turn: 0 }
    const order: Place[] = politeFirst
      ? ['idle', 'give way', 'announce', 'wait', 'critical', 'leave']
      : ['idle', 'announce', 'give way', 'wait', 'critical', 'leave']
    const after = (place: Place): Place => order[(order.indexOf(place) + 1) % order.length]!

    return {
      initial,
      components: ['place[]', 'interested[]', 'turn'],
      actions: [
        action('Start', { self: processes }, (state: State, { self }, step) => {
          step.when('idle', state.place[self] === 'idle')
          state.place[self] = after('idle')
        }),
        action('Announce', { self: processes }, (state: State, { self }, step) => {
          step.when('about to announce', state.place[self] === 'announce')
          state.interested[self] = true
          state.place[self] = after('announce')
        }),
        action('GiveWay', { self: processes }, (state: State, { self }, step) => {
          step.when('about to give way', state.place[self] === 'give way')
          state.turn = 1 - self
          state.place[self] = after('give way')
        }),
        action('Enter', { self: processes }, (state: State, { self }, step) => {
          step.when('waiting', state.place[self] === 'wait')
          const free = state.interested[1 - self] === false || state.turn === self
          step.when('the other one is not interested, or it is our turn', free)
          state.place[self] = after('wait')
        }),
        action('Leave', { self: processes }, (state: State, { self }, step) => {
          step.when('in the critical section', state.place[self] === 'critical')
          state.place[self] = after('critical')
        }),
        action('Withdraw', { self: processes }, (state: State, { self }, step) => {
          step.when('leaving', state.place[self] === 'leave')
          state.interested[self] = false
          state.place[self] = after('leave')
        }),
      ],
      properties: [
        always('mutual exclusion', (state: State) => {
          return !(state.place[0] === 'critical' && state.place[1] === 'critical')
        }),
        ...processes.map((self) =>
          reachable(`process ${self} gets in`, (state: State) => state.place[self] === 'critical'),
        ),
      ],
      properTermination: () => false,
    }
  },
})
