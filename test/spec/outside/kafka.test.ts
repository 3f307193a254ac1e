/** What each word of a program does towards Kafka. */
import { describe, expect, it } from 'vitest'
import { from, run } from './story.ts'

const app = { name: 'app', reads: 'input' }
const transactional = { ...app, onStart: ['initialise', 'seek to committed offset'] }
const loop = ['poll', 'begin', { send: 'output' }, 'send offsets', 'commit']
const statusOf = ({ state }: ReturnType<typeof run>) => state.topic.output?.map(({ status }) => status)

describe('without transactions', () => {
  it('what is sent is there at once, and the offset is committed by itself', () => {
    const told = run(
      { apps: [{ ...app, loop: ['poll', 'process', { send: 'output' }, 'commit offset'] }] },
      [],
    )
    expect(from('record', told)).toMatchInlineSnapshot(`
      "
      input -> app  record event=0 (arrives)
      app  processes event 0
      app -> output  send event=0 (arrives)
      app -> group  commit offset 1 (arrives)
      "
    `)
    expect(statusOf(told)).toEqual(['committed'])
    expect(told.state.group.app?.committed).toBe(1)
  })
  it('a crash forgets what was not committed', () => {
    const told = run(
      {
        apps: [
          {
            ...app,
            loop: ['poll', { send: 'output' }, 'commit offset'],
            onStart: ['seek to committed offset'],
          },
        ],
        crashes: 1,
      },
      [['send', 'Crash(process: app)']],
    )
    expect(from('record', told)).toMatchInlineSnapshot(`
      "
      input -> app  record event=0 (arrives)
      app -> output  send event=0 (arrives)
      app  crashed - before: commit offset
      app  started
      app  continues at the committed offset 0
      input -> app  record event=0 (arrives)
      app -> output  send event=0 (arrives)
      app -> group  commit offset 1 (arrives)
      "
    `)
    expect(statusOf(told)).toEqual(['committed', 'committed'])
  })
  it('a request that was accepted is not there again', () => {
    const told = run(
      {
        apps: [
          { ...app, loop: ['accept request', { send: 'output' }], onStart: ['seek to committed offset'] },
        ],
        crashes: 1,
      },
      [['record', 'Crash(process: app)']],
    )
    expect(from('record', told)).toMatchInlineSnapshot(`
      "
      input -> app  record event=0 (arrives)
      app  crashed - before: send to output
      app  started
      app  continues at the committed offset 1
      "
    `)
  })
  it('a replaced owner is refused when it commits its offset', () => {
    const told = run({ apps: [{ ...app, loop: ['poll', 'commit offset'], instances: 2 }], rebalances: 1 }, [
      ['record', 'Rebalance(to: app-1)'],
    ])
    expect(from('record', told)).toMatchInlineSnapshot(`
      "
      input -> app-0  record event=0 (arrives)
      app-0  paused - stands still, and will go on
      app-1  started - takes the input over from app-0
      app-0  is refused: another instance owns its input
      app-0  ends
      input -> app-1  record event=0 (arrives)
      app-1 -> group  commit offset 1 (arrives)
      "
    `)
  })
  it('an error without a handler ends the process', () => {
    const told = run({ apps: [{ ...app, loop: ['poll', 'process', 'commit offset'] }], errors: 1 }, [
      ['record', 'processing: throws'],
    ])
    expect(from('record', told)).toMatchInlineSnapshot(`
      "
      input -> app  record event=0 (arrives)
      app  processing of event 0 throws
      app  ends
      app  started
      input -> app  record event=0 (arrives)
      app  processes event 0
      app -> group  commit offset 1 (arrives)
      "
    `)
  })
  it('an error handler is followed by the loop', () => {
    const told = run(
      { apps: [{ ...app, loop: ['poll', 'process', 'commit offset'], onError: ['seek back'] }], errors: 1 },
      [['record', 'processing: throws']],
    )
    expect(from('record', told)).toMatchInlineSnapshot(`
      "
      input -> app  record event=0 (arrives)
      app  processing of event 0 throws
      app  continues at its own last record, 0
      input -> app  record event=0 (arrives)
      app  processes event 0
      app -> group  commit offset 1 (arrives)
      "
    `)
  })
})

describe('readers', () => {
  it('of committed records wait for the end of a transaction', () => {
    const told = run(
      {
        apps: [
          { ...transactional, loop },
          { name: 'reader', reads: 'output', isolation: 'read_committed', loop: ['poll'] },
        ],
        crashes: 1,
      },
      [['transaction event', 'Start(process: reader)']],
    )
    expect(from('send in', told)).toMatchInlineSnapshot(`
      "
      app -> output  send in transaction event=0 (arrives)
      reader  started
      app -> coordinator  offset 1 in transaction (arrives)
      app -> coordinator  commit (arrives)
      output -> reader  record event=0 (arrives)
      "
    `)
  })
  it('of uncommitted ones do not, and keep their place when it is aborted', () => {
    const told = run(
      {
        apps: [
          { ...transactional, loop },
          { name: 'reader', reads: 'output', isolation: 'read_uncommitted', loop: ['poll'] },
        ],
        crashes: 1,
      },
      [
        ['transaction event', 'Start(process: reader)'],
        ['reader  started', 'Run(process: reader)'],
        ['(open)', 'Crash(process: app)'],
      ],
    )
    expect(from('send in', told)).toMatchInlineSnapshot(`
      "
      app -> output  send in transaction event=0 (arrives)
      reader  started
      output -> reader  record (open) event=0 (arrives)
      app  crashed - before: send offsets
      app  started
      app -> coordinator  initialise: the open transaction is aborted (arrives)
      app  continues at the committed offset 0
      input -> app  record event=0 (arrives)
      app  begins a transaction
      app -> output  send in transaction event=0 (arrives)
      app -> coordinator  offset 1 in transaction (arrives)
      app -> coordinator  commit (arrives)
      output -> reader  record event=0 (arrives)
      "
    `)
    expect(statusOf(told)).toEqual(['aborted', 'committed'])
  })
})
