import { describe, expect, it } from 'vitest'
import {
  guardFor,
  guardSurvives,
  refusalOf,
  repetitionOf,
  startVerification,
} from '../../../spec/protocol/partition-leader.ts'
import { severityOf } from '../../../spec/protocol/producer.ts'
import type { ErrorName, PartitionRequest, ProducerEntry } from '../../../spec/state.ts'
import {
  current,
  entry,
  guardAt,
  leaderWith,
  marker,
  type Outcome,
  offsetCommit,
  outcomeIn,
  produce,
} from './leader-notation.ts'
import { combinations, expectOnlyGuardedCasesDiffer, presets, presetsWith, rulesOf } from './rules.ts'

const open = { openOffset: 0 }
const verifying = presetsWith(({ verification }) => verification !== 'off')
const older = { producerEpoch: current - 1 }
const newer = { producerEpoch: current + 1 }

/** What the partition remembers of the producer, and what becomes of its transactional batch at epoch 5. */
const rows: { name: string; producer: ProducerEntry | null; outcome: Outcome }[] = [
  { name: 'unknown producer', producer: null, outcome: { '1.1 2.5': 'append', else: 'verify' } },
  { name: 'closed', producer: entry([0]), outcome: { '1.1 2.5': 'append', else: 'verify' } },
  { name: 'open', producer: entry([0], open), outcome: 'append' },
  { name: 'older, closed', producer: entry([0], older), outcome: { '1.1 2.5': 'append', else: 'verify' } },
  {
    name: 'older, open',
    producer: entry([0], { ...older, ...open }),
    outcome: { '4.1 4.4 4.4-tv1': 'verify', else: 'append' },
  },
  {
    name: 'newer, closed: refused at once since KAFKA-18042',
    producer: entry([0], newer),
    outcome: { '1.1 2.5': 'append', '3.6 3.9': 'verify', else: 'refuse' },
  },
  {
    name: 'newer, open',
    producer: entry([0], { ...newer, ...open }),
    outcome: { '4.1 4.4 4.4-tv1': 'refuse', else: 'append' },
  },
]

describe('the start of a transactional batch at epoch 5', () => {
  for (const { preset, row } of combinations({ preset: presets, row: rows })) {
    const expected = outcomeIn(row.outcome, preset)
    it(`${preset}, ${row.name}: ${expected}`, () => {
      const leader = leaderWith({ producer: row.producer })
      expect(startVerification(rulesOf(preset), leader, produce(current, 0))).toBe(expected)
    })
  }
})

describe('the start of another request', () => {
  const requests: { name: string; request: PartitionRequest; outcome: Outcome }[] = [
    {
      name: 'a transactional offset commit',
      request: offsetCommit(current),
      outcome: { '1.1 2.5 3.6': 'append', else: 'verify' },
    },
    { name: 'a plain offset commit', request: offsetCommit(current, 'OffsetCommit'), outcome: 'append' },
    {
      name: 'an idempotent batch',
      request: produce(current, 0, { transactional: false }),
      outcome: 'append',
    },
    {
      name: 'a batch without a producer id',
      request: produce(-1, -1, { producerId: -1, transactional: false }),
      outcome: 'append',
    },
  ]
  for (const { preset, row } of combinations({ preset: presets, row: requests })) {
    const expected = outcomeIn(row.outcome, preset)
    it(`${preset}, ${row.name}: ${expected}`, () => {
      expect(startVerification(rulesOf(preset), leaderWith({}), row.request)).toBe(expected)
    })
  }
})

describe('without a defence', () => {
  const start = (rules: ReturnType<typeof rulesOf>) => (one: (typeof rows)[number]) =>
    startVerification(rules, leaderWith({ producer: one.producer }), produce(current, 0))

  it.each(presetsWith(({ verification, clientVersion }) => verification !== 'off' && clientVersion === 1))(
    '%s appends at once what it would verify or refuse',
    (preset) => {
      expectOnlyGuardedCasesDiffer({
        cases: rows,
        on: start(rulesOf(preset)),
        off: start(rulesOf(preset, { without: ['partition verification'] })),
        guarded: (one) => start(rulesOf(preset))(one) !== 'append',
      })
    },
  )

  it.each(presetsWith(({ verification }) => verification === 'epochAware'))(
    '%s asks for an old epoch too without the epoch check',
    (preset) => {
      expectOnlyGuardedCasesDiffer({
        cases: rows,
        on: start(rulesOf(preset)),
        off: start(rulesOf(preset, { without: ['partition epoch check'] })),
        guarded: ({ producer }) => (producer?.producerEpoch ?? 0) > current,
      })
    },
  )
})

describe('a refusal of the coordinator reaches the producer', () => {
  const refusals: { error: ErrorName; outcome: Outcome }[] = [
    {
      error: 'TRANSACTION_ABORTABLE',
      outcome: { '1.1 2.5 3.6': 'INVALID_TXN_STATE', else: 'TRANSACTION_ABORTABLE' },
    },
    { error: 'PRODUCER_FENCED', outcome: 'INVALID_PRODUCER_EPOCH' },
    { error: 'INVALID_PRODUCER_ID_MAPPING', outcome: 'INVALID_PRODUCER_ID_MAPPING' },
  ]
  for (const { preset, row } of combinations({ preset: presets, row: refusals })) {
    const expected = outcomeIn(row.outcome, preset)
    it(`${preset}, ${row.error} as ${expected}`, () => {
      expect(refusalOf(rulesOf(preset), row.error)).toBe(expected)
    })
  }
})

describe('a coordinator that is busy makes the producer send it again', () => {
  const requests: { request: PartitionRequest; outcome: Outcome }[] = [
    {
      request: produce(current, 0),
      outcome: { '4.1 4.4': 'CONCURRENT_TRANSACTIONS', else: 'NOT_ENOUGH_REPLICAS' },
    },
    {
      request: offsetCommit(current),
      outcome: { '4.1 4.4': 'CONCURRENT_TRANSACTIONS', else: 'COORDINATOR_NOT_AVAILABLE' },
    },
  ]
  for (const { preset, row } of combinations({ preset: verifying, row: requests })) {
    const expected = outcomeIn(row.outcome, preset)
    it(`${preset}, ${row.request.kind}: ${expected}`, () => {
      expect(repetitionOf(rulesOf(preset), row.request)).toBe(expected)
      expect(severityOf(rulesOf(preset), { kind: 'TxnOffsetCommit' }, expected as ErrorName)).toBe(
        'retriable',
      )
    })
  }
})

describe('the guard that requests of one producer share', () => {
  const guard = guardAt(3)
  const steps = [
    { name: 'the first request', guard: null, request: produce(current, 3), after: guard },
    { name: 'a higher sequence', guard, request: produce(current, 4), after: guard },
    { name: 'a lower sequence', guard, request: produce(current, 1), after: guardAt(1) },
    { name: 'a newer epoch', guard, request: produce(current + 1, 4), after: guardAt(4, current + 1) },
    { name: 'an older epoch', guard, request: produce(current - 1, 0), after: guard },
    { name: 'an offset commit', guard: null, request: offsetCommit(current), after: guardAt(-1) },
  ]
  it.each(steps)('$name', ({ guard: before, request, after }) => {
    expect(guardFor(before, request)).toEqual(after)
  })
})

describe('a guard at epoch 5 when a marker arrives', () => {
  const markers: { name: string; epoch: number; survives: Outcome<boolean> }[] = [
    {
      name: 'of the same epoch: with transaction.version 2 the guard is of the next transaction (KAFKA-18654)',
      epoch: current,
      survives: { '4.1 4.4': true, else: false },
    },
    { name: 'of an older epoch', epoch: current - 1, survives: false },
    { name: 'of a newer epoch', epoch: current + 1, survives: false },
  ]
  for (const { preset, row } of combinations({ preset: presets, row: markers })) {
    const survives = outcomeIn(row.survives, preset)
    it(`${preset}, ${row.name}: ${survives ? 'survives' : 'is cleared'}`, () => {
      expect(guardSurvives(rulesOf(preset), guardAt(0), marker(row.epoch))).toBe(survives)
    })
  }

  it('does not survive the one of old clients on a new cluster', () => {
    const oldClients = rulesOf('kafka-4.4', { config: { flags: { clientVersion: 1 } } })
    expect(guardSurvives(oldClients, guardAt(0), marker(current))).toBe(false)
  })
})
