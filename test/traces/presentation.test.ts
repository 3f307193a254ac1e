import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import {
  action,
  always,
  defineModel,
  ModelError,
  presentationOf,
  type StateView,
  type Trace,
} from '../../index.ts'
import { slicePresentation } from '../../traces/presentation.ts'

interface State {
  n: number
  other: number
}

const modelWith = (view: (state: State) => StateView) =>
  defineModel<{ max: number }, State>({
    name: 'counter',
    config: v.strictObject({ max: v.number() }),
    build: ({ max }) => ({
      initial: { n: 0, other: 0 },
      components: ['n', 'other'],
      actions: [
        action('Up', {}, (state: State, _, step) => {
          step.when('it is small', state.n < max)
          state.n++
        }),
        action('Idle', {}, (state: State) => {
          state.other = 1
        }),
      ],
      properties: [always('small', ({ n }: State) => n < 1)],
      lanes: [{ id: 'a', label: 'A', group: 'g' }],
      view,
    }),
  })

const view = ({ n }: State): StateView => ({ lanes: { a: { facts: { n } } }, logs: [] })
const step = (name: string) => ({ action: name, args: {}, choices: [], events: [] })
const trace: Trace = {
  model: 'counter',
  config: { max: 2 },
  defencesOff: [],
  states: [
    { n: 0, other: 0 },
    { n: 0, other: 1 },
    { n: 1, other: 1 },
  ],
  steps: [step('Idle'), step('Up')],
  property: { name: 'small', kind: 'always' },
}

describe('how a trace is presented', () => {
  it('is what its model says', () => {
    const { lanes, view: shown } = presentationOf(modelWith(view), trace)
    expect(lanes).toEqual([{ id: 'a', label: 'A', group: 'g' }])
    expect(shown?.({ n: 3, other: 0 })).toEqual({ lanes: { a: { facts: { n: 3 } } }, logs: [] })
    expect(slicePresentation(modelWith(view), trace)).toEqual({ slice: new Set([2]) })
  })

  it('is plain where the model has changed since', () => {
    expect(presentationOf(modelWith(view), { ...trace, config: { min: 0 } })).toEqual({})
    expect(presentationOf(modelWith(view), { ...trace, states: [{ n: 0 }] })).toEqual({
      lanes: [{ id: 'a', label: 'A', group: 'g' }],
    })
    expect(slicePresentation(modelWith(view), { ...trace, steps: [step('Down'), step('Up')] })).toEqual({})
    expect(
      slicePresentation(modelWith(view), { ...trace, property: { name: 'x', kind: 'reachable' } }),
    ).toEqual({})
  })

  it.each<[string, (state: State) => unknown, string]>([
    ['throws', () => (undefined as unknown as { x: number }).x, 'view: it throws TypeError'],
    ['returns nothing', () => undefined, 'view: it is undefined'],
    [
      'has a status of its own',
      () => ({ lanes: { a: { status: 'odd', facts: {} } }, logs: [] }),
      'view: lanes.a.status is "odd"',
    ],
    [
      'has a log without cells',
      () => ({ lanes: {}, logs: [{ lane: 'a', label: 'A' }] }),
      'view: logs.0.cells is undefined',
    ],
  ])('blames a view that %s', (_, wrong, message) => {
    const { view: shown } = presentationOf(modelWith(wrong as typeof view), trace)
    expect(() => shown?.({ n: 0, other: 0 })).toThrow(ModelError)
    expect(() => shown?.({ n: 0, other: 0 })).toThrow(message)
  })
})
