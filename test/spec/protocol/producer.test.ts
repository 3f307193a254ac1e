import { describe, expect, it } from 'vitest'
import {
  adoptEpoch,
  becomeAborting,
  failBatch,
  isNextExpected,
  isWorkDone,
  newInstance,
  produceRequest,
  severityOf,
  stop,
} from '../../../spec/protocol/producer.ts'
import { type ErrorName, type Instance, type Request, requestName } from '../../../spec/state.ts'
import { combinations, expectOnlyGuardedCasesDiffer, rulesOf } from './rules.ts'

const instance = (changes: Partial<Instance> = {}): Instance => ({
  ...newInstance(2),
  status: 'running',
  phase: 'sending',
  session: 3,
  transaction: 2,
  producerEpoch: 4,
  generation: 1,
  position: 1,
  ...changes,
})

describe('how bad an error is', () => {
  const kinds = [
    'InitProducerId',
    'AddPartitionsToTxn',
    'AddOffsetsToTxn',
    'EndTxn',
    'Produce',
    'TxnOffsetCommit',
  ] as const
  /** Errors that these rules give to the requests; no entry where the error cannot come. */
  const table: { error: ErrorName; severities: Partial<Record<Request['kind'], string>> }[] = [
    { error: 'NONE', severities: Object.fromEntries(kinds.map((kind) => [kind, 'none'])) },
    {
      error: 'PRODUCER_FENCED',
      severities: {
        InitProducerId: 'fatal',
        AddPartitionsToTxn: 'fatal',
        AddOffsetsToTxn: 'fatal',
        EndTxn: 'fatal',
      },
    },
    { error: 'INVALID_PRODUCER_EPOCH', severities: { Produce: 'abortable', TxnOffsetCommit: 'fatal' } },
    {
      error: 'INVALID_TXN_STATE',
      severities: { Produce: 'abortable', TxnOffsetCommit: 'fatal', EndTxn: 'fatal' },
    },
    { error: 'TRANSACTION_ABORTABLE', severities: { Produce: 'abortable', TxnOffsetCommit: 'abortable' } },
    { error: 'OUT_OF_ORDER_SEQUENCE_NUMBER', severities: { Produce: 'abortable' } },
    { error: 'NOT_ENOUGH_REPLICAS', severities: { Produce: 'retriable' } },
    { error: 'ILLEGAL_GENERATION', severities: { TxnOffsetCommit: 'abortable' } },
  ]
  const rows = table.flatMap(({ error, severities }) =>
    Object.entries(severities).map(([kind, severity]) => ({
      error,
      kind: kind as Request['kind'],
      severity,
    })),
  )
  it.each(rows)('$error to $kind is $severity', ({ error, kind, severity }) => {
    expect(severityOf(kind, error)).toBe(severity)
  })
})

describe('an error that aborts the transaction', () => {
  const cases = combinations({
    phase: ['adding partitions', 'sending', 'ending'] as const,
    result: ['commit', 'abort'] as const,
    offsetsPending: [true, false],
  })
  type Case = (typeof cases)[number]
  const bumped = (rules: ReturnType<typeof rulesOf>) => (one: Case) => {
    const client = instance(one)
    failBatch(rules, client)
    expect(client.result).toBe('abort')
    return client.epochBumpRequired
  }
  /** commitTransaction is called as soon as the offsets are acknowledged. */
  const guarded = ({ phase, result, offsetsPending }: Case) =>
    result === 'commit' && (phase === 'adding partitions' || (phase === 'sending' && offsetsPending))

  it('kafka-3.9: asks for a new epoch, unless the transaction is being completed already', () => {
    expect(cases.filter(bumped(rulesOf('kafka-3.9')))).toEqual(cases.filter(guarded))
    const off = bumped(rulesOf('kafka-3.9', { without: ['epoch bump after an error'] }))
    expectOnlyGuardedCasesDiffer({ cases, on: bumped(rulesOf('kafka-3.9')), off, guarded })
  })

  it('kafka-3.9: asks for it up to the end where the application flushes before it calls commitTransaction', () => {
    const flushed = rulesOf('kafka-3.9', { config: { flushBeforeCommit: true } })
    const guardedByFlush = ({ phase, result }: Case) => result === 'commit' && phase !== 'ending'
    expect(cases.filter(bumped(flushed))).toEqual(cases.filter(guardedByFlush))
  })

  it('kafka-4.4: leaves that to the end of the transaction', () => {
    expect(cases.filter(bumped(rulesOf('kafka-4.4')))).toEqual([])
  })

  it('keeps what an earlier error asked for', () => {
    const client = instance({ epochBumpRequired: true, result: 'abort' })
    becomeAborting(client)
    failBatch(rulesOf('kafka-3.9'), client)
    expect(client.epochBumpRequired).toBe(true)
  })

  it('is no failed batch where the coordinators refuse, or the application gives up', () => {
    const client = instance()
    becomeAborting(client)
    expect(client).toEqual(instance({ result: 'abort' }))
  })
})

describe('sequences', () => {
  it('rise with every batch of a partition and start at 0 with a new epoch', () => {
    const client = instance()
    expect([
      produceRequest(client, 0, 0),
      produceRequest(client, 0, 1),
      produceRequest(client, 1, 0),
    ]).toMatchObject([
      { sequence: 0, part: 0 },
      { sequence: 1, part: 1 },
      { sequence: 0, part: 0 },
    ])
    expect(client.nextSequence).toEqual([2, 1])
    adoptEpoch(client, 5)
    expect(client).toMatchObject({ producerEpoch: 5, nextSequence: [0, 0] })
  })

  it('only the first batch that is not acknowledged is the next expected one', () => {
    const client = instance({ nextSequence: [5, 0], unacknowledged: [2, 0] })
    expect([2, 3, 4].map((sequence) => isNextExpected(client, 0, sequence))).toEqual([false, true, false])
  })
})

describe('the work of a transaction', () => {
  const rows = [
    { unacknowledged: [0, 0], offsetsPending: false, done: true },
    { unacknowledged: [0, 1], offsetsPending: false, done: false },
    { unacknowledged: [0, 0], offsetsPending: true, done: false },
  ]
  it.each(rows)(
    '$unacknowledged batches and offsets pending $offsetsPending: done $done',
    ({ done, ...changes }) => {
      expect(isWorkDone(instance(changes))).toBe(done)
    },
  )
})

describe('a producer that is gone', () => {
  it('knows nothing any more', () => {
    const client = instance({ nextSequence: [5, 0], epochBumpRequired: true })
    stop(client, 'crashed')
    expect(client).toEqual({ ...newInstance(2), status: 'crashed' })
  })
})

describe('the name of a request', () => {
  it('tells sessions, transactions and batches apart, and not copies', () => {
    const first = produceRequest(instance(), 0, 0)
    expect(requestName(first)).toBe('Produce #0 of s3.2')
    expect(requestName({ ...first, executing: true })).toBe(requestName(first))
    expect(requestName(produceRequest(instance({ transaction: 0 }), 1, 0))).toBe('Produce #0 of s3')
  })
})
