import { describe, expect, it } from 'vitest'
import type { KafkaConfig } from '../../../spec/config.ts'
import {
  acknowledge,
  adopt,
  closeGap,
  currentOf,
  discardUndrained,
  drainBatches,
  inFlight,
  isNextExpected,
  isSequenceLost,
  produceRequest,
  reenqueue,
  startAtBeginning,
} from '../../../spec/protocol/producer.ts'
import { type ProduceRequest, requestName } from '../../../spec/state.ts'
import { batch, connectionWith, instance, sequences } from './producer-notation.ts'
import { rulesOf } from './rules.ts'

const rules = (config: Partial<KafkaConfig> = {}) =>
  rulesOf('kafka-3.9', { config: { maxInFlight: 5, ...config } })
const plain = { application: 'produce', producer: 'plain' } as const
const waiting = (part: number) => produceRequest(instance(), 1, part)
const currentSequences = (batches: readonly ProduceRequest[]) => batches.map((one) => currentOf(one).sequence)

describe('a batch', () => {
  it('has neither sequence nor identity before it is drained', () => {
    expect(waiting(1)).toMatchObject({ sequence: -1, producerId: -1, producerEpoch: -1, input: 1, part: 1 })
  })

  it('gets the next sequence of its partition when it is drained, and starts at 0 with a new identity', () => {
    const client = instance({ nextSequence: [3, 1], lastAcknowledged: [2, 0] })
    const sent = drainBatches(rules(), client, 0, connectionWith({ unsent: [waiting(0), waiting(1)] }))
    expect(sent).toMatchObject([
      { sequence: 3, producerId: 0, producerEpoch: 4, part: 0 },
      { sequence: 4, producerId: 0, producerEpoch: 4, part: 1 },
    ])
    expect(client.nextSequence).toEqual([5, 1])
    adopt(client, { producerId: 0, producerEpoch: 5 })
    expect(client).toMatchObject({ producerEpoch: 5, nextSequence: [0, 0], lastAcknowledged: [-1, -1] })
  })

  const defects = [
    { numbered: 'one for two sends', expected: [3, 3] },
    { numbered: 'from 0 again', expected: [0, 1] },
    { numbered: 'of given-up batches again', expected: [3, 4] },
    { numbered: 'all anew at each epoch', expected: [3, 4] },
  ] as const
  it.each(defects)('is numbered by a client with the defect: $numbered', ({ numbered, expected }) => {
    const client = instance({ nextSequence: [3, 1], lastAcknowledged: [2, 0] })
    const protocol = rules({ application: 'produce', producer: 'idempotent', sequences: numbered })
    const sent = drainBatches(protocol, client, 0, connectionWith({ unsent: [waiting(0), waiting(1)] }))
    expect(sent.map(({ sequence }) => sequence)).toEqual(expected)
  })

  it('is numbered so only by an idempotent producer', () => {
    expect(() => rules({ sequences: 'from 0 again' })).toThrow('a producer that is not idempotent')
  })

  it('has a name that tells sessions, transactions and batches apart, and not copies', () => {
    expect(requestName(batch(2, { session: 3, transaction: 's3.2' }))).toBe('Produce #2 of s3.2')
    expect(requestName(batch(2, { executing: true }))).toBe(requestName(batch(2)))
    expect(requestName(batch(-1, { session: 3, transaction: '', input: 1, part: 2 }))).toBe(
      'Produce #1.2 of s3',
    )
  })
})

describe('how many batches are drained', () => {
  const rows = [
    { limit: 1, requests: [], replies: [], unsent: 2, sent: 1 },
    { limit: 2, requests: [], replies: [], unsent: 3, sent: 2 },
    { limit: 2, requests: [0], replies: [], unsent: 2, sent: 1 },
    { limit: 2, requests: [1], replies: [0], unsent: 1, sent: 0 },
    { limit: 1, requests: [], replies: [0], unsent: 1, sent: 0 },
    { limit: 5, requests: [0], replies: [], unsent: 0, sent: 0 },
  ]
  it.each(rows)(
    'at most $limit in flight, $requests on the wire, $replies answered: $sent of $unsent',
    (row) => {
      const { limit, requests, replies, unsent, sent } = row
      const fresh = Array.from({ length: unsent }, (_, part) => waiting(part))
      const connection = connectionWith({ requests, replies, unsent: fresh })
      expect(drainBatches(rules({ maxInFlight: limit }), instance(), 0, connection)).toHaveLength(sent)
      expect(connection.requests).toHaveLength(requests.length + sent)
      expect(connection.unsent).toHaveLength(unsent - sent)
    },
  )

  it('with acks=0 all of them, and they count as acknowledged', () => {
    const client = instance({ unacknowledged: [2, 0] })
    const config = { ...plain, acks: '0', maxInFlight: 1 } as const
    const sent = drainBatches(rules(config), client, 0, connectionWith({ unsent: [waiting(0), waiting(1)] }))
    expect([sent.length, client.unacknowledged]).toEqual([2, [0, 0]])
  })
})

describe('which batches are drained (RecordAccumulator.shouldStopDrainBatchesForPartition)', () => {
  const drained = (
    connection: ReturnType<typeof connectionWith>,
    client = instance({ nextSequence: [3, 0] }),
    config: Partial<KafkaConfig> = {},
  ) => sequences(drainBatches(rules(config), client, 0, connection))

  it('a retried batch alone, if an earlier one is in flight not even that', () => {
    expect(drained(connectionWith({ unsent: [1, 2] }))).toEqual([1])
    expect(drained(connectionWith({ requests: [0], unsent: [1] }))).toEqual([])
    expect(drained(connectionWith({ replies: [0], unsent: [1] }))).toEqual([])
  })

  it('an earlier batch that was given up holds up nothing', () => {
    const given = connectionWith({ requests: [batch(0, { givenUp: true })], unsent: [1] })
    expect(drained(given)).toEqual([1])
  })

  it('a new batch beside a retried one', () => {
    expect(drained(connectionWith({ unsent: [2, waiting(0)] }))).toEqual([2, 3])
  })

  it('no new batch while sequences are unresolved', () => {
    const client = instance({ unresolved: [true, false] })
    expect(drained(connectionWith({ unsent: [waiting(0)] }), client)).toEqual([])
  })

  it('no new batch while one of another identity is in flight, nor while the producer has none', () => {
    const old = batch(0, { producerEpoch: 3 })
    const config = { application: 'produce', producer: 'idempotent' } as const
    const other = batch(0, { producerId: 1 })
    for (const earlier of [old, other]) {
      const connection = connectionWith({ requests: [earlier], unsent: [waiting(0)] })
      expect(drained(connection, instance(), config)).toEqual([])
    }
    const nameless = instance({ producerId: -1, producerEpoch: -1 })
    expect(drained(connectionWith({ unsent: [waiting(0)] }), nameless, config)).toEqual([])
  })

  it('a renumbered batch carries its new sequence and identity', () => {
    const reset = { producerId: 0, producerEpoch: 4, sequence: 0 }
    expect(drained(connectionWith({ unsent: [batch(1, { reset })] }))).toEqual([0])
  })

  it('a batch without a sequence whenever there is room', () => {
    const connection = connectionWith({ requests: [batch(-1)], unsent: [batch(-1), batch(-1)] })
    expect(drained(connection, instance(), { ...plain, maxInFlight: 2 })).toEqual([-1])
  })
})

describe('a batch that waits to be sent again', () => {
  const order = (config: Partial<KafkaConfig>, unsent: ProduceRequest[], again: ProduceRequest) => {
    const connection = connectionWith({ unsent })
    reenqueue(rules(config), connection, again)
    return connection.unsent
  }

  it('stands in the order of sequences, before the new ones', () => {
    expect(sequences(order({}, [batch(0), batch(2), waiting(0)], batch(1)))).toEqual([0, 1, 2, -1])
    expect(sequences(order({}, [waiting(0)], batch(1)))).toEqual([1, -1])
  })

  it('stands before all others without sequences, so that several change places', () => {
    const parts = order(plain, [batch(-1, { part: 0 })], batch(-1, { part: 1 })).map(({ part }) => part)
    expect(parts).toEqual([1, 0])
  })

  it('is noted as retried only where batches can be given up', () => {
    expect(order({}, [], batch(0, { executing: true }))).toEqual([batch(0)])
    expect(order({ deliveryTimeouts: 1 }, [], batch(0))).toEqual([batch(0, { retried: true })])
  })
})

describe('an abort', () => {
  it('discards what was never sent, and nothing else', () => {
    const client = instance({ unacknowledged: [4, 1] })
    const connection = connectionWith({ requests: [0], unsent: [1, waiting(0), waiting(1)] })
    discardUndrained(client, 0, connection)
    expect([sequences(connection.unsent), client.unacknowledged]).toEqual([[1], [2, 1]])
  })
})

describe('sequences in the client', () => {
  it('a batch is the next expected one if it follows the one acknowledged last', () => {
    const client = instance({ nextSequence: [5, 0], unacknowledged: [3, 0], lastAcknowledged: [1, -1] })
    expect([1, 2, 3].map((sequence) => isNextExpected(client, 0, batch(sequence)))).toEqual([
      false,
      true,
      false,
    ])
    acknowledge(client, 0, batch(3))
    acknowledge(client, 0, batch(2))
    expect(client).toMatchObject({ lastAcknowledged: [3, -1], unacknowledged: [1, 0] })
  })

  it('a refused batch leaves no gap: those after it move down', () => {
    const client = instance({ nextSequence: [4, 0] })
    const connection = connectionWith({ requests: [0, 2], unsent: [3] })
    closeGap(client, 0, connection, batch(1))
    expect(client.nextSequence).toEqual([3, 0])
    expect(currentSequences(inFlight(connection))).toEqual([0, 1, 2])
    expect(sequences(connection.requests)).toEqual([0, 2])
  })

  it('start at 0 for what is in flight when the identity changes, in the order of sending', () => {
    const client = instance({
      producerEpoch: 5,
      nextSequence: [9, 0],
      lastAcknowledged: [6, -1],
      unresolved: [true, false],
    })
    const connection = connectionWith({ requests: [8], unsent: [7, waiting(0)] })
    startAtBeginning(client, 0, connection)
    expect(connection).toMatchObject({
      requests: [{ sequence: 8, reset: { producerEpoch: 5, sequence: 1 } }],
      unsent: [{ sequence: 7, reset: { producerEpoch: 5, sequence: 0 } }, { sequence: -1 }],
    })
    expect(client).toMatchObject({
      nextSequence: [2, 0],
      lastAcknowledged: [-1, -1],
      unresolved: [false, false],
    })
  })
})

describe('sequences after a retried batch was given up (TransactionManager.maybeResolveSequences)', () => {
  const rows = [
    {
      title: 'nothing was given up',
      unresolved: false,
      requests: [],
      lastAcknowledged: 0,
      lost: false,
      after: false,
    },
    {
      title: 'another batch is in flight',
      unresolved: true,
      requests: [1],
      lastAcknowledged: -1,
      lost: false,
      after: true,
    },
    {
      title: 'a later batch was acknowledged',
      unresolved: true,
      requests: [],
      lastAcknowledged: 1,
      lost: false,
      after: false,
    },
    {
      title: 'no later batch was',
      unresolved: true,
      requests: [],
      lastAcknowledged: 0,
      lost: true,
      after: false,
    },
  ]
  it.each(rows)('$title: lost $lost', ({ unresolved, requests, lastAcknowledged, lost, after }) => {
    const client = instance({
      nextSequence: [2, 0],
      lastAcknowledged: [lastAcknowledged, -1],
      unresolved: [unresolved, false],
    })
    expect(isSequenceLost(client, 0, connectionWith({ requests }))).toBe(lost)
    expect(client.unresolved).toEqual([after, false])
  })
})
