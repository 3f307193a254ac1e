import { describe, expect, it } from 'vitest'
import { action, always } from '../../../checker/index.ts'
import { explain } from '../../../traces/index.ts'
import { tiny } from '../../checker/tiny.ts'
import { walk } from '../walk.ts'

interface Road {
  at: 'start' | 'slope' | 'edge' | 'valley' | 'home'
  held: boolean
}

/** From the slope on it only goes down, unless a rope, which is a fault here, is thrown. */
const road = tiny<Road>({
  initial: { at: 'start', held: false },
  components: ['at', 'held'],
  actions: [
    action('Rest', {}, (state: Road) => {
      state.held = false
    }),
    action('Climb', {}, (state: Road, _, step) => {
      step.when('at the start', state.at === 'start')
      state.at = 'slope'
    }),
    action('Stay', {}, (state: Road, _, step) => {
      step.when('at the start', state.at === 'start')
      state.at = 'home'
    }),
    action('Slip', {}, (state: Road, _, step) => {
      step.when('on the slope', state.at === 'slope')
      state.at = 'edge'
    }),
    action('Fall', {}, (state: Road, _, step) => {
      step.when('at the edge', state.at === 'edge')
      state.at = 'valley'
    }),
    action('Save', {}, (state: Road, _, step) => {
      step.when('on the slope', state.at === 'slope')
      state.at = 'home'
      step.fault('ropes')
    }),
  ],
  properties: [always('nobody falls', ({ at }: Road) => at !== 'valley')],
})

describe('the outcome', () => {
  const given = walk(road, 'nobody falls', [['Rest'], ['Climb'], ['Rest'], ['Slip'], ['Fall']])

  it('is sealed by the step after which only a fault helps, though one could rest for ever', () => {
    const { sealing, sentence } = explain(road, given)
    expect(sealing).toEqual({
      step: 2,
      atLatest: false,
      instead: { action: 'Stay', args: {}, choices: [], events: [] },
      states: expect.any(Number),
    })
    expect(sentence).toBe('"nobody falls" is violated: it was bound to happen after step 2 [Climb].')
  })

  it('is not known to be sealed earlier where the limit of states is met', () => {
    const { sealing, sentence } = explain(road, given, { maxStates: 2 })
    expect(sealing).toEqual({ step: 4, atLatest: true, states: expect.any(Number) })
    expect(sentence).toBe(
      '"nobody falls" is violated: it was bound to happen after step 4 [Slip] at the latest.',
    )
  })

  it('is sealed from the beginning where there is only one way', () => {
    const way = tiny<{ n: number }>({
      initial: { n: 0 },
      components: ['n'],
      actions: [action('Go', {}, (state: { n: number }) => void state.n++)],
      properties: [always('small', ({ n }: { n: number }) => n < 2)],
    })
    const { sealing, sentence } = explain(way, walk(way, 'small', [['Go'], ['Go']]))
    expect(sealing).toEqual({ step: 0, atLatest: false, states: 3 })
    expect(sentence).toBe('"small" is violated: it was bound to happen from the beginning.')
  })

  it('is sealed only by the last step where something else could have happened', () => {
    const two = tiny<{ n: number }>({
      initial: { n: 0 },
      components: ['n'],
      actions: [
        action('Go', {}, (state: { n: number }) => void state.n++),
        action('Jump', {}, (state: { n: number }, _, step) => {
          step.when('it is low', state.n < 2)
          state.n = 5
        }),
      ],
      constraint: ({ n }: { n: number }) => n < 5,
      properties: [always('not two', ({ n }: { n: number }) => n !== 2)],
    })
    const { sealing, sentence } = explain(two, walk(two, 'not two', [['Go'], ['Go']]))
    expect(sealing).toMatchObject({ step: 2, instead: { action: 'Jump' } })
    expect(sentence).toBe(
      '"not two" is violated: it could have been avoided until step 2 [Go], the last one.',
    )
  })

  it('is sealed by a fault without which nothing more happens', () => {
    const fragile = tiny<{ broken: boolean }>({
      initial: { broken: false },
      components: ['broken'],
      actions: [
        action('Break', {}, (state: { broken: boolean }, _, step) => {
          step.when('whole', !state.broken)
          state.broken = true
          step.fault('breaks')
        }),
      ],
      properties: [always('whole', ({ broken }: { broken: boolean }) => !broken)],
    })
    expect(explain(fragile, walk(fragile, 'whole', [['Break']])).sealing).toEqual({
      step: 1,
      atLatest: false,
      states: 1,
    })
  })

  it('is open where a part of the states is a trap from which the violation cannot be reached', () => {
    const trap = tiny<{ at: number }>({
      initial: { at: 0 },
      components: ['at'],
      actions: [
        action('Round', { to: [1, 2, 3, 4, 9] }, (state: { at: number }, { to }, step) => {
          const ways = [[1], [2, 3], [9], [4], [3]]
          step.when('there is a way', ways[state.at]?.includes(to) === true)
          state.at = to
        }),
      ],
      properties: [always('never nine', ({ at }: { at: number }) => at !== 9)],
    })
    const given = walk(trap, 'never nine', [
      ['Round', { to: 1 }],
      ['Round', { to: 2 }],
      ['Round', { to: 9 }],
    ])
    expect(explain(trap, given).sealing).toMatchObject({
      step: 2,
      instead: { action: 'Round', args: { to: 3 } },
    })
  })
})
