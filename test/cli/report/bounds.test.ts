import { describe, expect, it } from 'vitest'
import { boundsTexts } from '../../../cli/report/bounds.ts'

describe('the bounds of a verdict', () => {
  it('name every key of the configuration, those that are 0 together', () => {
    expect(boundsTexts({ preset: 'kafka-4.4', inputs: 2, crashes: 0, flush: false, pauses: 0 })).toEqual([
      'preset=kafka-4.4 inputs=2 flush=false (0: crashes pauses)',
    ])
    expect(boundsTexts({ inputs: 2 })).toEqual(['inputs=2'])
    expect(boundsTexts({ crashes: 0 })).toEqual(['(0: crashes)'])
  })

  it('name what is inside of objects as --set does', () => {
    expect(boundsTexts({ flags: {}, inputs: 2 })).toEqual(['inputs=2'])
    expect(boundsTexts({ flags: { markerCheck: 'ge', deep: { low: 0 } }, outputs: [1] })).toEqual([
      'flags.markerCheck=ge outputs=[1] (0: flags.deep.low)',
    ])
  })

  it('are none for a model without configuration', () => {
    expect(boundsTexts({})).toEqual([])
  })

  it('are broken into lines, and nothing is lost', () => {
    const config = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`parameter${index}`, index % 3]),
    )
    const lines = boundsTexts(config)
    expect(lines.every((line) => line.length <= 100)).toBe(true)
    expect(
      lines
        .join(' ')
        .match(/parameter\d+/g)
        ?.toSorted(),
    ).toEqual(Object.keys(config).toSorted())
  })
})
