import { describe, expect, it } from 'vitest'
import { guardFor, guardSurvives, startVerification } from '../../../spec/protocol/partition-leader.ts'
import type { ProducerEntry } from '../../../spec/state.ts'
import { current, entry, leaderWith, marker, offsetCommit, produce } from './leader-notation.ts'
import { combinations, expectOnlyGuardedCasesDiffer, presets, rulesOf } from './rules.ts'

const open = { openOffset: 0 }
const older = { producerEpoch: current - 1 }
const newer = { producerEpoch: current + 1 }

describe('the start of a transactional batch at epoch 5', () => {
  /** What the partition remembers of the producer, and what it does under either version. */
  const rows: { name: string; producer: ProducerEntry | null; 'kafka-3.9': string; 'kafka-4.4': string }[] = [
    { name: 'unknown producer', producer: null, 'kafka-3.9': 'verify', 'kafka-4.4': 'verify' },
    { name: 'closed', producer: entry([0]), 'kafka-3.9': 'verify', 'kafka-4.4': 'verify' },
    { name: 'open', producer: entry([0], open), 'kafka-3.9': 'append', 'kafka-4.4': 'append' },
    { name: 'older, closed', producer: entry([0], older), 'kafka-3.9': 'verify', 'kafka-4.4': 'verify' },
    {
      name: 'older, open',
      producer: entry([0], { ...older, ...open }),
      'kafka-3.9': 'append',
      'kafka-4.4': 'verify',
    },
    { name: 'newer, closed', producer: entry([0], newer), 'kafka-3.9': 'verify', 'kafka-4.4': 'refuse' },
    {
      name: 'newer, open',
      producer: entry([0], { ...newer, ...open }),
      'kafka-3.9': 'append',
      'kafka-4.4': 'refuse',
    },
  ]
  for (const { preset, row } of combinations({ preset: presets, row: rows })) {
    it(`${preset}, ${row.name}: ${row[preset]}`, () => {
      const leader = leaderWith({ producer: row.producer })
      expect(startVerification(rulesOf(preset), leader, produce(current, 0))).toBe(row[preset])
      expect(startVerification(rulesOf(preset), leader, offsetCommit(current))).toBe(row[preset])
    })
  }

  const cases = rows.map(({ name, producer }) => ({ name, producer }))
  type Case = (typeof cases)[number]
  const start = (rules: ReturnType<typeof rulesOf>) => (one: Case) =>
    startVerification(rules, leaderWith({ producer: one.producer }), produce(current, 0))

  it('kafka-3.9 appends at once without the verification', () => {
    expectOnlyGuardedCasesDiffer({
      cases,
      on: start(rulesOf('kafka-3.9')),
      off: start(rulesOf('kafka-3.9', { without: ['partition verification'] })),
      guarded: ({ producer }) => producer === null || producer.openOffset < 0,
    })
  })

  it('kafka-4.4 asks for an old epoch too without the epoch check', () => {
    expectOnlyGuardedCasesDiffer({
      cases,
      on: start(rulesOf('kafka-4.4')),
      off: start(rulesOf('kafka-4.4', { without: ['partition epoch check'] })),
      guarded: ({ producer }) => (producer?.producerEpoch ?? 0) > current,
    })
  })
})

describe('the guard that requests of one producer share', () => {
  const guard = { producerEpoch: current, lowestSequence: 3 }
  const rows = [
    { name: 'the first request', guard: null, request: produce(current, 3), after: guard },
    { name: 'a higher sequence', guard, request: produce(current, 4), after: guard },
    { name: 'a lower sequence', guard, request: produce(current, 1), after: { ...guard, lowestSequence: 1 } },
    {
      name: 'a newer epoch',
      guard,
      request: produce(current + 1, 4),
      after: { producerEpoch: current + 1, lowestSequence: 4 },
    },
    { name: 'an older epoch', guard, request: produce(current - 1, 0), after: guard },
    {
      name: 'an offset commit',
      guard: null,
      request: offsetCommit(current),
      after: { ...guard, lowestSequence: -1 },
    },
  ]
  it.each(rows)('$name', ({ guard: before, request, after }) => {
    expect(guardFor(before, request)).toEqual(after)
  })
})

describe('a guard when a marker arrives', () => {
  const rows = [
    { name: 'of the same epoch: the guard is of the next transaction', epoch: current, survives: true },
    { name: 'of an older epoch', epoch: current - 1, survives: false },
    { name: 'of a newer epoch', epoch: current + 1, survives: false },
  ]
  it.each(rows)('kafka-4.4, $name', ({ epoch, survives }) => {
    const guard = { producerEpoch: current, lowestSequence: 0 }
    expect(guardSurvives(rulesOf('kafka-4.4'), guard, marker(epoch))).toBe(survives)
  })

  it.each(rows)('kafka-3.9, $name: it never survives', ({ epoch }) => {
    const guard = { producerEpoch: current, lowestSequence: 0 }
    expect(guardSurvives(rulesOf('kafka-3.9'), guard, marker(epoch))).toBe(false)
  })
})
