import { describe, expect, it } from 'vitest'
import { type StepEvent, type Trace, writeMermaid } from '../../../index.ts'

const traceOf = (...steps: StepEvent[][]): Trace => ({
  model: 'm',
  config: {},
  defencesOff: [],
  states: [{}, ...steps.map(() => ({}))],
  steps: steps.map((events) => ({ action: 'A', args: {}, choices: [], events })),
})

describe('writeMermaid', () => {
  it('draws a message once, where it arrives, and says when it was sent', () => {
    const trace = traceOf(
      [{ kind: 'started', lane: 'app' }],
      [{ kind: 'sent', lane: 'app', peer: 'log', message: 'Produce', fields: { epoch: 0 } }],
      [{ kind: 'crashed', lane: 'app' }],
      [
        { kind: 'delivered', lane: 'log', peer: 'app', message: 'Produce', fields: { epoch: 0 } },
        { kind: 'appended', lane: 'log', message: 'data', fields: { offset: 0 } },
        { kind: 'sent', lane: 'log', peer: 'app', message: 'Ack' },
      ],
    )
    const lanes = [
      { id: 'app', label: 'App 0', group: 'clients' },
      { id: 'idle', label: 'not in this trace', group: 'clients' },
    ]
    const property = { name: 'x', kind: 'always', failed: { part: 'a; b', values: {} } }
    expect(writeMermaid({ ...trace, property }, { lanes })).toMatchInlineSnapshot(`
      "sequenceDiagram
        participant p0 as App 0
        participant p1 as log
        Note over p0: 1. started
        Note over p0: 3. crashed
        p0->>p1: 4. Produce epoch=0 (sent in step 2)
        Note over p1: 4. data offset=0 appended
        p1--)p0: 4. Ack (under way)
        Note over p0,p1: violated: x: not "a#59; b"
      "
    `)
  })

  it('pairs equal messages in the order of sending', () => {
    const sent: StepEvent = { kind: 'sent', lane: 'a', peer: 'b', message: 'M' }
    const arrives: StepEvent = { kind: 'delivered', lane: 'b', peer: 'a', message: 'M' }
    const lines = writeMermaid(
      traceOf([sent], [sent], [arrives], [{ ...sent, kind: 'lost' }], [arrives]),
    ).split('\n')
    expect(lines.slice(3, -1)).toEqual([
      '  p0->>p1: 3. M (sent in step 1)',
      '  p0-xp1: 4. M (lost) (sent in step 2)',
      '  p0->>p1: 5. M',
    ])
  })

  it('writes nothing that Mermaid or a page would act on', () => {
    const evil = 'a;b#c<d>\u001b\n'
    const text = writeMermaid(traceOf([{ kind: 'note', lane: evil, text: evil }]))
    expect(text.split('\n')).toEqual([
      'sequenceDiagram',
      '  participant p0 as a#59;b#35;c#60;d#62;\\u001b\\u000a',
      '  Note over p0: 1. a#59;b#35;c#60;d#62;\\u001b\\u000a',
      '',
    ])
  })

  it('words what happens to a participant', () => {
    const events: StepEvent[] = [
      { kind: 'paused', lane: 'a', text: 'believed to be dead' },
      { kind: 'appended', lane: 'a', message: 'data', text: 'appended, not yet replicated' },
      { kind: 'delayed', lane: 'a', peer: 'b', message: 'M' },
      { kind: 'note', lane: 'a', text: 'done' },
    ]
    expect(writeMermaid(traceOf(events)).split('\n').slice(3, -1)).toEqual([
      '  Note over p0: 1. paused - believed to be dead',
      '  Note over p0: 1. data appended, not yet replicated',
      '  p0--)p1: 1. M (late)',
      '  Note over p0: 1. done',
    ])
  })

  it('draws nothing of nothing', () => {
    expect(writeMermaid(traceOf())).toBe('sequenceDiagram\n')
  })
})
