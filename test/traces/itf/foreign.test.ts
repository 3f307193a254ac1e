import { describe, expect, it } from 'vitest'
import { readAnyItf, readItf, stepLines, writeItf } from '../../../index.ts'
import { exporters } from '../../../traces/exports/index.ts'

/** As Quint 0.2x writes it with `--mbt`. */
const quint = {
  '#meta': {
    format: 'ITF',
    'format-description': 'https://apalache-mc.org/docs/adr/015adr-trace.html',
    source: 'bank.qnt',
    status: 'violation',
    description: 'Created by Quint',
    timestamp: 1,
  },
  vars: ['balances', 'mbt::actionTaken', 'mbt::nondetPicks'],
  states: [
    {
      '#meta': { index: 0 },
      balances: {
        '#map': [
          ['alice', { '#bigint': '0' }],
          ['bob', { '#bigint': '0' }],
        ],
      },
      'mbt::actionTaken': 'init',
      'mbt::nondetPicks': { account: { tag: 'None', value: { '#tup': [] } } },
    },
    {
      '#meta': { index: 1 },
      balances: {
        '#map': [
          ['alice', { '#bigint': '123456789012345678901234567890' }],
          ['bob', { '#bigint': '0' }],
        ],
      },
      'mbt::actionTaken': 'deposit',
      'mbt::nondetPicks': { account: { tag: 'Some', value: 'alice' } },
    },
  ],
}

/** As Apalache writes it: no actions, constants among the parameters, every kind of value. */
const apalache = {
  '#meta': { format: 'ITF', varTypes: { bags: 'Set(Int)' }, description: 'Created by Apalache' },
  params: ['N'],
  vars: ['bags', 'pc'],
  states: [
    { '#meta': { index: 0 }, N: 3, bags: { '#set': [{ '#bigint': '2' }, 1] }, pc: { '#tup': ['a', true] } },
    {
      '#meta': { index: 1 },
      N: 3,
      bags: { '#set': [] },
      pc: { '#map': [[{ '#tup': [1, 2] }, { '#unserializable': 'Int' }]] },
    },
  ],
  loop: 0,
}

describe('a trace of Quint', () => {
  const trace = readAnyItf(JSON.stringify(quint), 'bank.itf.json')

  it('has actions with what was picked', () => {
    expect(stepLines(trace, { nested: true })).toEqual([
      '1  [deposit account=alice]',
      '       balances.alice: 0 -> "123456789012345678901234567890"',
    ])
    expect(trace.model).toBe('bank.qnt')
    expect(trace.states[0]).toEqual({ balances: { alice: 0, bob: 0 } })
  })

  it('can be written in every format, and as one of ours', () => {
    const { shiviz, ...others } = exporters
    for (const write of Object.values(others)) expect(write(trace, {}).length).toBeGreaterThan(10)
    // It has no participants.
    expect(shiviz(trace)).toBe('')
    expect(readItf(writeItf(trace, { version: '1' }))).toEqual(trace)
  })

  it('is nothing to take again', () => {
    expect(() => readItf(JSON.stringify(quint))).toThrow(/an ITF trace of another tool\n.*\n.*`trace show`/)
  })
})

describe('a trace of Apalache', () => {
  const trace = readAnyItf(JSON.stringify(apalache), 'bags.itf.json')

  it('has states with sets, tuples and maps, parameters and a loop', () => {
    expect(trace).toEqual({
      model: 'Created by Apalache',
      config: { N: 3 },
      defencesOff: [],
      states: [
        { bags: { '#set': [1, 2] }, pc: ['a', true] },
        { bags: { '#set': [] }, pc: { '[1, 2]': 'Int' } },
      ],
      steps: [{ action: 'Next', args: {}, choices: [], events: [] }],
      loop: 0,
    })
  })
})

describe.each<[string, object, RegExp]>([
  ['a set that is none', { x: { '#set': 1 } }, /states\[0\]\.x: #set of something else/],
  ['an unknown kind of value', { x: { '#bag': [] } }, /#bag, which is no kind of value of ITF/],
  ['a fraction', { x: 0.5 }, /0\.5 is no integer/],
  ['an integer that is none', { x: { '#bigint': '1e3' } }, /1e3 is no integer/],
  [
    'a map with a key twice',
    {
      x: {
        '#map': [
          ['a', 1],
          ['a', 2],
        ],
      },
    },
    /the key a once more/,
  ],
  ['a map that is no list of pairs', { x: { '#map': ['a'] } }, /not a pair of a key and a value/],
  ['a special field beside others', { x: { '#set': [], y: 1 } }, /#set beside other fields/],
])('a foreign trace with %s', (_, state, message) => {
  it('is refused with the place', () => {
    expect(() => readAnyItf(JSON.stringify({ vars: ['x'], states: [state] }), 'f')).toThrow(message)
  })
})

it.each<[string, object, RegExp]>([
  ['no states', { vars: ['x'], states: [] }, /states: an empty list/],
  ['a state that is none', { vars: ['x'], states: [1] }, /states\[0\]: not an object/],
  ['variables that are no names', { vars: [1], states: [{}] }, /vars: not a list of names/],
  ['a loop to nowhere', { vars: [], states: [{}], loop: 1 }, /loop: not the index of a state/],
])('a foreign trace with %s is refused', (_, document, message) => {
  expect(() => readAnyItf(JSON.stringify(document), 'f')).toThrow(message)
})
