/** What may be asked of the model without being promised: each question is answered both ways. */
import { describe, expect, it } from 'vitest'
import { prepare } from '../../../checker/prepare.ts'
import { kafka } from '../../../spec/index.ts'
import { sequenceQuestions } from '../../../spec/properties/questions/sequences.ts'
import type { KafkaState } from '../../../spec/state.ts'
import { rulesOf } from '../protocol/rules.ts'
import { fencingQuestions } from './fencing-questions.ts'
import { data, decided, log, marker, offsets, output, partition, told, verdict } from './judging.ts'
import { permissionQuestions } from './permission-questions.ts'
import {
  aborted,
  again,
  allDone,
  commits,
  committed,
  committedOffset,
  commitUnderWay,
  completed,
  ddCddA,
  ended,
  fenced,
  finished,
  instance,
  newest,
  openEntry,
  other,
  produce,
  type Row,
} from './question-states.ts'

const questions: Record<string, readonly Row[]> = {
  'no input is lost': [
    {
      when: 'the offset is committed and the output is not there',
      changes: [log(offsets, ...committedOffset)],
      says: 'what was made of it can be read',
    },
    {
      when: 'it was aborted',
      changes: [log(output, ...aborted), log(offsets, ...committedOffset)],
      says: 'what was made of it can be read',
    },
    {
      when: 'both are there',
      changes: [log(output, ...committed), log(offsets, ...committedOffset)],
      says: 'holds',
    },
    { when: 'no offset is committed', changes: [], says: 'not given' },
    {
      when: 'a record is still under way',
      changes: [log(offsets, ...committedOffset), commitUnderWay],
      says: 'not given',
    },
    {
      when: 'a producer has finished and the record is not there',
      config: { ...produce, inputs: 1 },
      changes: [finished],
      says: 'what was made of it can be read',
    },
    {
      when: 'a producer has finished and one of two is there',
      config: { ...produce, inputs: 2 },
      changes: [finished, log(output, ...committed)],
      says: 'what was made of it can be read',
    },
    { when: 'nobody has finished', config: produce, changes: [], says: 'not given' },
  ],
  'no output is there twice': [
    {
      when: 'another transaction has it again',
      changes: [log(output, ...committed, again, marker('commit', 's1.2', { producerEpoch: 2 }))],
      says: 'what was made of an input is read once',
    },
    {
      when: 'that one is aborted',
      changes: [log(output, ...committed, again, marker('abort', 's1.2', { producerEpoch: 2 }))],
      says: 'holds',
    },
    {
      when: 'it is another part of the output',
      changes: [log(output, data('s1.1'), data('s1.1', { part: 1, sequence: 1 }), marker('commit', 's1.1'))],
      says: 'holds',
    },
  ],
  'a committed transaction is visible in one partition and not yet in another': [
    {
      when: 'one marker is written',
      config: { outputPartitions: 2 },
      changes: [log(0, ...committed), log(1, data('s1.1')), decided({ 's1.1': 'commit' })],
      says: 'witness',
    },
    {
      when: 'both are',
      config: { outputPartitions: 2 },
      changes: [log(0, ...committed), log(1, ...committed), decided({ 's1.1': 'commit' })],
      says: 'no witness',
    },
  ],
  'a transaction whose commit was never sent is not committed': [
    { when: 'it is committed', before: [openEntry], changes: [commits], says: 'it is not committed' },
    { when: 'it stays open', before: [openEntry], changes: [openEntry], says: 'holds' },
    {
      when: 'its commit is under way',
      before: [openEntry, commitUnderWay],
      changes: [commits],
      says: 'not given',
    },
    {
      when: 'its client is at work',
      before: [openEntry, instance({ status: 'running', session: 1 })],
      changes: [commits],
      says: 'not given',
    },
    { when: 'it is being committed', before: [commits], changes: [commits], says: 'not given' },
  ],
  'a session starts when the transactions before it are finished': [
    ...[
      { when: 'one is open', records: [data('s1.1')], says: 'no earlier transaction is open in a partition' },
      { when: 'it is finished', records: committed, says: 'holds' },
      { when: 'the open one is its own', records: [data('s2.1')], says: 'holds' },
    ].map(({ records, ...row }) => ({
      ...row,
      changes: [
        newest(2),
        instance({ status: 'running', session: 2, transactionalId: 0, producerEpoch: 1, phase: 'sending' }),
        log(output, ...records),
      ],
    })),
    {
      when: 'it has no epoch yet',
      changes: [
        newest(2),
        instance({ status: 'running', session: 2, transactionalId: 0, phase: 'initialising' }),
        log(output, data('s1.1')),
      ],
      says: 'holds',
    },
  ],
  'a client knows the outcome of all its transactions': [
    { when: 'it was told', outcome: { 's1.1': 'commit' } as const, says: 'holds' },
    { when: 'it was told nothing', outcome: {}, says: 'it was told what was decided' },
    {
      when: 'it was told otherwise',
      outcome: { 's1.1': 'abort' } as const,
      says: 'it was told what was decided',
    },
  ].map(({ outcome, ...row }) => ({
    ...row,
    config: { instances: 1 },
    changes: [finished, decided({ 's1.1': 'commit' }), told(outcome as KafkaState['ghost']['told'])],
  })),
  'a fenced client does not know that its transaction was committed': [
    { when: 'it is fenced', changes: [fenced, decided({ 's1.1': 'commit' })], says: 'witness' },
    { when: 'it was aborted', changes: [fenced, decided({ 's1.1': 'abort' })], says: 'no witness' },
    {
      when: 'it was told before',
      changes: [fenced, decided({ 's1.1': 'commit' }), told({ 's1.1': 'commit' })],
      says: 'no witness',
    },
    {
      when: 'it may still be told',
      changes: [fenced, decided({ 's1.1': 'commit' }), instance({ session: 1, transaction: 1 })],
      says: 'no witness',
    },
  ],
  'a fenced client does not know that its transaction was aborted': [
    { when: 'it is fenced', changes: [fenced, decided({ 's1.1': 'abort' })], says: 'witness' },
    { when: 'nobody is fenced', changes: [decided({ 's1.1': 'abort' })], says: 'no witness' },
  ],
  'a transaction is aborted when nobody is left to end it': [
    { when: 'all have crashed', changes: [...ended, decided({ 's1.1': 'abort' })], says: 'witness' },
    { when: 'one has not', changes: [ended[0]!, decided({ 's1.1': 'abort' })], says: 'no witness' },
  ],
  'a successor writes a marker and completes the transaction': [
    {
      when: 'the marker is of a later coordinator',
      changes: [completed, log(output, data('s1.1'), marker('commit', 's1.1', { coordinatorEpoch: 1 }))],
      says: 'witness',
    },
    { when: 'it is of the first one', changes: [completed, log(output, ...committed)], says: 'no witness' },
  ],
  'an output is visible before its offset is committed': [
    { when: 'it is', changes: [log(output, ...committed)], says: 'witness' },
    {
      when: 'both are visible',
      changes: [log(output, ...committed), log(offsets, ...committedOffset)],
      says: 'no witness',
    },
  ],
  'an offset is committed before its output is visible': [
    { when: 'it is', changes: [log(offsets, ...committedOffset)], says: 'witness' },
    { when: 'neither is visible', changes: [], says: 'no witness' },
  ],
  'some inputs of a batch are done and others are not, and nobody is at work': [
    {
      when: 'one of two is done',
      config: { inputs: 2 },
      changes: [...ended, completed, log(offsets, ...committedOffset)],
      says: 'witness',
    },
    {
      when: 'all are done',
      config: { inputs: 1 },
      changes: [...ended, completed, log(offsets, ...committedOffset)],
      says: 'no witness',
    },
    {
      when: 'somebody is at work',
      config: { inputs: 2 },
      changes: [ended[0]!, completed, log(offsets, ...committedOffset)],
      says: 'no witness',
    },
  ],
  'nothing is written': [
    { when: 'nothing is', changes: [], says: 'holds' },
    { when: 'a record is', changes: [log(output, data('s1.1'))], says: 'the partition has no record' },
    { when: 'the coordinator has', changes: [openEntry], says: 'the coordinator has written nothing' },
  ],
  'a log holds two records, COMMIT, two records, ABORT': [
    { when: 'it does', changes: [log(output, ...ddCddA)], says: 'witness' },
    { when: 'the last is not there yet', changes: [log(output, ...ddCddA.slice(0, 5))], says: 'no witness' },
    {
      when: 'the last is not replicated',
      changes: [log(output, ...ddCddA), partition(output, { highWatermark: 5 })],
      says: 'no witness',
    },
  ],
  'records are in the order of sending': [
    {
      when: 'a later input comes first',
      changes: [log(output, data('s1.1', { input: 1 }), data('s1.1'))],
      says: 'none comes after a later one of its session',
    },
    {
      when: 'a later part comes first',
      changes: [log(output, data('s1.1', { part: 1 }), data('s1.1'))],
      says: 'none comes after a later one of its session',
    },
    {
      when: 'the later one is of another session',
      changes: [log(output, data('s1.1', { input: 1 }), data('s2.1'))],
      says: 'holds',
    },
    { when: 'one is repeated', changes: [log(output, data('s1.1'), data('s1.1'))], says: 'holds' },
  ],
  'an output is in one partition and not in another, and nobody is at work': [
    {
      when: 'it is in one',
      config: { outputPartitions: 2 },
      changes: [...ended, log(output, ...committed)],
      says: 'witness',
    },
    {
      when: 'it is in both',
      config: { outputPartitions: 2 },
      changes: [...ended, log(output, ...committed), log(1, ...committed)],
      says: 'no witness',
    },
    {
      when: 'somebody is at work',
      config: { outputPartitions: 2 },
      changes: [ended[0]!, log(output, ...committed)],
      says: 'no witness',
    },
  ],
  'a committed transaction waits behind an open one': [
    { when: 'another is open below it', changes: [log(output, data('s1.1'), ...other)], says: 'witness' },
    { when: 'another is open above it', changes: [log(output, ...other, data('s1.1'))], says: 'no witness' },
    {
      when: 'its marker is not replicated',
      changes: [log(output, data('s1.1'), ...other), partition(output, { highWatermark: 2 })],
      says: 'no witness',
    },
  ],
  'a read_uncommitted reader gets an aborted record': [
    {
      when: 'it was aborted',
      changes: [decided({ 's1.1': 'abort' }), log(output, data('s1.1'))],
      says: 'witness',
    },
    {
      when: 'it was committed',
      changes: [decided({ 's1.1': 'commit' }), log(output, data('s1.1'))],
      says: 'no witness',
    },
    {
      when: 'it is not replicated',
      changes: [
        decided({ 's1.1': 'abort' }),
        log(output, data('s1.1')),
        partition(output, { highWatermark: 0 }),
      ],
      says: 'no witness',
    },
  ],
  'the offsets of readers never go back in a term': [
    {
      when: 'a record is lost',
      before: [log(output, ...committed)],
      changes: [log(output, data('s1.1'))],
      says: 'none of them goes back',
    },
    {
      when: 'it is another term',
      before: [log(output, ...committed)],
      changes: [log(output, data('s1.1')), partition(output, { leaderEpoch: 1 })],
      says: 'holds',
    },
    {
      when: 'more is replicated than there is',
      changes: [log(output, data('s1.1')), partition(output, { highWatermark: 2 })],
      says: 'last stable offset <= high watermark <= log end',
    },
    {
      when: 'a record is added',
      before: [log(output, data('s1.1'))],
      changes: [log(output, ...committed)],
      says: 'holds',
    },
  ],
  'all work is done': [
    {
      when: 'all have ended and nothing is open',
      changes: [...allDone, log(output, ...committed)],
      says: 'witness',
    },
    {
      when: 'one is still at work',
      changes: [...allDone, instance({ status: 'running' })],
      says: 'no witness',
    },
    { when: 'a marker is missing', changes: [...allDone, log(output, data('s1.1'))], says: 'no witness' },
    {
      when: 'the coordinator has not completed it',
      changes: [finished, instance({ status: 'finished' }, 1), commits, log(output, ...committed)],
      says: 'no witness',
    },
  ],
  'all work is done, and a whole transaction was thrown away': [
    {
      when: 'the input was written once more than is needed',
      changes: [...allDone, log(output, ...aborted, again, marker('commit', 's1.2', { producerEpoch: 2 }))],
      config: { inputs: 1 },
      says: 'witness',
    },
    {
      when: 'it was written once',
      changes: [...allDone, log(output, ...committed)],
      config: { inputs: 1 },
      says: 'no witness',
    },
  ],
  'of two records, COMMIT, two records, ABORT read_uncommitted gets 0, 1, 3, 4 and read_committed 0, 1': [
    { when: 'they are there', changes: [log(output, ...ddCddA)], says: 'holds' },
    { when: 'they are not', changes: [], says: 'not given' },
  ],
}

const names = () => prepare(kafka, {}).body.questions?.map(({ name }) => name) ?? []
const judgedByRuns = [
  'a durable commit is carried out',
  'readers get past every transaction',
  'offsets in a transaction are decided at last',
]
/** transitions.test.ts and sessions.test.ts ask them. */
const elsewhere = /^a transition to \w+ is over at last$|^a transactional.id expires that|^the only session/
const allQuestions = { ...questions, ...fencingQuestions, ...permissionQuestions }

describe.each(Object.entries(allQuestions))('%s', (question, rows) => {
  it.each(rows)('$when: $says', ({ when: _when, says, ...one }) => {
    expect(verdict(question, one)).toBe(says)
  })
})

it('every question is asked here or with the sequences, or is one about behaviours', () => {
  const asked = sequenceQuestions(rulesOf('kafka-4.4')).map(({ name }) => name)
  const known = [...Object.keys(allQuestions), ...asked, ...judgedByRuns]
  expect(names().filter((name) => !known.includes(name) && !elsewhere.test(name))).toEqual([])
})

it('a question is no promise: nobody who does not ask is told', () => {
  const { properties } = prepare(kafka, {})
  expect(properties.map(({ name }) => name)).not.toContain('no output is there twice')
})
