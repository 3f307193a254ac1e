import { describe, expect, test } from 'vitest'
import { median, wrongCounts } from '../../bench/measurement.ts'
import { rowOf, tableOf } from '../../bench/report.ts'
import { readPan } from '../../bench/spin.ts'
import { readTlc, tlcTools } from '../../bench/tlc.ts'

const run = { distinct: 288, generated: 1_146, depth: 11, seconds: 1, startSeconds: 0 }

describe('median', () => {
  test('is the middle one, or the mean of the two in the middle', () => {
    expect(median([7])).toBe(7)
    expect(median([10, 9, 100])).toBe(10)
    expect(median([4, 1, 3, 2])).toBe(2.5)
  })

  test('there is none of nothing', () => {
    expect(() => median([])).toThrow(RangeError)
  })
})

describe('counts', () => {
  test('are right as published', () => {
    expect(wrongCounts(3, run)).toBeUndefined()
  })

  test('a depth that a tool does not know is not wrong, a different one is', () => {
    expect(wrongCounts(3, { ...run, depth: undefined })).toBeUndefined()
    expect(wrongCounts(3, { ...run, depth: 12 })).toBe('depth is 12, expected 11')
  })

  test('a difference is named', () => {
    expect(wrongCounts(3, { ...run, distinct: 287, generated: 1_147 })).toBe(
      'distinct is 287, expected 288; generated is 1147, expected 1146',
    )
    expect(wrongCounts(100, run)).toBe('no counts are known for 100 managers')
  })

  test('rounding is forgiven to tools that round, and only as far as they do', () => {
    const nine = { ...run, distinct: 10_340_352, generated: 123_558_400, depth: 29 }
    expect(wrongCounts(9, nine)).toBe('generated is 123558400, expected 123558402')
    expect(wrongCounts(9, { ...nine, significantDigits: 8 })).toBeUndefined()
    expect(wrongCounts(9, { ...nine, generated: 123_558_410, significantDigits: 8 })).toBeDefined()
  })
})

describe('what Spin prints', () => {
  const output = `
(Spin Version 6.5.2 -- 6 December 2019)
	+ Breadth-First Search

Full statespace search for:
	assertion violations	+

State-vector 28 byte, depth reached 28, errors: 0
 10340352 states, stored
	1.03404e+07 nominal states (stored-atomic)
1.1321805e+08 states, matched
1.235584e+08 transitions (= stored+matched)

 1082.688	total actual memory usage
`

  test('is read', () => {
    expect(readPan(output)).toEqual({
      distinct: 10_340_352,
      generated: 123_558_400,
      significantDigits: 8,
      depth: 29,
      memoryBytes: Math.round(1082.688 * 2 ** 20),
    })
  })

  test('has no levels if the search is depth first', () => {
    expect(readPan(output.replace('+ Breadth-First Search', '')).depth).toBeUndefined()
  })

  test('is refused if an error was found, the search was cut off, or it is something else', () => {
    expect(() => readPan(output.replace('errors: 0', 'errors: 1'))).toThrow('errors found')
    expect(() => readPan(`error: max search depth too small${output}`)).toThrow('max search depth too small')
    expect(() => readPan('pan: no such file')).toThrow('in the output of spin')
  })
})

describe('what TLC prints', () => {
  const output = `
Model checking completed. No error has been found.
1146 states generated, 288 distinct states found, 0 states left on queue.
The depth of the complete state graph search is 11.
Finished in 01s at (2026-01-01 00:00:00)
`

  test('is read', () => {
    expect(readTlc(output)).toEqual({ distinct: 288, generated: 1_146, depth: 11 })
  })

  test('is refused if the search found an error or did not finish', () => {
    expect(() => readTlc(output.replace('No error has been found', 'Error: broken'))).toThrow(
      'did not finish',
    )
    expect(() => readTlc(output.replace('0 states left', '5 states left'))).toThrow('did not finish')
  })

  test('is asked for only if the user says where it is', () => {
    expect(tlcTools('')).toMatchObject([
      { absent: expect.stringContaining('TLC_JAR') },
      { name: 'tlc, all cores' },
    ])
    expect(tlcTools('/no/such.jar')[0]).toMatchObject({ absent: expect.stringContaining('/no/such.jar') })
  })
})

describe('the table', () => {
  test('has one line for each checker and says who is missing', () => {
    const own = rowOf({ name: 'fencepost', version: '1' }, 3, [run, { ...run, seconds: 3 }], undefined, 2)
    const slow = { distinct: 287, generated: 1_146, seconds: 9, startSeconds: 1, memoryBytes: 5 * 2 ** 20 }
    const other = rowOf({ name: 'other', version: '2' }, 3, [slow], 'distinct is 287, expected 288', 2)
    expect(own).toMatchObject({ seconds: { median: 2, all: [1, 3] }, ratio: 1, memoryBytes: null })
    const rounding = { ...run, generated: 123_558_400, significantDigits: 8 }
    const rounded = rowOf({ name: 'rounding', version: '3' }, 9, [rounding], undefined, 2)
    const table = tableOf({
      format: 'fencepost-bench/1',
      machine: '2 cores',
      repetitions: 2,
      rows: [own, other, rounded],
      absent: [{ name: 'third', absent: 'not installed' }],
    })
    expect(table).toBe(
      [
        'Two-phase commit, all reachable states; medians of 2; 2 cores',
        '',
        'managers  checker    distinct    generated  depth  start s  search s  ratio  MiB  counts',
        '       3  fencepost       288        1,146     11      0.0      2.00   1.00    -  as published',
        '       3  other           287        1,146      -      1.0      9.00   4.50    5  distinct is 287, expected 288',
        '       9  rounding        288  123,558,400     11      0.0      1.00   0.50    -  as published, to 8 digits',
        'not compared: third; not installed',
        '',
      ].join('\n'),
    )
  })
})
