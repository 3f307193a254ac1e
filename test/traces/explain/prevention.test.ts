import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { action, always, defineModel } from '../../../checker/index.ts'
import { explain } from '../../../traces/index.ts'
import { walk } from '../walk.ts'

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
