/** What is said of the output and the offset of its input: in one transaction, and apart. */
import { atomic } from '../../guarantees.ts'
import { kafka } from '../../model.ts'
import { stableOffsets } from '../../outside/kafka.ts'
import { everyInput, noneTwice, processedTwice } from '../../outside/questions.ts'
import { anyModel, type Claim, type ClaimCase } from '../claim.ts'
import {
  documented,
  exactlyOnce,
  exactlyOnceLoop,
  programCase,
  reader,
  readProcessWrite,
  transactional,
  twice,
  twoEvents,
} from '../program-case.ts'

const protocol = anyModel(kafka)
/** Asked of the Kafka model. */
const lost = 'no input is lost'
const outputTwice = 'no output is there twice'
const using = 'KafkaProducer, transactional methods'

/** The points of P4: before the step with this number in the loop, and after which one that is. */
const crashPoints = exactlyOnceLoop.map((_, index) => {
  const at = (index + 1) % exactlyOnceLoop.length
  const before = exactlyOnceLoop[at - 1]
  const name = before === undefined ? 'the reply to commit' : typeof before === 'string' ? before : 'send'
  return { at, after: name }
})

export const offsetClaims: readonly Claim[] = [
  {
    id: 'claim-P1',
    claim:
      'output and input offset in one transaction: once settled, each input has one output, together with its offset',
    stands: 'holds',
    sources: ['KIP-98', 'KIP-447'],
    cases: [
      {
        name: 'in the protocol',
        model: protocol,
        config: { instances: 1, inputs: 1, outputPartitions: 1, crashes: 1, restarts: 1, lostReplies: 1 },
        expected: { [atomic]: 'proved' },
      },
      programCase({
        name: 'two instances',
        config: {
          apps: [twice(readProcessWrite)],
          inputs: twoEvents,
          crashes: 1,
          rebalances: 1,
          transactionTimeouts: 1,
        },
        expected: exactlyOnce,
      }),
    ],
  },
  {
    id: 'claim-P2',
    claim: 'output first, offset separately after it: a crash between the two leaves the output twice',
    stands: 'holds',
    sources: [documented],
    cases: [
      programCase({
        name: 'crash',
        config: { apps: [reader('poll', 'process', { send: 'output' }, 'commit offset')], crashes: 1 },
        expected: { [noneTwice]: 'violated', [everyInput]: 'proved' },
        shows: { [noneTwice]: ['output  send', 'crashed - before: commit offset', 'output  send'] },
      }),
    ],
  },
  {
    id: 'claim-P3',
    claim: 'offset first, output after it: a crash between the two loses the output',
    stands: 'holds',
    sources: [documented],
    cases: [
      programCase({
        name: 'crash',
        config: { apps: [reader('poll', 'commit offset', 'process', { send: 'output' })], crashes: 1 },
        expected: { [noneTwice]: 'proved', [everyInput]: 'violated' },
        shows: { [everyInput]: ['commit offset 1', 'crashed'] },
      }),
    ],
  },
  {
    id: 'claim-P4',
    claim: 'wherever the process crashes, before or after any of its calls, output and offset stay together',
    stands: 'holds',
    sources: ['KIP-98', using],
    table: { rows: 'crash' },
    cases: [
      ...crashPoints.map(({ at, after }) =>
        programCase({
          name: `crash after ${after}`,
          cell: { row: `after ${after}` },
          config: { apps: [readProcessWrite], inputs: twoEvents, crashes: 1, crashBefore: at },
          expected: exactlyOnce,
        }),
      ),
      programCase({
        name: 'crash after the commit was sent',
        cell: { row: 'after the commit was sent' },
        config: {
          apps: [{ ...readProcessWrite, onError: ['commit'] }],
          inputs: twoEvents,
          crashes: 1,
          commitTimeouts: 1,
        },
        expected: exactlyOnce,
        because: 'the commit may still be under way when the next session initialises',
      }),
      {
        name: 'crash anywhere in the protocol',
        model: protocol,
        config: { instances: 1, inputs: 1, crashes: 1, restarts: 1 },
        expected: { [atomic]: 'proved' },
      },
    ],
  },
  {
    id: 'claim-P9',
    claim:
      'a new owner that reads committed offsets while a transaction of the old owner is undecided repeats its inputs, unless it has to wait for stable offsets',
    stands: 'holds',
    sources: ['KIP-447', 'OffsetFetch require_stable'],
    cases: [
      ...(['kafka-1.1', 'kafka-4.4'] as const).map((preset) => ({
        name: `two ids, under ${preset}`,
        model: protocol,
        preset,
        config: { transactionalIds: 'own', inputs: 1, attempts: 2, outputPartitions: 1, rebalances: 1 },
        expected: { [atomic]: preset === 'kafka-1.1' ? ('violated' as const) : ('proved' as const) },
        ...(preset === 'kafka-1.1'
          ? {
              shows: {
                [atomic]: [
                  'starts at the committed offset 0',
                  'StartBeside',
                  'starts at the committed offset 0',
                ],
              },
            }
          : {}),
      })),
      ...[true, false].map(
        (requireStable): ClaimCase => ({
          name: `two ids, under kafka-4.4, ${requireStable ? 'with' : 'without'} require_stable`,
          model: protocol,
          config: {
            transactionalIds: 'own',
            inputs: 1,
            attempts: 2,
            outputPartitions: 1,
            rebalances: 1,
            flags: { requireStable },
          },
          expected: { [outputTwice]: requireStable ? 'proved' : 'violated' },
          ...(requireStable
            ? {}
            : {
                shows: {
                  [outputTwice]: [
                    'offset offset=0',
                    'StartBeside',
                    'starts at the committed offset 0',
                    'marker commit',
                  ],
                },
              }),
        }),
      ),
      ...[true, false].map((isStable) =>
        programCase({
          name: `offsets fetched before initialisation, ${isStable ? 'with' : 'without'} require_stable`,
          config: {
            apps: [
              {
                ...twice(readProcessWrite),
                transactionalIds: 'shared',
                onStart: ['seek to committed offset', 'initialise'],
              },
            ],
            crashes: 1,
            rebalances: 1,
          },
          ...(isStable ? {} : { without: [stableOffsets] }),
          expected: { [everyInput]: 'proved', [noneTwice]: isStable ? 'proved' : 'violated' },
          ...(isStable
            ? {}
            : {
                shows: {
                  [noneTwice]: [
                    'offset 1 in transaction',
                    'committed offset 0',
                    'commit',
                    'output  send',
                    'commit',
                  ],
                },
              }),
        }),
      ),
    ],
  },
  {
    id: 'claim-P12',
    claim: 'auto-commit left on beside transactions loses inputs',
    stands: 'holds',
    sources: ['enable.auto.commit'],
    cases: [
      {
        name: 'crash and restart',
        model: protocol,
        config: { instances: 1, inputs: 1, outputPartitions: 1, autoCommits: 1, crashes: 1, restarts: 1 },
        expected: { [atomic]: 'violated', [lost]: 'violated' },
        shows: { [atomic]: ['AutoCommit'], [lost]: ['AutoCommit'] },
      },
      programCase({
        name: 'an offset that is committed with the poll',
        config: {
          apps: [
            transactional(
              'poll',
              'commit offset',
              'process',
              'begin',
              { send: 'output' },
              'send offsets',
              'commit',
            ),
          ],
          crashes: 1,
        },
        expected: { [everyInput]: 'violated', [noneTwice]: 'proved' },
        shows: { [everyInput]: ['commit offset 1', 'crashed', 'committed offset 1'] },
      }),
    ],
  },
  {
    id: 'claim-P15',
    claim:
      'processing beyond the poll interval makes the group take the input away and the old owner finish all the same: a transaction is refused by the generation, plain commits leave the output twice',
    stands: 'holds',
    sources: ['max.poll.interval.ms', 'KIP-447'],
    cases: [
      programCase({
        name: 'transactional',
        config: { apps: [twice(readProcessWrite)], inputs: twoEvents, rebalances: 2 },
        expected: exactlyOnce,
      }),
      programCase({
        name: 'transactional, with the group id only',
        config: { apps: [twice(readProcessWrite)], rebalances: 1, groupMetadata: 'group id only' },
        expected: { [noneTwice]: 'violated' },
        shows: { [noneTwice]: ['paused', 'commit', 'commit'] },
      }),
      programCase({
        name: 'plain commits',
        config: {
          apps: [twice(reader('poll', 'process', { send: 'output' }, 'commit offset'))],
          rebalances: 1,
        },
        expected: { [noneTwice]: 'violated', [everyInput]: 'proved' },
        shows: { [noneTwice]: ['processes event 0', 'output  send', 'paused', 'output  send'] },
      }),
    ],
  },
  {
    id: 'claim-P16',
    claim: 'the processing function may run twice although there is one output',
    stands: 'holds',
    sources: ['KIP-98'],
    cases: [
      programCase({
        name: 'crash',
        config: { apps: [readProcessWrite], crashes: 1 },
        expected: { [processedTwice]: 'witnessed', [noneTwice]: 'proved' },
        shows: { [processedTwice]: ['processes event 0', 'crashed', 'processes event 0'] },
      }),
    ],
  },
]
