/** Sessions of one transactional.id: what becomes of the earlier one. */
import { fencedWrites, visible, workIsDone } from '../../guarantees.ts'
import { type PresetName, presetNames } from '../../presets.ts'
import type { Claim, ClaimCase } from '../claim.ts'
import { appendsNothing, endsNothing, lost, model, producing, twice, zombie } from './cases.ts'

const connected = 'no transaction is ended by a session whose successor is connected'
const duel = 'every session but the last was fenced, all restarts are used up, and there is no output'
const hearsNothing = 'a partition has heard of no epoch above that of a session that was replaced'

/** They meet as often as they may start: each start fences the other one. */
const duelling = {
  application: 'produce',
  outputPartitions: 1,
  inputs: 1,
  attempts: 1,
  restarts: 2,
  rebalances: 3,
  survivors: 0,
}
const rounds = [
  'StartBeside(client: 1)',
  'the producer is closed',
  'StartBeside(client: 0)',
  'the producer is closed',
  'StartBeside(client: 1)',
]

/** KafkaJS asks for an epoch when its first transaction begins, and speaks the first version of the protocol. */
const lateInit = { ...zombie, fetchOffsets: 'before init' }

/** A batch of a first transaction that was given up comes when another session has its epoch. */
const lateBatch = { ...producing, deliveryTimeouts: 1, flushBeforeCommit: true }

export const sessionClaims: readonly Claim[] = [
  {
    id: 'claim-F1',
    claim: 'an instance that wakes up after its successor has initialised produces nothing that is visible',
    stands: 'holds',
    sources: ['KIP-98', 'KIP-890', 'ProducerAppendInfo.checkProducerEpoch'],
    table: { rows: 'version', columns: 'switched off' },
    cases: [
      ...presetNames.map(
        (preset): ClaimCase => ({
          name: preset,
          cell: { row: preset, column: 'nothing' },
          model,
          preset,
          config: zombie,
          expected: { [fencedWrites]: 'proved', [twice]: 'proved', [lost]: 'proved' },
        }),
      ),
      ...presetNames.flatMap(stoppedBy),
      {
        name: 'kafka-4.4, without the epoch of the successor',
        model,
        config: zombie,
        without: ['epoch bump at initialisation'],
        expected: { [fencedWrites]: 'violated' },
        shows: {
          [fencedWrites]: [
            'Pause(client: 0)',
            'InitProducerId reply error=NONE producerEpoch=0',
            'InitProducerId reply error=NONE producerEpoch=0',
            'marker commit',
          ],
        },
        because: 'both sessions have the same epoch, and nothing can tell them apart',
      },
    ],
  },
  {
    id: 'claim-F2',
    claim: 'the end of a transaction by an instance whose successor has initialised changes nothing',
    stands: 'holds',
    sources: ['KIP-98', 'TransactionCoordinator.endTransaction'],
    cases: [
      ...presetNames.map(
        (preset): ClaimCase => ({
          name: preset,
          model,
          preset,
          config: zombie,
          expected: { [endsNothing]: 'proved' },
        }),
      ),
      {
        name: 'kafka-4.4, without the check of the coordinator',
        model,
        config: zombie,
        without: ['coordinator epoch check'],
        expected: { [endsNothing]: 'violated' },
        shows: { [endsNothing]: ['Pause(client: 0)', 'Start(client: 1)', 'HandleEndTxn'] },
      },
    ],
  },
  {
    id: 'claim-F4',
    claim:
      'two live instances with one transactional.id that start again when they are fenced break nothing, but may close each other as often as they start before anything is written',
    stands: 'holds',
    sources: ['ProducerFencedException', 'KafkaProducer.initTransactions'],
    cases: [
      ...presetNames.map(
        (preset): ClaimCase => ({
          name: `${preset}, each starts twice`,
          model,
          preset,
          config: duelling,
          expected: { [fencedWrites]: 'proved', [visible]: 'proved', [duel]: 'witnessed' },
          shows: { [duel]: rounds },
        }),
      ),
      {
        name: 'whoever starts last',
        model,
        config: { ...duelling, liveness: true },
        expected: { [workIsDone]: 'proved' },
        because: 'nobody is left to fence it: only without an end to the starts there is none to the duel',
      },
      ...presetNames.map(
        (preset): ClaimCase => ({
          name: `${preset}, both read the input`,
          model,
          preset,
          config: { outputPartitions: 1, inputs: 1, attempts: 1, rebalances: 1 },
          expected: { [fencedWrites]: 'proved', [twice]: 'proved', [lost]: 'proved' },
        }),
      ),
    ],
  },
  {
    id: 'claim-F5',
    claim:
      'where a client initialises its transactional.id at the first transaction and not when it connects, the commit of a zombie still succeeds in between, and never after it',
    stands: 'holds',
    sources: ['KafkaProducer.initTransactions', 'KafkaJS documentation: Transactions'],
    cases: [
      ...[{}, { flags: { clientVersion: 1 }, groupMetadata: 'group id only' }].map(
        (client, index): ClaimCase => ({
          name: index === 0 ? 'at the first transaction' : 'kafkajs, at the first transaction',
          model,
          config: { ...lateInit, ...client },
          expected: { [connected]: 'violated', [endsNothing]: 'proved' },
          shows: {
            [connected]: ['EndTxn producerEpoch=0 result=commit', 'Start(client: 1)', 'HandleEndTxn'],
          },
        }),
      ),
      {
        name: 'when it connects',
        model,
        config: zombie,
        expected: { [connected]: 'proved', [endsNothing]: 'proved' },
        because: 'there is nothing that it does before it asks for its epoch',
      },
    ],
  },
  {
    id: 'claim-F10',
    claim: 'a new session cuts the old epoch off at once, and everywhere',
    stands: 'refuted',
    sources: ['KIP-890', 'ProducerAppendInfo.checkProducerEpoch', 'AddPartitionsToTxnManager'],
    cases: [
      ...(['kafka-2.5', 'kafka-3.9', 'kafka-4.4'] as const).map(
        (preset): ClaimCase => ({
          name: `${preset}, a partition that takes no part`,
          model,
          preset,
          config: producing,
          expected: { [hearsNothing]: 'witnessed' },
          shows: {
            [hearsNothing]: ['Pause(client: 0)', 'Start(client: 1)', 'Empty partitions=[] producerEpoch=1'],
          },
          because: 'only markers carry epochs to partitions, and none is written where nothing is open',
        }),
      ),
      {
        name: 'kafka-2.5, a late batch',
        model,
        preset: 'kafka-2.5',
        config: lateBatch,
        expected: { [appendsNothing]: 'violated', [fencedWrites]: 'violated' },
        shows: {
          [appendsNothing]: [
            'ExpireBatch',
            'marker abort',
            'Start(client: 1)',
            'Empty partitions=[] producerEpoch=1',
            'HandleProduce(client: 0',
          ],
          [fencedWrites]: ['Start(client: 1)', 'HandleProduce(client: 0', 'marker commit'],
        },
        because: 'the partition asks nobody, and has heard of no other epoch',
      },
      ...(['kafka-3.9', 'kafka-4.1', 'kafka-4.4', 'kafka-4.4-tv1'] as const).map(
        (preset): ClaimCase => ({
          name: `${preset}, a late batch`,
          model,
          preset,
          config: lateBatch,
          expected: { [appendsNothing]: 'proved', [fencedWrites]: 'proved' },
          because: 'the partition asks the coordinator first, which has heard of the new epoch',
        }),
      ),
    ],
  },
]

/**
 * Which defence stops a zombie where its transaction was: the partition's own check of the epoch, beside which a guard
 * that came with the marker is as good since 4.0. Where it had none, the coordinator is asked.
 */
function stoppedBy(preset: PresetName): ClaimCase[] {
  const guarded = preset.startsWith('kafka-4.')
  const inPartition = ['Pause(client: 0)', 'marker abort', 'producerEpoch=0 (appended)', 'marker commit']
  const elsewhere = [
    'Pause(client: 0)',
    'Empty partitions=[] producerEpoch=1',
    'Ongoing partitions=[0] producerEpoch=1',
    'producerEpoch=0 (appended)',
    'marker commit',
  ]
  const off = (without: readonly string[], shows?: readonly string[]): ClaimCase => ({
    name: `${preset}, without ${without.join(' and ')}`,
    cell: { row: preset, column: without.join(' and ') },
    model,
    preset,
    config: producing,
    without,
    expected: { [fencedWrites]: shows === undefined ? 'proved' : 'violated' },
    ...(shows === undefined ? {} : { shows: { [fencedWrites]: shows } }),
  })
  return [
    ...(guarded
      ? [
          off(['partition epoch check']),
          off(['verification guard']),
          off(['partition epoch check', 'verification guard'], inPartition),
        ]
      : [off(['partition epoch check'], inPartition)]),
    off(['coordinator epoch check'], elsewhere),
  ]
}
