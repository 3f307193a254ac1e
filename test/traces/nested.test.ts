import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changes, changeText, type Plain } from '../../index.ts'
import { outlineLines } from '../../traces/text/nested.ts'
import { plainStyle } from '../../traces/text/style.ts'
import { plain } from './generators.ts'

const outline = (before: Plain, after: Plain) => outlineLines(changes(before, after), plainStyle)

/** Puts in front of each change what stands above it, without the signs between keys. */
function unfolded(lines: readonly string[]): string[] {
  const above: string[] = []
  const found: string[] = []
  lines.forEach((line, index) => {
    const depth = (line.length - line.trimStart().length) / 2
    above.length = depth
    const isPlace = (lines[index + 1] ?? '').startsWith('  '.repeat(depth + 1))
    if (isPlace) above.push(line.trim())
    else found.push([...above, line.trim()].join(''))
  })
  return found
}

describe('changes as an outline', () => {
  it('name once what they have in common', () => {
    const partition = { log: [{ offset: 0 }], highWatermark: 0, producers: [{ id: 0, epoch: 0 }] }
    const after = { log: [{ offset: 0 }, { offset: 1 }], highWatermark: 1, producers: [{ id: 0, epoch: 1 }] }
    const lines = outline(
      { partition: [partition, partition], group: { committed: 0 } },
      { partition: [after, partition], group: { committed: 1 } },
    )
    expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
      "
      partition[0]
        log: + {offset: 1}
        highWatermark: 0 -> 1
        producers[0].epoch: 0 -> 1
      group.committed: 0 -> 1
      "
    `)
  })

  it('stand on one line where nothing is in common', () => {
    expect(outline({ a: 0, b: [1] }, { a: 1, b: [] })).toEqual(['a: 0 -> 1', 'b: - 1'])
    expect(outline(0, 1)).toEqual(['0 -> 1'])
    expect(outline([0], [0, 'x'])).toEqual(['+ x'])
  })

  it('give old and new values a style of their own', () => {
    const lines = outlineLines(
      changes({ a: [0], b: 0 }, { a: [1], b: 1 }),
      (role, text) => `<${role} ${text}>`,
    )
    expect(lines).toEqual(['<change a[0]>: <old 0> -> <new 1>', '<change b>: <old 0> -> <new 1>'])
  })

  it('are all there, each under its own place', () => {
    const plainKeys = fc.dictionary(fc.constantFrom('a', 'b', 'c d'), plain, { noNullPrototype: true })
    const signs = (text: string) => text.replaceAll(/[.: ]/g, '')
    fc.assert(
      fc.property(plainKeys, plainKeys, (before, after) => {
        const found = changes(before, after)
        const texts = found.map((change) => signs(changeText(change)))
        expect(unfolded(outlineLines(found, plainStyle)).map(signs).sort()).toEqual(texts.sort())
      }),
    )
  })
})
