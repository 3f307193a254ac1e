import { describe, expect, test } from 'vitest'
import { changedFields } from '../../../bench/partial-order/changes.ts'
import { fieldsRead, visibleSteps } from '../../../bench/partial-order/visibility.ts'
import { action, always, alwaysForEach, transition } from '../../../checker/index.ts'
import { graphOf } from './reduced.ts'

describe('the fields in which two values differ', () => {
  test.each([
    ['nothing', { a: 1 }, { a: 1 }, []],
    ['a field', { a: 1, b: 2 }, { a: 1, b: 3 }, ['x.b']],
    ['a length', [1], [1, 2], ['x.*', 'x.1']],
    ['a key', { a: 1 }, {}, ['x.*', 'x.a']],
    ['what was there is gone', { a: { b: 1 } }, { a: null }, ['x.a', 'x.a.*', 'x.a.b']],
    ['another kind', [1], { 0: 1 }, ['x']],
  ])('%s', (_, before, now, changed) => {
    expect(changedFields(before, now, 'x')).toEqual(changed)
  })
})

interface State {
  one: { list: { kind: string; size: number }[]; spare: number }
  two: number
}

const append = action('append', {}, ({ one }: State, _, step) => {
  step.when('short', one.list.length < 2)
  one.list.push({ kind: 'record', size: one.list.length })
})
const resize = action('resize', {}, ({ one }: State, _, step) => {
  step.when('there is one', one.list.length > 0)
  one.list[0]!.size = 9
})
const spend = action('spend', {}, ({ one }: State) => {
  one.spare = 0
})
const count = action('count', {}, (state: State) => {
  state.two = 1
})
const body = {
  initial: { one: { list: [], spare: 1 }, two: 0 },
  components: ['one', 'two'],
  actions: [append, resize, spend, count],
}

function seenBy(property: Parameters<typeof graphOf<State>>[0]['properties']) {
  const graph = graphOf<State>({ ...body, properties: property! })
  const [fields] = [...fieldsRead(graph).values()]
  const visible = visibleSteps(graph, fields!)
  return graph.takens
    .filter((_, step) => (visible[step >>> 5]! & (1 << (step & 31))) !== 0)
    .map((taken) => taken.action)
}

describe('a property sees the steps that change what it reads', () => {
  test('of records it reads a field of', () => {
    expect(seenBy([always('kinds', ({ one }) => one.list.every(({ kind }) => kind === 'record'))])).toEqual([
      'append',
    ])
  })

  test('of a length', () => {
    expect(seenBy([always('short', ({ one }) => one.list.length <= 2)])).toEqual(['append'])
  })

  test('of all that it lists', () => {
    expect(seenBy([always('whole', ({ one }) => JSON.stringify(one.list) !== '')])).toEqual([
      'append',
      'resize',
    ])
  })

  test('of what is not there yet', () => {
    expect(seenBy([always('first', ({ one }) => one.list[0]?.size !== 8)])).toEqual(['append', 'resize'])
  })

  test('after a step, and for each of several things', () => {
    expect(seenBy([transition('after', (_: State, after: State) => after.two <= 1)])).toEqual(['count'])
    expect(seenBy([alwaysForEach('each', ['spare'] as const, ({ one }, key) => one[key] < 2)])).toEqual([
      'spend',
    ])
  })

  test('and the same place is the same object to it', () => {
    const same = always('same', ({ one }: State) =>
      one.list.every((each, at) => one.list.indexOf(each) === at),
    )
    const graph = graphOf<State>({ ...body, properties: [same] })
    expect([...fieldsRead(graph).get('same')!].sort()).toEqual([
      'one',
      'one.list',
      'one.list.*',
      'one.list.0',
      'one.list.1',
    ])
  })
})
