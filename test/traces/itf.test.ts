import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Plain, readItf, type Trace, UsageError, writeItf } from '../../index.ts'
import { trace } from './generators.ts'

const version = '1.2.3'
const write = (found: Trace) => writeItf(found, { version })

const example: Trace = {
  model: 'counter',
  config: { preset: 'kafka-4.4', limit: 2 },
  defencesOff: ['upper bound'],
  states: [
    { count: 0, last: null, log: [] },
    { count: 1, last: 'app', log: [{ by: 'app' }] },
  ],
  steps: [
    {
      action: 'Increment',
      args: { by: 1 },
      choices: [{ name: 'who', value: 'app' }],
      events: [{ kind: 'appended', lane: 'app', message: 'Count', fields: { count: 1 } }],
    },
  ],
  property: { name: 'small', kind: 'always', failed: { part: 'at most 0', values: { count: 1 } } },
}

/** Every value of every state, `#meta` apart. */
const expressions = (text: string) =>
  (JSON.parse(text).states as Record<string, unknown>[]).flatMap((state) =>
    Object.entries(state).flatMap(([key, value]) => (key === '#meta' ? [] : [value])),
  )

/** What ADR-015 allows: no null, no plain number, `#` only in the known one-field objects. */
function isStrict(value: unknown): boolean {
  if (typeof value === 'boolean' || typeof value === 'string') return true
  if (Array.isArray(value)) return value.every(isStrict)
  if (typeof value !== 'object' || value === null) return false
  const entries = Object.entries(value)
  if (!entries.some(([key]) => key.startsWith('#'))) return entries.every(([, inner]) => isStrict(inner))
  const [key, content] = entries[0] as [string, unknown]
  if (entries.length !== 1) return false
  if (key === '#bigint') return typeof content === 'string' && /^-?[0-9]+$/.test(content)
  if (key === '#map')
    return (content as unknown[][]).every((pair) => pair.length === 2 && pair.every(isStrict))
  return key === '#tup' && Array.isArray(content) && content.every(isStrict)
}

describe('writeItf and readItf', () => {
  it('give back any trace unchanged', () => {
    fc.assert(
      fc.property(trace, (found) => {
        expect(readItf(write(found))).toEqual(found)
      }),
      { numRuns: 500 },
    )
  })

  it('write strict expressions only, for any trace', () => {
    fc.assert(
      fc.property(trace, (found) => {
        expect(expressions(write(found)).every(isStrict)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('give equal bytes for equal traces, whatever the order of keys', () => {
    const reordered: Trace = {
      ...example,
      config: { limit: 2, preset: 'kafka-4.4' },
      states: [
        { log: [], last: null, count: 0 },
        { log: [{ by: 'app' }], last: 'app', count: 1 },
      ],
    }
    expect(write(reordered)).toBe(write(example))
  })

  it('write what the format prescribes', () => {
    expect(write(example)).toMatchInlineSnapshot(`
      "{
      "#meta": {
        "format": "ITF",
        "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
        "source": "counter",
        "status": "violation",
        "description": "Created by fencepost",
        "fencepost": {
          "config": {
            "limit": 2,
            "preset": "kafka-4.4"
          },
          "defencesOff": [
            "upper bound"
          ],
          "format": "fencepost-trace/1",
          "model": "counter",
          "preset": "kafka-4.4",
          "property": {
            "failed": {
              "part": "at most 0",
              "values": {
                "count": 1
              }
            },
            "kind": "always",
            "name": "small"
          },
          "version": "1.2.3"
        }
      },
      "vars": ["count","last","log","mbt::actionTaken","mbt::nondetPicks"],
      "states": [
      {"#meta":{"index":0},"count":{"#bigint":"0"},"last":{"tag":"None","value":{"#tup":[]}},"log":[],"mbt::actionTaken":"init","mbt::nondetPicks":{"by":{"tag":"None","value":{"#tup":[]}},"who":{"tag":"None","value":{"#tup":[]}}}},
      {"#meta":{"index":1,"action":"Increment","args":{"by":1},"choices":[{"name":"who","value":"app"}],"events":[{"fields":{"count":1},"kind":"appended","lane":"app","message":"Count"}]},"count":{"#bigint":"1"},"last":"app","log":[{"by":"app"}],"mbt::actionTaken":"Increment","mbt::nondetPicks":{"by":{"tag":"Some","value":{"#bigint":"1"}},"who":{"tag":"Some","value":"app"}}}
      ]
      }
      "
    `)
  })

  it('number picks of one name, keep fields from beginning with #, and list picks in every state', () => {
    const step = { ...example.steps[0]!, args: { '#x': 1, by: 2 }, choices: [{ name: 'by', value: null }] }
    const [first, second] = JSON.parse(write({ ...example, steps: [step] })).states
    const none = { tag: 'None', value: { '#tup': [] } }
    expect(first['mbt::nondetPicks']).toEqual({ '_#x': none, by: none, 'by (2)': none })
    expect(second['mbt::nondetPicks']).toEqual({
      '_#x': { tag: 'Some', value: { '#bigint': '1' } },
      by: { tag: 'Some', value: { '#bigint': '2' } },
      'by (2)': { tag: 'Some', value: none },
    })
  })

  it.each<[string, Plain, Plain]>([
    ['a variable that begins with #', { '#a': 1 }, { '#a': 2 }],
    ['a variable named like those of the format', { 'mbt::actionTaken': 1 }, { 'mbt::actionTaken': 1 }],
    ['different variables in two states', { a: 1 }, { b: 1 }],
    ['a state that is no object', [1], [2]],
    ['a field __proto__', { a: JSON.parse('{"__proto__": 1}') }, { a: {} }],
  ])('refuse to write %s', (_, first, second) => {
    expect(() => write({ ...example, states: [first, second] })).toThrow(/cannot be written to a trace file/)
  })
})

describe('readItf', () => {
  const edited = (edit: (document: ReturnType<typeof JSON.parse>) => void) => {
    const document = JSON.parse(write(example))
    edit(document)
    return JSON.stringify(document)
  }
  const nest = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

  it('accepts plain numbers for integers, as older tools write them', () => {
    const text = write(example).replaceAll(/\{"#bigint":"(\d+)"\}/g, '$1')
    expect(text).not.toContain('#bigint')
    expect(readItf(text)).toEqual(readItf(write(example)))
  })

  it.each<[string, string, RegExp]>([
    ['an empty file', '', /ends in the middle/],
    ['a truncated file', write(example).slice(0, 700), /ends in the middle|not JSON/],
    ['a file that is not JSON', 'hello', /not JSON/],
    ['a list', '[]', /not an object/],
    ['some other JSON', '{"name": "x"}', /no lists "vars" and "states"/],
    ['a result of a check', '{"format": "fencepost-result/1"}', /is a "fencepost-result\/1", not a trace/],
    ['a trace of another tool', '{"vars": [], "states": []}', /trace of another tool/],
    [
      'a newer format',
      edited((d) => {
        d['#meta'].fencepost.format = 'fencepost-trace/9'
      }),
      /"fencepost-trace\/9"/,
    ],
    [
      'no states',
      edited((d) => {
        d.states = []
      }),
      /has no states/,
    ],
    [
      'a missing variable',
      edited((d) => {
        delete d.states[1].count
      }),
      /state 1 has no "count"/,
    ],
    [
      'an undeclared variable',
      edited((d) => {
        d.states[1].more = 1
      }),
      /state 1 has more/,
    ],
    [
      'a step without action',
      edited((d) => {
        delete d.states[1]['#meta'].action
      }),
      /states\.1\.#meta\.action/,
    ],
    [
      'an unknown kind of event',
      edited((d) => {
        d.states[1]['#meta'].events[0].kind = 'x'
      }),
      /events\.0\.kind is "x"/,
    ],
    [
      'two names for one action',
      edited((d) => {
        d.states[1]['mbt::actionTaken'] = 'x'
      }),
      /contradicts itself/,
    ],
    [
      'a first state with an action',
      edited((d) => {
        d.states[0]['mbt::actionTaken'] = 'x'
      }),
      /contradicts itself/,
    ],
    [
      'a fraction',
      edited((d) => {
        d.states[1].count = 1.5
      }),
      /count: "1.5" is not an integer/,
    ],
    [
      'an integer that is too large',
      edited((d) => {
        d.states[1].count = { '#bigint': '9007199254740993' }
      }),
      /9007199254740993/,
    ],
    [
      'a malformed integer',
      edited((d) => {
        d.states[1].count = { '#bigint': '0x1' }
      }),
      /"0x1" is not an integer/,
    ],
    [
      'null',
      edited((d) => {
        d.states[1].count = null
      }),
      /count: null: ITF has none/,
    ],
    [
      'a set',
      edited((d) => {
        d.states[1].count = { '#set': [] }
      }),
      /#set: this kind of value/,
    ],
    [
      'a malformed map',
      edited((d) => {
        d.states[1].count = { '#map': [1] }
      }),
      /#map is not a list of pairs/,
    ],
    [
      'a map with one key twice',
      edited((d) => {
        d.states[1].count = {
          '#map': [
            ['a', 1],
            ['a', 2],
          ],
        }
      }),
      /two fields named "a"/,
    ],
    [
      'a special field beside others',
      edited((d) => {
        d.states[1].count = { '#bigint': '1', b: 1 }
      }),
      /#bigint beside other fields/,
    ],
    [
      'a loop beyond the end',
      edited((d) => {
        d.loop = 2
      }),
      /loop is 2/,
    ],
    [
      'a prototype key',
      write(example).replace('"count":', '"__proto__": {"polluted": true}, "count":'),
      /__proto__/,
    ],
    [
      'a prototype key in a map',
      edited((d) => {
        d.states[1].count = { '#map': [['__proto__', 1]] }
      }),
      /__proto__/,
    ],
    ['deep nesting', write(example).replace('"app"', nest(100_000)), /nested deeper/],
  ])('refuses %s with one clear error', (_, text, message) => {
    const read = () => readItf(text, 'some/file.itf.json')
    expect(read).toThrow(UsageError)
    expect(read).toThrow(message)
    expect(read).toThrow(/^some\/file\.itf\.json: /)
    expect({}).not.toHaveProperty('polluted')
  })

  it('refuses a text that is too long before it parses it', () => {
    const endless = { length: 2 ** 40 } as string
    expect(() => readItf(endless)).toThrow(/more than the 134217728/)
  })

  it('survives any damage to a file: an error of ours or a trace', () => {
    const text = write(example)
    const damage = fc.record({
      at: fc.nat(text.length),
      drop: fc.nat(20),
      insert: fc.string({ maxLength: 8 }),
    })
    fc.assert(
      fc.property(damage, ({ at, drop, insert }) => {
        try {
          expect(readItf(text.slice(0, at) + insert + text.slice(at + drop)).states.length).toBeGreaterThan(0)
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
