import { describe, expect, test } from 'vitest'
import { BitRows } from '../../../bench/partial-order/bits.ts'
import { type Action, action, always } from '../../../checker/index.ts'
import {
  fieldsOfAll,
  graphOf,
  isEnd,
  plainState,
  type RelationName,
  reduce,
  relations,
  statesOf,
} from './reduced.ts'

const bothRelations = Object.keys(relations) as RelationName[]

interface Counters {
  one: number
  two: number
}

const counting = (name: keyof Counters, highest: number): Action<Counters> =>
  action(`count ${name}`, {}, (state: Counters, _, step) => {
    step.when('below the highest', state[name] < highest)
    state[name]++
  })

const [first, second] = [5, 7]
const counters = {
  initial: { one: 0, two: 0 },
  components: ['one', 'two'],
  actions: [counting('one', first), counting('two', second)],
}

describe.each(bothRelations)('with dependence by %s', (name) => {
  const dependenceOf = relations[name]

  test('two independent counters are counted one after the other, not interleaved', () => {
    const graph = graphOf(counters)
    expect(graph.states).toBe((first + 1) * (second + 1))
    const { states, transitions } = reduce(graph, { dependence: dependenceOf(graph) })
    expect(states).toBe(first + 1 + (second + 1) - 1)
    expect(transitions).toBe(first + second)
  })

  test('a property of one counter lets the other one be counted apart', () => {
    const small = always('small', ({ one }: Counters) => one <= first)
    const graph = graphOf({ ...counters, properties: [small] })
    const { states } = reduce(graph, { dependence: dependenceOf(graph), fields: fieldsOfAll(graph) })
    expect(states).toBe(first + 1 + (second + 1) - 1)
  })

  test('a property of both counters sees every step, and nothing is left out', () => {
    const near = always('near', ({ one, two }: Counters) => two - one <= second)
    const graph = graphOf({ ...counters, properties: [near] })
    const { states } = reduce(graph, { dependence: dependenceOf(graph), fields: fieldsOfAll(graph) })
    expect(states).toBe(graph.states)
  })

  test('a step that a cycle would put off for ever is taken, if the search is careful', () => {
    const graph = graphOf({
      initial: { wheel: 0, said: false },
      components: ['wheel', 'said'],
      actions: [
        action('turn', {}, (state: { wheel: number; said: boolean }) => {
          state.wheel = (state.wheel + 1) % 3
        }),
        action('say', {}, (state: { wheel: number; said: boolean }, _, step) => {
          step.when('nothing is said', !state.said)
          state.said = true
        }),
      ],
      properties: [always('silence', ({ said }: { wheel: number; said: boolean }) => !said)],
    })
    const [dependence, fields] = [dependenceOf(graph), fieldsOfAll(graph)]
    const says = ({ found }: { found: Uint8Array }) =>
      statesOf(graph).some((state) => found[state] && (plainState(graph, state) as { said: boolean }).said)
    expect(says(reduce(graph, { dependence, fields, isCareful: false }))).toBe(false)
    expect(says(reduce(graph, { dependence, fields }))).toBe(true)
  })

  test('a step is not taken alone if another, not yet possible, conflicts with it', () => {
    interface State {
      open: boolean
      done: string[]
    }
    const graph = graphOf({
      initial: { open: false, done: [] },
      components: ['open', 'done'],
      actions: [
        action('go first', {}, (state: State, _, step) => {
          step.when('not yet', !state.done.includes('first'))
          state.done.push('first')
        }),
        action('go second', {}, (state: State, _, step) => {
          step.when('open', state.open)
          step.when('not yet', !state.done.includes('second'))
          state.done.push('second')
        }),
        action('open', {}, (state: State, _, step) => {
          step.when('closed', !state.open)
          state.open = true
        }),
      ],
    })
    const { found } = reduce(graph, { dependence: dependenceOf(graph) })
    const ends = statesOf(graph).filter((state) => isEnd(graph, state) && found[state])
    expect(ends.map((state) => (plainState(graph, state) as unknown as State).done.join())).toEqual([
      'first,second',
      'second,first',
    ])
    const independent = new BitRows(graph.takens.length, graph.takens.length)
    const wrong = reduce(graph, { dependence: independent })
    expect(ends.filter((state) => wrong.found[state])).toHaveLength(1)
  })
})

test('two additions to one number meet in it, and their order does not matter', () => {
  interface State {
    sum: number
    added: boolean[]
  }
  const graph = graphOf({
    initial: { sum: 0, added: [false, false, false] },
    components: ['sum', 'added[]'],
    actions: [
      action('add', { which: [0, 1, 2] }, (state: State, { which }, step) => {
        step.when('not yet', state.added[which] === false)
        state.added[which] = true
        state.sum += which
      }),
    ],
  })
  const statesBy = (name: RelationName) => reduce(graph, { dependence: relations[name](graph) }).states
  expect([statesBy('footprints'), statesBy('trial')]).toEqual([8, 4])
})

test('a choice is part of the step: what is chosen decides what it depends on', () => {
  interface State {
    cells: number[]
  }
  const graph = graphOf({
    initial: { cells: [0, 0] },
    components: ['cells[]'],
    actions: [
      action('fill', {}, (state: State, _, step) => {
        const cell = step.choose('cell', [0, 1])
        step.when('empty', state.cells[cell] === 0)
        state.cells[cell] = 1
      }),
    ],
  })
  expect(graph.takens.map(({ choices }) => choices[0]!.value)).toEqual([0, 1])
  expect(reduce(graph, { dependence: relations.footprints(graph) }).states).toBe(3)
})

test('a model with a constraint is refused', () => {
  expect(() => graphOf({ ...counters, constraint: () => true })).toThrow('has a constraint')
})
