/**
 * Dining philosophers: one needs two forks to eat, and there are only as many forks as philosophers.
 *
 * The puzzle is Edsger Dijkstra's (1965). If everyone takes the left fork first, all can end up holding one fork and
 * waiting for ever. Here philosopher 0 is left-handed and takes the right fork first, which is enough to prevent it.
 * With `leftHanded: false` the deadlock is back, five steps from the beginning.
 *
 * 3,216 states, 16,160 transitions and 31 levels for five philosophers are what this variant is known for: all are
 * hungry at first, and who has eaten lays the forks down one by one and may become hungry again before that is done.
 * Transitions are what Rumur prints as "rules fired", which leaves the initial state out: `generated` is one more.
 *
 * What to look at: the forks are part of the state although the philosophers' hands would tell. So a philosopher
 * looks at a fork and not at a neighbour, and an action touches two small components.
 */
import * as v from 'valibot'
import { action, always, defineModel, reachable } from '../checker/index.ts'

interface Philosopher {
  mood: 'hungry' | 'eating' | 'thinking'
  /** Forks are taken one after the other, and laid down in the opposite order. */
  forks: 0 | 1 | 2
}

interface State {
  philosophers: Philosopher[]
  /** Fork i lies to the left of philosopher i. */
  onTable: boolean[]
}

export const diningPhilosophers = defineModel({
  name: 'dining-philosophers',
  summary:
    'Philosophers share forks with their neighbours; one of them is left-handed, so nobody waits for ever.',
  config: v.object({
    philosophers: v.optional(v.pipe(v.number(), v.integer(), v.minValue(2)), 5),
    /** Whether philosopher 0 takes the forks in the other order. */
    leftHanded: v.optional(v.boolean(), true),
  }),
  build({ philosophers, leftHanded }) {
    const everyone = Array.from({ length: philosophers }, (_, who) => who)
    const initial: State = {
      philosophers: everyone.map(() => ({ mood: 'hungry', forks: 0 })),
      onTable: everyone.map(() => true),
    }
    /** The fork that philosopher `who` takes as the first or as the second one. */
    const forkOf = (who: number, which: 'first' | 'second') => {
      const leftNow = (which === 'first') !== (leftHanded && who === 0)
      return leftNow ? who : (who + 1) % philosophers
    }

    return {
      initial,
      components: ['philosophers[]', 'onTable[]'],
      actions: [
        action('BecomeHungry', { who: everyone }, (state: State, { who }, step) => {
          const philosopher = state.philosophers[who]!
          step.when('thinking', philosopher.mood === 'thinking')
          philosopher.mood = 'hungry'
        }),
        action('TakeFirst', { who: everyone }, (state: State, { who }, step) => {
          const philosopher = state.philosophers[who]!
          step.when('hungry without forks', philosopher.mood === 'hungry' && philosopher.forks === 0)
          const fork = forkOf(who, 'first')
          step.when('the first fork is on the table', state.onTable[fork] === true)
          state.onTable[fork] = false
          philosopher.forks = 1
        }),
        action('TakeSecond', { who: everyone }, (state: State, { who }, step) => {
          const philosopher = state.philosophers[who]!
          step.when('hungry with one fork', philosopher.mood === 'hungry' && philosopher.forks === 1)
          const fork = forkOf(who, 'second')
          step.when('the second fork is on the table', state.onTable[fork] === true)
          state.onTable[fork] = false
          philosopher.forks = 2
        }),
        action('Eat', { who: everyone }, (state: State, { who }, step) => {
          const philosopher = state.philosophers[who]!
          step.when('hungry with two forks', philosopher.mood === 'hungry' && philosopher.forks === 2)
          philosopher.mood = 'eating'
        }),
        action('Think', { who: everyone }, (state: State, { who }, step) => {
          const philosopher = state.philosophers[who]!
          step.when('eating', philosopher.mood === 'eating')
          philosopher.mood = 'thinking'
        }),
        action('LayDown', { who: everyone }, (state: State, { who }, step) => {
          const philosopher = state.philosophers[who]!
          step.when('thinking with forks', philosopher.mood === 'thinking' && philosopher.forks > 0)
          state.onTable[forkOf(who, philosopher.forks === 2 ? 'second' : 'first')] = true
          philosopher.forks = philosopher.forks === 2 ? 1 : 0
        }),
      ],
      properties: [
        always('neighbours do not eat together', (state: State, claim) => {
          for (const who of everyone) {
            const [own, next] = [state.philosophers[who]!, state.philosophers[(who + 1) % philosophers]!]
            claim.that(`philosopher ${who}`, own.mood !== 'eating' || next.mood !== 'eating')
          }
        }),
        ...everyone.map((who) =>
          reachable(`philosopher ${who} eats`, (state: State) => state.philosophers[who]!.mood === 'eating'),
        ),
      ],
      properTermination: () => false,
    }
  },
})
