import { describe, expect, it } from 'vitest'
import { progressLine } from '../../cli/progress.ts'
import { recorder } from './harness.ts'

const at = (elapsedMs: number) => ({
  distinct: 1_234_567,
  generated: 9_000_000,
  depth: 12,
  frontier: 345,
  elapsedMs,
})

describe('progressLine', () => {
  it('updates one line on a terminal, and leaves nothing behind', () => {
    const output = recorder(true)
    const line = progressLine(output, '1 of 2, zombie: ')
    for (const elapsedMs of [100, 499, 500, 550, 600]) line.update(at(elapsedMs))
    line.end()
    const shown = '1 of 2, zombie: depth 12, 1,234,567 states, 345 waiting, 18,000,000 transitions/s, 0.5 s'
    expect(output.text().split('\r\u001b[2K')).toEqual([
      '',
      shown,
      expect.stringMatching(/15,000,000 .*0\.6 s$/),
      '',
    ])
  })

  it('never gets longer than the terminal is wide, where it could not be removed', () => {
    const output = { ...recorder(true), columns: 40 }
    progressLine(output).update(at(1000))
    expect(output.text().replace('\r\u001b[2K', '')).toHaveLength(39)
  })

  it('writes a plain line now and then elsewhere', () => {
    const output = recorder()
    const line = progressLine(output)
    for (const elapsedMs of [500, 9_999, 10_000, 19_000, 20_100]) line.update(at(elapsedMs))
    line.end()
    expect(output.text()).toBe(
      'depth 12, 1,234,567 states, 345 waiting, 900,000 transitions/s, 10.0 s\n' +
        'depth 12, 1,234,567 states, 345 waiting, 447,761 transitions/s, 20.1 s\n',
    )
  })

  it('says nothing about a short run', () => {
    const output = recorder(true)
    const line = progressLine(output)
    line.update(at(300))
    line.end()
    expect(output.text()).toBe('')
  })
})
