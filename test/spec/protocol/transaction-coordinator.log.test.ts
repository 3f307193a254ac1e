import { describe, expect, it } from 'vitest'
import { completed, prepared } from '../../../spec/protocol/transaction-coordinator/decision.ts'
import {
  canExpire,
  completion,
  following,
  loaded,
  newEntry,
  tombstone,
} from '../../../spec/protocol/transaction-coordinator/entry.ts'
import {
  failedAppends,
  type LogError,
  possibleErrors,
} from '../../../spec/protocol/transaction-coordinator/log-errors.ts'
import { markerOutcomes } from '../../../spec/protocol/transaction-coordinator/markers.ts'
import type { ErrorName, TransactionState } from '../../../spec/state.ts'
import { current, entryIn, pendingEntry, producer, states, written } from './coordinator-notation.ts'
import { presets, rulesOf } from './rules.ts'

describe('what follows a decision', () => {
  it('names the states of a decision', () => {
    expect([prepared('commit'), prepared('abort')]).toEqual(['PrepareCommit', 'PrepareAbort'])
    expect([completed('PrepareCommit'), completed('PrepareAbort')]).toEqual([
      'CompleteCommit',
      'CompleteAbort',
    ])
  })

  it('completes at the epoch of the decision, without participants', () => {
    const entry = entryIn('PrepareCommit', { transactionVersion: 2 })
    expect(completion(entry)).toEqual({
      producerId: producer,
      previousProducerId: producer,
      nextProducerId: -1,
      producerEpoch: current,
      lastProducerEpoch: 4,
      state: 'CompleteCommit',
      transactionVersion: 2,
      partitions: [],
      transaction: '',
    })
  })

  it('completes with the next producer id where there is one', () => {
    const last = completion(entryIn('PrepareAbort', { nextProducerId: 7 }))
    expect(written(last)).toBe('CompleteAbort(7:0){} last 4')
    expect([last.previousProducerId, last.nextProducerId]).toEqual([producer, -1])
  })

  it('a transition makes the current producer id the previous one', () => {
    const record = following(entryIn('Empty', { producerId: 7 }), { state: 'Ongoing', partitions: [1] })
    expect(record).toMatchObject({ producerId: 7, previousProducerId: 7, state: 'Ongoing', partitions: [1] })
    expect(Object.keys(record)).not.toContain('pendingState')
    expect(Object.keys(record)).not.toContain('failedEpochFence')
  })
})

describe('a record that is read back by the next coordinator', () => {
  it.each(presets)('%s: without what was only in memory', (preset) => {
    const entry = loaded(rulesOf(preset), { ...entryIn('PrepareAbort') })
    expect(entry).toEqual(entryIn('PrepareAbort', { lastProducerEpoch: -1 }))
  })

  it.each(presets)('%s: with previous and next producer id where they are durable', (preset) => {
    const rules = rulesOf(preset)
    const record = entryIn('PrepareCommit', { previousProducerId: 3, nextProducerId: 7 })
    const { previousProducerId, nextProducerId } = loaded(rules, record)
    const durable = rules.flags.durableProducerIds
    expect([previousProducerId, nextProducerId]).toEqual(durable ? [3, 7] : [-1, -1])
  })

  it('with the last epoch where that is durable', () => {
    const rules = rulesOf('kafka-4.4', { config: { flags: { durableLastEpoch: true } } })
    expect(loaded(rules, entryIn('Empty')).lastProducerEpoch).toBe(4)
  })
})

describe('a transactional.id expires', () => {
  const expirable: TransactionState[] = ['Empty', 'CompleteCommit', 'CompleteAbort']
  it.each(states)('%s', (state) => {
    expect(canExpire(entryIn(state))).toBe(expirable.includes(state))
    expect(canExpire(pendingEntry(state))).toBe(false)
  })

  it('only where there is one', () => {
    expect(canExpire(null)).toBe(false)
    expect(canExpire(newEntry(producer))).toBe(true)
  })

  it('by a tombstone', () => {
    expect(written(tombstone(entryIn('CompleteCommit')))).toBe('Dead(5){} last 4')
  })
})

describe('an append that is reported as failed', () => {
  const rows: readonly [LogError, string, boolean][] = [
    ['UNKNOWN_TOPIC_OR_PARTITION', 'COORDINATOR_NOT_AVAILABLE', false],
    ['NOT_ENOUGH_REPLICAS', 'COORDINATOR_NOT_AVAILABLE', false],
    ['NOT_ENOUGH_REPLICAS_AFTER_APPEND', 'COORDINATOR_NOT_AVAILABLE', true],
    ['REQUEST_TIMED_OUT', 'COORDINATOR_NOT_AVAILABLE', true],
    ['NOT_LEADER_OR_FOLLOWER', 'NOT_COORDINATOR', false],
    ['KAFKA_STORAGE_ERROR', 'NOT_COORDINATOR', false],
    ['MESSAGE_TOO_LARGE', 'UNKNOWN_SERVER_ERROR', false],
    ['RECORD_LIST_TOO_LARGE', 'UNKNOWN_SERVER_ERROR', false],
  ]
  it.each(rows)('%s becomes %s, appended all the same: %s', (error, becomes, appended) => {
    expect(failedAppends[error]).toEqual({ becomes, appended })
  })
  it('has a row for every error', () => {
    expect(Object.keys(failedAppends)).toEqual(rows.map(([error]) => error))
  })

  const possible: Partial<Record<TransactionState, LogError[]>> = {
    Ongoing: ['NOT_ENOUGH_REPLICAS', 'REQUEST_TIMED_OUT', 'MESSAGE_TOO_LARGE'],
    CompleteCommit: [],
    CompleteAbort: [],
  }
  it.each([...states, 'Dead'] as const)('%s: one error for each outcome', (state) => {
    expect(possibleErrors(entryIn(state))).toEqual(
      possible[state] ?? ['NOT_ENOUGH_REPLICAS', 'REQUEST_TIMED_OUT'],
    )
  })
})

describe('the answer of a partition to a marker', () => {
  const rows: Record<string, readonly ErrorName[]> = {
    acknowledged: ['NONE', 'UNSUPPORTED_FOR_MESSAGE_FORMAT', 'UNSUPPORTED_VERSION'],
    'sent again': [
      'UNKNOWN_TOPIC_OR_PARTITION',
      'NOT_LEADER_OR_FOLLOWER',
      'NOT_ENOUGH_REPLICAS',
      'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
      'REQUEST_TIMED_OUT',
      'KAFKA_STORAGE_ERROR',
    ],
    forgotten: ['INVALID_PRODUCER_EPOCH', 'TRANSACTION_COORDINATOR_FENCED'],
  }
  for (const [outcome, errors] of Object.entries(rows)) {
    it.each(errors)(`%s: ${outcome}`, (error) => expect(markerOutcomes[error]).toBe(outcome))
  }
  it('has a row for every error', () => {
    expect(Object.keys(markerOutcomes).sort()).toEqual(Object.values(rows).flat().sort())
  })
})
