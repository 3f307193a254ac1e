import { describe, expect, it } from 'vitest'
import type { PresetName } from '../../../spec/presets.ts'
import { type GuardHeld, validateBatch } from '../../../spec/protocol/partition-leader.ts'
import type { ProducerEntry, VerificationGuard } from '../../../spec/state.ts'
import { current, entry, leaderWith, offsetCommit, produce, shown } from './leader-notation.ts'
import { combinations, expectOnlyGuardedCasesDiffer, presets, rulesOf } from './rules.ts'

const open = { openOffset: 0 }
const newer = { producerEpoch: current + 1 }
const older = { producerEpoch: current - 1 }

const both = (outcome: string): Record<PresetName, string> => ({ 'kafka-3.9': outcome, 'kafka-4.4': outcome })

interface Case {
  producer: ProducerEntry | null
  guard?: VerificationGuard | null
  held?: GuardHeld
  epoch?: number
  sequence: number
}

const validate = (rules: ReturnType<typeof rulesOf>, one: Case) =>
  shown(
    validateBatch(
      rules,
      leaderWith({ producer: one.producer, guard: one.guard ?? null }),
      produce(one.epoch ?? current, one.sequence),
      one.held ?? 'current',
    ),
  )

describe('the checks of a batch, in their order', () => {
  /** Each row breaks the rules from its own to the last; the first one broken answers. */
  const rows: { name: string; one: Case; outcome: Record<PresetName, string> }[] = [
    {
      name: 'a duplicate wins over a guard that was cleared',
      one: { producer: entry([0, 1]), held: 'cleared', sequence: 0 },
      outcome: { 'kafka-3.9': 'duplicate of 10', 'kafka-4.4': 'duplicate of 10' },
    },
    {
      name: 'the guard wins over the epoch, but for the early epoch check (KAFKA-19690)',
      one: { producer: entry([0], newer), held: 'cleared', sequence: 7 },
      outcome: { 'kafka-3.9': 'INVALID_TXN_STATE', 'kafka-4.4': 'INVALID_PRODUCER_EPOCH' },
    },
    {
      name: 'the guard wins over the sequence',
      one: { producer: entry([0]), held: 'cleared', sequence: 7 },
      outcome: { 'kafka-3.9': 'INVALID_TXN_STATE', 'kafka-4.4': 'INVALID_TXN_STATE' },
    },
    {
      name: 'the epoch wins over the sequence',
      one: { producer: entry([0], newer), sequence: 7 },
      outcome: { 'kafka-3.9': 'INVALID_PRODUCER_EPOCH', 'kafka-4.4': 'INVALID_PRODUCER_EPOCH' },
    },
    {
      name: 'the sequence comes last',
      one: { producer: entry([0]), sequence: 7 },
      outcome: { 'kafka-3.9': 'OUT_OF_ORDER_SEQUENCE_NUMBER', 'kafka-4.4': 'OUT_OF_ORDER_SEQUENCE_NUMBER' },
    },
  ]
  for (const { preset, row } of combinations({ preset: presets, row: rows })) {
    it(`${preset}: ${row.name}`, () => expect(validate(rulesOf(preset), row.one)).toBe(row.outcome[preset]))
  }
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
    expect(validate(rules, { producer, sequence: 3, epoch: current - 1 })).toBe('INVALID_PRODUCER_EPOCH')
    expect(validate(rules, { producer, sequence: 3, epoch: current + 1 })).not.toContain('duplicate')
  })

  it.each(presets)('%s: is not looked for among offset commits', (preset) => {
    const leader = leaderWith({ producer: entry([0], open) })
    const again = () => shown(validateBatch(rulesOf(preset), leader, offsetCommit(current), 'not needed'))
    expect([again(), again()]).toEqual(Array(2).fill('epoch 5 [0] open 0 coordinator 0'))
  })
})

describe('a guard that was cleared', () => {
  const rows: { name: string; producer: ProducerEntry | null; outcome: Record<PresetName, string> }[] = [
    { name: 'is missed by an unknown producer', producer: null, outcome: both('INVALID_TXN_STATE') },
    {
      name: 'is missed where no transaction is open',
      producer: entry([]),
      outcome: both('INVALID_TXN_STATE'),
    },
    {
      name: 'is not missed in an open transaction',
      producer: entry([], open),
      outcome: both('epoch 5 [0] open 0 coordinator 0'),
    },
    {
      name: 'is missed in the open transaction of an older epoch, where the epoch is looked at',
      producer: entry([], { ...older, ...open }),
      outcome: { 'kafka-3.9': 'epoch 5 [0] open 0 coordinator 0', 'kafka-4.4': 'INVALID_TXN_STATE' },
    },
  ]
  for (const { preset, row } of combinations({ preset: presets, row: rows })) {
    it(`${preset}: ${row.name}`, () => {
      const one = { producer: row.producer, held: 'cleared' as const, sequence: 0 }
      expect(validate(rulesOf(preset), one)).toBe(row.outcome[preset])
    })
  }
})

describe('the sequence of a batch', () => {
  const guard = (lowestSequence: number) => ({ producerEpoch: current, lowestSequence })
  const outOfOrder = both('OUT_OF_ORDER_SEQUENCE_NUMBER')
  const appended = (sequences: string) => both(`epoch 5 [${sequences}] open 3 coordinator 0`)
  const rows: { name: string; one: Case; outcome: Record<PresetName, string> }[] = [
    {
      name: 'unknown producer, 0',
      one: { producer: null, guard: guard(0), sequence: 0 },
      outcome: both('epoch 5 [0] open 3 coordinator -1'),
    },
    {
      name: 'unknown producer, 3: accepted before the rule of sequence zero',
      one: { producer: null, guard: guard(3), sequence: 3 },
      outcome: {
        'kafka-3.9': 'epoch 5 [3] open 3 coordinator -1',
        'kafka-4.4': 'OUT_OF_ORDER_SEQUENCE_NUMBER',
      },
    },
    {
      name: 'unknown producer, 3, no guard any more: the rule of sequence zero comes with a guard',
      one: { producer: null, held: 'not needed', sequence: 3 },
      outcome: both('epoch 5 [3] open 3 coordinator -1'),
    },
    { name: 'the next one', one: { producer: entry([0, 1]), sequence: 2 }, outcome: appended('0,1,2') },
    { name: 'a gap', one: { producer: entry([0, 1]), sequence: 3 }, outcome: outOfOrder },
    {
      name: 'older than what is remembered',
      one: { producer: entry([6, 7]), sequence: 5 },
      outcome: outOfOrder,
    },
    { name: 'first after a marker', one: { producer: entry([]), sequence: 0 }, outcome: appended('0') },
    { name: 'not the first after a marker', one: { producer: entry([]), sequence: 1 }, outcome: outOfOrder },
    {
      name: 'a new epoch begins at 0',
      one: { producer: entry([0, 1], older), sequence: 0 },
      outcome: appended('0'),
    },
    { name: 'a new epoch, 2', one: { producer: entry([0, 1], older), sequence: 2 }, outcome: outOfOrder },
    {
      name: 'above the lowest one that is being verified (KAFKA-14920)',
      one: { producer: null, guard: guard(0), sequence: 1 },
      outcome: outOfOrder,
    },
    {
      name: 'the lowest one that is being verified',
      one: { producer: entry([0]), guard: guard(1), sequence: 1 },
      outcome: appended('0,1'),
    },
  ]
  for (const { preset, row } of combinations({ preset: presets, row: rows })) {
    it(`${preset}, ${row.name}: ${row.outcome[preset]}`, () => {
      expect(validate(rulesOf(preset), row.one)).toBe(row.outcome[preset])
    })
  }
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

  it('joins the transaction that an older epoch left open, if nothing verifies it', () => {
    const producer = entry([0], { ...older, openOffset: 1 })
    const one: Case = { producer, held: 'not needed', sequence: 0 }
    expect(validate(rulesOf('kafka-3.9'), one)).toBe('epoch 5 [0] open 1 coordinator 0')
  })
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
  const answers = (preset: PresetName, error: string) => (one: Grid) =>
    validate(rulesOf(preset), one) === error

  it.each(presets)('%s: of an old epoch is appended', (preset) => {
    expectOnlyGuardedCasesDiffer({
      cases,
      on: decide(rulesOf(preset)),
      off: decide(rulesOf(preset, { without: ['partition epoch check'] })),
      guarded: answers(preset, 'INVALID_PRODUCER_EPOCH'),
    })
  })

  it.each(presets)('%s: of any sequence is appended', (preset) => {
    expectOnlyGuardedCasesDiffer({
      cases,
      on: decide(rulesOf(preset)),
      off: decide(rulesOf(preset, { without: ['sequence check'] })),
      guarded: answers(preset, 'OUT_OF_ORDER_SEQUENCE_NUMBER'),
    })
  })

  it.each(presets)('%s: that was verified too long ago is appended', (preset) => {
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

  it('kafka-3.9 without verification has no guard to miss', () => {
    expectOnlyGuardedCasesDiffer({
      cases,
      on: decide(rulesOf('kafka-3.9')),
      off: decide(rulesOf('kafka-3.9', { without: ['partition verification'] })),
      guarded: answers('kafka-3.9', 'INVALID_TXN_STATE'),
    })
  })
})
