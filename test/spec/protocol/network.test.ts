import { describe, expect, it } from 'vitest'
import {
  abandon,
  answer,
  executing,
  newConnection,
  nextRequest,
  onTheWire,
  reconnect,
  sendUnsent,
  takeReply,
} from '../../../spec/protocol/network.ts'
import { type Connection, requestName } from '../../../spec/state.ts'
import { produce } from './leader-notation.ts'

const batch = (sequence: number) => produce(0, sequence)
const sequences = (requests: readonly unknown[]) =>
  requests.map((request) => (request as { sequence: number }).sequence)

/** Requests by sequence; the first one is being worked on if it is said. */
function connectionWith(
  requests: number[],
  { working = false, replies = [] as number[], unsent = [] as number[] } = {},
) {
  const connection: Connection = {
    ...newConnection(),
    requests: requests.map((sequence, index) => ({ ...batch(sequence), executing: working && index === 0 })),
    unsent: unsent.map(batch),
  }
  for (const sequence of replies)
    connection.replies.push({ request: batch(sequence), error: 'NONE', producerEpoch: -1 })
  return connection
}

describe('one request at a time', () => {
  it('the broker begins with the first and with no other while it works', () => {
    expect(nextRequest(connectionWith([]))).toBeUndefined()
    expect(nextRequest(connectionWith([0, 1]))).toMatchObject({ sequence: 0 })
    expect(nextRequest(connectionWith([0, 1], { working: true }))).toBeUndefined()
  })

  it('the answer takes the request off, and the next one is free', () => {
    const connection = connectionWith([0, 1], { working: true })
    answer(connection, 'INVALID_TXN_STATE')
    expect(connection.replies).toEqual([{ request: batch(0), error: 'INVALID_TXN_STATE', producerEpoch: -1 }])
    expect(nextRequest(connection)).toMatchObject({ sequence: 1 })
  })

  it('replies arrive in the order of the requests', () => {
    const connection = connectionWith([0, 1])
    answer(connection, 'NONE', 3)
    answer(connection, 'NONE')
    expect(takeReply(connection)).toMatchObject({ request: { sequence: 0 }, producerEpoch: 3 })
    expect(takeReply(connection)).toMatchObject({ request: { sequence: 1 }, producerEpoch: -1 })
    expect(takeReply(connection)).toBeUndefined()
  })

  it('an answer without a request is no reply', () => {
    const connection = connectionWith([])
    answer(connection, 'NONE')
    expect(connection).toEqual(newConnection())
  })
})

describe('the request that is worked on', () => {
  const rows = [
    { name: 'is found by its name', connection: connectionWith([0], { working: true }), found: true },
    { name: 'is not one that waits', connection: connectionWith([0]), found: false },
    { name: 'is not another one', connection: connectionWith([1, 0], { working: true }), found: false },
    { name: 'is gone with its connection', connection: connectionWith([]), found: false },
  ]
  it.each(rows)('$name', ({ connection, found }) => {
    expect(executing(connection, requestName(batch(0))) !== undefined).toBe(found)
  })
})

describe('a new connection', () => {
  it('repeats what was not answered, and what was answered but not received, in order', () => {
    const connection = connectionWith([1, 2], { working: true, replies: [0], unsent: [3] })
    reconnect(connection)
    expect(sequences(connection.requests)).toEqual([0, 1, 2])
    expect(connection.requests.every(({ executing: working }) => !working)).toBe(true)
    expect(connection).toMatchObject({ replies: [], late: [], unsent: [{ sequence: 3 }] })
  })
})

describe('a client that is gone', () => {
  it('leaves on the wire what no broker has begun with, and nothing else', () => {
    const connection = connectionWith([0, 1, 2], { working: true, replies: [7], unsent: [3] })
    connection.late.push(batch(9))
    expect(sequences(onTheWire(connection))).toEqual([1, 2])
    abandon(connection, (request) => request.kind === 'Produce' && request.sequence === 2)
    expect(sequences(connection.late)).toEqual([9, 2])
    expect(connection).toMatchObject({ requests: [], replies: [], unsent: [] })
  })
})

describe('batches in flight', () => {
  const rows = [
    { limit: 1, requests: [], replies: [], unsent: [0, 1], sent: [0] },
    { limit: 2, requests: [], replies: [], unsent: [0, 1, 2], sent: [0, 1] },
    { limit: 2, requests: [0], replies: [], unsent: [1, 2], sent: [0, 1] },
    { limit: 2, requests: [1], replies: [0], unsent: [2], sent: [1] },
    { limit: 1, requests: [], replies: [0], unsent: [1], sent: [] },
    { limit: 5, requests: [0], replies: [], unsent: [], sent: [0] },
  ]
  it.each(rows)(
    'at most $limit: $requests and $unsent, $replies answered',
    ({ limit, requests, replies, unsent, sent }) => {
      const connection = connectionWith(requests, { replies, unsent })
      sendUnsent(connection, limit)
      expect(sequences(connection.requests)).toEqual(sent)
      expect(connection.unsent).toHaveLength(requests.length + unsent.length - sent.length)
    },
  )
})
