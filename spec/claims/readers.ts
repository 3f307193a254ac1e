/** What is said of readers. */
import { clientProfiles } from '../clients.ts'
import { visible } from '../guarantees.ts'
import { kafka } from '../model.ts'
import { presetNames } from '../presets.ts'
import { anyModel, type Claim, type ClaimCase } from './claim.ts'
import { sharedLog } from './models/shared-log.ts'
import {
  abortedBelow,
  fetchesDecided,
  lastRecordLags,
  lastRecordOneBehind,
  plainFollow,
  plainWait,
  positionCatchesUp,
} from './models/shared-log-questions.ts'

const model = anyModel(kafka)
const getPast = 'readers get past every transaction'
const waits = 'a committed transaction waits behind an open one'
const seesAborted = 'a read_uncommitted reader gets an aborted record'
const neverBack = 'the offsets of readers never go back in a term'

const produce = { application: 'produce', instances: 1, inputs: 1, outputPartitions: 1 }

const log = anyModel(sharedLog)
/** One committed transaction among plain records. */
const amongPlain = { records: 1, plain: 3, aborts: false }

export const readerClaims: readonly Claim[] = [
  {
    id: 'claim-R1',
    claim:
      'an open transaction holds back every later record of its partition, plain ones too, and when it is committed all of them are read in their order',
    stands: 'holds',
    sources: ['UnifiedLog.lastStableOffset', 'isolation.level'],
    cases: [
      {
        name: 'a transaction between plain records',
        model: log,
        config: amongPlain,
        expected: { [plainWait]: 'witnessed', [plainFollow]: 'proved' },
        shows: {
          [plainWait]: [
            'record of plain offset=0',
            'record of A offset=1',
            'record of plain offset=2',
            'record of plain offset=3',
            'high watermark 4',
          ],
        },
      },
      {
        name: 'readers that go beyond the last stable offset',
        model: log,
        config: amongPlain,
        without: ['last stable offset'],
        expected: { [plainWait]: 'unwitnessed' },
        because: 'nothing else holds them back',
      },
    ],
  },
  {
    id: 'claim-R2',
    claim:
      'when a producer hangs, read_committed readers stand still until its transaction times out, and then go on',
    stands: 'holds',
    sources: ['transaction.timeout.ms', 'UnifiedLog.lastStableOffset'],
    cases: [
      {
        name: 'with the timeout',
        model,
        config: { ...produce, attempts: 1, crashes: 1, transactionTimeouts: 1 },
        expected: { [getPast]: 'proved' },
        because: 'one transaction, one timeout: a second one would need a second',
      },
      {
        name: 'without it',
        model,
        config: { ...produce, attempts: 1, crashes: 1 },
        expected: { [getPast]: 'violated' },
        shows: { [getPast]: ['data offset=0', 'Crash(client: 0)'] },
      },
    ],
  },
  {
    id: 'claim-R3',
    claim: 'the lag of a consumer, counted in offsets, never comes to 0 on a transactional topic',
    stands: 'refuted',
    sources: ['CompletedFetch.nextFetchedRecord', 'KafkaConsumer.position', 'ControlBatch'],
    cases: [
      {
        name: 'a client that commits the offset after its last record',
        model: log,
        config: { plain: 0 },
        expected: { [lastRecordLags]: 'proved', [lastRecordOneBehind]: 'witnessed' },
        shows: { [lastRecordOneBehind]: ['record of A', 'commit of A', 'high watermark'] },
        because: 'the last offset is that of a marker',
      },
      {
        name: 'a client that commits its position',
        model: log,
        config: { plain: 0 },
        expected: { [positionCatchesUp]: 'proved' },
      },
      {
        name: 'plain records at the end',
        model: log,
        config: { plain: 1 },
        expected: { [lastRecordLags]: 'violated' },
        shows: { [lastRecordLags]: ['of A', 'record of plain', 'high watermark'] },
      },
    ],
  },
  {
    id: 'claim-R4',
    claim: 'a read_uncommitted reader behind a transactional producer gets records that are aborted',
    stands: 'holds',
    sources: ['isolation.level'],
    cases: [
      {
        name: 'the application aborts',
        model,
        config: { ...produce, applicationAborts: 1 },
        expected: { [seesAborted]: 'witnessed' },
        shows: { [seesAborted]: ['data offset=0', 'high watermark 1', 'PrepareAbort'] },
      },
    ],
  },
  {
    id: 'claim-R5',
    claim: 'which clients process aborted records is decided by their default isolation level',
    stands: 'holds',
    sources: ['isolation.level'],
    table: { rows: 'client' },
    cases: clientProfiles.map(({ name, settings: { isolation } }): ClaimCase => {
      const filters = isolation === 'read_committed'
      const arrives = ['data offset=0', 'high watermark 1']
      return {
        name,
        cell: { row: `${name}, ${isolation}` },
        model,
        config: { ...produce, producer: 'transactional', client: name, applicationAborts: 1 },
        expected: filters ? { [visible]: 'proved' } : { [visible]: 'violated', [seesAborted]: 'witnessed' },
        ...(filters ? {} : { shows: { [visible]: arrives, [seesAborted]: [...arrives, 'PrepareAbort'] } }),
      }
    }),
  },
  {
    id: 'claim-R6',
    claim:
      'the last stable offset is at most the high watermark, that at most the end of the log, and none goes back within the term of a leader',
    stands: 'holds',
    sources: ['UnifiedLog.lastStableOffset'],
    cases: presetNames.map(
      (preset): ClaimCase => ({
        name: preset,
        model,
        preset,
        config: {
          instances: 1,
          outputPartitions: 1,
          inputs: 1,
          attempts: 2,
          leaderChanges: 1,
          applicationAborts: 1,
        },
        expected: { [neverBack]: 'proved' },
      }),
    ),
  },
  {
    id: 'claim-R7',
    claim: 'a read_committed reader buffers records until their transaction is decided',
    stands: 'refuted',
    sources: ['UnifiedLog.fetchLastStableOffsetMetadata', 'CompletedFetch.nextFetchedRecord'],
    cases: [
      {
        name: 'what it fetches',
        model: log,
        config: {},
        expected: { [fetchesDecided]: 'proved', [abortedBelow]: 'witnessed' },
        shows: { [abortedBelow]: ['record of B', 'abort of B', 'high watermark'] },
        because: 'the broker gives it nothing beyond the last stable offset',
      },
      {
        name: 'if the broker gave it all that is replicated',
        model: log,
        config: {},
        without: ['last stable offset'],
        expected: { [fetchesDecided]: 'violated' },
        shows: { [fetchesDecided]: ['record of', 'high watermark 1'] },
      },
    ],
  },
  {
    id: 'claim-R8',
    claim: 'committed transactions of other producers wait behind an open one',
    stands: 'holds',
    sources: ['UnifiedLog.lastStableOffset', 'isolation.level'],
    cases: [
      {
        name: 'two producers, one partition',
        model,
        config: { ...produce, instances: 2, transactionalIds: 'own', attempts: 1, pauses: 1 },
        expected: { [waits]: 'witnessed' },
        shows: { [waits]: ['data offset=0', 'data offset=1', 'marker commit offset=2', 'high watermark 3'] },
      },
    ],
  },
]
