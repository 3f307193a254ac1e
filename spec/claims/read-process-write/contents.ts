import {
  everyInput,
  inOrder,
  noneTwice,
  nothingAborted,
  progressLast,
  sameResult,
  storeOnce,
} from '../../outside/questions.ts'
import type { Claim } from '../claim.ts'
import {
  deduplicating,
  documented,
  exactlyOnce,
  programCase,
  reader,
  readProcessWrite,
  transactional,
  twice,
  twoEvents,
} from '../program-case.ts'

/** What is counted beside the store: both are in the transaction. */
const stores = [true, false].flatMap((isWiped) =>
  ['output', 'changelog'].map((effects) => ({ isWiped, effects })),
)

export const contentClaims: readonly Claim[] = [
  {
    id: 'claim-P5',
    claim:
      'one business event that arrives as two input records has two outputs, exactly once or not; one effect with deduplication by its id',
    stands: 'holds',
    sources: [documented],
    cases: [
      programCase({
        name: 'exactly once',
        config: { apps: [readProcessWrite], inputs: [{ event: 0 }, { event: 0 }] },
        expected: { [noneTwice]: 'violated', [everyInput]: 'proved' },
        shows: { [noneTwice]: ['output  send', 'commit', 'output  send', 'commit'] },
      }),
      programCase({
        name: 'with deduplication by id of the event',
        config: {
          apps: [
            transactional('poll', 'begin', { send: 'events' }, 'send offsets', 'commit'),
            deduplicating(),
          ],
          inputs: [{ event: 0 }, { event: 0 }],
          effects: 'rows',
        },
        expected: { [noneTwice]: 'proved', [everyInput]: 'proved' },
      }),
    ],
  },
  {
    id: 'claim-P7',
    claim:
      'processing that comes to another result the second time: at least once shows two different outputs, a transaction shows one',
    stands: 'holds',
    sources: [documented],
    cases: [
      programCase({
        name: 'at least once',
        config: {
          apps: [
            { ...reader('poll', 'process', { send: 'output' }, 'commit offset'), result: 'not determined' },
          ],
          crashes: 1,
        },
        expected: { [sameResult]: 'violated' },
        shows: { [sameResult]: ['result 1', 'output  send', 'crashed', 'result 2', 'output  send'] },
      }),
      programCase({
        name: 'transactional',
        config: { apps: [{ ...readProcessWrite, result: 'not determined' }], crashes: 2 },
        expected: { [sameResult]: 'proved', ...exactlyOnce },
      }),
    ],
  },
  {
    id: 'claim-P10',
    claim:
      'events of one entity in two partitions with two processors come out of order although everything is exactly once',
    stands: 'holds',
    sources: [documented],
    cases: [
      programCase({
        name: 'two partitions',
        config: {
          apps: [0, 1].map((index) => ({
            ...readProcessWrite,
            name: `app-${index}`,
            reads: `input-${index}`,
          })),
          inputs: [
            { topic: 'input-0', event: 0 },
            { topic: 'input-1', event: 1 },
          ],
        },
        expected: { [inOrder]: 'violated', [noneTwice]: 'proved', [everyInput]: 'proved' },
        shows: {
          [inOrder]: ['input-1 -> app-1  record event=1', 'output  send in transaction event=1', 'commit'],
        },
      }),
      programCase({
        name: 'one partition',
        config: { apps: [twice(readProcessWrite)], inputs: twoEvents, rebalances: 1, crashes: 1 },
        expected: { [inOrder]: 'proved', [noneTwice]: 'proved', [everyInput]: 'proved' },
      }),
    ],
  },
  {
    id: 'claim-P14',
    claim:
      'two transactional stages in a row are exactly once from end to end; if the one in the middle reads uncommitted records, what it makes of an aborted one is committed',
    stands: 'holds',
    sources: ['isolation.level', 'KIP-98'],
    cases: (['read_committed', 'read_uncommitted'] as const).map((isolation) => {
      const isSafe = isolation === 'read_committed'
      return programCase({
        name: isolation,
        config: {
          apps: [
            {
              ...transactional('poll', 'begin', { send: 'middle' }, 'send offsets', 'commit'),
              name: 'first',
            },
            {
              ...transactional('poll', 'begin', { send: 'output' }, 'send offsets', 'commit'),
              name: 'second',
              reads: 'middle',
              isolation,
            },
          ],
          crashes: 1,
        },
        expected: {
          [nothingAborted]: isSafe ? 'proved' : 'violated',
          [noneTwice]: isSafe ? 'proved' : 'violated',
          [everyInput]: 'proved',
        },
        ...(isSafe
          ? {}
          : {
              shows: {
                [nothingAborted]: ['middle  send in transaction', 'record (open)', 'crashed'],
                [noneTwice]: ['record (open)', 'crashed', 'commit'],
              },
            }),
      })
    }),
  },
  {
    id: 'claim-P20',
    claim: 'a progress record in the same transaction is visible only at its end',
    stands: 'holds',
    sources: ['KIP-98'],
    cases: [true, false].map((isInside) => {
      const progress = { send: 'progress' }
      const before = isInside ? ['begin', progress] : [progress, 'begin']
      return programCase({
        name: isInside ? 'in the transaction' : 'before it',
        config: {
          apps: [
            transactional(
              'poll',
              ...(before as [typeof progress]),
              { send: 'output' },
              'send offsets',
              'commit',
            ),
          ],
          crashes: 1,
        },
        expected: { [progressLast]: isInside ? 'proved' : 'violated' },
        ...(isInside ? {} : { shows: { [progressLast]: ['progress  send'] } }),
      })
    }),
  },
  {
    id: 'claim-P21',
    claim:
      'state store, changelog, output and offset stay together if a local store of unknown state is wiped on restart; if it is kept, an event is counted twice',
    stands: 'holds',
    sources: ['Kafka Streams: exactly_once_v2', 'KIP-892'],
    cases: stores.map(({ isWiped, effects }) =>
      programCase({
        name: `${isWiped ? 'wiped on restart' : 'kept'}, ${effects}`,
        config: {
          apps: [
            {
              ...transactional(
                'poll',
                'begin',
                'update store',
                { send: 'changelog' },
                { send: 'output' },
                'send offsets',
                'commit',
              ),
              onStart: ['initialise', 'seek to committed offset', ...(isWiped ? ['restore store'] : [])],
            },
          ],
          inputs: twoEvents,
          effects,
          crashes: 1,
        },
        expected: {
          [storeOnce]: isWiped ? 'proved' : 'violated',
          [everyInput]: 'proved',
          [noneTwice]: 'proved',
        },
        ...(isWiped ? {} : { shows: { [storeOnce]: ['local store: 1', 'crashed', 'local store: 2'] } }),
      }),
    ),
  },
  {
    id: 'claim-P22',
    claim:
      'at least once, deduplication downstream fails if the id is made while processing, and works if it is derived from the input',
    stands: 'holds',
    sources: ['Idempotent consumer pattern'],
    cases: (['fresh', 'of the event'] as const).map((id) =>
      programCase({
        name: id === 'fresh' ? 'made while processing' : 'derived from the input',
        config: {
          apps: [reader('poll', { send: 'events', id }, 'commit offset'), deduplicating()],
          effects: 'rows',
          crashes: 1,
        },
        expected: { [noneTwice]: id === 'fresh' ? 'violated' : 'proved', [everyInput]: 'proved' },
        ...(id === 'fresh'
          ? {
              shows: {
                [noneTwice]: [
                  'events  send',
                  'crashed - before: commit offset',
                  'events  send',
                  'insert row',
                ],
              },
            }
          : {}),
      }),
    ),
  },
]
