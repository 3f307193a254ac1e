import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { action, always, defineModel, reachable, transition } from '../../checker/index.ts'
import { explain } from '../../traces/index.ts'
import { tiny } from '../checker/tiny.ts'
import { walk } from './walk.ts'

interface Desk {
  sheet: { left: number; right: number; notes: number[] }
  copy: number
  budget: { faults: number }
  lost: boolean
}

/** One component holds what is needed and what is not. */
const desk = tiny<Desk>({
  initial: { sheet: { left: 0, right: 0, notes: [] }, copy: 0, budget: { faults: 3 }, lost: false },
  components: ['sheet', 'copy', 'budget', 'lost'],
  faultBudgets: 'budget',
  actions: [
    action('WriteLeft', {}, ({ sheet }: Desk) => void sheet.left++),
    action('WriteRight', {}, ({ sheet }: Desk) => void sheet.right++),
    action('Note', {}, ({ sheet }: Desk) => void sheet.notes.push(sheet.right)),
    action('Copy', {}, (state: Desk) => {
      state.copy = state.sheet.left
    }),
    action('Smudge', {}, (state: Desk, _, step) => {
      step.when('budget is left', state.budget.faults > 0)
      state.budget.faults--
      state.sheet.right = 7
    }),
    action('Lose', {}, (state: Desk, _, step) => {
      step.when('budget is left', state.budget.faults > 0)
      state.budget.faults--
      state.lost = true
    }),
  ],
  properties: [
    always('no copy', ({ copy }: Desk) => copy === 0),
    always('nothing lost', ({ lost }: Desk) => !lost),
    always('one note', ({ sheet }: Desk) => sheet.notes.length < 2),
    transition(
      'not one and one',
      (before: Desk, after: Desk) => before.sheet.right !== 1 || after.copy !== 1,
    ),
    always('more left', ({ sheet, copy }: Desk) => copy === 0 || sheet.left <= sheet.right),
    reachable('copied', ({ copy }: Desk) => copy > 0),
  ],
})

describe('the slice', () => {
  const sliceOf = (property: string, ...actions: string[]) => {
    const given = walk(
      desk,
      property,
      actions.map((name) => [name] as const),
    )
    const { slice, incidental } = explain(desk, given)
    return { slice: slice.map(({ number, usedBy, decides }) => [number, usedBy, decides]), incidental }
  }

  it('follows what was read back to who wrote it, inside of components', () => {
    expect(sliceOf('no copy', 'WriteRight', 'WriteLeft', 'Smudge', 'Note', 'Copy')).toEqual({
      slice: [
        [2, [5], false],
        [5, [], true],
      ],
      incidental: [1, 3, 4],
    })
  })

  it('has only the last one of those who wrote a value, but all that it was made of', () => {
    expect(sliceOf('no copy', 'Copy', 'WriteLeft', 'Note', 'WriteLeft', 'Copy').slice).toEqual([
      [2, [5], false],
      [5, [], true],
    ])
  })

  it('leaves out a fault that only counted the budget down', () => {
    expect(sliceOf('nothing lost', 'Smudge', 'WriteLeft', 'Lose')).toEqual({
      slice: [[3, [], true]],
      incidental: [1, 2],
    })
  })

  it('knows what an element of a list depends on', () => {
    expect(sliceOf('one note', 'WriteLeft', 'Note', 'Copy', 'Note').slice).toEqual([
      [2, [4], false],
      [4, [], true],
    ])
  })

  it('of a property of steps has the last step, and who wrote what it compares', () => {
    expect(sliceOf('not one and one', 'Note', 'WriteRight', 'WriteLeft', 'Note', 'Copy')).toEqual({
      slice: [
        [2, [], true],
        [3, [5], false],
        [5, [], true],
      ],
      incidental: [1, 4],
    })
  })

  it('goes on until no step can be left out any more', () => {
    // Without the first step one of the next two is enough.
    expect(sliceOf('more left', 'WriteRight', 'WriteLeft', 'WriteLeft', 'Copy').slice).toEqual([
      [2, [4], true],
      [4, [], true],
    ])
  })

  it('of a deadlock has all that blocks any action', () => {
    const stuck = tiny<{ a: number; b: number; c: number }>({
      initial: { a: 0, b: 0, c: 0 },
      components: ['a', 'b', 'c'],
      actions: [
        action('Both', {}, (state: { a: number; b: number }, _, step) => {
          step.when('a is none', state.a === 0)
          step.when('b is none', state.b === 0)
          state.a = 1
        }),
        action('Free', {}, (state: { c: number; a: number }, _, step) => {
          step.when('not blocked', state.c === 0 && state.a === 0)
          state.c = 1
        }),
      ],
      properties: [],
      properTermination: () => false,
    })
    const { slice } = explain(stuck, walk(stuck, 'deadlock freedom', [['Free'], ['Both']]))
    expect(slice.map(({ number, decides }) => [number, decides])).toEqual([[2, true]])
  })
})

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
      step.emit({ kind: 'crashed', lane: 'rope' })
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
          step.emit({ kind: 'crashed', lane: 'it' })
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

interface Gate {
  open: boolean
  epoch: number
  seen: number[]
}

const rule = (name: string) => ({ name, summary: 'A rule.', sources: ['a test'] })

const gate = defineModel({
  name: 'gate',
  config: v.object({
    epochs: v.optional(v.boolean(), false),
    locked: v.optional(v.boolean(), false),
    calm: v.optional(v.boolean(), false),
  }),
  defences: ['lock', 'second lock', 'epochs', 'filter', 'left', 'right', 'idle'].map(rule),
  build: ({ epochs, locked, calm }, { defences }) => ({
    initial: { open: locked, epoch: 0, seen: [] } as Gate,
    components: ['open', 'epoch', 'seen'],
    actions: [
      action('Open', {}, (state: Gate, _, step) => {
        step.when('it is closed', !state.open)
        if ((defences.has('epochs') && !calm) || epochs) state.epoch++
        state.open = true
      }),
      action('Enter', {}, (state: Gate, _, step) => {
        step.when('it is open', state.open)
        if (defences.has('lock')) step.when('one has the key', false)
        if (defences.has('second lock')) step.when('one has the other key', false)
        if (state.epoch === 0) state.seen.push(1)
        step.emit({ kind: 'note', lane: 'gate', text: `epoch ${state.epoch}` })
      }),
      action('Slip', {}, (state: Gate, _, step) => {
        step.when('nobody guards both sides', !(defences.has('left') && defences.has('right')))
        state.seen.push(2)
      }),
    ],
    properties: [
      always('nobody is seen', ({ seen }: Gate, claim) => {
        claim.that('none', seen.length === 0 || defences.has('filter'), { seen })
      }),
      always('nobody slips in', ({ seen }: Gate) => !seen.includes(2)),
      always('it is the first epoch', ({ epoch }: Gate) => epoch === 0),
    ],
  }),
})

describe('what would have prevented it', () => {
  const enter = [['Open'], ['Enter']] as const
  const preventing = (defencesOff: readonly string[], steps: Parameters<typeof walk>[2] = enter) =>
    explain(gate, walk(gate, 'nobody is seen', steps, { defencesOff }))
  const everything = ['lock', 'second lock', 'epochs', 'filter', 'left', 'right', 'idle']

  it('is a guard: the step that it blocks', () => {
    const { prevention, sentence } = preventing(['lock', 'second lock', 'epochs', 'filter'])
    expect(prevention.alternatives).toEqual([])
    expect(prevention.defences[0]).toEqual({
      names: ['lock'],
      step: 2,
      events: [],
      blocked: { step: 2, found: "the guard 'one has the key' blocks it", guard: 'one has the key' },
    })
    expect(sentence).toBe(
      '"nobody is seen" is violated (not "none"): it was bound to happen from the beginning; ' +
        'with "lock" in place step 2 [Enter] is blocked by the guard "one has the key".',
    )
  })

  it('is every defence that alone is enough, and no other', () => {
    expect(preventing(everything).prevention.defences.map(({ names }) => names)).toEqual([
      ['lock'],
      ['second lock'],
      ['epochs'],
      ['filter'],
    ])
  })

  it('is an effect: the step that goes another way, and how', () => {
    const [, , epochs] = preventing(everything).prevention.defences
    expect(epochs).toEqual({ names: ['epochs'], step: 1, events: [] })
  })

  it('is what readers see, while nothing else is different', () => {
    const { defences } = preventing(everything).prevention
    expect(defences[3]).toEqual({ names: ['filter'], events: [] })
    expect(preventing(['filter', 'lock', 'second lock', 'epochs']).sentence).toContain(
      '; with "filter" in place the same steps violate nothing.',
    )
  })

  it('is two defences that only help together', () => {
    const off = { defencesOff: ['left', 'idle', 'right'] }
    const given = walk(gate, 'nobody slips in', [['Open'], ['Slip']], off)
    const { prevention, sentence } = explain(gate, given)
    expect(prevention.defences).toEqual([
      {
        names: ['left', 'right'],
        step: 2,
        events: [],
        blocked: {
          step: 2,
          found: "the guard 'nobody guards both sides' blocks it",
          guard: 'nobody guards both sides',
        },
      },
    ])
    expect(sentence).toContain('; with "left" and "right" in place step 2 [Slip] is blocked')
  })

  it('is another configuration, if no defence helps: of several the one that goes the same way for longest', () => {
    const given = walk(gate, 'it is the first epoch', [['Open']], { defencesOff: ['idle'] })
    const alternatives = [
      { label: 'locked', config: { locked: true } },
      { label: 'epochs', config: { epochs: true } },
      { label: 'calm', config: { calm: true } },
      { label: 'impossible', config: { calm: 3 } },
    ]
    expect(explain(gate, given, { alternatives }).prevention).toEqual({
      defences: [],
      alternatives: [{ names: ['calm'], step: 1, events: [] }],
    })
    expect(explain(gate, given, { alternatives: alternatives.slice(0, 2) }).sentence).toBe(
      '"it is the first epoch" is violated: it was bound to happen from the beginning; ' +
        'with "locked" in place it begins otherwise.',
    )
  })

  it('is nothing, if nothing that was tried helps', () => {
    const given = walk(gate, 'it is the first epoch', [['Open']], { defencesOff: ['idle'] })
    const { prevention, sentence } = explain(gate, given)
    expect(prevention).toEqual({ defences: [], alternatives: [] })
    expect(sentence).toBe('"it is the first epoch" is violated: it was bound to happen from the beginning.')
  })
})

describe('what cannot be explained', () => {
  it('is a witness', () => {
    const given = walk(desk, 'copied', [['WriteLeft'], ['Copy']])
    expect(() => explain(desk, given)).toThrow('the trace shows that it can be reached')
  })
})
