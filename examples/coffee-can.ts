/**
 * The coffee can: take two beans out of a can, put one back, until one bean is left. Which colour has it?
 *
 * Two beans of one colour are replaced by a black bean, two different ones by a white bean. The puzzle is from
 * David Gries, "The Science of Programming" (1981), who had it from Edsger Dijkstra and Carel Scholten; the state
 * counts are those of its TLA+ version in tlaplus/Examples.
 *
 * What to look at: `initialStates`. Every filling of the can is an initial state, so that the search has one level
 * only, and what the puzzle is about is said of single transitions: properties of the kind `transition`.
 */
import * as v from 'valibot'
import { action, defineModel, reachable, transition } from '../checker/index.ts'

interface State {
  black: number
  white: number
}

const beans = ({ black, white }: State) => black + white

export const coffeeCan = defineModel({
  name: 'coffee-can',
  summary: 'Two beans out, one bean in, until one is left: the number of white beans stays odd or even.',
  config: v.object({
    /** How many beans the can holds at most, at the beginning. */
    maximumBeans: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 100),
  }),
  build({ maximumBeans }) {
    const initialStates: State[] = []
    for (let black = 0; black <= maximumBeans; black++)
      for (let white = black === 0 ? 1 : 0; black + white <= maximumBeans; white++)
        initialStates.push({ black, white })

    return {
      initialStates,
      components: ['black', 'white'],
      actions: [
        action('TakeTwoBlack', {}, (state: State, _, step) => {
          step.when('two black beans are in the can', state.black >= 2)
          state.black -= 1
        }),
        action('TakeTwoWhite', {}, (state: State, _, step) => {
          step.when('two white beans are in the can', state.white >= 2)
          state.white -= 2
          state.black += 1
        }),
        action('TakeOneOfEach', {}, (state: State, _, step) => {
          step.when('both colours are in the can', state.black >= 1 && state.white >= 1)
          state.black -= 1
        }),
        action('Rest', {}, (state: State, _, step) => {
          step.when('one bean is left', beans(state) === 1)
        }),
      ],
      properties: [
        transition('the number of white beans stays odd or even', (before: State, after: State) => {
          return before.white % 2 === after.white % 2
        }),
        transition('a bean fewer each time', (before: State, after: State, claim) => {
          claim.given('more than one bean is left', beans(before) > 1)
          claim.that('one fewer', beans(after) === beans(before) - 1, { before, after })
        }),
        reachable('one white bean', (state: State) => state.white === 1 && state.black === 0),
      ],
      properTermination: () => false,
    }
  },
})
