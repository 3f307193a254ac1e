import { describe, expect, it } from 'vitest'
import { type GuardHeld, validateBatch } from '../../../spec/protocol/partition-leader.ts'
import type { ProduceRequest, ProducerEntry } from '../../../spec/state.ts'
import {
  current,
  entry,
  leaderWith,
  type Outcome,
  offsetCommit,
  outcomeIn,
  produce,
  shown,
  staleEpoch,
} from './leader-notation.ts'
import { combinations, expectOnlyGuardedCasesDiffer, presets, presetsWith, rulesOf } from './rules.ts'

const open = { openOffset: 0 }
const newer = { producerEpoch: current + 1 }
const older = { producerEpoch: current - 1 }
const verifying = presetsWith(({ verification }) => verification !== 'off')

interface Case {
  producer: ProducerEntry | null
  held?: GuardHeld
  epoch?: number
  sequence: number
  request?: Partial<ProduceRequest>
}

const validate = (rules: ReturnType<typeof rulesOf>, one: Case) =>
  shown(
    validateBatch(
      rules,
      leaderWith({ producer: one.producer }),
      produce(one.epoch ?? current, one.sequence, one.request),
      one.held ?? 'current',
    ),
  )

interface Row {
  name: string
  one: Case
  outcome: Outcome
}

const testRows = (rows: readonly Row[]) => {
  for (const { preset, row } of combinations({ preset: presets, row: rows })) {
    const expected = outcomeIn(row.outcome, preset)
    it(`${preset}, ${row.name}: ${expected}`, () => expect(validate(rulesOf(preset), row.one)).toBe(expected))
  }
}

describe('the checks of a batch, in their order', () => {
  /** Each row breaks the rules from its own to the last; the first one broken answers. */
  testRows([
    {
      name: 'a duplicate wins over a guard that was cleared',
      one: { producer: entry([0, 1]), held: 'cleared', sequence: 0 },
      outcome: 'duplicate of 10',
    },
    {
      name: 'the guard wins over the epoch, but for the early epoch check (KAFKA-19690)',
      one: { producer: entry([0], newer), held: 'cleared', sequence: 7 },
      outcome: {
        '1.1 2.5': 'PRODUCER_FENCED',
        '3.6 3.9 4.1': 'INVALID_TXN_STATE',
        '4.4 4.4-tv1': 'INVALID_PRODUCER_EPOCH',
      },
    },
    {
      name: 'the guard wins over the sequence',
      one: { producer: entry([0]), held: 'cleared', sequence: 7 },
      outcome: { '1.1 2.5': 'OUT_OF_ORDER_SEQUENCE_NUMBER', else: 'INVALID_TXN_STATE' },
    },
    {
      name: 'the epoch wins over the sequence',
      one: { producer: entry([0], newer), sequence: 7 },
      outcome: staleEpoch,
    },
    {
      name: 'the sequence wins over an open transaction that a batch is no part of',
      one: { producer: entry([0], open), sequence: 7, request: { transactional: false } },
      outcome: 'OUT_OF_ORDER_SEQUENCE_NUMBER',
    },
    {
      name: 'a batch outside transactions does not slip into an open one',
      one: { producer: entry([0], open), sequence: 1, request: { transactional: false } },
      outcome: 'INVALID_TXN_STATE',
    },
  ])
})

describe('a batch that is not transactional', () => {
  const request = { transactional: false }
  testRows([
    {
      name: 'idempotent, needs no guard',
      one: { producer: entry([0]), held: 'cleared', sequence: 1, request },
      outcome: 'epoch 5 [0,1] closed coordinator 0',
    },
    {
      name: 'idempotent, of an old epoch',
      one: { producer: entry([0], newer), sequence: 1, request },
      outcome: staleEpoch,
    },
    {
      name: 'idempotent, already there',
      one: { producer: entry([0, 1]), sequence: 1, request },
      outcome: 'duplicate of 11',
    },
    {
      name: 'of no producer id, whose epoch and sequence mean nothing',
      one: { producer: entry([0], open), epoch: -1, sequence: -1, request: { ...request, producerId: -1 } },
      outcome: 'appended',
    },
  ])
})

describe('a duplicate', () => {
  it.each(presets)('%s: is the same sequence at the same epoch among the remembered batches', (preset) => {
    const rules = rulesOf(preset)
    const producer = entry([3, 4, 5], open)
    expect([3, 4, 5].map((sequence) => validate(rules, { producer, sequence }))).toEqual([
      'duplicate of 10',
      'duplicate of 11',
      'duplicate of 12',
    ])
    expect(validate(rules, { producer, sequence: 2 })).toBe('OUT_OF_ORDER_SEQUENCE_NUMBER')
    expect(validate(rules, { producer, sequence: 3, epoch: current - 1 })).toBe(outcomeIn(staleEpoch, preset))
    expect(validate(rules, { producer, sequence: 3, epoch: current + 1 })).not.toContain('duplicate')
  })

  it.each(presets)('%s: is not looked for among offset commits', (preset) => {
    const leader = leaderWith({ producer: entry([0], open) })
    const again = () => shown(validateBatch(rulesOf(preset), leader, offsetCommit(current), 'not needed'))
    expect([again(), again()]).toEqual(Array(2).fill('epoch 5 [0] open 0 coordinator 0'))
  })
})

describe('a guard that was cleared', () => {
  const one = (producer: ProducerEntry | null): Case => ({ producer, held: 'cleared', sequence: 0 })
  testRows([
    {
      name: 'is missed by an unknown producer',
      one: one(null),
      outcome: { '1.1 2.5': 'epoch 5 [0] open 3 coordinator -1', else: 'INVALID_TXN_STATE' },
    },
    {
      name: 'is missed where no transaction is open',
      one: one(entry([])),
      outcome: { '1.1 2.5': 'epoch 5 [0] open 3 coordinator 0', else: 'INVALID_TXN_STATE' },
    },
    {
      name: 'is not missed in an open transaction',
      one: one(entry([], open)),
      outcome: 'epoch 5 [0] open 0 coordinator 0',
    },
    {
      name: 'is missed in the open transaction of an older epoch, where the epoch is looked at',
      one: one(entry([], { ...older, ...open })),
      outcome: { '4.1 4.4 4.4-tv1': 'INVALID_TXN_STATE', else: 'epoch 5 [0] open 0 coordinator 0' },
    },
  ])

  it('is missed by an offset commit only where offset commits are verified', () => {
    const leader = leaderWith({ producer: null })
    const outcomes = presets.map((preset) =>
      shown(validateBatch(rulesOf(preset), leader, offsetCommit(current), 'cleared')),
    )
    const appended = 'epoch 5 [] open 3 coordinator -1'
    expect(outcomes).toEqual([...Array(3).fill(appended), ...Array(4).fill('INVALID_TXN_STATE')])
  })
})

describe('the entry after a batch', () => {
  it.each(presets)('%s: remembers no more batches than it may', (preset) => {
    const rules = rulesOf(preset, { config: { rememberedBatches: 2 } })
    expect(validate(rules, { producer: entry([0, 1], open), sequence: 2 })).toBe(
      'epoch 5 [1,2] open 0 coordinator 0',
    )
    expect(validate(rules, { producer: entry([1, 2], open), sequence: 0 })).toBe(
      'OUT_OF_ORDER_SEQUENCE_NUMBER',
    )
  })

  it.each(presets)('%s: keeps the coordinator epoch and drops the batches of an older epoch', (preset) => {
    const producer = entry([0, 1], { ...older, coordinatorEpoch: 7 })
    expect(validate(rulesOf(preset), { producer, sequence: 0 })).toBe('epoch 5 [0] open 3 coordinator 7')
  })

  it.each(presets)(
    '%s: joins the transaction that an older epoch left open, once it gets there',
    (preset) => {
      const producer = entry([0], { ...older, openOffset: 1 })
      const one: Case = { producer, held: 'current', sequence: 0 }
      expect(validate(rulesOf(preset), one)).toBe('epoch 5 [0] open 1 coordinator 0')
    },
  )
})

describe('without a defence, a batch', () => {
  const remembering = entry([0, 1], open)
  const cases = combinations({
    producer: [null, remembering, entry([]), entry([0, 1], older), entry([0, 1], newer)],
    held: ['not needed', 'current', 'cleared'] as const,
    sequence: [0, 1, 2, 3],
  })
  type Grid = (typeof cases)[number]
  const decide = (rules: ReturnType<typeof rulesOf>) => (one: Grid) => validate(rules, one)
  const answers =
    (preset: (typeof presets)[number], ...errors: string[]) =>
    (one: Grid) =>
      errors.includes(validate(rulesOf(preset), one))

  it.each(presets)('%s: of an old epoch is appended', (preset) => {
    expectOnlyGuardedCasesDiffer({
      cases,
      on: decide(rulesOf(preset)),
      off: decide(rulesOf(preset, { without: ['partition epoch check'] })),
      guarded: answers(preset, outcomeIn(staleEpoch, preset)),
    })
  })

  it.each(presets)('%s: of any sequence is appended', (preset) => {
    expectOnlyGuardedCasesDiffer({
      cases,
      on: decide(rulesOf(preset)),
      off: decide(rulesOf(preset, { without: ['sequence check'] })),
      guarded: answers(preset, 'OUT_OF_ORDER_SEQUENCE_NUMBER', 'UNKNOWN_PRODUCER_ID'),
    })
  })

  it.each(verifying)('%s: that was verified too long ago is appended', (preset) => {
    expectOnlyGuardedCasesDiffer({
      cases,
      on: decide(rulesOf(preset)),
      off: decide(rulesOf(preset, { without: ['verification guard'] })),
      guarded: answers(preset, 'INVALID_TXN_STATE'),
    })
  })

  it.each(presets)('%s: that is in the log already goes on to the other checks', (preset) => {
    const off = decide(rulesOf(preset, { without: ['duplicate check'] }))
    const isDuplicate = ({ producer, sequence }: Grid) => producer === remembering && sequence < 2
    expectOnlyGuardedCasesDiffer({ cases, on: decide(rulesOf(preset)), off, guarded: isDuplicate })
    expect(new Set(cases.filter(isDuplicate).map(off))).toEqual(new Set(['OUT_OF_ORDER_SEQUENCE_NUMBER']))
  })

  it.each(presetsWith(({ verification, clientVersion }) => verification !== 'off' && clientVersion === 1))(
    '%s: without verification there is no guard to miss',
    (preset) => {
      expectOnlyGuardedCasesDiffer({
        cases,
        on: decide(rulesOf(preset)),
        off: decide(rulesOf(preset, { without: ['partition verification'] })),
        guarded: answers(preset, 'INVALID_TXN_STATE'),
      })
    },
  )
})
