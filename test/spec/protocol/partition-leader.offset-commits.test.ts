import { describe, expect, it } from 'vitest'
import { validateBatch } from '../../../spec/protocol/partition-leader.ts'
import type { ProducerEntry } from '../../../spec/state.ts'
import {
  current,
  entry,
  leaderWith,
  type Outcome,
  offsetCommit,
  outcomeIn,
  shown,
  staleEpoch,
} from './leader-notation.ts'
import { combinations, presets, rulesOf } from './rules.ts'

const open = { openOffset: 0 }
const newer = { producerEpoch: current + 1 }
const older = { producerEpoch: current - 1 }

describe('an offset commit outside of transactions', () => {
  it.each(presets)("%s: is appended whatever the partition knows of its sender's producer", (preset) => {
    const producers = [null, entry([0], open), entry([0], newer), entry([], older)]
    const outcomes = producers.map((producer) =>
      shown(
        validateBatch(
          rulesOf(preset),
          leaderWith({ producer }),
          offsetCommit(current, 'OffsetCommit'),
          'not needed',
        ),
      ),
    )
    expect(outcomes).toEqual(producers.map(() => 'appended'))
  })
})

describe('a transactional offset commit', () => {
  const rows: { name: string; producer: ProducerEntry | null; outcome: Outcome }[] = [
    { name: 'of an old epoch', producer: entry([], newer), outcome: staleEpoch },
    {
      name: 'of a new epoch',
      producer: entry([], older),
      outcome: 'epoch 5 [] open 3 coordinator 0',
    },
    {
      name: 'of an unknown producer, whatever its sequence',
      producer: null,
      outcome: 'epoch 5 [] open 3 coordinator -1',
    },
    {
      name: 'of a new epoch, where an older one left a transaction open',
      producer: entry([], { ...older, ...open }),
      outcome: 'epoch 5 [] open 0 coordinator 0',
    },
  ]
  for (const { preset, row } of combinations({ preset: presets, row: rows })) {
    const expected = outcomeIn(row.outcome, preset)
    it(`${preset}, ${row.name}: ${expected}`, () => {
      const leader = leaderWith({ producer: row.producer })
      expect(shown(validateBatch(rulesOf(preset), leader, offsetCommit(current), 'current'))).toBe(expected)
    })
  }
})
