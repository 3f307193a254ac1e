import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeMermaid } from '../../../index.ts'
import { messagesOf } from '../../../traces/messages.ts'
import { lanesOf } from '../../../traces/text/steps.ts'
import { visible } from '../../../traces/text/value.ts'
import { hostileText, hostileTrace, messageTrace } from './arbitrary.ts'
import { readMermaid } from './mermaid-parser.ts'

const squeezed = (text: string) => visible(text).trim()

describe('for the parser of Mermaid', () => {
  it('a diagram has all participants with their labels and groups, whatever the texts are', async () => {
    await fc.assert(
      fc.asyncProperty(hostileTrace, hostileText, async (trace, group) => {
        const lanes = lanesOf(trace)
        if (lanes.length === 0) return
        const given = lanes.map((id, index) => ({
          id,
          label: `L ${id}`,
          group: index === 0 ? '' : `g ${group}`,
        }))
        const { actors, messages } = await readMermaid(writeMermaid(trace, { lanes: given, boxes: true }))
        expect(actors.map(({ label, box }) => [label, box])).toEqual(
          given.map((lane) => [squeezed(lane.label), lane.group === '' ? undefined : squeezed(lane.group)]),
        )
        expect(messages.length).toBeGreaterThan(0)
      }),
      { numRuns: 60 },
    )
  })

  it('every message has an arrow, and every arrow is between participants', async () => {
    await fc.assert(
      fc.asyncProperty(messageTrace, async (trace) => {
        const told = messagesOf(trace)
        const { messages, actors } = await readMermaid(writeMermaid(trace))
        const arrows = messages.filter(({ from, to }) => from !== to && from !== undefined)
        expect(arrows.length).toBeGreaterThanOrEqual(told.filter(({ origin }) => origin !== 'copy').length)
        const ids = actors.map((_, index) => `p${index}`)
        for (const { from, to } of arrows) expect(ids).toEqual(expect.arrayContaining([from, to]))
      }),
      { numRuns: 60 },
    )
  })

  it('refuses what is no diagram', async () => {
    await expect(readMermaid('sequenceDiagram\n  p0->>:')).rejects.toThrow('Parse error')
  })
})
