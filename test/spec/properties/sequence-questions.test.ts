/** What may be asked of sequence numbers: each question is answered both ways. */
import { describe, expect, it } from 'vitest'
import { sequenceQuestions } from '../../../spec/properties/questions/sequences.ts'
import type { ProduceRequest } from '../../../spec/state.ts'
import { produce } from '../protocol/leader-notation.ts'
import { rulesOf } from '../protocol/rules.ts'
import { type Case, type Change, data, log, output, partition, verdict } from './judging.ts'
import { committed, instance } from './question-states.ts'

type Row = Case & { readonly when: string; readonly says: string }

/** A batch of the first session, as its records are named. */
const batch = (sequence: number, changes: Partial<ProduceRequest> = {}): ProduceRequest => ({
  ...produce(0, sequence),
  session: 1,
  transaction: 's1.1',
  input: 0,
  part: sequence,
  ...changes,
})
const onTheWire =
  (...requests: ProduceRequest[]): Change =>
  ({ connection }) => {
    connection[0]?.partition[output]?.requests.push(...requests)
  }
const waiting =
  (...requests: ProduceRequest[]): Change =>
  ({ connection }) => {
    connection[0]?.partition[output]?.unsent.push(...requests)
  }
const written = (...sequences: number[]) =>
  sequences.map((sequence) => data('s1.1', { sequence, part: sequence }))
const remembers = (...batches: { sequence: number; offset: number }[]): Change =>
  partition(output, {
    producers: [{ producerId: 0, producerEpoch: 0, coordinatorEpoch: -1, batches, openOffset: 0 }],
  })
const appended = { action: 'HandleProduce', args: { client: 0, partition: output } }
const toOne = {
  application: 'produce',
  producer: 'plain',
  outputPartitions: 2,
  partitioning: 'one partition',
}

const questions: Record<string, readonly Row[]> = {
  'a batch that is recognised is answered with its original offset': [
    { when: 'it is', changes: [log(output, ...written(0, 1)), onTheWire(batch(1))], says: 'holds' },
    {
      when: 'another batch has its sequence',
      changes: [log(output, ...written(0)), onTheWire(batch(0, { part: 1 }))],
      says: 'the answer is where it is',
    },
    {
      when: 'another offset is remembered',
      changes: [log(output, ...written(0, 1)), remembers({ sequence: 0, offset: 1 }), onTheWire(batch(0))],
      says: 'the answer is where it is',
    },
    { when: 'it is new', changes: [log(output, ...written(0)), onTheWire(batch(1))], says: 'not given' },
  ],
  'a batch at or below the last sequence is recognised': [
    {
      when: 'it is remembered',
      changes: [log(output, ...written(0, 1)), onTheWire(batch(0))],
      says: 'holds',
    },
    {
      when: 'only the last one is remembered',
      changes: [log(output, ...written(0, 1)), remembers({ sequence: 1, offset: 1 }), onTheWire(batch(0))],
      says: 'the partition remembers it',
    },
    { when: 'it is new', changes: [log(output, ...written(0)), onTheWire(batch(1))], says: 'not given' },
  ],
  'nothing is written that skips a sequence of a producer that is known': [
    {
      when: 'it is',
      before: [log(output, ...written(0)), onTheWire(batch(2))],
      changes: [log(output, ...written(0, 2))],
      taken: appended,
      says: 'it follows the last one',
    },
    {
      when: 'it is refused',
      before: [log(output, ...written(0)), onTheWire(batch(2))],
      changes: [log(output, ...written(0))],
      taken: appended,
      says: 'holds',
    },
    {
      when: 'nothing skips one',
      before: [log(output, ...written(0)), onTheWire(batch(1))],
      changes: [log(output, ...written(0, 1))],
      taken: appended,
      says: 'not given',
    },
  ],
  'a producer that is not known begins with sequence 0': [
    {
      when: 'it does',
      before: [],
      changes: [log(output, ...written(0))],
      taken: appended,
      says: 'holds',
    },
    {
      when: 'it begins later',
      before: [],
      changes: [log(output, ...written(1))],
      taken: appended,
      says: 'it is its first',
    },
    {
      when: 'it is known',
      before: [log(output, ...written(0))],
      changes: [log(output, ...written(0, 1))],
      taken: appended,
      says: 'not given',
    },
  ],
  'no batch is in the log under two sequences': [
    { when: 'each has its own', changes: [log(output, ...written(0, 1))], says: 'holds' },
    {
      when: 'one is numbered anew',
      changes: [log(output, ...written(0), data('s1.1', { sequence: 1, part: 0 }))],
      says: 'it has the sequence of its first copy',
    },
  ],
  'a batch is sent again after an earlier one': [
    { when: 'it waits for that one', changes: [onTheWire(batch(0)), waiting(batch(1))], says: 'witness' },
    {
      when: 'it was never sent',
      changes: [onTheWire(batch(0)), waiting(batch(-1))],
      says: 'no witness',
    },
    { when: 'no other is under way', changes: [waiting(batch(1))], says: 'no witness' },
  ],
  'a producer is closed by an error': [
    { when: 'it is', changes: [instance({ status: 'closed' })], says: 'witness' },
    { when: 'it has finished', changes: [instance({ status: 'finished' })], says: 'no witness' },
  ],
  'no output is in two partitions': [
    { when: 'it is in one', config: toOne, changes: [log(0, ...committed)], says: 'holds' },
    {
      when: 'it is in both',
      config: toOne,
      changes: [log(0, ...committed), log(1, ...committed)],
      says: 'what was made of an input is in one partition',
    },
    { when: 'each goes to all', changes: [], says: 'not promised' },
  ],
  'no input is lost': [
    {
      when: 'each output is in one of the partitions',
      config: { ...toOne, inputs: 2 },
      changes: [
        instance({ status: 'finished' }),
        log(0, ...committed),
        log(1, data('s1.1', { input: 1, transactional: false })),
      ],
      says: 'holds',
    },
    {
      when: 'one is in none',
      config: { ...toOne, inputs: 2 },
      changes: [instance({ status: 'finished' }), log(0, ...committed)],
      says: 'what was made of it can be read',
    },
  ],
}

describe.each(Object.entries(questions))('%s', (question, rows) => {
  it.each(rows)('$when: $says', ({ when: _when, says, ...one }) => {
    expect(verdict(question, one)).toBe(says)
  })
})

it('every question of sequences is asked here', () => {
  const names = sequenceQuestions(rulesOf('kafka-4.4')).map(({ name }) => name)
  expect(names.filter((name) => questions[name] === undefined)).toEqual([])
})
