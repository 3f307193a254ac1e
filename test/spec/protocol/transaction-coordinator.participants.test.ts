import { describe, expect, it } from 'vitest'
import type { PresetName } from '../../../spec/presets.ts'
import { newEntry } from '../../../spec/protocol/transaction-coordinator/entry.ts'
import {
  addPartitions,
  verifyPartition,
} from '../../../spec/protocol/transaction-coordinator/participants.ts'
import type { CoordinatorEntry } from '../../../spec/state.ts'
import {
  addRequest,
  current,
  entryIn,
  other,
  pendingEntry,
  producer,
  shown,
  states,
} from './coordinator-notation.ts'
import { combinations, expectOnlyGuardedCasesDiffer, presets, presetsWith, rulesOf } from './rules.ts'

const add = (
  preset: PresetName,
  entry: CoordinatorEntry | null,
  epoch: number,
  partitions: number[],
  producerId = producer,
) => shown(addPartitions(rulesOf(preset), entry, addRequest(epoch, partitions, producerId)))

describe('AddPartitionsToTxn and AddOffsetsToTxn', () => {
  /** Requests at the current epoch; the open transaction has the participants 0 and 2. */
  const rows = [
    { state: 'Empty', partitions: [1], decision: 'Ongoing(5){1} last 4 -> NONE' },
    { state: 'CompleteCommit', partitions: [2, 0], decision: 'Ongoing(5){0,2} last 4 -> NONE' },
    { state: 'CompleteAbort', partitions: [0], decision: 'Ongoing(5){0} last 4 -> NONE' },
    { state: 'Ongoing', partitions: [1], decision: 'Ongoing(5){0,1,2} last 4 -> NONE' },
    { state: 'Ongoing', partitions: [1, 2], decision: 'Ongoing(5){0,1,2} last 4 -> NONE' },
    { state: 'Ongoing', partitions: [2], decision: 'NONE' },
    { state: 'Ongoing', partitions: [0, 2], decision: 'NONE' },
    { state: 'PrepareCommit', partitions: [0], decision: 'wait' },
    { state: 'PrepareAbort', partitions: [1], decision: 'wait' },
  ] as const
  for (const { preset, row } of combinations({ preset: presets, row: rows })) {
    it(`${preset}, ${row.state}, adds ${row.partitions}: ${row.decision}`, () => {
      expect(add(preset, entryIn(row.state), current, [...row.partitions])).toBe(row.decision)
    })
  }

  it.each(presets)("%s: the record has the version of the client's request", (preset) => {
    const rules = rulesOf(preset)
    expect(addPartitions(rules, entryIn('Empty'), addRequest(current, [1]))).toMatchObject({
      record: { transactionVersion: rules.flags.clientVersion, previousProducerId: producer },
    })
  })

  it("the record of an old client's request on a new cluster is of version 1", () => {
    const rules = rulesOf('kafka-4.4', { config: { flags: { clientVersion: 1 } } })
    expect(addPartitions(rules, entryIn('Empty'), addRequest(current, [1]))).toMatchObject({
      record: { transactionVersion: 1 },
    })
  })

  it.each(presets)('%s: an unknown transactional.id', (preset) => {
    expect(add(preset, null, current, [0])).toBe('INVALID_PRODUCER_ID_MAPPING')
  })

  it.each(presets)("%s: somebody else's producer id is refused in every state and epoch", (preset) => {
    for (const { state, epoch } of combinations({ state: states, epoch: [current - 1, current] })) {
      expect(add(preset, entryIn(state), epoch, [0], other)).toBe('INVALID_PRODUCER_ID_MAPPING')
    }
  })

  it.each(presets)('%s: another epoch is refused in every state, a higher one too', (preset) => {
    for (const { state, epoch } of combinations({ state: states, epoch: [current - 1, current + 1] })) {
      expect(add(preset, entryIn(state), epoch, [0])).toBe('PRODUCER_FENCED')
    }
    expect(add(preset, newEntry(producer), 0, [0])).toBe('PRODUCER_FENCED')
  })

  it.each(presets)('%s: the current epoch waits for whatever is pending', (preset) => {
    for (const state of states) expect(add(preset, pendingEntry(state), current, [0])).toBe('wait')
  })

  const first = presetsWith(({ pendingCheckFirst }) => pendingCheckFirst)
  it('a pending transition hides identity where it is looked at first (KAFKA-18660)', () => {
    expect(first).toEqual(['kafka-4.1', 'kafka-4.4', 'kafka-4.4-tv1'])
  })
  for (const { preset, state } of combinations({ preset: presets, state: states })) {
    const hidden = first.includes(preset)
    it(`${preset}, ${state}, pending: another identity ${hidden ? 'waits' : 'is refused'}`, () => {
      for (const epoch of [current - 1, current + 1]) {
        expect(add(preset, pendingEntry(state), epoch, [0])).toBe(hidden ? 'wait' : 'PRODUCER_FENCED')
      }
      expect(add(preset, pendingEntry(state), current, [0], other)).toBe(
        hidden ? 'wait' : 'INVALID_PRODUCER_ID_MAPPING',
      )
    })
  }

  it('does not change the entry that it reads', () => {
    const entry = entryIn('Ongoing')
    add('kafka-4.4', entry, current, [1])
    expect(entry).toEqual(entryIn('Ongoing'))
  })
})

const verifying = presetsWith(
  ({ verification, clientVersion }) => verification !== 'off' && clientVersion === 1,
)

describe.each(verifying)('%s: the question of a partition leader before transaction.version 2', (preset) => {
  const rules = rulesOf(preset)
  const verify = (entry: CoordinatorEntry | null, producerEpoch: number, partition: number, producerId = 0) =>
    shown(verifyPartition(rules, entry, { producerId, producerEpoch }, partition))
  const rows = [
    { state: 'Empty', epoch: current, partition: 0, answer: 'TRANSACTION_ABORTABLE' },
    { state: 'Ongoing', epoch: current, partition: 0, answer: 'NONE' },
    { state: 'Ongoing', epoch: current, partition: 2, answer: 'NONE' },
    { state: 'Ongoing', epoch: current, partition: 1, answer: 'TRANSACTION_ABORTABLE' },
    { state: 'Ongoing', epoch: current - 1, partition: 0, answer: 'PRODUCER_FENCED' },
    { state: 'Ongoing', epoch: current + 1, partition: 0, answer: 'PRODUCER_FENCED' },
    { state: 'PrepareCommit', epoch: current, partition: 0, answer: 'wait' },
    { state: 'PrepareAbort', epoch: current, partition: 1, answer: 'wait' },
    { state: 'PrepareAbort', epoch: current - 1, partition: 0, answer: 'PRODUCER_FENCED' },
    { state: 'CompleteCommit', epoch: current, partition: 0, answer: 'TRANSACTION_ABORTABLE' },
    { state: 'CompleteAbort', epoch: current, partition: 0, answer: 'TRANSACTION_ABORTABLE' },
  ] as const
  it.each(rows)(
    '$state, epoch $epoch, partition $partition: $answer',
    ({ state, epoch, partition, answer }) => {
      expect(verify(entryIn(state), epoch, partition)).toBe(answer)
      // What is pending is not consulted (KAFKA-14904).
      expect(verify(pendingEntry(state), epoch, partition)).toBe(answer)
    },
  )

  it.each(states)("%s: somebody else's producer id", (state) => {
    expect(verify(entryIn(state), current, 0, other)).toBe('INVALID_PRODUCER_ID_MAPPING')
  })

  it('a partition whose addition is not yet durable is not there yet', () => {
    const adding = entryIn('Empty', { pendingState: 'Ongoing' })
    expect(verify(adding, current, 0)).toBe('TRANSACTION_ABORTABLE')
  })

  it('an unknown transactional.id', () => {
    expect(verify(null, current, 0)).toBe('INVALID_PRODUCER_ID_MAPPING')
  })
})

describe('without the coordinator epoch check', () => {
  const without = ['coordinator epoch check'] as const
  const cases = combinations({
    state: states,
    pending: [true, false],
    epoch: [current - 1, current, current + 1],
  })
  type Case = (typeof cases)[number]
  const entryOf = ({ state, pending }: Case) => (pending ? pendingEntry(state) : entryIn(state))

  it.each(presets)('%s: every epoch adds partitions', (preset) => {
    const decide = (rules: ReturnType<typeof rulesOf>) => (one: Case) =>
      shown(addPartitions(rules, entryOf(one), addRequest(one.epoch, [1])))
    const pendingFirst = rulesOf(preset).flags.pendingCheckFirst
    expectOnlyGuardedCasesDiffer({
      cases,
      on: decide(rulesOf(preset)),
      off: decide(rulesOf(preset, { without })),
      guarded: ({ epoch, pending }) => epoch !== current && !(pending && pendingFirst),
    })
  })

  it.each(verifying)('%s: every epoch is verified', (preset) => {
    const decide = (rules: ReturnType<typeof rulesOf>) => (one: Case) =>
      shown(verifyPartition(rules, entryOf(one), { producerId: producer, producerEpoch: one.epoch }, 0))
    expectOnlyGuardedCasesDiffer({
      cases,
      on: decide(rulesOf(preset)),
      off: decide(rulesOf(preset, { without })),
      guarded: ({ epoch }) => epoch !== current,
    })
  })
})
