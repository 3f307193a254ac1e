/** What is said of fencing. */
import { clientProfiles } from '../clients.ts'
import { atomic, fencedWrites } from '../guarantees.ts'
import { kafka } from '../model.ts'
import { type PresetName, presetNames } from '../presets.ts'
import { anyModel, type Claim, type ClaimCase } from './claim.ts'

const model = anyModel(kafka)
const lost = 'no input is lost'
const twice = 'no output is there twice'
const endsNothing = 'fenced sessions end no transaction'
const startsAfter = 'a session starts when the transactions before it are finished'
const getPast = 'readers get past every transaction'

const zombie = { outputPartitions: 1, inputs: 1, attempts: 2, pauses: 1 }
const ownIds = { ...zombie, transactionalIds: 'own', pauses: 0, rebalances: 1 }
const freshIds = {
  transactionalIds: 'fresh',
  instances: 1,
  inputs: 1,
  outputPartitions: 1,
  crashes: 1,
  restarts: 1,
  transactionTimeouts: 1,
}
const stableIds = { ...freshIds, transactionalIds: 'own', transactionTimeouts: 0 }
const takeover = ['Crash(client: 0)', 'Start(client: 0)', 'marker commit', 'marker commit']

export const fencingClaims: readonly Claim[] = [
  {
    id: 'claim-F1',
    claim: 'an instance that wakes up after its successor has initialised produces nothing that is visible',
    stands: 'holds',
    sources: ['KIP-98', 'ProducerAppendInfo.checkProducerEpoch'],
    cases: [
      ...presetNames.map(
        (preset): ClaimCase => ({
          name: preset,
          model,
          preset,
          config: zombie,
          expected: { [fencedWrites]: 'proved', [twice]: 'proved', [lost]: 'proved' },
        }),
      ),
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
    id: 'claim-F3',
    claim:
      'with a transactional.id that is new at each start nobody is fenced by it: only the generation of the group and stable offsets keep outputs from being there twice',
    stands: 'holds',
    sources: ['transactional.id', 'KIP-447'],
    cases: presetNames.map((preset) => byGroup(preset, freshIds, takeover)),
  },
  {
    id: 'claim-F7',
    claim:
      'after a rebalance a transactional offset commit of the old generation is refused, if it names its owner',
    stands: 'holds within limits',
    sources: ['KIP-447', 'ClassicGroup.validateOffsetCommit'],
    cases: [
      ...presetNames.map((preset) =>
        byGroup(preset, ownIds, ['StartBeside(client: 1)', 'marker commit', 'marker commit']),
      ),
      ...presetNames.map(
        (preset): ClaimCase => ({
          name: `${preset}, by bare group id`,
          model,
          preset,
          config: { ...ownIds, groupMetadata: 'group id only' },
          expected: { [twice]: 'violated' },
          shows: { [twice]: ['StartBeside(client: 1)', 'marker commit', 'marker commit'] },
        }),
      ),
    ],
  },
  {
    id: 'claim-F13',
    claim: 'clients that send the offsets of a transaction by bare group id are not fenced by the group',
    stands: 'holds',
    sources: ['KIP-447', 'ConsumerGroupMetadata'],
    table: { rows: 'client' },
    cases: clientProfiles.flatMap(({ name, settings: { groupMetadata } }): ClaimCase[] => {
      if (groupMetadata === undefined) return []
      const isFenced = groupMetadata === 'owner'
      const again = ['StartBeside(client: 1)', 'marker commit', 'marker commit']
      return [
        {
          name,
          cell: { row: `${name}: ${groupMetadata}` },
          model,
          config: { ...ownIds, client: name, isolation: 'read_committed' },
          expected: { [twice]: isFenced ? 'proved' : 'violated' },
          ...(isFenced ? {} : { shows: { [twice]: again } }),
        },
      ]
    }),
  },
  {
    id: 'claim-F8',
    claim:
      'a transaction whose timeout is shorter than its processing is aborted, the work is repeated, and nothing is lost or there twice',
    stands: 'holds',
    sources: ['transaction.timeout.ms', 'KIP-588'],
    cases: presetNames.map(
      (preset): ClaimCase => ({
        name: preset,
        model,
        preset,
        config: { instances: 1, inputs: 1, outputPartitions: 1, transactionTimeouts: 1, restarts: 1 },
        expected: { [atomic]: 'proved', [twice]: 'proved', [lost]: 'proved' },
      }),
    ),
  },
  {
    id: 'claim-F15',
    claim:
      'a transactional.id made from a name that changes at each start fences nobody, and what the start before it left open waits for its timeout; one made from a stable ordinal finishes it at once',
    stands: 'holds',
    sources: ['transactional.id', 'KafkaProducer.initTransactions'],
    cases: [
      ...(['kafka-1.1', 'kafka-2.5', 'kafka-4.4'] as const).map((preset) => ({
        ...byGroup(preset, freshIds, takeover),
        name: `changing names, ${preset}`,
      })),
      {
        name: 'changing names, and no timeout yet',
        model,
        config: { ...freshIds, transactionTimeouts: 0 },
        expected: { [getPast]: 'violated' },
        shows: { [getPast]: ['offset offset=0', 'Crash(client: 0)', 'Start(client: 0)', 'JoinGroup'] },
        because: 'the next start has another producer id, and its offsets wait for what is open',
      },
      ...presetNames.map(
        (preset): ClaimCase => ({
          name: `stable ordinals, ${preset}`,
          model,
          preset,
          config: stableIds,
          expected: { [startsAfter]: 'proved', [getPast]: 'proved', [twice]: 'proved', [lost]: 'proved' },
        }),
      ),
    ],
  },
]

/** Without generation and stable offsets, which came with KIP-447, nothing keeps the old owner's work apart. */
function byGroup(preset: PresetName, config: ClaimCase['config'], shows: readonly string[]): ClaimCase {
  const unfenced = preset === 'kafka-1.1'
  return {
    name: preset,
    model,
    preset,
    config,
    expected: { [twice]: unfenced ? 'violated' : 'proved' },
    ...(unfenced ? { shows: { [twice]: shows } } : {}),
  }
}
