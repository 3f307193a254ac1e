import { describe, expect, it } from 'vitest'
import type { PresetName } from '../../../spec/presets.ts'
import { validateMarker } from '../../../spec/protocol/partition-leader.ts'
import type { ProducerEntry } from '../../../spec/state.ts'
import { current, entry, leaderWith, marker, shown } from './leader-notation.ts'
import { combinations, expectOnlyGuardedCasesDiffer, presets, rulesOf } from './rules.ts'

const open = { openOffset: 0 }

const write = (
  rules: ReturnType<typeof rulesOf>,
  producer: ProducerEntry | null,
  epoch: number,
  coordinator = 0,
) => shown(validateMarker(rules, leaderWith({ producer }), marker(epoch, coordinator)))

describe('the epoch of a marker', () => {
  /** The producer entry is at epoch 5; 'strict' demands a higher one, unless nothing is open. */
  const rows: {
    name: string
    producer: ProducerEntry | null
    epoch: number
    outcome: Record<PresetName, string>
  }[] = [
    {
      name: 'unknown producer',
      producer: null,
      epoch: current,
      outcome: {
        'kafka-3.9': 'epoch 5 [] closed coordinator 0',
        'kafka-4.4': 'epoch 5 [] closed coordinator 0',
      },
    },
    {
      name: 'older, open',
      producer: entry([0], open),
      epoch: current - 1,
      outcome: { 'kafka-3.9': 'INVALID_PRODUCER_EPOCH', 'kafka-4.4': 'INVALID_PRODUCER_EPOCH' },
    },
    {
      name: 'older, closed',
      producer: entry([0]),
      epoch: current - 1,
      outcome: { 'kafka-3.9': 'INVALID_PRODUCER_EPOCH', 'kafka-4.4': 'INVALID_PRODUCER_EPOCH' },
    },
    {
      name: 'equal, open: the batches stay remembered',
      producer: entry([0, 1], open),
      epoch: current,
      outcome: { 'kafka-3.9': 'epoch 5 [0,1] closed coordinator 0', 'kafka-4.4': 'INVALID_PRODUCER_EPOCH' },
    },
    {
      name: 'equal, closed: a repetition',
      producer: entry([0]),
      epoch: current,
      outcome: {
        'kafka-3.9': 'epoch 5 [0] closed coordinator 0',
        'kafka-4.4': 'epoch 5 [0] closed coordinator 0',
      },
    },
    {
      name: 'newer, open: nothing is remembered',
      producer: entry([0, 1], open),
      epoch: current + 1,
      outcome: {
        'kafka-3.9': 'epoch 6 [] closed coordinator 0',
        'kafka-4.4': 'epoch 6 [] closed coordinator 0',
      },
    },
    {
      name: 'newer, closed',
      producer: entry([0]),
      epoch: current + 1,
      outcome: {
        'kafka-3.9': 'epoch 6 [] closed coordinator 0',
        'kafka-4.4': 'epoch 6 [] closed coordinator 0',
      },
    },
  ]
  for (const { preset, row } of combinations({ preset: presets, row: rows })) {
    it(`${preset}, ${row.name}: ${row.outcome[preset]}`, () => {
      expect(write(rulesOf(preset), row.producer, row.epoch)).toBe(row.outcome[preset])
    })
  }
})

describe('the coordinator epoch of a marker', () => {
  const seen = entry([], { coordinatorEpoch: 3 })
  it.each(presets)('%s: a former coordinator is refused once its successor was seen', (preset) => {
    const rules = rulesOf(preset)
    expect(write(rules, seen, current + 1, 2)).toBe('TRANSACTION_COORDINATOR_FENCED')
    expect(write(rules, seen, current + 1, 3)).toBe('epoch 6 [] closed coordinator 3')
    expect(write(rules, seen, current + 1, 4)).toBe('epoch 6 [] closed coordinator 4')
    expect(write(rules, entry([], { coordinatorEpoch: -1 }), current + 1, 0)).toBe(
      'epoch 6 [] closed coordinator 0',
    )
  })

  it.each(presets)('%s: the producer epoch is looked at first', (preset) => {
    expect(write(rulesOf(preset), seen, current - 1, 2)).toBe('INVALID_PRODUCER_EPOCH')
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
    coordinator: [0, 1],
  })
  type Case = (typeof cases)[number]
  const decide = (rules: ReturnType<typeof rulesOf>) => (one: Case) =>
    write(rules, one.producer, one.epoch, one.coordinator)

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
      guarded: (one) => decide(rulesOf(preset))(one) === 'INVALID_PRODUCER_EPOCH',
    })
  })

  it.each(['epoch bump at every end', 'epoch bump at fencing abort', 'epoch bump at timeout'] as const)(
    'kafka-4.4 without %s falls back to the rule of equal epochs',
    (defence) => {
      const rules = rulesOf('kafka-4.4', { without: [defence] })
      expect(cases.map(decide(rules))).toEqual(cases.map(decide(rulesOf('kafka-3.9'))))
    },
  )
})
