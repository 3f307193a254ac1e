import { describe, expect, test } from 'vitest'
import { parsePattern } from '../../checker/component-pattern.ts'
import { ModelError, type Plain } from '../../checker/index.ts'
import { canonical } from '../../checker/plain.ts'
import { componentsOf, shapeOf, stateOf } from '../../checker/shape.ts'

const state = canonical(
  {
    tm: { state: 'init' },
    rm: ['working', 'working'],
    network: [
      [[], []],
      [[], []],
    ],
    partition: { p0: { log: [], leader: 1 }, p1: { log: [], leader: 2 } },
    nothing: {},
  },
  'state',
)
const patterns = ['tm', 'rm[]', 'network[][]', 'partition[].log', 'partition[].leader']

describe('component patterns', () => {
  test('are keys and wildcards', () => {
    expect(parsePattern('partition[].log')).toEqual([
      { kind: 'key', key: 'partition' },
      { kind: 'each' },
      { kind: 'key', key: 'log' },
    ])
    expect(parsePattern('[]')).toEqual([{ kind: 'each' }])
    expect(parsePattern('network[][]')).toHaveLength(3)
  })

  test.each(['', '.', 'a.', '.a', 'a..b', 'a[0]', 'a[', 'a.[]'])('"%s" is none', (pattern) => {
    expect(() => parsePattern(pattern)).toThrow(ModelError)
  })
})

describe('the shape of a state', () => {
  test('lists the components by pattern, in the order of the state', () => {
    expect(shapeOf(state, patterns).components).toEqual([
      'tm',
      'rm[0]',
      'rm[1]',
      'network[0][0]',
      'network[0][1]',
      'network[1][0]',
      'network[1][1]',
      'partition.p0.log',
      'partition.p1.log',
      'partition.p0.leader',
      'partition.p1.leader',
    ])
  })

  test('takes a state apart and puts it together again', () => {
    const shape = shapeOf(state, patterns)
    const values = componentsOf(shape, state, 'state')
    expect(values.slice(0, 3)).toEqual([{ state: 'init' }, 'working', 'working'])
    expect(stateOf(shape, values)).toEqual(state)
    expect(JSON.stringify(stateOf(shape, values))).toBe(JSON.stringify(state))
  })

  test('every leaf lies in exactly one component', () => {
    const without = patterns.filter((pattern) => pattern !== 'partition[].leader')
    expect(() => shapeOf(state, without)).toThrow("'partition.p0.leader' lies in no component")
    expect(() => shapeOf(state, [...patterns, 'tm.state'])).toThrow(/'tm' and 'tm\.state' overlap/)
    expect(() => shapeOf(state, [...patterns, 'partition[]'])).toThrow(/overlap/)
    expect(() => shapeOf(state, [...patterns, 'partition.p0.log'])).toThrow(/overlap/)
    expect(() => shapeOf(state, [...patterns, 'rm[]'])).toThrow(/overlap/)
    expect(() => shapeOf(1, ['[]'])).toThrow(/no object or array/)
  })

  test('every pattern matches, and a mistyped one is told what it may have meant', () => {
    expect(() => shapeOf(state, [...patterns, 'network[][].lost'])).toThrow(/overlap/)
    expect(() => shapeOf(state, [...patterns, 'partitoin'])).toThrow(/matches nothing[\s\S]*'partition'/)
    expect(() => shapeOf(state, [...patterns, 'nothing.here'])).toThrow(/matches nothing/)
  })

  test('an empty container has no components and keeps its place', () => {
    const shape = shapeOf(canonical({ a: [], b: 1 }, 's'), ['a[]', 'b'])
    expect(shape.components).toEqual(['b'])
    expect(stateOf(shape, [2])).toEqual({ a: [], b: 2 })
  })

  test.each<[string, Plain]>([
    ['another length', { a: [1, 2, 3], b: { c: 1 } }],
    ['another key', { a: [1, 2], b: { d: 1 } }],
    ['one key more', { a: [1, 2], b: { c: 1, d: 1 } }],
    ['an object for an array', { a: { 0: 1, 1: 2 }, b: { c: 1 } }],
    ['a leaf for a container', { a: [1, 2], b: 1 }],
  ])('a state with %s has another shape', (_, other) => {
    const shape = shapeOf(canonical({ a: [1, 2], b: { c: 1 } }, 's'), ['a[]', 'b[]'])
    expect(() => componentsOf(shape, other, 'initial state 1')).toThrow(
      /initial state 1, [ab]: another set of keys/,
    )
  })
})
