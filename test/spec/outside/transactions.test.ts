/** What each word of a program does in a transaction. */
import { describe, expect, it } from 'vitest'
import { from, run } from './story.ts'

const app = { name: 'app', reads: 'input' }
const transactional = { ...app, onStart: ['initialise', 'seek to committed offset'] }
const loop = ['poll', 'begin', { send: 'output' }, 'send offsets', 'commit']
const statusOf = ({ state }: ReturnType<typeof run>) => state.topic.output?.map(({ status }) => status)

describe('in a transaction', () => {
  it('records and offset are there with the commit', () => {
    const told = run({ apps: [{ ...transactional, loop }] }, [])
    expect(from('begins', told)).toMatchInlineSnapshot(`
      "
      app  begins a transaction
      app -> output  send in transaction event=0 (arrives)
      app -> coordinator  offset 1 in transaction (arrives)
      app -> coordinator  commit (arrives)
      "
    `)
    expect(statusOf(told)).toEqual(['committed'])
    expect(told.state.group.app?.committed).toBe(1)
  })
  it('initialising aborts what a crash has left open', () => {
    const told = run({ apps: [{ ...transactional, loop }], crashes: 1 }, [['send', 'Crash(process: app)']])
    expect(from('record', told)).toMatchInlineSnapshot(`
      "
      input -> app  record event=0 (arrives)
      app  begins a transaction
      app -> output  send in transaction event=0 (arrives)
      app  crashed - before: send offsets
      app  started
      app -> coordinator  initialise: the open transaction is aborted (arrives)
      app  continues at the committed offset 0
      input -> app  record event=0 (arrives)
      app  begins a transaction
      app -> output  send in transaction event=0 (arrives)
      app -> coordinator  offset 1 in transaction (arrives)
      app -> coordinator  commit (arrives)
      "
    `)
    expect(statusOf(told)).toEqual(['committed'])
  })
  it('an older process with the id is fenced', () => {
    const told = run(
      { apps: [{ ...transactional, loop, instances: 2, transactionalIds: 'shared' }], rebalances: 1 },
      [
        ['begins', 'Rebalance(to: app-1)'],
        ['takes the input over', 'Run(process: app-1)'],
      ],
    )
    expect(from('paused', told)).toMatchInlineSnapshot(`
      "
      app-0  paused - stands still, and will go on
      app-1  started - takes the input over from app-0
      app-1 -> coordinator  initialise (arrives)
      app-0 -> output  send: refused (arrives)
      app-0  is fenced: its transactional.id has a newer epoch
      app-0  ends
      app-1  continues at the committed offset 0
      input -> app-1  record event=0 (arrives)
      app-1  begins a transaction
      app-1 -> output  send in transaction event=0 (arrives)
      app-1 -> coordinator  offset 1 in transaction (arrives)
      app-1 -> coordinator  commit (arrives)
      "
    `)
    expect(statusOf(told)).toEqual(['committed'])
  })
  it('a replaced owner with an id of its own is refused when it sends its offset', () => {
    const told = run({ apps: [{ ...transactional, loop, instances: 2 }], rebalances: 1 }, [
      ['begins', 'Rebalance(to: app-1)'],
    ])
    expect(from('paused', told)).toMatchInlineSnapshot(`
      "
      app-0  paused - stands still, and will go on
      app-1  started - takes the input over from app-0
      app-0 -> output  send in transaction event=0 (arrives)
      app-0  is refused: another instance owns its input
      app-0  ends
      app-1 -> coordinator  initialise (arrives)
      app-1  continues at the committed offset 0
      input -> app-1  record event=0 (arrives)
      app-1  begins a transaction
      app-1 -> output  send in transaction event=0 (arrives)
      app-1 -> coordinator  offset 1 in transaction (arrives)
      app-1 -> coordinator  commit (arrives)
      coordinator  aborts a transaction after its timeout: app-0 is gone
      "
    `)
    expect(statusOf(told)).toEqual(['committed'])
  })
  it('a new owner waits for an offset that is undecided', () => {
    const told = run({ apps: [{ ...transactional, loop, instances: 2 }], rebalances: 1 }, [
      ['offset 1', 'Rebalance(to: app-1)'],
    ])
    expect(from('paused', told)).toMatchInlineSnapshot(`
      "
      app-0  paused - stands still, and will go on
      app-1  started - takes the input over from app-0
      app-0 -> coordinator  commit (arrives)
      app-0  is refused: another instance owns its input
      app-0  ends
      app-1 -> coordinator  initialise (arrives)
      app-1  continues at the committed offset 1
      "
    `)
    expect(statusOf(told)).toEqual(['committed'])
  })
  it('aborted records are not there', () => {
    const told = run(
      { apps: [{ ...app, loop: ['poll', 'begin', { send: 'output' }, 'abort'], onStart: ['initialise'] }] },
      [],
    )
    expect(from('record', told)).toMatchInlineSnapshot(`
      "
      input -> app  record event=0 (arrives)
      app  begins a transaction
      app -> output  send in transaction event=0 (arrives)
      app -> coordinator  abort (arrives)
      "
    `)
    expect(statusOf(told)).toEqual([])
    expect(told.state.group.app?.committed).toBe(0)
  })
  it('a process that goes on when it is fenced does what it does after any error', () => {
    const onError = ['initialise', 'seek to committed offset']
    const told = run(
      { apps: [{ ...transactional, loop, onError, whenFenced: 'goes on' }], transactionTimeouts: 1 },
      [['send', 'TimeOutTransaction(producer: app)']],
    )
    expect(from('is fenced', told)).toMatchInlineSnapshot(`
      "
      app  is fenced: its transactional.id has a newer epoch
      app -> coordinator  initialise (arrives)
      app  continues at the committed offset 0
      input -> app  record event=0 (arrives)
      app  begins a transaction
      app -> output  send in transaction event=0 (arrives)
      app -> coordinator  offset 1 in transaction (arrives)
      app -> coordinator  commit (arrives)
      "
    `)
    expect(statusOf(told)).toEqual(['committed'])
  })
  it('a transaction that takes too long is aborted and its process fenced', () => {
    const told = run({ apps: [{ ...transactional, loop }], transactionTimeouts: 1 }, [
      ['send', 'TimeOutTransaction(producer: app)'],
    ])
    expect(from('begins', told)).toMatchInlineSnapshot(`
      "
      app  begins a transaction
      app -> output  send in transaction event=0 (arrives)
      coordinator  aborts a transaction after its timeout: app is too slow
      app  is fenced: its transactional.id has a newer epoch
      app  ends
      app  started
      app -> coordinator  initialise (arrives)
      app  continues at the committed offset 0
      input -> app  record event=0 (arrives)
      app  begins a transaction
      app -> output  send in transaction event=0 (arrives)
      app -> coordinator  offset 1 in transaction (arrives)
      app -> coordinator  commit (arrives)
      "
    `)
    expect(statusOf(told)).toEqual(['committed'])
  })
  it('a commit that is under way arrives, and another one changes nothing', () => {
    const told = run({ apps: [{ ...transactional, loop, onError: ['commit'] }], commitTimeouts: 1 }, [
      ['offset 1', 'commit: under way'],
      ['delayed', 'CommitArrives(producer: app)'],
    ])
    expect(from('offset 1', told)).toMatchInlineSnapshot(`
      "
      app -> coordinator  offset 1 in transaction (arrives)
      app -> coordinator  commit (delayed: may arrive late)
      app -> coordinator  commit (arrives)
      app -> coordinator  commit (arrives)
      "
    `)
    expect(statusOf(told)).toEqual(['committed'])
  })
  it('an abort after a commit that was executed is refused', () => {
    const told = run(
      {
        apps: [{ ...transactional, loop, onError: ['abort', 'seek to committed offset'] }],
        commitTimeouts: 1,
      },
      [['offset 1', 'commit: executed, the answer is lost']],
    )
    expect(from('offset 1', told)).toMatchInlineSnapshot(`
      "
      app -> coordinator  offset 1 in transaction (arrives)
      app -> coordinator  commit (arrives)
      coordinator -> app  committed (lost)
      app -> coordinator  abort: refused (arrives)
      app  ends
      app  started
      app -> coordinator  initialise (arrives)
      app  continues at the committed offset 1
      "
    `)
    expect(statusOf(told)).toEqual(['committed'])
  })
  it('a commit that is lost leaves the transaction to its successor', () => {
    const told = run(
      {
        apps: [{ ...transactional, loop, onError: ['initialise', 'seek to committed offset'] }],
        commitTimeouts: 1,
      },
      [
        ['offset 1', 'commit: under way'],
        ['delayed', 'LoseCommit(producer: app)'],
      ],
    )
    expect(from('offset 1', told)).toMatchInlineSnapshot(`
      "
      app -> coordinator  offset 1 in transaction (arrives)
      app -> coordinator  commit (delayed: may arrive late)
      app -> coordinator  commit (lost)
      app -> coordinator  initialise: the open transaction is aborted (arrives)
      app  continues at the committed offset 0
      input -> app  record event=0 (arrives)
      app  begins a transaction
      app -> output  send in transaction event=0 (arrives)
      app -> coordinator  offset 1 in transaction (arrives)
      app -> coordinator  commit (arrives)
      "
    `)
    expect(statusOf(told)).toEqual(['committed'])
  })
  it('what was prepared is committed if the database says so', () => {
    const told = run(
      {
        apps: [
          {
            ...app,
            onStart: ['recover', 'seek to offset in database'],
            loop: ['poll', 'begin', { send: 'output' }, 'prepare', { database: ['store offset'] }, 'commit'],
          },
        ],
        crashes: 1,
      },
      [['store offset', 'Crash(process: app)']],
    )
    expect(from('prepare', told)).toMatchInlineSnapshot(`
      "
      app -> coordinator  prepare (arrives)
      app -> database  store offset event=0 (arrives)
      app  crashed - before: commit
      app  started
      app -> coordinator  recover: commit (arrives)
      app  continues at the offset in the database, 1
      "
    `)
    expect(statusOf(told)).toEqual(['committed'])
  })
  it('and aborted if it does not', () => {
    const told = run(
      {
        apps: [
          {
            ...app,
            onStart: ['recover', 'seek to offset in database'],
            loop: ['poll', 'begin', { send: 'output' }, 'prepare', { database: ['store offset'] }, 'commit'],
          },
        ],
        crashes: 1,
      },
      [['prepare', 'Crash(process: app)']],
    )
    expect(from('prepare', told)).toMatchInlineSnapshot(`
      "
      app -> coordinator  prepare (arrives)
      app  crashed - before: database: store offset
      app  started
      app -> coordinator  recover: abort (arrives)
      app  continues at the offset in the database, 0
      input -> app  record event=0 (arrives)
      app  begins a transaction
      app -> output  send in transaction event=0 (arrives)
      app -> coordinator  prepare (arrives)
      app -> database  store offset event=0 (arrives)
      app -> coordinator  commit (arrives)
      "
    `)
    expect(statusOf(told)).toEqual(['committed'])
  })
})
