import fc from 'fast-check'
import { XmlDocument, type XmlElement } from 'libxml2-wasm'
import { describe, expect, it } from 'vitest'
import type { Trace } from '../../../index.ts'
import { diagramOf } from '../../../traces/diagram/diagram.ts'
import { writeSvg } from '../../../traces/exports/svg.ts'
import { hostileTrace, messageTrace } from '../exports/arbitrary.ts'

/** What a reader of XML finds: names of elements, and the texts. @throws if it is not well-formed */
function read(svg: string): { root: string; names: Set<string>; texts: string[] } {
  const document = XmlDocument.fromString(svg)
  try {
    const found = document.root.find('//*') as XmlElement[]
    return {
      root: document.root.name,
      names: new Set(found.map(({ name }) => name)),
      texts: found.filter(({ name }) => name === 'text').map(({ content }) => content),
    }
  } finally {
    document.dispose()
  }
}

const known = new Set(['svg', 'title', 'style', 'rect', 'line', 'circle', 'path', 'g', 'text'])

const small: Trace = {
  model: 'm',
  config: {},
  defencesOff: [],
  states: [{}, {}, {}],
  steps: [
    { action: 'Send', args: {}, choices: [], events: [{ kind: 'sent', lane: 'a', peer: 'b', message: 'M' }] },
    { action: 'Lose', args: {}, choices: [], events: [{ kind: 'lost', lane: 'a', peer: 'b', message: 'M' }] },
  ],
}

describe('writeSvg', () => {
  it('is well-formed, has every text as it is and nothing that acts, whatever the texts are', () => {
    fc.assert(
      fc.property(fc.oneof(hostileTrace, messageTrace), (trace) => {
        const svg = writeSvg(trace)
        const { root, names, texts } = read(svg)
        expect(root).toBe('svg')
        expect([...names].filter((name) => !known.has(name))).toEqual([])
        expect(texts).toEqual(
          diagramOf(trace).labels.flatMap(({ lines }) => lines.filter((line) => line !== '')),
        )
        expect(svg).not.toMatch(/<script|<a |<image|<foreignObject|href=|\son\w+="/)
      }),
    )
  })

  it('needs nothing from elsewhere, and gives equal bytes', () => {
    const svg = writeSvg(small)
    expect(writeSvg(structuredClone(small))).toBe(svg)
    expect(svg.match(/https?:[^"]*/g)).toEqual(['http://www.w3.org/2000/svg'])
    expect(svg).toContain('@media screen and (prefers-color-scheme:dark)')
    expect(svg).not.toMatch(/NaN|undefined|Infinity/)
  })

  it('tells every text its width, so that no font makes it longer', () => {
    const texts = writeSvg(small).match(/<text [^>]*>/g) ?? []
    expect(texts.length).toBeGreaterThan(5)
    expect(texts.every((text) => /textLength="\d+" lengthAdjust="spacingAndGlyphs"/.test(text))).toBe(true)
  })
})
