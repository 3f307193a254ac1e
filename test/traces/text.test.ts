import { describe, expect, it } from 'vitest'
import {
  failureLines,
  lanesOf,
  type Plain,
  stepLines,
  type Trace,
  valueLines,
  valueText,
} from '../../index.ts'

const message = { kind: 'EndTxn', epoch: 0, commit: true }

const example: Trace = {
  model: 'loop',
  config: {},
  defencesOff: ['coordinator epoch check'],
  states: [
    { app: { state: 'sending', epoch: 0 }, wire: [], log: [] },
    { app: { state: 'ending', epoch: 0 }, wire: [message], log: [] },
    { app: { state: 'ending', epoch: 0 }, wire: [], log: [{ 'in-0': 3, open: [null, 1] }] },
    { app: { state: 'ending', epoch: 0 }, wire: [], log: [{ 'in-0': 3, open: [null, 1] }] },
  ],
  steps: [
    {
      action: 'SendEndTxn',
      args: { instance: 0 },
      choices: [],
      events: [
        {
          kind: 'sent',
          lane: 'app-0',
          peer: 'coordinator',
          message: 'EndTxn',
          fields: { epoch: 0, commit: true },
        },
        { kind: 'note', lane: 'app-0', text: 'the application is done' },
      ],
    },
    {
      action: 'Deliver',
      args: {},
      choices: [{ name: 'connection', value: 'app-0' }],
      events: [
        { kind: 'delivered', lane: 'coordinator', peer: 'app-0', message: 'EndTxn' },
        {
          kind: 'appended',
          lane: 'log',
          message: 'TransactionRecord',
          fields: { state: 'PrepareCommit', id: '7' },
        },
      ],
    },
    { action: 'Idle', args: {}, choices: [], events: [] },
  ],
  property: {
    name: 'no zombie decides',
    kind: 'transition',
    failed: { part: 'the sender owns the epoch', values: { owner: 1, sender: { epoch: 0 } } },
  },
}

describe('stepLines', () => {
  it('numbers the steps and tells who, whom, what, and only what changed', () => {
    expect(stepLines(example).join('\n')).toMatchInlineSnapshot(`
      "1  app-0 -> coordinator  EndTxn commit=true epoch=0  [SendEndTxn instance=0]
         app-0  the application is done
             app.state: sending -> ending
             wire: + {kind: EndTxn, epoch: 0, commit: true}
      2  app-0 -> coordinator  EndTxn (arrives)  [Deliver; connection=app-0]
         log  TransactionRecord id="7" state=PrepareCommit (appended)
             wire: - {kind: EndTxn, epoch: 0, commit: true}
             log: + {in-0: 3, open: [null, 1]}
      3  [Idle]
             nothing changes"
    `)
  })

  it('shows the part of a trace that is asked for, and counts what it leaves out', () => {
    expect(stepLines(example, { from: 3, to: 3 }).join('\n')).toMatchInlineSnapshot(`
      "   (2 steps not shown)
      3  [Idle]
             nothing changes"
    `)
    expect(stepLines(example, { lane: 'log' }).join('\n')).toMatchInlineSnapshot(`
      "   (1 step not shown)
      2  app-0 -> coordinator  EndTxn (arrives)  [Deliver; connection=app-0]
         log  TransactionRecord id="7" state=PrepareCommit (appended)
             wire: - {kind: EndTxn, epoch: 0, commit: true}
             log: + {in-0: 3, open: [null, 1]}
         (1 step not shown)"
    `)
  })

  it('leaves out what changes in the background, unless asked for all', () => {
    const trace = { ...example, background: ['wire', 'log[].open', 'app.epoch', 'ap'] }
    const shown = stepLines(trace).filter((line) => /^ {7}/.test(line))
    expect(shown.map((line) => line.trim())).toEqual([
      'app.state: sending -> ending',
      'log: + {in-0: 3, open: [null, 1]}',
      'nothing changes',
    ])
    expect(stepLines(trace, { all: true })).toEqual(stepLines(example))
  })

  it('tells a message that is sent and arrives in one step once', () => {
    const [step] = example.steps
    const [sent] = step?.events ?? []
    const arrives = { kind: 'delivered', lane: 'coordinator', peer: 'app-0', message: 'EndTxn' } as const
    const other = { ...arrives, message: 'Produce' }
    const lines = (events: unknown[]) =>
      stepLines({ ...example, steps: [{ ...step, events }] } as unknown as Trace, { brief: true })
    expect(lines([sent, arrives])).toEqual([
      '1  app-0 -> coordinator  EndTxn commit=true epoch=0  [SendEndTxn instance=0]',
    ])
    expect(lines([sent, other])).toHaveLength(2)
  })

  it('says where a lasso goes on', () => {
    expect(stepLines({ ...example, loop: 2 }).at(-1)).toBe('   and so on for ever from state 2')
  })

  it('names every role for the colours, and changes nothing else', () => {
    const roles = new Set<string>()
    const lines = stepLines(example, {
      lane: 'app-0',
      style: (role, text) => {
        roles.add(role)
        return text
      },
    })
    expect(lines).toEqual(stepLines(example, { lane: 'app-0' }))
    expect([...roles].sort()).toEqual(['action', 'change', 'hint', 'message', 'number'])
  })

  it('words each kind of event', () => {
    const kinds = [
      'sent',
      'delivered',
      'lost',
      'delayed',
      'appended',
      'started',
      'crashed',
      'paused',
      'resumed',
    ] as const
    const steps = kinds.map((kind) => ({
      action: 'A',
      args: {},
      choices: [],
      events: [{ kind, lane: 'a', ...(kinds.indexOf(kind) < 4 ? { peer: 'b', message: 'M' } : {}) }],
    }))
    const states = [...kinds, ''].map((): Plain => ({}))
    const lines = stepLines({ ...example, states, steps }).filter((line) => !line.includes('nothing changes'))
    expect(lines.map((line) => line.slice(3).replace('  [A]', ''))).toEqual([
      'a -> b  M',
      'b -> a  M (arrives)',
      'a -> b  M (lost)',
      'a -> b  M (delayed: may arrive late)',
      'a  (appended)',
      'a  started',
      'a  crashed',
      'a  paused',
      'a  resumed',
    ])
  })
})

describe('text from a file', () => {
  it('never reaches the terminal as a control sequence', () => {
    const evil = '\u001b[2J'
    const step = {
      action: evil,
      args: { [evil]: evil },
      choices: [{ name: evil, value: evil }],
      events: [
        {
          kind: 'sent' as const,
          lane: evil,
          peer: evil,
          message: evil,
          fields: { [evil]: evil },
          text: evil,
        },
      ],
    }
    const states = [{ [evil]: 0 }, { [evil]: 1 }]
    const property = { name: evil, kind: 'always', failed: { part: evil, values: { [evil]: evil } } }
    const trace = { ...example, defencesOff: [evil], states, steps: [step], property }
    const text = [...stepLines(trace), ...failureLines(trace), ...valueLines(states[0]!, 1)].join('\n')
    expect(text).toContain('\\u001b[2J')
    expect(text).not.toContain('\u001b')
  })
})

describe('lanesOf', () => {
  it('lists the participants of a trace once each', () => {
    expect(lanesOf(example)).toEqual(['app-0', 'coordinator', 'log'])
  })
})

describe('failureLines', () => {
  it('name the property, the false part with its values, and the defence that is off', () => {
    expect(failureLines(example)).toEqual([
      'violated: no zombie decides: not "the sender owns the epoch"',
      '    owner = 1',
      '    sender = {epoch: 0}',
      'defence switched off: coordinator epoch check',
    ])
  })

  it('do not call a witness a violation, nor a trace of nothing anything', () => {
    const witness = { name: 'commit reachable', kind: 'reachable' }
    expect(failureLines({ ...example, defencesOff: [], property: witness })).toEqual([
      'witness of: commit reachable',
    ])
    const { property: _, ...walk } = example
    expect(failureLines({ ...walk, defencesOff: [] })).toEqual([])
  })
})

describe('valueText', () => {
  it.each<[Plain, string]>([
    ['CompleteCommit', 'CompleteCommit'],
    ['not started', 'not started'],
    ['true', '"true"'],
    ['12', '"12"'],
    ['', '""'],
    ['two  spaces', '"two  spaces"'],
    ['\u001b[2Jred', '"\\u001b[2Jred"'],
    [[null, true, -1, []], '[null, true, -1, []]'],
    [{ a: {}, 'b-c': 'd, e' }, '{a: {}, b-c: "d, e"}'],
    [{ 'b: c': '\u202etxt' }, '{"b: c": "\\u202etxt"}'],
  ])('writes %j as %s', (value, text) => {
    expect(valueText(value)).toBe(text)
  })
})

describe('valueLines', () => {
  it('breaks what is wider than the terminal, as deep as needed', () => {
    const value: Plain = { short: [1, 2], log: [{ offset: 0, value: 'a long enough text' }, { offset: 1 }] }
    expect(valueLines(value, 200)).toEqual([valueText(value)])
    expect(valueLines(value, 30).join('\n')).toMatchInlineSnapshot(`
      "short: [1, 2]
      log:
        [0]
          offset: 0
          value: a long enough text
        [1] {offset: 1}"
    `)
  })
})
