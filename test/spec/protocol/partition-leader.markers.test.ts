import { describe, expect, it } from 'vitest'
import { validateMarker } from '../../../spec/protocol/partition-leader.ts'
import type { Marker, ProducerEntry } from '../../../spec/state.ts'
import { current, entry, leaderWith, marker, type Outcome, outcomeIn, shown } from './leader-notation.ts'
import { combinations, expectOnlyGuardedCasesDiffer, presets, presetsWith, rulesOf } from './rules.ts'

const open = { openOffset: 0 }

/** With the transaction.version that the clients of the preset have, unless it is said. */
const write = (
  rules: ReturnType<typeof rulesOf>,
  producer: ProducerEntry | null,
  epoch: number,
  changes: Partial<Marker> = {},
) => {
  const transactionVersion = rules.flags.clientVersion
  return shown(
    validateMarker(rules, leaderWith({ producer }), marker(epoch, { transactionVersion, ...changes })),
  )
}

const stale = 'INVALID_PRODUCER_EPOCH'
const closed = (epoch: number, sequences = '') => `epoch ${epoch} [${sequences}] closed coordinator 0`

describe('the epoch of a marker', () => {
  /** The producer entry is at epoch 5; 'strict' demands a higher one, unless nothing is open. */
  const rows: { name: string; producer: ProducerEntry | null; epoch: number; outcome: Outcome }[] = [
    { name: 'unknown producer', producer: null, epoch: current, outcome: closed(5) },
    { name: 'older, open', producer: entry([0], open), epoch: current - 1, outcome: stale },
    { name: 'older, closed', producer: entry([0]), epoch: current - 1, outcome: stale },
    {
      name: 'equal, open: the batches stay remembered',
      producer: entry([0, 1], open),
      epoch: current,
      outcome: { '4.4': stale, else: closed(5, '0,1') },
    },
    { name: 'equal, closed: a repetition', producer: entry([0]), epoch: current, outcome: closed(5, '0') },
    {
      name: 'newer, open: nothing is remembered',
      producer: entry([0, 1], open),
      epoch: current + 1,
      outcome: closed(6),
    },
    { name: 'newer, closed', producer: entry([0]), epoch: current + 1, outcome: closed(6) },
  ]
  for (const { preset, row } of combinations({ preset: presets, row: rows })) {
    const expected = outcomeIn(row.outcome, preset)
    it(`${preset}, ${row.name}: ${expected}`, () => {
      expect(write(rulesOf(preset), row.producer, row.epoch)).toBe(expected)
    })
  }

  it.each(presets)('%s: may be equal to that of an open transaction if there is no higher one', (preset) => {
    const rules = rulesOf(preset, { config: { maxEpoch: current } })
    expect(write(rules, entry([0], open), current)).toBe(closed(5, '0'))
  })
})

describe('kafka-4.4: a marker whose epoch is equal to that of the open transaction', () => {
  const rules = rulesOf('kafka-4.4')
  const rows: { of: string; transactionVersion: Marker['transactionVersion']; outcome: string }[] = [
    { of: 'an administrator', transactionVersion: 0, outcome: closed(5, '0') },
    { of: 'an old client', transactionVersion: 1, outcome: closed(5, '0') },
    { of: 'a client of version 2', transactionVersion: 2, outcome: stale },
  ]
  it.each(rows)('of $of: $outcome', ({ transactionVersion, outcome }) => {
    expect(write(rules, entry([0], open), current, { transactionVersion })).toBe(outcome)
  })
})

describe('the coordinator epoch of a marker', () => {
  const seen = entry([], { coordinatorEpoch: 3 })
  it.each(presets)('%s: a former coordinator is refused once its successor was seen', (preset) => {
    const rules = rulesOf(preset)
    const by = (coordinatorEpoch: number, producer = seen) =>
      write(rules, producer, current + 1, { coordinatorEpoch })
    expect([2, 3, 4].map((coordinatorEpoch) => by(coordinatorEpoch))).toEqual([
      'TRANSACTION_COORDINATOR_FENCED',
      'epoch 6 [] closed coordinator 3',
      'epoch 6 [] closed coordinator 4',
    ])
    expect(by(0, entry([], { coordinatorEpoch: -1 }))).toBe('epoch 6 [] closed coordinator 0')
  })

  it.each(presets)('%s: the producer epoch is looked at first', (preset) => {
    expect(write(rulesOf(preset), seen, current - 1, { coordinatorEpoch: 2 })).toBe(stale)
  })
})

describe('without a defence, a marker', () => {
  const cases = combinations({
    producer: [
      null,
      entry([0], { coordinatorEpoch: 1 }),
      entry([0], { ...open, coordinatorEpoch: 1 }),
      entry([], { ...open, producerEpoch: current + 1, coordinatorEpoch: 1 }),
    ],
    epoch: [current - 1, current, current + 1],
    coordinatorEpoch: [0, 1],
  })
  type Case = (typeof cases)[number]
  const decide =
    (rules: ReturnType<typeof rulesOf>) =>
    ({ producer, epoch, coordinatorEpoch }: Case) =>
      write(rules, producer, epoch, { coordinatorEpoch })

  it.each(presets)('%s: of a former coordinator is written', (preset) => {
    expectOnlyGuardedCasesDiffer({
      cases,
      on: decide(rulesOf(preset)),
      off: decide(rulesOf(preset, { without: ['marker coordinator epoch check'] })),
      guarded: (one) => decide(rulesOf(preset))(one) === 'TRANSACTION_COORDINATOR_FENCED',
    })
  })

  it.each(presets)('%s: of any epoch goes on to the check of the coordinator epoch', (preset) => {
    expectOnlyGuardedCasesDiffer({
      cases,
      on: decide(rulesOf(preset)),
      off: decide(rulesOf(preset, { without: ['marker epoch check'] })),
      guarded: (one) => decide(rulesOf(preset))(one) === stale,
    })
  })

  const strict = presetsWith(({ markerCheck }) => markerCheck === 'strict')
  const bumps = ['epoch bump at every end', 'epoch bump at fencing abort', 'epoch bump at timeout'] as const
  for (const { preset, defence } of combinations({ preset: strict, defence: bumps })) {
    it(`${preset} without ${defence} falls back to the rule of equal epochs`, () => {
      const rules = rulesOf(preset, { without: [defence] })
      expect(cases.map(decide(rules))).toEqual(cases.map(decide(rulesOf('kafka-4.1'))))
    })
  }
})
