import { describe, expect, it } from 'vitest'
import { commandLine, quoted } from '../../cli/repeat.ts'
import { grouped, mebibytes, seconds } from '../../cli/report/numbers.ts'
import { slug } from '../../cli/trace-files.ts'
import { parseCount, parseDuration, parseSize } from '../../cli/units.ts'

describe('options with a unit', () => {
  it.each([
    ['1', 1],
    ['512M', 512 * 2 ** 20],
    ['1.5GiB', 1.5 * 2 ** 30],
    ['8 gb', 8 * 2 ** 30],
    ['2k', 2048],
  ])('reads the size %s', (text, bytes) => {
    expect(parseSize(text, '--max-memory')).toBe(bytes)
  })

  it.each([
    ['90', 90_000],
    ['90s', 90_000],
    ['1.5m', 90_000],
    ['2min', 120_000],
    ['1h', 3_600_000],
    ['250ms', 250],
  ])('reads the duration %s', (text, milliseconds) => {
    expect(parseDuration(text, '--timeout')).toBe(milliseconds)
  })

  it.each(['', '-1', '0', 'M', '1X', '1e3', 'Infinity', '0.1'])('refuses the size "%s"', (text) => {
    expect(() => parseSize(text, '--max-memory')).toThrow('--max-memory')
  })

  it.each(['', '-1s', '0', 's', '1d', '1e3', '0.1ms'])('refuses the duration "%s"', (text) => {
    expect(() => parseDuration(text, '--timeout')).toThrow('--timeout')
  })

  it.each(['', '-1', '0', '1.5', '1e3', '_1', '99999999999999999999'])('refuses the count "%s"', (text) => {
    expect(() => parseCount(text, '--max-states')).toThrow('--max-states')
  })

  it('reads counts with grouped digits, and zero where it is allowed', () => {
    expect(parseCount('1_000_000', '--max-states')).toBe(1_000_000)
    expect(parseCount('0', '--state', 0)).toBe(0)
  })
})

describe('numbers for people', () => {
  it('are grouped, with a unit', () => {
    expect([0, 999, 1000, 1_234_567].map(grouped)).toEqual(['0', '999', '1,000', '1,234,567'])
    expect([0, 1234, 59_949, 59_950, 250_000].map(seconds)).toEqual([
      '0.0 s',
      '1.2 s',
      '59.9 s',
      '1 min 0 s',
      '4 min 10 s',
    ])
    expect([0, 1, 2 ** 30].map(mebibytes)).toEqual(['0 MiB', '1 MiB', '1,024 MiB'])
  })
})

describe('names of files', () => {
  it('are made of words', () => {
    expect(slug('output and offset are atomic')).toBe('output-and-offset-are-atomic')
    expect(slug('last stable offset <= high watermark <= log end')).toBe(
      'last-stable-offset-high-watermark-log-end',
    )
    expect(slug('../../etc/passwd')).not.toContain('/')
    expect(slug('kafka-4.4')).toBe('kafka-4.4')
  })
})

describe('a command line', () => {
  it('is quoted for a shell where that is needed', () => {
    expect(quoted('epoch check')).toBe("'epoch check'")
    expect(quoted("it's $HOME")).toBe("'it'\\''s $HOME'")
    expect(quoted('')).toBe("''")
    expect(quoted('./a-b_c.ts')).toBe('./a-b_c.ts')
  })

  it('leaves out what was not asked for', () => {
    const options = { '--a': undefined, '--b': false, '--c': [], '--d': true, '--e': 0, '--f': ['x y', 'z'] }
    expect(commandLine(['check', 'zombie'], options)).toBe(
      "npx fencepost check zombie --d --e 0 --f 'x y' --f z",
    )
  })
})
