/** Defects of brokers and of the protocol, found again with the rules of their time and gone with those of today. */
import {
  atomic,
  fencedWrites,
  gaps,
  hanging,
  remembers,
  verifiedStart,
  visible,
  workIsDone,
} from '../../guarantees.ts'
import { kafka } from '../../model.ts'
import { presetNames } from '../../presets.ts'
import { anyModel, type Claim, type ClaimCase } from '../claim.ts'

const model = anyModel(kafka)
const produce = { application: 'produce', instances: 1, outputPartitions: 1 }
const pipelined = { ...produce, inputs: 1, recordsPerOutput: 2, maxInFlight: 2 }
const brokersFail = { instances: 1, outputPartitions: 1, coordinatorFailovers: 1, leaderChanges: 1 }
const givenUp = { ...produce, flushBeforeCommit: true, deliveryTimeouts: 1 }
const getPast = 'readers get past every transaction'
const twice = 'no output is there twice'
const beginsAtZero = 'a producer that is not known begins with sequence 0'
const outOfOrder = 'OUT_OF_ORDER_SEQUENCE_NUMBER'
const groupDecided = 'offsets in a transaction are decided at last'
const lateOffset = ['TxnOffsetCommit', 'late', 'offset offset=']
const lateBatch = ['ExpireBatch', 'marker abort', 'data offset=']

export const brokerCases: readonly Claim[] = [
  {
    id: 'KAFKA-14402',
    claim: 'a batch that comes after the abort marker opens a transaction that nobody closes',
    stands: 'holds within limits',
    sources: ['KAFKA-14402', 'KIP-890'],
    cases: [
      {
        name: 'kafka-2.5',
        model,
        preset: 'kafka-2.5',
        config: { ...givenUp, attempts: 1, inputs: 1 },
        expected: { [hanging]: 'violated', [getPast]: 'violated' },
        shows: { [hanging]: lateBatch, [getPast]: lateBatch },
      },
      {
        name: 'kafka-2.5 with verification',
        model,
        preset: 'kafka-2.5',
        config: { ...givenUp, attempts: 1, inputs: 1, flags: { verification: 'epochBlind' } },
        expected: { [hanging]: 'proved', [getPast]: 'proved' },
      },
      {
        name: 'kafka-2.5, the coordinator aborts after a timeout',
        model,
        preset: 'kafka-2.5',
        config: { ...produce, attempts: 1, inputs: 1, transactionTimeouts: 1, crashes: 1 },
        expected: { [hanging]: 'proved', [getPast]: 'proved' },
        because: 'that abort raises the epoch: the batch that is under way is of an old one',
      },
    ],
  },
  {
    id: 'KIP-890-next-transaction',
    claim:
      'a batch that comes after the abort marker becomes part of the next transaction in the partition and is committed with it',
    stands: 'holds within limits',
    sources: ['KIP-890', 'KIP-360'],
    table: { rows: 'verification', columns: 'the client after an abort' },
    cases: [
      ...[false, true].flatMap((verify) =>
        [false, true].map((raises): ClaimCase => {
          const passes = verify && raises
          const verdict = passes ? 'proved' : 'violated'
          const joined = [...lateBatch, 'marker commit']
          return {
            name: `verification ${verify ? 'on' : 'off'}, the client ${raises ? 'raises its epoch' : 'does not raise its epoch'}`,
            cell: { row: verify ? 'on' : 'off', column: raises ? 'raises its epoch' : 'does not' },
            model,
            preset: 'kafka-3.9',
            config: {
              ...givenUp,
              flags: {
                clientEpochBump: raises,
                ...(verify ? {} : { verification: 'off', verifyOffsets: false }),
              },
            },
            expected: { [visible]: verdict, [twice]: verdict },
            ...(passes ? {} : { shows: { [visible]: joined, [twice]: joined } }),
          }
        }),
      ),
      {
        name: 'kafka-4.4',
        model,
        config: givenUp,
        expected: { [visible]: 'proved', [twice]: 'proved' },
      },
    ],
  },
  {
    id: 'KAFKA-14884',
    claim: 'the abort marker comes between the verification of a batch and its append',
    stands: 'holds within limits',
    sources: ['KAFKA-14884', 'VerificationStateEntry'],
    cases: [
      {
        name: 'without the guard',
        model,
        preset: 'kafka-3.9',
        config: { ...givenUp, inputs: 1, attempts: 1 },
        without: ['verification guard'],
        expected: { [hanging]: 'violated', [getPast]: 'violated', [verifiedStart]: 'violated' },
        shows: {
          [getPast]: ['VerifyPartition', 'marker abort', 'AppendVerified'],
          [hanging]: ['VerifyPartition', 'marker abort', 'AppendVerified'],
          [verifiedStart]: ['VerifyPartition', 'AppendVerified'],
        },
      },
      {
        name: 'with the guard',
        model,
        preset: 'kafka-3.9',
        config: { ...givenUp, inputs: 1, attempts: 1 },
        expected: { [hanging]: 'proved', [getPast]: 'proved', [verifiedStart]: 'proved' },
      },
    ],
  },
  {
    id: 'KAFKA-15449',
    claim:
      'a transactional offset commit that comes after the abort leaves the offsets of the group undecided',
    stands: 'holds within limits',
    sources: ['KAFKA-15449', 'KIP-890'],
    cases: ['kafka-3.6', 'kafka-3.9'].map((name): ClaimCase => {
      const verifies = name === 'kafka-3.9'
      return {
        name,
        model,
        preset: verifies ? 'kafka-3.9' : 'kafka-3.6',
        config: { instances: 1, outputPartitions: 1, lateRequests: 1 },
        expected: {
          [hanging]: verifies ? 'proved' : 'violated',
          [groupDecided]: verifies ? 'proved' : 'violated',
        },
        ...(verifies ? {} : { shows: { [hanging]: lateOffset, [groupDecided]: lateOffset } }),
      }
    }),
  },
  {
    id: 'KAFKA-5231',
    claim:
      'the abort on behalf of a new session does not raise the epoch, and the old session writes after it',
    stands: 'holds within limits',
    sources: ['KAFKA-5231', 'TransactionMetadata.prepareFenceProducerEpoch'],
    cases: [
      {
        name: 'without the raised epoch',
        model,
        preset: 'kafka-2.5',
        config: { outputPartitions: 1, inputs: 1, pauses: 1 },
        without: ['epoch bump at fencing abort'],
        expected: { [hanging]: 'violated', [fencedWrites]: 'violated' },
        shows: {
          [hanging]: ['Pause(client: 0)', 'marker abort', 'data offset='],
          [fencedWrites]: ['Pause(client: 0)', 'marker abort', 'data offset=', 'marker commit'],
        },
      },
      {
        name: 'with it',
        model,
        preset: 'kafka-2.5',
        config: { outputPartitions: 1, inputs: 1, pauses: 1 },
        expected: { [hanging]: 'proved', [fencedWrites]: 'proved' },
      },
    ],
  },
  {
    id: 'KAFKA-14920',
    claim:
      'the first batch of a transaction is refused after its verification, and the second one enters first',
    stands: 'holds within limits',
    sources: ['KAFKA-14920', 'ProducerAppendInfo.checkSequence'],
    cases: [
      ...[[], ['lowest sequence of a guard', 'sequence zero rule']].map((without) => overtaking(without)),
      ...[[], ['lowest sequence of a guard']].map((without) => overtakingInVersionOne(without)),
      ...[[], ['lowest sequence of a guard', 'sequence zero rule']].map((without) =>
        repeatedForEver(without),
      ),
    ],
  },
  {
    id: 'Kafka-system-test',
    claim: 'there is one committed copy of every input when brokers fail',
    stands: 'holds',
    sources: ['transactions_test.py'],
    cases: presetNames
      .map(
        (preset): ClaimCase => ({
          name: preset,
          model,
          preset,
          config: brokersFail,
          expected: {
            [atomic]: 'proved',
            [remembers]: 'proved',
            'no input is lost': 'proved',
            [twice]: 'proved',
          },
        }),
      )
      .concat([
        {
          name: 'each input is processed at last',
          model,
          config: {
            ...brokersFail,
            inputs: 1,
            liveness: true,
          },
          expected: { [workIsDone]: 'proved', [atomic]: 'proved' },
        },
        {
          name: 'a broker reads its state from a snapshot as well',
          model,
          config: {
            ...brokersFail,
            inputs: 1,
            snapshotReloads: 1,
            faults: 2,
          },
          expected: { [atomic]: 'proved', 'no input is lost': 'proved', [twice]: 'proved' },
        },
      ]),
  },
]

function ruleOf(without: readonly string[]): string {
  return without.length > 0 ? 'without the rule of the lowest sequence' : 'with it'
}

/** The first of two batches is refused by the replicas when it has been verified. */
function overtaking(without: readonly string[]): ClaimCase {
  const enters = without.length > 0
  return {
    name: ruleOf(without),
    model,
    config: { ...pipelined, refusedBatches: 1 },
    without,
    expected: { [gaps]: enters ? 'violated' : 'proved' },
    ...(enters
      ? {
          shows: { [gaps]: ['VerifyPartition', 'NOT_ENOUGH_REPLICAS', 'part=1', 'AppendVerified'] },
          because: 'since KAFKA-18654 an empty entry accepts sequence 0 only, so that both rules have to go',
        }
      : {}),
  }
}

/**
 * The same under the rules of the report. There the verification itself was refused while the coordinator moved, which
 * the client is told in the same words (ReplicaManager.handleProduceAppend).
 */
function overtakingInVersionOne(without: readonly string[]): ClaimCase {
  const enters = without.length > 0
  return {
    name: `kafka-3.9, ${ruleOf(without)}`,
    model,
    preset: 'kafka-3.9',
    config: { ...pipelined, refusedBatches: 1 },
    without,
    expected: { [beginsAtZero]: enters ? 'violated' : 'proved' },
    ...(enters ? { shows: { [beginsAtZero]: ['NOT_ENOUGH_REPLICAS', 'sequence=1', 'AppendVerified'] } } : {}),
  }
}

/** Once the second batch is acknowledged, the client takes the first for one that came too early. */
function repeatedForEver(without: readonly string[]): ClaimCase {
  const enters = without.length > 0
  return {
    name: `the first batch is sent again and again, ${ruleOf(without)}`,
    model,
    config: { ...pipelined, refusedBatches: 1, liveness: true },
    without,
    expected: { [workIsDone]: enters ? 'violated' : 'proved' },
    ...(enters
      ? { shows: { [workIsDone]: ['NOT_ENOUGH_REPLICAS', 'sequence=1', 'data offset=0', outOfOrder] } }
      : {}),
  }
}
