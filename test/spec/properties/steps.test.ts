/** Each part of the properties of steps: a step that violates just it, and one beside it that does not. */
import { describe, expect, it } from 'vitest'
import type { KafkaState } from '../../../spec/state.ts'
import {
  type Case,
  type Change,
  coordinator,
  data,
  entry,
  log,
  marker,
  offset,
  offsets,
  output,
  partition,
  record,
  verdict,
} from './judging.ts'

interface Row extends Omit<Case, 'changes'> {
  readonly property: string
  readonly part: string
  readonly before: readonly Change[]
  readonly bad: readonly Change[]
  readonly good: readonly Change[]
}

const open = log(output, data('s1.1'))
const closed = log(output, data('s1.1'), marker('commit', 's1.1'))
const movedLeader = partition(output, { leaderEpoch: 1 })
const producer =
  (changes: Partial<KafkaState['partition'][number]['producers'][number]>): Change =>
  ({ partition: [first] }) => {
    Object.assign(first?.producers[0] as object, changes)
  }
const owner =
  (changes: Partial<KafkaState['instance'][number]> = {}): Change =>
  (state) => {
    state.group.generation = 1
    const works = { session: 1, generation: 1, position: 0, phase: 'sending' } as const
    Object.assign(state.instance[0] as object, { ...works, ...changes })
  }
const durable = (state: Parameters<typeof record>[0], tail?: Parameters<typeof record>[0]): Change =>
  coordinator(entry(), { committed: record(state), tail: tail === undefined ? null : record(tail) })
const appends = (...states: NonNullable<Parameters<typeof record>[0]>[]) =>
  states.map((state) => durable(state))

const rows: readonly Row[] = [
  {
    property: 'readers never go back',
    part: 'the high watermark does not decrease',
    before: [closed],
    bad: [closed, partition(output, { highWatermark: 1 })],
    good: [closed, partition(output, { highWatermark: 1 }), movedLeader],
  },
  {
    property: 'readers never go back',
    part: 'the last stable offset does not decrease',
    before: [closed],
    bad: [open, partition(output, { highWatermark: 2 })],
    good: [closed],
  },
  {
    property: 'replicated records stay',
    part: 'the log is not cut below the high watermark',
    before: [closed],
    bad: [open, movedLeader],
    good: [closed, movedLeader],
  },
  {
    property: 'replicated records stay',
    part: 'no record below the high watermark changes',
    before: [open],
    bad: [log(output, data('s2.1')), movedLeader],
    good: [log(output, data('s1.1'), data('s2.1')), movedLeader],
  },
  {
    property: 'the epochs of a partition only grow',
    part: 'the producer epoch does not decrease',
    before: [closed],
    bad: [closed, producer({ producerEpoch: 0 })],
    good: [closed, partition(output, { producers: [] })],
  },
  {
    property: 'the epochs of a partition only grow',
    part: 'the coordinator epoch does not decrease',
    before: [closed],
    bad: [closed, producer({ coordinatorEpoch: -1 })],
    good: [closed, producer({ coordinatorEpoch: -1 }), movedLeader],
  },
  {
    property: 'durable states follow each other as they may',
    part: 'the state may be entered from the one before',
    before: appends({ state: 'Ongoing' }),
    bad: appends({ state: 'CompleteCommit' }),
    good: appends({ state: 'PrepareCommit' }),
  },
  {
    property: 'durable states follow each other as they may',
    part: 'the state may be entered from the one before',
    before: appends({ state: 'Ongoing' }),
    bad: appends({ state: 'Empty' }),
    good: appends({ state: 'Ongoing', partitions: [output] }),
  },
  {
    property: 'durable states follow each other as they may',
    part: 'the state may be entered from the one before',
    preset: 'kafka-3.9',
    before: appends({ state: 'CompleteCommit' }),
    bad: appends({ state: 'PrepareAbort' }),
    good: appends({ state: 'Empty' }),
  },
  {
    property: 'the epochs of a transactional.id only grow',
    part: 'the producer id is a later one, or the epoch is at least what it was',
    before: appends({ producerId: 1, producerEpoch: 2 }),
    bad: appends({ producerId: 1, producerEpoch: 1 }),
    good: appends({ producerId: 2, producerEpoch: 0 }),
  },
  {
    property: 'the epochs of a transactional.id only grow',
    part: 'the producer id is a later one, or the epoch is at least what it was',
    before: appends({ producerId: 1, producerEpoch: 2 }),
    bad: appends({ producerId: 0, producerEpoch: 5 }),
    good: appends({ producerId: 1, producerEpoch: 2, state: 'Ongoing' }),
  },
  {
    property: 'only the coordinator of the epoch makes records durable',
    part: 'what becomes durable was appended by it',
    before: [durable({}, { state: 'Ongoing' })],
    bad: appends({ state: 'PrepareCommit' }),
    good: appends({ state: 'Ongoing' }),
  },
  {
    property: 'a fetched offset stands',
    part: 'only the owner that has read it moves it on',
    before: [owner()],
    bad: [log(offsets, offset('s2.1'), marker('commit', 's2.1'))],
    good: [log(offsets, offset('s1.1'), marker('commit', 's1.1'))],
  },
  {
    property: 'a fetched offset stands',
    part: 'only the owner that has read it moves it on',
    before: [owner()],
    bad: [log(offsets, offset('s2.1'), marker('commit', 's2.1'))],
    good: [log(offsets, offset('s2.1'))],
  },
  {
    property: 'transactions begin with the knowledge of the coordinator',
    part: 'the coordinator counts the partition in, or its marker is to come',
    before: [],
    bad: [open, coordinator(entry({ state: 'Ongoing', partitions: [offsets] }))],
    good: [open, coordinator(entry({ state: 'Ongoing', partitions: [output] }))],
  },
  {
    property: 'transactions begin with the knowledge of the coordinator',
    part: 'the coordinator counts the partition in, or its marker is to come',
    before: [],
    bad: [log(offsets, offset('s1.1'))],
    good: [],
  },
  {
    property: 'the committed offset never goes back',
    part: 'it is at least what it was',
    before: [log(offsets, offset('s1.1', { offset: 2 }), marker('commit', 's1.1'))],
    bad: [log(offsets, offset('s1.1', { offset: 1 }), marker('commit', 's1.1'))],
    good: [log(offsets, offset('s1.1', { offset: 2 }), marker('commit', 's1.1'))],
  },
]

describe.each(rows)("'$property': $part", ({ property, part, bad, good, ...about }) => {
  it('is violated', () => expect(verdict(property, { ...about, changes: bad })).toBe(part))
  it('holds', () => expect(verdict(property, { ...about, changes: good })).toBe('holds'))
})

describe('an owner that has read no offset yet', () => {
  it.each(['joining', 'fetching'] as const)('may be %s while an earlier transaction commits', (phase) => {
    const changes = [log(offsets, offset('s2.1'), marker('commit', 's2.1'))]
    expect(verdict('a fetched offset stands', { before: [owner({ phase })], changes })).toBe('holds')
  })
})
