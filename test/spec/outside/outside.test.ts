/** What each word of a program does towards a database, a provider and its own disk. */
import { describe, expect, it } from 'vitest'
import { from, run } from './story.ts'

const app = { name: 'app', reads: 'input' }
const repeated = (loop: readonly unknown[]) => ({ apps: [{ ...app, loop }], crashes: 1 })
const rowsOf = ({ state }: ReturnType<typeof run>) => state.database.rows.map(({ event }) => event)
const callsOf = ({ state }: ReturnType<typeof run>) => state.provider.executed.length

describe('a database', () => {
  it.each([
    { operations: ['insert row'], rows: [0, 0] },
    { operations: ['insert row unless its id is there'], rows: [0] },
    { operations: ['insert row unless its key is there'], rows: [0] },
    { operations: ['overwrite row'], rows: [0] },
    { operations: ['overwrite older row'], rows: [0] },
    { operations: ['remember id', 'insert row'], rows: [0] },
    { operations: ['insert row', 'remember id'], rows: [0] },
    { operations: ['remember offset', 'insert row'], rows: [0] },
  ])('$operations, twice, leaves rows $rows', ({ operations, rows }) => {
    const told = run(repeated(['poll', { database: operations }, 'commit offset']), [
      [operations.join(', '), 'Crash(process: app)'],
    ])
    expect(rowsOf(told)).toEqual(rows)
  })

  it.each([
    { operation: 'overwrite row', rows: [0] },
    { operation: 'overwrite older row', rows: [1] },
    { operation: 'insert row unless its key is there', rows: [1] },
    { operation: 'insert row unless its id is there', rows: [1, 0] },
  ])('$operation: of a later event and then an earlier one there are rows $rows', ({ operation, rows }) => {
    const inputs = [{ event: 1 }, { event: 0 }]
    expect(rowsOf(run({ ...repeated(['poll', { database: [operation] }]), inputs }))).toEqual(rows)
  })

  it('an offset that another has advanced rolls all back, and ends the process', () => {
    const told = run(
      {
        apps: [
          {
            ...app,
            instances: 2,
            onStart: ['seek to offset in database'],
            loop: ['poll', { database: ['insert row', 'advance offset'] }],
          },
        ],
        rebalances: 1,
      },
      [
        ['record', 'Rebalance(to: app-1)'],
        ['takes the input over', 'Run(process: app-1)'],
        ['continues', 'Run(process: app-1)'],
        ['record', 'Run(process: app-1)'],
      ],
    )
    expect(from('record', told)).toMatchInlineSnapshot(`
      "
      input -> app-0  record event=0 (arrives)
      app-0  paused - stands still, and will go on
      app-1  started - takes the input over from app-0
      app-1  continues at the offset in the database, 0
      input -> app-1  record event=0 (arrives)
      app-1 -> database  insert row, advance offset event=0 (arrives)
      app-0 -> database  insert row, advance offset: rolled back event=0 (arrives)
      app-0  finds that another has advanced the offset
      app-0  ends
      "
    `)
    expect(rowsOf(told)).toEqual([0])
  })
  it('looks first and leaves out what is there', () => {
    const told = run(repeated(['poll', 'look up row', { database: ['insert row'] }]), [
      ['insert row', 'Crash(process: app)'],
    ])
    expect(from('look up', told)).toMatchInlineSnapshot(`
      "
      app -> database  look up row: not there event=0 (arrives)
      app -> database  insert row event=0 (arrives)
      app  crashed - before: poll
      app  started
      input -> app  record event=0 (arrives)
      app -> database  look up row: there event=0 (arrives)
      app  leaves out: database: insert row
      "
    `)
    expect(rowsOf(told)).toEqual([0])
  })
})

describe('an outbox', () => {
  it('is read and marked', () => {
    const told = run(
      {
        apps: [
          { name: 'shop', reads: 'input', loop: ['poll', { database: ['insert outbox row'] }] },
          { name: 'relay', loop: ['read outbox', { send: 'events' }, 'mark sent'], instances: 1 },
        ],
      },
      [],
    )
    expect(from('insert', told)).toMatchInlineSnapshot(`
      "
      shop -> database  insert outbox row event=0 (arrives)
      relay  started
      relay -> database  read outbox event=0 (arrives)
      relay -> events  send event=0 (arrives)
      relay -> database  mark sent event=0 (arrives)
      "
    `)
  })
  it('a claim keeps others away, and is lost with its process unless it ends', () => {
    const told = run(
      {
        apps: [
          { name: 'shop', reads: 'input', loop: ['poll', { database: ['insert outbox row'] }] },
          { name: 'relay', loop: ['claim outbox row', { send: 'events' }, 'mark sent'], instances: 2 },
        ],
        crashes: 1,
      },
      [['claim outbox row', 'Crash(process: relay-0)']],
    )
    expect(from('claim', told)).toMatchInlineSnapshot(`
      "
      relay-0 -> database  claim outbox row event=0 (arrives)
      relay-0  crashed - before: send to events
      relay-0  started
      relay-1  started
      "
    `)
  })
  it('a claim of the dead ends, although one of the same name runs again', () => {
    const told = run(
      {
        apps: [
          { name: 'shop', reads: 'input', loop: ['poll', { database: ['insert outbox row'] }] },
          { name: 'relay', loop: ['claim outbox row', { send: 'events' }, 'mark sent'], instances: 1 },
        ],
        crashes: 1,
        claimsEnd: true,
      },
      [['claim outbox row', 'Crash(process: relay)']],
    )
    expect(from('claim', told)).toMatchInlineSnapshot(`
      "
      relay -> database  claim outbox row event=0 (arrives)
      relay  crashed - before: send to events
      relay  started
      database  the claim of a process that is gone ends
      relay -> database  claim outbox row event=0 (arrives)
      relay -> events  send event=0 (arrives)
      relay -> database  mark sent event=0 (arrives)
      "
    `)
  })
  it('a lock is free when its holder dies', () => {
    const told = run(
      {
        apps: [
          { name: 'shop', reads: 'input', loop: ['poll', { database: ['insert outbox row'] }] },
          {
            name: 'relay',
            loop: ['take lock', 'read outbox', { send: 'events' }, 'mark sent', 'release lock'],
            instances: 1,
          },
        ],
        crashes: 1,
      },
      [['read outbox', 'Crash(process: relay)']],
    )
    expect(from('take lock', told)).toMatchInlineSnapshot(`
      "
      relay -> database  take lock (arrives)
      relay -> database  read outbox event=0 (arrives)
      relay  crashed - before: send to events
      relay  started
      relay -> database  take lock (arrives)
      relay -> database  read outbox event=0 (arrives)
      relay -> events  send event=0 (arrives)
      relay -> database  mark sent event=0 (arrives)
      relay -> database  release lock (arrives)
      "
    `)
  })
})

describe('a provider', () => {
  it.each([
    { loop: ['poll', { call: 'none' }], calls: 2 },
    { loop: ['poll', { call: 'id of the event' }], calls: 1 },
    { loop: ['poll', { call: 'made in memory' }], calls: 2 },
    { loop: ['poll', { database: ['store idempotency key'] }, { call: 'stored' }], calls: 1 },
    { loop: ['poll', 'look up idempotency key', 'create idempotency key', { call: 'stored' }], calls: 1 },
    { loop: ['poll', 'ask provider', { call: 'none' }], calls: 1 },
  ])('executes $calls of two calls of $loop', ({ loop, calls }) => {
    const told = run(repeated([...loop, 'commit offset']), [['provider  call', 'Crash(process: app)']])
    expect(callsOf(told)).toBe(calls)
  })

  it('executes a late call when it arrives', () => {
    const told = run({ ...repeated(['poll', 'ask provider', { call: 'none' }]), lateCalls: 1 }, [
      ['not executed', 'call: late'],
    ])
    expect(from('record', told)).toMatchInlineSnapshot(`
      "
      input -> app  record event=0 (arrives)
      app -> provider  ask: not executed event=0 (arrives)
      app -> provider  call event=0 (delayed: may arrive late)
      app  ends
      app  started
      input -> app  record event=0 (arrives)
      app -> provider  ask: not executed event=0 (arrives)
      app -> provider  call event=0 (arrives)
      app -> provider  call event=0 (arrives) - a late call arrives
      provider  call event=0
      "
    `)
    expect(callsOf(told)).toBe(2)
  })
  it('may have executed what it does not answer', () => {
    const told = run({ ...repeated(['poll', { call: 'none' }]), lostAnswers: 1 }, [
      ['record', 'call: the answer is lost'],
    ])
    expect(from('record', told)).toMatchInlineSnapshot(`
      "
      input -> app  record event=0 (arrives)
      app -> provider  call event=0 (arrives)
      provider -> app  answer (lost)
      app  ends
      app  started
      input -> app  record event=0 (arrives)
      app -> provider  call event=0 (arrives)
      "
    `)
    expect(callsOf(told)).toBe(2)
  })
})

describe('a store on disk', () => {
  it.each([
    { onStart: ['initialise'], store: [0, 0] },
    { onStart: ['initialise', 'restore store'], store: [0] },
  ])('is there after a crash, unless it is restored: $onStart', ({ onStart, store }) => {
    const loop = ['poll', 'begin', 'update store', { send: 'changelog' }, 'commit']
    const told = run({ apps: [{ ...app, onStart, loop }], crashes: 1 }, [
      ['local store', 'Crash(process: app)'],
    ])
    expect(told.state.process.app?.store).toEqual(store)
  })
})
