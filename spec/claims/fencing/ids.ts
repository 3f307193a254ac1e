/** What a transactional.id is made of, how long it is known, and which producer it stands for. */
import { fencedWrites } from '../../guarantees.ts'
import { presetNames } from '../../presets.ts'
import type { Claim, ClaimCase } from '../claim.ts'
import {
  appendsNothing,
  byGroup,
  endsNothing,
  freshIds,
  getPast,
  lost,
  model,
  producing,
  startsAfter,
  takeover,
  twice,
} from './cases.ts'

const stableIds = { ...freshIds, transactionalIds: 'own', transactionTimeouts: 0 }
const waits = 'a session waits for the timeout of what a dead one left open'
const sameId = 'a transactional.id keeps its producer id'
const otherId = [
  'the transactional.id expires',
  'InitProducerId reply error=NONE producerEpoch=0 producerId=1',
]
const unknown = 'a replaced producer is told that its id is unknown'

export const idClaims: readonly Claim[] = [
  {
    id: 'claim-F3',
    claim:
      'with a transactional.id that is new at each start nobody is fenced by it: only the generation of the group and stable offsets keep outputs from being there twice, and they have the next session wait for a timeout',
    stands: 'holds',
    sources: ['transactional.id', 'KIP-447', 'transaction.timeout.ms'],
    cases: [
      ...presetNames.map((preset) => byGroup(preset, freshIds, takeover)),
      {
        name: 'kafka-4.4, without generation and stable offsets',
        model,
        config: { ...freshIds, flags: { groupFencing: false, requireStable: false } },
        expected: { [twice]: 'violated' },
        shows: { [twice]: takeover },
      },
      ...presetNames
        .filter((preset) => preset !== 'kafka-1.1')
        .map(
          (preset): ClaimCase => ({
            name: `${preset}, what the next session waits for`,
            model,
            preset,
            config: { ...freshIds, transactionTimeouts: 0 },
            expected: { [waits]: 'witnessed', [getPast]: 'violated' },
            shows: {
              [waits]: ['offset offset=0', 'Crash(client: 0)', 'Start(client: 0)', 'JoinGroup'],
              [getPast]: ['offset offset=0', 'Crash(client: 0)', 'Start(client: 0)', 'JoinGroup'],
            },
            because: 'without a timeout it waits for ever',
          }),
        ),
      {
        name: 'kafka-2.5, after the timeout',
        model,
        preset: 'kafka-2.5',
        config: { ...freshIds, attempts: 1, transactionTimeouts: 2, survivors: 0 },
        expected: { [getPast]: 'proved', [twice]: 'proved', [lost]: 'proved' },
        because: 'two transactions, and a timeout for each',
      },
    ],
  },
  {
    id: 'claim-F11',
    claim: 'the producer id of a transactional.id never changes',
    stands: 'refuted',
    sources: [
      'TransactionMetadata.prepareProducerIdRotation',
      'transactional.id.expiration.ms',
      'TransactionMetadata.prepareComplete',
    ],
    cases: [
      {
        name: 'kafka-4.4, every end takes an epoch',
        model,
        config: { ...producing, instances: 1, pauses: 0, inputs: 3, attempts: 3, maxEpoch: 2 },
        expected: { [sameId]: 'violated' },
        shows: {
          [sameId]: [
            'PrepareCommit partitions=[0] producerEpoch=2',
            'EndTxn reply error=NONE producerEpoch=0 producerId=1',
          ],
        },
      },
      {
        name: 'kafka-3.9, every start takes an epoch',
        model,
        preset: 'kafka-3.9',
        config: { ...producing, crashes: 1, restarts: 1, maxEpoch: 2, survivors: 0 },
        expected: { [sameId]: 'violated' },
        shows: {
          [sameId]: [
            'Empty partitions=[] producerEpoch=1',
            'Start(client: 1)',
            'producerEpoch=0 producerId=1',
          ],
        },
      },
      {
        name: 'the transactional.id expires',
        model,
        config: { ...producing, idExpirations: 1 },
        expected: { [sameId]: 'violated' },
        shows: {
          [sameId]: otherId,
        },
      },
      {
        name: 'epochs are left, and it does not expire',
        model,
        config: producing,
        expected: { [sameId]: 'proved' },
      },
    ],
  },
  {
    id: 'claim-F12',
    claim:
      'when a transactional.id was idle until it expired, the next instance gets another producer id, and whoever has the old one is refused',
    stands: 'holds',
    sources: ['transactional.id.expiration.ms', 'TransactionStateManager.removeExpiredTransactionalIds'],
    cases: presetNames.map(
      (preset): ClaimCase => ({
        name: preset,
        model,
        preset,
        config: { ...producing, idExpirations: 1 },
        expected: {
          [sameId]: 'violated',
          [unknown]: 'witnessed',
          [fencedWrites]: 'proved',
          [endsNothing]: 'proved',
          [appendsNothing]: 'proved',
        },
        shows: {
          [sameId]: otherId,
          [unknown]: ['Pause(client: 0)', 'the transactional.id expires', 'INVALID_PRODUCER_ID_MAPPING'],
        },
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
