/** What is asked of sessions that follow each other, with hand-made states that answer each question both ways. */
import type { EndTxnRequest, ErrorName, Instance } from '../../../spec/state.ts'
import {
  type Change,
  coordinator,
  data,
  decided,
  entry,
  log,
  marker,
  offset,
  offsets,
  output,
  record,
  told,
} from './judging.ts'
import { committed, fenced, instance, newest, open, openEntry, type Row } from './question-states.ts'

const end = (session: number): EndTxnRequest => ({
  kind: 'EndTxn',
  session,
  transaction: `s${session}.1`,
  transactionalId: 0,
  executing: false,
  producerId: 0,
  producerEpoch: 0,
  result: 'commit',
})
const waits =
  (error: ErrorName): Change =>
  ({ connection }) => {
    connection[0]?.coordinator.replies.push({ request: end(1), error, producerId: -1, producerEpoch: -1 })
  }
const asks: Change = ({ connection }) => {
  connection[0]?.coordinator.requests.push(end(1))
}
const session = (number: number, changes: Partial<Instance> = {}) =>
  instance(
    {
      status: 'running',
      session: number,
      transactionalId: 0,
      producerId: 0,
      producerEpoch: number - 1,
      ...changes,
    },
    number - 1,
  )
const restarts =
  (left: number): Change =>
  ({ budget, ghost }) => {
    budget.restarts = left
    ghost.sessions = 2
  }
const ended = coordinator(entry({ ...open, pendingState: 'PrepareCommit' }))
const current = coordinator(entry({ producerEpoch: 1 }), { committed: record({ producerEpoch: 1 }) })
const renewed = coordinator(entry({ producerId: 1 }), { committed: record({ producerId: 1 }) })

const appended = 'replaced sessions append nothing'
const hearsNothing = 'a partition has heard of no epoch above that of a session that was replaced'
const unknown = 'INVALID_PRODUCER_ID_MAPPING'
const duel = [fenced, restarts(0), session(2), instance({ status: 'closed' })]

export const fencingQuestions: Record<string, readonly Row[]> = {
  [appended]: [
    {
      when: 'one does',
      changes: [log(output, data('s1.1', { fenced: true }))],
      says: 'none of its records is of a session that was replaced',
    },
    { when: 'none does', changes: [log(output, ...committed)], says: 'holds' },
  ],
  'a session that was replaced gets no other epoch': [
    {
      when: 'it does',
      before: [session(1), newest(2)],
      changes: [newest(1)],
      says: 'its successor stays the newest',
    },
    {
      when: 'it had none, and is served last',
      before: [session(1, { producerEpoch: -1 }), newest(2)],
      changes: [newest(1)],
      says: 'holds',
    },
    { when: 'another one starts', before: [session(1), newest(1)], changes: [newest(2)], says: 'holds' },
  ],
  [hearsNothing]: [
    {
      when: 'nothing was written to it',
      changes: [session(1), session(2), newest(2), current],
      says: 'witness',
    },
    {
      when: 'a marker has told it and the group',
      changes: [
        ...[session(1), session(2), newest(2), current],
        log(output, data('s1.1'), marker('abort', 's1.1')),
        log(offsets, offset('s1.1'), marker('abort', 's1.1')),
      ],
      says: 'no witness',
    },
    { when: 'nobody was replaced', changes: [session(1), newest(1)], says: 'no witness' },
  ],
  'a transactional.id keeps its producer id': [
    {
      when: 'its log names another one',
      changes: [session(1), renewed],
      says: 'its last record names that of its sessions',
    },
    { when: 'its log names the same one', changes: [session(1), current], says: 'holds' },
  ],
  'a replaced producer is told that its id is unknown': [
    {
      when: 'the next session has another id',
      changes: [waits(unknown), newest(2), renewed],
      says: 'witness',
    },
    { when: 'there is no other session', changes: [waits(unknown), newest(1), renewed], says: 'no witness' },
    { when: 'it is fenced', changes: [waits('PRODUCER_FENCED'), newest(2), renewed], says: 'no witness' },
  ],
  'an error of the epoch means a successor': [
    { when: 'there is one', changes: [waits('PRODUCER_FENCED'), newest(2)], says: 'witness' },
    { when: 'there is none', changes: [waits('PRODUCER_FENCED'), newest(1)], says: 'no witness' },
    { when: 'it is another error', changes: [waits('INVALID_TXN_STATE'), newest(2)], says: 'no witness' },
  ],
  "an error of the epoch means the producer's own timeout": [
    { when: 'there is no successor', changes: [waits('INVALID_PRODUCER_EPOCH'), newest(1)], says: 'witness' },
    { when: 'there is one', changes: [waits('INVALID_PRODUCER_EPOCH'), newest(2)], says: 'no witness' },
  ],
  'a producer goes on after its transaction has timed out': [
    {
      when: 'its next one is committed',
      changes: [
        ({ ghost }) => {
          ghost.sessions = 1
        },
        decided({ 's1.1': 'abort' }),
        told({ 's1.2': 'commit' }),
      ],
      says: 'witness',
    },
    {
      when: 'another session commits',
      changes: [
        ({ ghost }) => {
          ghost.sessions = 2
        },
        decided({ 's1.1': 'abort' }),
        told({ 's2.1': 'commit' }),
      ],
      says: 'no witness',
    },
  ],
  'no transaction is ended by a session whose successor is connected': [
    ...[
      { when: 'one is', phase: 'joining', says: 'the coordinator does not take it up' },
      { when: 'the successor has asked for its epoch', phase: 'initialising', says: 'holds' },
    ].map(({ when, phase, says }) => {
      const successor = session(2, { producerEpoch: -1, phase: phase as Instance['phase'] })
      const before = [openEntry, asks, session(1), successor]
      const taken = { action: 'HandleEndTxn', args: { client: 0, copy: 'live' } }
      return { when, before, changes: [...before, ended], taken, says }
    }),
  ],
  'every session but the last was fenced, all restarts are used up, and there is no output': [
    { when: 'it is so', changes: duel, says: 'witness' },
    { when: 'they may start again', changes: [...duel, restarts(1)], says: 'no witness' },
    { when: 'there is an output', changes: [...duel, log(output, ...committed)], says: 'no witness' },
    { when: 'one is committed', changes: [...duel, decided({ 's1.1': 'commit' })], says: 'no witness' },
  ],
  'a session waits for the timeout of what a dead one left open': [
    ...[
      { when: 'it has an id of its own', transactionalId: 1, says: 'witness' },
      { when: 'it could end it itself', transactionalId: 0, says: 'no witness' },
    ].map(({ when, transactionalId, says }) => ({
      when,
      config: { transactionalIds: 'own' },
      changes: [
        openEntry,
        log(offsets, offset('s1.1')),
        instance({ status: 'running', phase: 'fetching', session: 2, transactionalId }, 1),
      ],
      says,
    })),
  ],
}
