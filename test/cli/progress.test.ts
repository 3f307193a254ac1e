import { describe, expect, it } from 'vitest'
import { progressLine } from '../../cli/progress.ts'
import { recorder } from './harness.ts'

const at = (elapsedMs: number) => ({
  distinct: 1_234_567,
  generated: 9_000_000,
  depth: 12,
  frontier: 345,
  levels: [1, 5, 10, 20],
  memory: { used: 3 * 2 ** 20 },
  elapsedMs,
})

describe('progressLine', () => {
  it('updates one line on a terminal, and leaves nothing behind', () => {
    const output = recorder(true)
    const line = progressLine(output, '1 of 2, zombie: ')
    for (const elapsedMs of [100, 499, 500, 550, 600]) line.update(at(elapsedMs))
    line.end()
    const shown =
      '1 of 2, zombie: depth 12, 1,234,567 states, 345 waiting, 2,469,134/s, 0.5 s; ' +
      'total cannot be told y'
    expect(output.text().split('\r\u001b[2K')).toEqual([
      '',
      shown,
      expect.stringMatching(/2,057,612\/s, 0\.6 s; /),
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
      'depth 12, 1,234,567 states, 345 waiting, 123,457/s, 10.0 s; ' +
        'total cannot be told yet; 3 MiB\n' +
        'depth 12, 1,234,567 states, 345 waiting, 61,421/s, 20.1 s; ' +
        'total cannot be told yet; 3 MiB\n',
    )
  })

  it('forecasts, with its condition, once levels shrink', () => {
    const output = { ...recorder(true), columns: 200 }
    const levels = [1, 600, 400, 200, 100]
    const line = progressLine(output)
    line.update({ ...at(1000), distinct: 1301, levels, memory: { used: 2 ** 20, most: 2 ** 30 } })
    expect(output.text()).toMatch(
      /, 1\.0 s; at most 1,424 if levels go on shrinking, 0\.1 s more; 1 MiB of 1,024 MiB$/,
    )
  })

  it('tells walks instead of levels', () => {
    const output = recorder(true)
    const { levels: _, memory: __, ...rest } = at(1000)
    progressLine(output).update({ ...rest, walks: 7 })
    expect(output.text()).toBe(
      '\r\u001b[2Kwalk 7, depth 12, 1,234,567 states, 9,000,000 transitions/s, 1.0 s',
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
