import { describe, expect, it } from 'vitest'
import {
  answer,
  beginLate,
  closeConnection,
  discardLate,
  executing,
  finishLate,
  newConnection,
  nextRequest,
  onTheWire,
  takeReply,
} from '../../../spec/protocol/network.ts'
import { noIdentity } from '../../../spec/protocol/transaction-coordinator/decision.ts'
import { type Connection, requestName } from '../../../spec/state.ts'
import { batch, connectionWith, sequences } from './producer-notation.ts'

describe('one request at a time', () => {
  it('the broker begins with the first and with no other while it works', () => {
    expect(nextRequest(connectionWith({}))).toBeUndefined()
    expect(nextRequest(connectionWith({ requests: [0, 1] }))).toMatchObject({ sequence: 0 })
    expect(nextRequest(connectionWith({ requests: [0, 1], working: true }))).toBeUndefined()
  })

  it('the answer takes the request off, and the next one is free', () => {
    const connection = connectionWith({ requests: [0, 1], working: true })
    answer(connection, 'INVALID_TXN_STATE', noIdentity)
    expect(connection.replies).toEqual([{ request: batch(0), error: 'INVALID_TXN_STATE', ...noIdentity }])
    expect(nextRequest(connection)).toMatchObject({ sequence: 1 })
  })

  it('replies arrive in the order of the requests', () => {
    const connection = connectionWith({ requests: [0, 1] })
    answer(connection, 'NONE', { producerId: 0, producerEpoch: 3 })
    answer(connection, 'NONE', noIdentity)
    expect(takeReply(connection)).toMatchObject({ request: { sequence: 0 }, producerEpoch: 3 })
    expect(takeReply(connection)).toMatchObject({ request: { sequence: 1 }, producerEpoch: -1 })
    expect(takeReply(connection)).toBeUndefined()
  })

  it('an answer without a request is no reply', () => {
    const connection = connectionWith({})
    answer(connection, 'NONE', noIdentity)
    expect(connection).toEqual(newConnection())
  })
})

describe('the request that is worked on', () => {
  const rows = [
    {
      name: 'is found by its name',
      connection: connectionWith({ requests: [0], working: true }),
      found: true,
    },
    { name: 'is not one that waits', connection: connectionWith({ requests: [0] }), found: false },
    {
      name: 'is not another one',
      connection: connectionWith({ requests: [1, 0], working: true }),
      found: false,
    },
    { name: 'is gone with its connection', connection: connectionWith({}), found: false },
  ]
  it.each(rows)('$name', ({ connection, found }) => {
    expect(executing(connection, requestName(batch(0))) !== undefined).toBe(found)
  })
})

describe('a connection that is closed', () => {
  const late = (connection: Connection) => connection.late.map((requests) => sequences(requests))
  const rows = [
    { title: 'nothing survives', working: false, surviving: 0, verifying: false, left: [] },
    { title: 'the first survives', working: false, surviving: 1, verifying: false, left: [[0]] },
    { title: 'all survive', working: false, surviving: 3, verifying: false, left: [[0, 1, 2]] },
    {
      title: 'the second survives one that is done',
      working: true,
      surviving: 1,
      verifying: false,
      left: [[1]],
    },
    {
      title: 'the second waits for one that is verified',
      working: true,
      surviving: 1,
      verifying: true,
      left: [[0, 1]],
    },
    {
      title: 'nothing waits for one that is verified',
      working: true,
      surviving: 0,
      verifying: true,
      left: [],
    },
  ]
  it.each(rows)('$title', ({ working, surviving, verifying, left }) => {
    const connection = connectionWith({ requests: [0, 1, 2], working })
    const unanswered = closeConnection(connection, surviving, verifying)
    expect(late(connection)).toEqual(left)
    expect([sequences(unanswered), connection.requests]).toEqual([[0, 1, 2], []])
    expect(unanswered.every((request) => !request.executing)).toBe(true)
  })

  it('has what was answered and not received sent again, too', () => {
    const connection = connectionWith({ requests: [1], replies: [0], unsent: [2] })
    expect(sequences(closeConnection(connection, 0, false))).toEqual([0, 1])
    expect(connection).toMatchObject({ requests: [], replies: [], unsent: [{ sequence: 2 }] })
  })

  it('takes nothing along of what the client notes about its batches', () => {
    const reset = { producerId: 0, producerEpoch: 5, sequence: 0 }
    const connection = connectionWith({ requests: [batch(0, { retried: true, givenUp: true, reset })] })
    closeConnection(connection, 1, false)
    expect(connection.late).toEqual([[batch(0)]])
  })

  it('knows which requests are on the wire: those that no broker has begun with', () => {
    expect(sequences(onTheWire(connectionWith({ requests: [0, 1, 2], working: true })))).toEqual([1, 2])
  })
})

describe('late requests of one connection', () => {
  const closed = (...connections: number[][]): Connection => ({
    ...newConnection(),
    late: connections.map((requests) => requests.map((sequence) => batch(sequence))),
  })

  it('are executed one at a time, in order', () => {
    const connection = closed([0, 1])
    beginLate(connection, 0)
    expect(connection.late).toMatchObject([
      [
        { sequence: 0, executing: true },
        { sequence: 1, executing: false },
      ],
    ])
    finishLate(connection, requestName(batch(0)))
    expect(connection.late).toEqual([[batch(1)]])
  })

  it('leave nothing behind when the last one is begun with', () => {
    const connection = closed([0], [1])
    beginLate(connection, 0)
    expect(connection.late).toEqual([[batch(1)]])
    finishLate(connection, requestName(batch(0)))
    expect(connection.late).toEqual([[batch(1)]])
  })

  it('are not finished before they are begun with', () => {
    const connection = closed([0, 1])
    finishLate(connection, requestName(batch(0)))
    expect(connection).toEqual(closed([0, 1]))
  })

  it('may be executed and answered to nobody in one step', () => {
    const connection = closed([0, 1])
    discardLate(connection, 0)
    discardLate(connection, 0)
    expect(connection).toEqual(newConnection())
  })
})
