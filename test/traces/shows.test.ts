import { describe, expect, it } from 'vitest'
import { findInTrace, type Trace, type TraceStep } from '../../index.ts'

const step = (changes: Partial<TraceStep>): TraceStep => ({
  action: 'Wait',
  args: {},
  choices: [],
  events: [],
  ...changes,
})

const trace: Trace = {
  model: 'loop',
  config: {},
  defencesOff: [],
  states: [{}, {}, {}, {}],
  steps: [
    step({ action: 'Crash', args: { app: 0 }, events: [{ kind: 'crashed', lane: 'app-0' }] }),
    step({ choices: [{ name: 'the reply', value: 'is lost' }] }),
    step({
      action: 'Write',
      events: [
        { kind: 'appended', lane: 'log', message: 'record', fields: { offset: 0 } },
        { kind: 'sent', lane: 'log', peer: 'app-0', message: 'reply' },
      ],
    }),
  ],
}

describe('what a trace shows', () => {
  it('is found in labels, choices and events, with the step that has it', () => {
    const texts = ['Crash(app: 0)', 'the reply: is lost', 'record offset=0', 'log -> app-0']
    expect(findInTrace(trace, texts)).toEqual({
      shown: [
        { text: 'Crash(app: 0)', step: 1, within: 'Crash(app: 0)' },
        { text: 'the reply: is lost', step: 2, within: 'the reply: is lost' },
        { text: 'record offset=0', step: 3, within: 'log  record offset=0 (appended)' },
        { text: 'log -> app-0', step: 3, within: 'log -> app-0  reply' },
      ],
    })
  })

  it.each([
    { what: 'is nowhere', texts: ['Crash', 'offset=1'], missing: 'offset=1', before: 1 },
    { what: 'comes before another', texts: ['Write', 'Crash'], missing: 'Crash', before: 1 },
    { what: 'is there once and asked for twice', texts: ['Wait', 'Wait'], missing: 'Wait', before: 1 },
    {
      what: 'is split over two events',
      texts: ['offset=0 (appended) log'],
      missing: 'offset=0 (appended) log',
      before: 0,
    },
  ])('what $what is missing', ({ texts, missing, before }) => {
    const found = findInTrace(trace, texts)
    expect([found.missing, found.shown.length]).toEqual([missing, before])
  })

  it('of nothing nothing is missing', () => {
    expect(findInTrace(trace, [])).toEqual({ shown: [] })
  })
})
