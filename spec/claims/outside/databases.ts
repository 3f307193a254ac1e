import { everyInput, keyOnce, newestStays, noneTwice } from '../../outside/questions.ts'
import type { Claim } from '../claim.ts'
import { documented, programCase, reader, seeking, transactional, twice } from '../program-case.ts'

const insideTransaction = transactional(
  'poll',
  'begin',
  { send: 'output' },
  { database: ['insert row'] },
  'send offsets',
  'commit',
)

const rowAgain = ['insert row', 'crashed', 'insert row']

export const databaseClaims: readonly Claim[] = [
  {
    id: 'claim-X1',
    claim:
      'a handler that writes to a database inside a Kafka transaction has its effect twice if it crashes after the commit of the database and before that of Kafka',
    stands: 'holds',
    sources: ['KIP-98', documented],
    cases: [
      programCase({
        name: 'crash',
        config: { apps: [insideTransaction], effects: 'rows', crashes: 1 },
        expected: { [noneTwice]: 'violated', [everyInput]: 'proved' },
        shows: {
          [noneTwice]: ['insert row', 'crashed', 'initialise: the open transaction is aborted', 'insert row'],
        },
      }),
      programCase({
        name: 'no crash',
        config: { apps: [insideTransaction], effects: 'rows' },
        expected: { [noneTwice]: 'proved', [everyInput]: 'proved' },
      }),
    ],
  },
  {
    id: 'claim-X2',
    claim:
      'an offset that is stored with the data gives one effect per input, if it is advanced by compare-and-set; an unconditional upsert is broken by an old owner that stood still',
    stands: 'holds',
    sources: ['KafkaConsumer, Storing Offsets Outside Kafka'],
    cases: [
      programCase({
        name: 'unconditional upsert',
        config: {
          apps: [twice(seeking('poll', { database: ['insert row', 'store offset'] }))],
          effects: 'rows',
          rebalances: 1,
        },
        expected: { [noneTwice]: 'violated', [everyInput]: 'proved' },
        shows: { [noneTwice]: ['-> app-', 'paused', 'takes the input over', 'insert row', 'insert row'] },
      }),
      programCase({
        name: 'unconditional upsert, a crash and nobody who stands still',
        config: {
          apps: [seeking('poll', { database: ['insert row', 'store offset'] })],
          effects: 'rows',
          crashes: 2,
        },
        expected: { [noneTwice]: 'proved', [everyInput]: 'proved' },
      }),
      programCase({
        name: 'compare-and-set',
        config: {
          apps: [twice(seeking('poll', { database: ['insert row', 'advance offset'] }))],
          inputs: [{ event: 0 }, { event: 1 }],
          effects: 'rows',
          rebalances: 2,
          crashes: 1,
        },
        expected: { [noneTwice]: 'proved', [everyInput]: 'proved' },
      }),
    ],
  },
  {
    id: 'claim-X3',
    claim:
      'a key for deduplication and the effect in one database transaction give one effect, as long as keys are kept longer than any redelivery',
    stands: 'holds',
    sources: ['Idempotent consumer pattern'],
    cases: [
      programCase({
        name: 'crash and rebalance',
        config: {
          apps: [twice(reader('poll', { database: ['remember id', 'insert row'] }, 'commit offset'))],
          effects: 'rows',
          crashes: 1,
          rebalances: 1,
        },
        expected: { [noneTwice]: 'proved', [everyInput]: 'proved' },
      }),
    ],
  },
  {
    id: 'claim-X4',
    claim:
      'to look first and insert then lets two workers insert twice unless a unique constraint forbids it',
    stands: 'holds',
    sources: ['Idempotent consumer pattern', 'SQL: UNIQUE'],
    cases: (['insert row', 'insert row unless its id is there'] as const).map((insert) =>
      programCase({
        name: insert === 'insert row' ? 'without a unique constraint' : 'with the constraint',
        config: {
          apps: [twice(reader('poll', 'look up row', { database: [insert] }, 'commit offset'))],
          effects: 'rows',
          rebalances: 1,
        },
        expected: {
          [noneTwice]: insert === 'insert row' ? 'violated' : 'proved',
          [everyInput]: 'proved',
        },
        ...(insert === 'insert row'
          ? { shows: { [noneTwice]: ['not there', 'not there', 'insert row', 'insert row'] } }
          : {}),
      }),
    ),
  },
  {
    id: 'claim-X15',
    claim:
      'at least once, setting a value has one effect, adding to it two; overwriting lets an old value win unless versions are compared',
    stands: 'holds',
    sources: ['SQL: MERGE', documented],
    cases: [
      programCase({
        name: 'set a value',
        config: {
          apps: [reader('poll', { database: ['overwrite row'] }, 'commit offset')],
          effects: 'rows',
          crashes: 1,
        },
        expected: { [noneTwice]: 'proved', [everyInput]: 'proved' },
      }),
      programCase({
        name: 'add to it',
        config: {
          apps: [reader('poll', { database: ['insert row'] }, 'commit offset')],
          effects: 'rows',
          crashes: 1,
        },
        expected: { [noneTwice]: 'violated', [everyInput]: 'proved' },
        shows: { [noneTwice]: rowAgain },
        because: 'a row that is inserted stands for one addition',
      }),
      ...(['overwrite row', 'overwrite older row'] as const).map((operation) =>
        programCase({
          name:
            operation === 'overwrite row' ? 'overwrite with a stale value' : 'overwrite with a version check',
          config: {
            apps: [twice(reader('poll', { database: [operation] }, 'commit offset'))],
            inputs: [{ event: 0 }, { event: 1 }],
            effects: 'rows',
            rebalances: 1,
          },
          expected: { [newestStays]: operation === 'overwrite row' ? 'violated' : 'proved' },
          ...(operation === 'overwrite row'
            ? {
                shows: {
                  [newestStays]: ['takes the input over', 'overwrite row event=1', 'overwrite row event=0'],
                },
              }
            : {}),
        }),
      ),
    ],
  },
  {
    id: 'claim-X16',
    claim:
      'with offsets committed to Kafka as well, for tools that show the lag, what counts is where a start reads them: from the database, one effect per input; from Kafka, what was written is written again',
    stands: 'holds',
    sources: ['KafkaConsumer, Storing Offsets Outside Kafka'],
    cases: [
      programCase({
        name: 'start reads the database',
        config: {
          apps: [twice(seeking('poll', { database: ['insert row', 'advance offset'] }, 'commit offset'))],
          effects: 'rows',
          rebalances: 1,
          crashes: 1,
        },
        expected: { [noneTwice]: 'proved', [everyInput]: 'proved' },
      }),
      programCase({
        name: 'start reads the database, unconditional upsert',
        config: {
          apps: [twice(seeking('poll', { database: ['insert row', 'store offset'] }, 'commit offset'))],
          effects: 'rows',
          rebalances: 1,
        },
        expected: { [noneTwice]: 'violated' },
        shows: { [noneTwice]: ['paused', 'insert row', 'insert row'] },
      }),
      programCase({
        name: 'start reads Kafka',
        config: {
          apps: [reader('poll', { database: ['insert row', 'store offset'] }, 'commit offset')],
          effects: 'rows',
          crashes: 1,
        },
        expected: { [noneTwice]: 'violated', [everyInput]: 'proved' },
        shows: {
          [noneTwice]: ['insert row', 'crashed - before: commit offset', 'committed offset 0', 'insert row'],
        },
      }),
    ],
  },
  {
    id: 'claim-X18',
    claim: 'deduplication fails if its rows are cleaned away before the duplicate arrives',
    stands: 'holds',
    sources: ['Idempotent consumer pattern'],
    cases: [
      programCase({
        name: 'cleaned too early',
        config: {
          apps: [reader('poll', { database: ['remember id', 'insert row'] }, 'commit offset')],
          effects: 'rows',
          crashes: 1,
          cleanings: 1,
        },
        expected: { [noneTwice]: 'violated', [everyInput]: 'proved' },
        shows: { [noneTwice]: ['remember id', 'cleaned away', 'remember id'] },
      }),
    ],
  },
  {
    id: 'claim-X21',
    claim:
      'a reservation by compare-and-set is made once, whoever asks for it and how often; read first and write then, it is made twice',
    stands: 'holds',
    sources: ['SQL: UPDATE ... WHERE'],
    cases: (['insert row unless its key is there', 'insert row'] as const).map((operation) =>
      programCase({
        name: operation === 'insert row' ? 'read first, write then' : 'compare-and-set',
        config: {
          apps: [
            { ...reader('poll', 'look up row', { database: [operation] }, 'commit offset') },
            {
              ...reader('poll', 'look up row', { database: [operation] }, 'commit offset'),
              name: 'other',
              reads: 'other-input',
            },
          ],
          inputs: [{ event: 0 }, { topic: 'other-input', event: 1 }],
          effects: 'rows',
          crashes: 1,
        },
        expected: { [keyOnce]: operation === 'insert row' ? 'violated' : 'proved', [noneTwice]: 'proved' },
        ...(operation === 'insert row'
          ? { shows: { [keyOnce]: ['not there', 'not there', 'insert row', 'insert row'] } }
          : {}),
      }),
    ),
  },
]
