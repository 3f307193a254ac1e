import { describe, expect, it } from 'vitest'
import type { PresetName } from '../../../spec/presets.ts'
import { outcomeOf, severityOf } from '../../../spec/protocol/producer.ts'
import type { ErrorName, Request } from '../../../spec/state.ts'
import { type Outcome, outcomeIn } from './leader-notation.ts'
import { combinations, presets, rulesOf } from './rules.ts'

type Kind = Exclude<Request['kind'], 'Produce'>

describe('how bad the answer of a coordinator is', () => {
  const kinds = [
    'InitProducerId',
    'AddPartitionsToTxn',
    'AddOffsetsToTxn',
    'TxnOffsetCommit',
    'EndTxn',
  ] as const
  type Severities = { readonly [Of in (typeof kinds)[number]]: string }
  const all = (severity: string): Severities => ({
    InitProducerId: severity,
    AddPartitionsToTxn: severity,
    AddOffsetsToTxn: severity,
    TxnOffsetCommit: severity,
    EndTxn: severity,
  })
  const table: { readonly [Error in ErrorName]?: Severities } = {
    NONE: all('none'),
    COORDINATOR_NOT_AVAILABLE: all('retriable'),
    CONCURRENT_TRANSACTIONS: all('retriable'),
    REQUEST_TIMED_OUT: all('retriable'),
    NOT_ENOUGH_REPLICAS: all('retriable'),
    PRODUCER_FENCED: all('fatal'),
    INVALID_PRODUCER_EPOCH: all('fatal'),
    INVALID_TXN_STATE: all('fatal'),
    TRANSACTION_ABORTABLE: all('abortable'),
    ILLEGAL_GENERATION: { ...all('fatal'), AddPartitionsToTxn: 'abortable', TxnOffsetCommit: 'abortable' },
    UNKNOWN_MEMBER_ID: { ...all('fatal'), AddPartitionsToTxn: 'abortable', TxnOffsetCommit: 'abortable' },
    GROUP_ID_NOT_FOUND: { ...all('fatal'), AddPartitionsToTxn: 'abortable', TxnOffsetCommit: 'abortable' },
    FENCED_INSTANCE_ID: { ...all('fatal'), AddPartitionsToTxn: 'abortable', TxnOffsetCommit: 'abortable' },
    UNKNOWN_SERVER_ERROR: { ...all('fatal'), AddPartitionsToTxn: 'abortable' },
    TRANSACTIONAL_ID_AUTHORIZATION_FAILED: { ...all('fatal'), InitProducerId: 'retriable' },
    TOPIC_AUTHORIZATION_FAILED: { ...all('fatal'), AddPartitionsToTxn: 'abortable' },
  }
  const rows = Object.entries(table).flatMap(([error, severities]) =>
    kinds.map((kind) => ({ error: error as ErrorName, kind, severity: severities[kind] })),
  )
  it.each(rows)('$error to $kind is $severity', ({ error, kind, severity }) => {
    for (const preset of presets) expect(severityOf(rulesOf(preset), { kind }, error)).toBe(severity)
  })

  const mapping: { readonly [Name in PresetName]: 'fatal' | 'abortable' } = {
    'kafka-1.1': 'fatal',
    'kafka-2.5': 'abortable',
    'kafka-3.6': 'abortable',
    'kafka-3.9': 'abortable',
    'kafka-4.1': 'fatal',
    'kafka-4.4': 'fatal',
    'kafka-4.4-tv1': 'fatal',
  }
  const known: readonly Kind[] = ['AddPartitionsToTxn', 'AddOffsetsToTxn', 'EndTxn']
  it.each(presets)('%s: INVALID_PRODUCER_ID_MAPPING (KAFKA-18019)', (preset) => {
    for (const kind of kinds) {
      const severity = severityOf(rulesOf(preset), { kind }, 'INVALID_PRODUCER_ID_MAPPING')
      expect([kind, severity]).toEqual([kind, known.includes(kind) ? mapping[preset] : 'fatal'])
    }
  })

  it.each(['TRANSACTION_ABORTABLE', 'INVALID_PRODUCER_ID_MAPPING'] as const)(
    '%s to an abort leaves nothing to do but to close',
    (error) => {
      for (const preset of presets)
        expect(severityOf(rulesOf(preset), { kind: 'EndTxn', result: 'abort' }, error)).toBe('fatal')
    },
  )
})

describe('what becomes of a batch that was answered', () => {
  const answer = {
    isCurrent: true,
    isNext: true,
    wasReset: false,
    unresolved: false,
    recordsDeleted: () => false,
  }
  type Column = 'transactional' | 'idempotent' | 'plain'
  const outcome = (
    producer: Column,
    changes: Partial<typeof answer> & { error: ErrorName },
    preset: PresetName,
  ) => {
    const config = { application: 'produce', producer } as const
    return outcomeOf(rulesOf(preset, { config }), { ...answer, ...changes })
  }
  interface Row {
    readonly error: ErrorName
    readonly when: Partial<typeof answer>
    readonly transactional: Outcome
    readonly idempotent: Outcome
    readonly plain?: Outcome
  }
  /** Before KIP-360 an idempotent producer gives the batch up. */
  const raised: Outcome = { '1.1': 'failed', else: 'raise own epoch' }
  /** Since KAFKA-18019. */
  const sinceMappingIsFatal = (before: string): Outcome => ({ '4.1 4.4 4.4-tv1': 'fatal', else: before })
  const rows: readonly Row[] = [
    ...(
      [
        'NOT_ENOUGH_REPLICAS',
        'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
        'NOT_LEADER_OR_FOLLOWER',
        'REQUEST_TIMED_OUT',
        'UNKNOWN_TOPIC_OR_PARTITION',
        'KAFKA_STORAGE_ERROR',
        'CONCURRENT_TRANSACTIONS',
      ] as const
    ).map((error) => ({ error, when: {}, transactional: 'retry', idempotent: 'retry', plain: 'retry' })),
    {
      error: 'NONE',
      when: {},
      transactional: 'acknowledged',
      idempotent: 'acknowledged',
      plain: 'acknowledged',
    },
    {
      error: 'OUT_OF_ORDER_SEQUENCE_NUMBER',
      when: { isNext: false },
      transactional: 'retry',
      idempotent: 'retry',
    },
    {
      error: 'OUT_OF_ORDER_SEQUENCE_NUMBER',
      when: {},
      transactional: 'abortable',
      idempotent: raised,
    },
    {
      error: 'OUT_OF_ORDER_SEQUENCE_NUMBER',
      when: { isNext: false, unresolved: true },
      transactional: 'abortable',
      idempotent: raised,
    },
    {
      error: 'OUT_OF_ORDER_SEQUENCE_NUMBER',
      when: { wasReset: true },
      transactional: 'retry',
      idempotent: 'retry',
    },
    { error: 'UNKNOWN_PRODUCER_ID', when: {}, transactional: 'abortable', idempotent: raised },
    {
      error: 'UNKNOWN_PRODUCER_ID',
      when: { recordsDeleted: () => true },
      transactional: 'renumber',
      idempotent: { '1.1': 'renumber', else: 'raise own epoch' },
    },
    { error: 'UNKNOWN_PRODUCER_ID', when: { wasReset: true }, transactional: 'retry', idempotent: 'retry' },
    { error: 'INVALID_PRODUCER_EPOCH', when: {}, transactional: 'abortable', idempotent: 'failed' },
    { error: 'INVALID_TXN_STATE', when: {}, transactional: 'abortable', idempotent: 'failed' },
    { error: 'TRANSACTION_ABORTABLE', when: {}, transactional: 'abortable', idempotent: 'failed' },
    {
      error: 'INVALID_PRODUCER_ID_MAPPING',
      when: {},
      transactional: sinceMappingIsFatal('abortable'),
      idempotent: sinceMappingIsFatal('failed'),
    },
    {
      error: 'UNKNOWN_SERVER_ERROR',
      when: {},
      transactional: 'abortable',
      idempotent: 'failed',
      plain: 'failed',
    },
    { error: 'PRODUCER_FENCED', when: {}, transactional: 'fatal', idempotent: 'fatal' },
    { error: 'TRANSACTIONAL_ID_AUTHORIZATION_FAILED', when: {}, transactional: 'fatal', idempotent: 'fatal' },
    { error: 'TOPIC_AUTHORIZATION_FAILED', when: {}, transactional: 'abortable', idempotent: 'failed' },
    { error: 'UNSUPPORTED_VERSION', when: {}, transactional: 'fatal', idempotent: 'fatal', plain: 'failed' },
  ]
  const cells = combinations({ preset: presets, row: rows }).flatMap(({ preset, row }) => {
    const { error, when, ...columns } = row
    return Object.entries(columns).map(([producer, expected]) => ({
      preset,
      error,
      producer: producer as Column,
      when,
      told: Object.keys(when).join(', ') || 'nothing else',
      expected: outcomeIn(expected, preset),
    }))
  })
  it.each(cells)(
    '$preset: $error of a $producer producer, with $told: $expected',
    ({ preset, producer, error, when, expected }) => {
      expect(outcome(producer, { error, ...when }, preset)).toBe(expected)
    },
  )

  it.each(presets)('%s: what an idempotent producer sent under an earlier identity', (preset) => {
    const found = (error: ErrorName) => outcome('idempotent', { error, isCurrent: false }, preset)
    expect([found('NOT_ENOUGH_REPLICAS'), found('NONE')]).toEqual([
      preset === 'kafka-1.1' ? 'failed' : 'retry',
      'acknowledged',
    ])
  })
})

describe('a batch whose sequence the partition does not take, at a client with a policy of its own', () => {
  const answer = {
    isCurrent: true,
    isNext: true,
    wasReset: false,
    unresolved: false,
    recordsDeleted: () => false,
  }
  const rows = [
    { policy: 'the producer is closed', error: 'OUT_OF_ORDER_SEQUENCE_NUMBER', isNext: true, is: 'fatal' },
    { policy: 'the producer is closed', error: 'OUT_OF_ORDER_SEQUENCE_NUMBER', isNext: false, is: 'retry' },
    { policy: 'the producer is closed', error: 'UNKNOWN_PRODUCER_ID', isNext: true, is: 'fatal' },
    { policy: 'the sequence is reset', error: 'UNKNOWN_PRODUCER_ID', isNext: true, is: 'renumber' },
    { policy: 'as in the version', error: 'UNKNOWN_PRODUCER_ID', isNext: true, is: 'failed' },
  ] as const
  it.each(rows)('$policy: $error, the next one $isNext, is $is', ({ policy, error, isNext, is }) => {
    const config = { application: 'produce', producer: 'idempotent', sequenceErrors: policy } as const
    expect(outcomeOf(rulesOf('kafka-1.1', { config }), { ...answer, error, isNext })).toBe(is)
  })

  it('is not asked of a producer without sequences', () => {
    const config = {
      application: 'produce',
      producer: 'plain',
      sequenceErrors: 'the producer is closed',
    } as const
    expect(() => rulesOf('kafka-1.1', { config })).toThrow('a plain producer, which has no sequences')
  })
})
