import { describe, expect, it } from 'vitest'
import { validateBatch } from '../../../spec/protocol/partition-leader.ts'
import type { ProduceRequest, ProducerEntry, VerificationGuard } from '../../../spec/state.ts'
import {
  current,
  entry,
  guardAt,
  leaderWith,
  type Outcome,
  outcomeIn,
  produce,
  shown,
} from './leader-notation.ts'
import { combinations, presets, rulesOf } from './rules.ts'

interface Row {
  name: string
  producer: ProducerEntry | null
  guard?: VerificationGuard
  sequence: number
  request?: Partial<ProduceRequest>
  outcome: Outcome
}

const older = { producerEpoch: current - 1 }
const outOfOrder = 'OUT_OF_ORDER_SEQUENCE_NUMBER'
const appended = (sequences: string, coordinatorEpoch = 0) =>
  `epoch 5 [${sequences}] open 3 coordinator ${coordinatorEpoch}`

const rows: readonly Row[] = [
  {
    name: 'the next one',
    producer: entry([0, 1]),
    sequence: 2,
    outcome: appended('0,1,2'),
  },
  { name: 'a gap', producer: entry([0, 1]), sequence: 3, outcome: outOfOrder },
  { name: 'older than what is remembered', producer: entry([6, 7]), sequence: 5, outcome: outOfOrder },
  { name: 'first after a marker', producer: entry([]), sequence: 0, outcome: appended('0') },
  {
    name: 'not the first after a marker: unknown, where state dies with records',
    producer: entry([]),
    sequence: 1,
    outcome: { '1.1': 'UNKNOWN_PRODUCER_ID', else: outOfOrder },
  },
  { name: 'a new epoch begins at 0', producer: entry([0, 1], older), sequence: 0, outcome: appended('0') },
  {
    name: 'a new epoch, 2: next in the old one',
    producer: entry([0, 1], older),
    sequence: 2,
    outcome: outOfOrder,
  },
  { name: 'unknown producer, 0', producer: null, guard: guardAt(0), sequence: 0, outcome: appended('0', -1) },
  {
    name: 'unknown producer, 3: accepted from KIP-360 to the rule of sequence zero',
    producer: null,
    guard: guardAt(3),
    sequence: 3,
    outcome: { '1.1': 'UNKNOWN_PRODUCER_ID', '4.1 4.4': outOfOrder, else: appended('3', -1) },
  },
  {
    name: 'unknown producer, 3, no guard any more: the rule of sequence zero comes with a guard',
    producer: null,
    sequence: 3,
    outcome: { '1.1': 'UNKNOWN_PRODUCER_ID', else: appended('3', -1) },
  },
  {
    name: 'a known producer without batches, 3: the rule of sequence zero',
    producer: entry([], older),
    guard: guardAt(3),
    sequence: 3,
    outcome: outOfOrder,
  },
  {
    name: 'above the lowest one that is being verified (KAFKA-14920)',
    producer: null,
    guard: guardAt(0),
    sequence: 1,
    outcome: { '1.1': 'UNKNOWN_PRODUCER_ID', '2.5': appended('1', -1), else: outOfOrder },
  },
  {
    name: 'next in order, and above the lowest one that is being verified',
    producer: entry([0, 1]),
    guard: guardAt(1),
    sequence: 2,
    outcome: { '1.1 2.5': appended('0,1,2'), else: outOfOrder },
  },
  {
    name: 'the lowest one that is being verified',
    producer: entry([0]),
    guard: guardAt(1),
    sequence: 1,
    outcome: appended('0,1'),
  },
  {
    name: 'idempotent, next in order: guards are of transactions',
    producer: entry([0, 1]),
    guard: guardAt(1),
    sequence: 2,
    request: { transactional: false },
    outcome: 'epoch 5 [0,1,2] closed coordinator 0',
  },
  {
    name: 'idempotent, unknown producer, 3',
    producer: null,
    sequence: 3,
    request: { transactional: false },
    outcome: { '1.1': 'UNKNOWN_PRODUCER_ID', else: 'epoch 5 [3] closed coordinator -1' },
  },
]

describe('the sequence of a batch', () => {
  for (const { preset, row } of combinations({ preset: presets, row: rows })) {
    const expected = outcomeIn(row.outcome, preset)
    it(`${preset}, ${row.name}: ${expected}`, () => {
      const leader = leaderWith({ producer: row.producer, guard: row.guard ?? null })
      const request = produce(current, row.sequence, row.request)
      // Versions that verify nothing have no guards.
      if (rulesOf(preset).flags.verification === 'off') leader.guards = []
      const outcome = shown(validateBatch(rulesOf(preset), leader, request, 'current'))
      expect(outcome).toBe(expected)
    })
  }

  it('is free of the rule of sequence zero for old clients on a new cluster', () => {
    const oldClients = rulesOf('kafka-4.4', { config: { flags: { clientVersion: 1 } } })
    const leader = leaderWith({ producer: null, guard: guardAt(3) })
    expect(shown(validateBatch(oldClients, leader, produce(current, 3), 'current'))).toBe(appended('3', -1))
  })
})
