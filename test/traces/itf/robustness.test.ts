/** Whatever a file is, reading it gives a trace that can be shown, or one clear error, soon. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failureLines, readAnyItf, stepLines, type Trace, UsageError, writeItf } from '../../../index.ts'
import { exporters } from '../../../traces/exports/index.ts'
import { scan } from '../../../traces/itf/scan.ts'
import { hostileTrace, messageTrace } from '../exports/arbitrary.ts'
import { trace as plainTrace } from '../generators.ts'

const written = fc
  .oneof(plainTrace, hostileTrace, messageTrace)
  .map((trace) => writeItf(trace, { version: '1' }))

/** A trace, or undefined where it was refused as it should be. */
function read(text: string): Trace | undefined {
  try {
    return readAnyItf(text, 'file')
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    expect(error.code).toBe('unreadable-input')
    expect(error.message).toMatch(/^file: /)
    expect(error.message.length).toBeLessThan(2000)
    return undefined
  }
}

/** All that can be done with what was read without its model. */
function use(trace: Trace) {
  stepLines(trace, { nested: true })
  failureLines(trace)
  for (const write of Object.values(exporters)) expect(typeof write(trace, {})).toBe('string')
}

/** Puts, takes out or exchanges some characters. */
const edits = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.nat({ max: 20 }),
    put: fc.oneof(
      fc.constantFrom(
        '"',
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '\\',
        '0',
        '-',
        'null',
        '"#map"',
        '"__proto__":1,',
        '\u0000',
        '1e999',
      ),
      fc.string({ maxLength: 4, unit: 'binary' }),
    ),
  }),
  { minLength: 1, maxLength: 4 },
)

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const strange: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    -1,
    0.5,
    1e300,
    '',
    'sent',
    '__proto__',
    [],
    {},
    [null],
    { '#bigint': 'x' },
    { '#map': [[1]] },
  ),
  fc.constantFrom<Json>(
    { tag: 'None', value: { '#tup': [] } },
    { constructor: 1 },
    { toString: 'x' },
    { '#set': [1, [2]] },
  ),
  fc.jsonValue().map((value) => value as Json),
)

/** The document with one of its values, wherever it is, replaced or taken out. */
function replaced(json: Json, target: number, by: Json | undefined): Json {
  let count = 0
  const visit = (value: Json): Json | undefined => {
    if (count++ === target) return by
    if (Array.isArray(value)) return value.map(visit).filter((one) => one !== undefined)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([key, one]) => [key, visit(one)] as const)
    return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined))
  }
  return visit(json) ?? null
}

const sizeOf = (json: Json): number =>
  1 +
  (typeof json === 'object' && json !== null
    ? Object.values(json).reduce((sum: number, one) => sum + sizeOf(one), 0)
    : 0)

describe('a trace file', () => {
  it('that is cut off anywhere says so', () => {
    fc.assert(
      fc.property(written, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (text, part) => {
        const cut = text.trimEnd().slice(0, Math.floor((text.trimEnd().length - 1) * part))
        expect(() => readAnyItf(cut)).toThrow(/ends in the middle of a value/)
      }),
    )
  })

  it('that was edited anywhere is read or refused', () => {
    fc.assert(
      fc.property(written, edits, (text, changes) => {
        const edited = changes.reduce((before, { at, removed, put }) => {
          const position = Math.floor(before.length * at)
          return before.slice(0, position) + put + before.slice(position + removed)
        }, text)
        const trace = read(edited)
        if (trace !== undefined) use(trace)
      }),
      { numRuns: 600 },
    )
  })

  it('with any of its values replaced by another is read and can be shown, or is refused', () => {
    const seen = { read: 0, refused: 0 }
    fc.assert(
      fc.property(written, fc.nat(), fc.option(strange, { nil: undefined }), (text, target, by) => {
        const json = JSON.parse(text) as Json
        const trace = read(JSON.stringify(replaced(json, target % sizeOf(json), by)))
        if (trace === undefined) seen.refused++
        else {
          use(trace)
          seen.read++
        }
      }),
      { numRuns: 600 },
    )
    expect(Math.min(seen.read, seen.refused)).toBeGreaterThan(100)
  })

  it('of any other kind is refused', () => {
    fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => void read(text)))
    for (const text of ['', ' ', '%PDF-1.7', '<svg/>', 'null', '1', '"x"', '[]', '{}', '\ufeff{}']) {
      expect(read(text)).toBeUndefined()
    }
  })
})

describe('a huge file', () => {
  const million = 1_000_000

  it.each<[string, string, RegExp]>([
    ['of lists in lists', '['.repeat(20 * million), /nested deeper than 200 levels/],
    ['of objects in objects', '{"a":'.repeat(5 * million), /nested deeper than 200 levels/],
    ['of empty lists', `[${'[],'.repeat(9 * million)}[]]`, /more than 8000000 lists and objects/],
    ['of one endless text', `["${'x'.repeat(60 * million)}`, /ends in the middle .*a text does not end/],
    ['of escaped quotes', `["${'\\"'.repeat(10 * million)}`, /ends in the middle/],
    ['of binary data', '\u0000'.repeat(60 * million), /it is not JSON/],
    [
      'of numbers',
      `[${'1,'.repeat(4 * million)}1]`,
      /it is JSON, but not an object|the file is JSON, but not an object/,
    ],
  ])('%s is refused', (_, text, message) => {
    expect(() => readAnyItf(text)).toThrow(message)
  })

  it('of backslashes in a text does not take ages', () => {
    // Each quote asks how many backslashes stand before it.
    const text = `["${'\\\\"],["'.repeat(300_000)}`
    expect(scan(text, { depth: 200, containers: 8_000_000 })).toBeDefined()
  })
})

describe('the look at a text before it is parsed', () => {
  it('finds nothing wrong with any JSON document within the limits', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(scan(text, { depth: 1000, containers: 1e6 })).toBeUndefined()
      }),
    )
  })

  it('counts what JSON counts', () => {
    const count = (value: unknown): [number, number] => {
      if (typeof value !== 'object' || value === null) return [0, 0]
      const inner = Object.values(value).map(count)
      return [
        1 + Math.max(0, ...inner.map(([depth]) => depth)),
        inner.reduce((sum, [, many]) => sum + many, 1),
      ]
    }
    fc.assert(
      fc.property(fc.json(), (text) => {
        const [depth, containers] = count(JSON.parse(text))
        expect(scan(text, { depth, containers })).toBeUndefined()
        if (depth > 0) {
          expect(scan(text, { depth: depth - 1, containers })?.kind).toBe('deep')
          expect(scan(text, { depth, containers: containers - 1 })?.kind).toBe('crowded')
        }
      }),
    )
  })
})
