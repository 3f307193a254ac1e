/** Defects of brokers and of the protocol, found again with the rules of their time and gone with those of today. */
import { atomic, fencedWrites, gaps, hanging, remembers, verifiedStart, visible } from '../../guarantees.ts'
import { kafka } from '../../model.ts'
import { presetNames } from '../../presets.ts'
import { anyModel, type Claim, type ClaimCase } from '../claim.ts'

const model = anyModel(kafka)
const produce = { application: 'produce', instances: 1, outputPartitions: 1 }
const givenUp = { ...produce, flushBeforeCommit: true, deliveryTimeouts: 1 }
const marked = 'every participant gets its marker'
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
        expected: { [hanging]: 'violated' },
        shows: { [hanging]: lateBatch },
      },
      {
        name: 'kafka-2.5 with verification',
        model,
        preset: 'kafka-2.5',
        config: { ...givenUp, attempts: 1, inputs: 1, flags: { verification: 'epochBlind' } },
        expected: { [hanging]: 'proved' },
      },
      {
        name: 'kafka-2.5, the coordinator aborts after a timeout',
        model,
        preset: 'kafka-2.5',
        config: { ...produce, attempts: 1, inputs: 1, transactionTimeouts: 1, crashes: 1 },
        expected: { [hanging]: 'proved' },
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
    cases: [
      ...[false, true].flatMap((verify) =>
        [false, true].map((raises): ClaimCase => {
          const passes = verify && raises
          return {
            name: `verification ${verify ? 'on' : 'off'}, the client ${raises ? 'raises its epoch' : 'does not raise its epoch'}`,
            model,
            preset: 'kafka-3.9',
            config: {
              ...givenUp,
              flags: {
                clientEpochBump: raises,
                ...(verify ? {} : { verification: 'off', verifyOffsets: false }),
              },
            },
            expected: { [visible]: passes ? 'proved' : 'violated' },
            ...(passes ? {} : { shows: { [visible]: [...lateBatch, 'marker commit'] } }),
          }
        }),
      ),
      {
        name: 'kafka-4.4',
        model,
        config: givenUp,
        expected: { [visible]: 'proved' },
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
        expected: { [hanging]: 'violated', [verifiedStart]: 'violated' },
        shows: {
          [hanging]: ['VerifyPartition', 'marker abort', 'AppendVerified'],
          [verifiedStart]: ['VerifyPartition', 'AppendVerified'],
        },
      },
      {
        name: 'with the guard',
        model,
        preset: 'kafka-3.9',
        config: { ...givenUp, inputs: 1, attempts: 1 },
        expected: { [hanging]: 'proved', [verifiedStart]: 'proved' },
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
        expected: { [hanging]: 'violated' },
        shows: { [hanging]: ['Pause(client: 0)', 'marker abort', 'data offset='] },
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
    cases: [[], ['lowest sequence of a guard', 'sequence zero rule']].map((without): ClaimCase => {
      const enters = without.length > 0
      return {
        name: enters ? 'without the rule of the lowest sequence' : 'with it',
        model,
        config: { ...produce, inputs: 1, recordsPerOutput: 2, maxInFlight: 2, refusedBatches: 1 },
        without,
        expected: { [gaps]: enters ? 'violated' : 'proved' },
        ...(enters
          ? {
              shows: { [gaps]: ['VerifyPartition', 'NOT_ENOUGH_REPLICAS', 'part=1', 'AppendVerified'] },
              because:
                'since KAFKA-18654 an empty entry accepts sequence 0 only, so that both rules have to go',
            }
          : {}),
      }
    }),
  },
  {
    id: 'KAFKA-9749',
    claim: 'a marker whose answer is an error is not sent again, and its transaction is never completed',
    stands: 'holds within limits',
    sources: ['KAFKA-9749', 'TransactionMarkerRequestCompletionHandler.onComplete'],
    cases: [[], ['markers are sent again']].map((without): ClaimCase => {
      const once = without.length > 0
      return {
        name: once ? 'not sent again after a change of the leader' : 'sent again to the new leader',
        model,
        config: { ...produce, inputs: 1, leaderChanges: 1 },
        without,
        expected: { [marked]: once ? 'violated' : 'proved' },
        ...(once ? { shows: { [marked]: ['PrepareCommit', 'marker commit', 'ChangeLeader'] } } : {}),
      }
    }),
  },
  {
    id: 'Kafka-system-test',
    claim: 'there is one committed copy of every input when brokers fail',
    stands: 'holds',
    sources: ['transactions_test.py'],
    cases: presetNames.map(
      (preset): ClaimCase => ({
        name: preset,
        model,
        preset,
        config: { instances: 1, outputPartitions: 1, coordinatorFailovers: 1, leaderChanges: 1 },
        expected: {
          [atomic]: 'proved',
          [remembers]: 'proved',
          'no input is lost': 'proved',
          'no output is there twice': 'proved',
        },
      }),
    ),
  },
]
