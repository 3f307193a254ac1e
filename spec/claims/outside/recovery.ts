/** What is said of retries beside a rolled-back transaction, and of transactions that are decided elsewhere. */
import { externalDecision } from '../../guarantees.ts'
import { kafka } from '../../model.ts'
import { allOrNothing, everyInput, noneTwice, readerWaits } from '../../outside/questions.ts'
import { anyModel, type Claim, type ClaimCase } from '../claim.ts'
import { programCase, reader, throwingLoop, transactional, twoEvents } from '../program-case.ts'

/** A sink that stores its offset, then commits; after a crash it commits what it had prepared, whatever the answer. */
const twoPhaseSink = {
  ...reader('poll', 'begin', { send: 'output' }, { database: ['store offset'] }, 'commit'),
  onStart: ['recover', 'seek to offset in database'],
}

/** The point of a crash decides: only what is stored and not yet committed can be lost. */
const crashPoints = twoPhaseSink.loop.map((step, before) => ({
  step: typeof step === 'string' ? step : 'send' in step ? 'the send' : 'the offset is stored',
  before,
  loses: step === 'commit',
}))

const losing = ['store offset', 'crashed - before: commit', 'aborts a transaction after its timeout']

export const crashPointCases: readonly ClaimCase[] = [
  ...crashPoints.map(({ step, before, loses }) =>
    programCase({
      name: `timeout shorter than the outage, crash before ${step}`,
      config: { apps: [twoPhaseSink], inputs: twoEvents, crashes: 1, crashBefore: before },
      expected: { [everyInput]: loses ? 'violated' : 'proved', [noneTwice]: 'proved' },
      ...(loses ? { shows: { [everyInput]: [...losing, 'takes it for committed'] } } : {}),
    }),
  ),
  programCase({
    name: 'timeout longer than any outage, two crashes anywhere',
    config: { apps: [twoPhaseSink], inputs: twoEvents, crashes: 2, orphansTimeOut: false },
    expected: { [everyInput]: 'proved', [noneTwice]: 'proved' },
  }),
]

export const twoPhaseSinkCases: readonly ClaimCase[] = [true, false].map((orphansTimeOut) =>
  programCase({
    name: orphansTimeOut ? 'timeout shorter than the outage' : 'timeout longer than any outage',
    config: {
      apps: [twoPhaseSink],
      crashes: 1,
      orphansTimeOut,
    },
    expected: { [everyInput]: orphansTimeOut ? 'violated' : 'proved', [noneTwice]: 'proved' },
    ...(orphansTimeOut
      ? {
          shows: {
            [everyInput]: [...losing, 'takes it for committed'],
          },
        }
      : {}),
  }),
)

export const recoveryClaims: readonly Claim[] = [
  {
    id: 'claim-X11',
    claim:
      'a retry record that is sent inside the rolled-back transaction disappears with it, and nothing is lost; one of a recoverer in a transaction of its own is there twice after a crash before the offset is committed',
    stands: 'holds',
    sources: ['Spring for Apache Kafka: After-rollback Processor'],
    cases: [
      programCase({
        name: 'inside the rolled-back transaction',
        config: {
          apps: [
            {
              ...transactional(...throwingLoop),
              onError: [{ send: 'retry' }, 'abort', 'seek to committed offset'],
            },
          ],
          effects: 'output',
          errors: 2,
          crashes: 1,
        },
        expected: { [everyInput]: 'proved', [noneTwice]: 'proved' },
      }),
      programCase({
        name: 'it disappears',
        config: {
          apps: [
            {
              ...transactional(...throwingLoop),
              onError: [{ send: 'retry' }, 'abort', 'seek to committed offset'],
            },
          ],
          inputs: [{ event: 0, poison: true }],
          effects: 'retry',
        },
        expected: { [everyInput]: 'violated' },
        shows: { [everyInput]: ['throws', 'retry  send in transaction', 'abort'] },
      }),
      programCase({
        name: 'by a recoverer in a transaction of its own',
        config: {
          apps: [
            {
              ...transactional(...throwingLoop),
              onError: ['abort', 'begin', { send: 'retry' }, 'commit', 'commit offset'],
            },
          ],
          inputs: [{ event: 0, poison: true }],
          effects: 'retry',
          crashes: 1,
        },
        expected: { [everyInput]: 'proved', [noneTwice]: 'violated' },
        shows: {
          [noneTwice]: [
            'retry  send',
            'coordinator  commit',
            'crashed - before: commit offset',
            'retry  send',
            'coordinator  commit',
          ],
        },
      }),
    ],
  },
  {
    id: 'claim-X13',
    claim:
      'a two-phase sink loses what it has prepared if the transaction timeout is shorter than the outage and the error on recovery is ignored; if it is longer than any outage, nothing is lost',
    stands: 'holds',
    sources: ['Flink TwoPhaseCommitSinkFunction', 'transaction.timeout.ms', 'KIP-939'],
    cases: twoPhaseSinkCases,
  },
  {
    id: 'claim-X22',
    claim:
      'two-phase commit with a database, as KIP-939 designs it, is atomic; readers are held back while it is undecided',
    stands: 'holds within limits',
    sources: ['KIP-939'],
    cases: [
      programCase({
        name: 'crash anywhere',
        config: {
          apps: [
            {
              ...reader(
                'poll',
                'begin',
                { send: 'output' },
                'prepare',
                { database: ['insert row', 'store offset'] },
                'commit',
              ),
              onStart: ['recover', 'seek to offset in database'],
            },
            { name: 'receiver', reads: 'output', loop: ['poll'] },
          ],
          inputs: [{ event: 0 }, { event: 1 }],
          crashes: 2,
        },
        expected: {
          [allOrNothing]: 'proved',
          [noneTwice]: 'proved',
          [everyInput]: 'proved',
          [readerWaits]: 'witnessed',
        },
        shows: { [readerWaits]: ['output  send in transaction'] },
      }),
      {
        name: 'in kafka-4.4, which keeps no prepared transaction',
        model: anyModel(kafka),
        config: { instances: 1, outputPartitions: 1, twoPhaseCommit: true, crashes: 1, restarts: 1 },
        expected: { [externalDecision]: 'violated' },
        shows: {
          [externalDecision]: [
            'error=UNSUPPORTED_VERSION',
            'external store decides: commit',
            'Crash',
            'PrepareAbort',
          ],
        },
        because:
          'the brokers refuse keepPreparedTxn, so that a new session aborts what the database has decided',
      },
    ],
  },
]
