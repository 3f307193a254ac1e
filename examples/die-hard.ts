/**
 * Die Hard: measure four litres with a jug of three litres, a jug of five litres and a tap.
 *
 * After the film "Die Hard with a Vengeance" (1995) and Leslie Lamport's TLA+ version of it.
 *
 * What to look at: the puzzle is solved by claiming that it cannot be. 'never four litres' is false, and its shortest
 * counterexample is the solution. Leave that property out to see the whole state space: 16 states.
 */
import * as v from 'valibot'
import { action, always, defineModel } from '../checker/index.ts'

const capacity = { small: 3, big: 5 }

interface State {
  small: number
  big: number
}

export const dieHard = defineModel({
  name: 'die-hard',
  summary: 'Two jugs, a tap and a bomb: the counterexample measures four litres.',
  config: v.object({}),
  build() {
    const initial: State = { small: 0, big: 0 }
    const jugs = ['small', 'big'] as const
    const other = { small: 'big', big: 'small' } as const

    return {
      initial,
      components: ['small', 'big'],
      actions: [
        action('Fill', { jug: jugs }, (state: State, { jug }) => {
          state[jug] = capacity[jug]
        }),
        action('Empty', { jug: jugs }, (state: State, { jug }) => {
          state[jug] = 0
        }),
        action('Pour', { from: jugs }, (state: State, { from }) => {
          const to = other[from]
          const poured = Math.min(state[from], capacity[to] - state[to])
          state[from] -= poured
          state[to] += poured
        }),
      ],
      properties: [
        always('no jug overflows', (state: State, claim) => {
          for (const jug of jugs)
            claim.that(jug, state[jug] >= 0 && state[jug] <= capacity[jug], { ...state })
        }),
        always('never four litres', (state: State) => state.big !== 4),
      ],
    }
  },
})
