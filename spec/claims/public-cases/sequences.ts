/** Defects of clients that lost count: the partition forgot them, or does not remember as much as they send. */
import { hanging, inOrder, notHeldUp } from '../../guarantees.ts'
import { kafka } from '../../model.ts'
import { anyModel, type Claim, type ClaimCase } from '../claim.ts'
import { retryDefects } from '../retries.ts'

const model = anyModel(kafka)
const twoNumbers = 'no batch is in the log under two sequences'
const inParts = 'a committed transaction is visible in one partition and not yet in another'
const idempotent = { application: 'produce', instances: 1, outputPartitions: 1, producer: 'idempotent' }

const policies = {
  fatal: 'the producer is closed',
  'reset if truncated': 'as in the version',
  'reset always': 'the sequence is reset',
} as const
type Policy = keyof typeof policies

export const sequenceCases: readonly Claim[] = [
  {
    id: 'KAFKA-5793',
    claim:
      'when the last record of a producer is deleted the partition forgets the producer, and a batch whose reply was lost is appended again',
    stands: 'holds within limits',
    sources: ['KAFKA-5793', 'KAFKA-7190', 'KIP-360', 'ProducerStateManager.truncateHead'],
    cases: [
      ...[true, false].map(stateOfDeleted),
      ...(Object.keys(policies) as Policy[]).flatMap((policy) => [
        reset(policy, 'deletedRecords'),
        reset(policy, 'producerExpirations'),
      ]),
    ],
  },
  {
    id: 'KIP-890-buggy-client',
    claim: 'a client writes to a partition that it has not added to its transaction',
    stands: 'holds within limits',
    sources: ['KIP-890', 'KAFKA-14402'],
    cases: (['kafka-1.1', 'kafka-2.5', 'kafka-3.6', 'kafka-3.9', 'kafka-4.4-tv1'] as const).map(notAdded),
  },
  ...retryDefects,
]

function stateOfDeleted(dies: boolean): ClaimCase {
  return {
    name: dies ? 'the state dies with the records' : 'the state stays',
    model,
    config: {
      ...idempotent,
      inputs: 1,
      deletedRecords: 1,
      lostReplies: 1,
      flags: { stateDiesWithRecords: dies },
    },
    expected: { [inOrder]: dies ? 'violated' : 'proved' },
    ...(dies
      ? { shows: { [inOrder]: ['data offset=0', 'Produce reply (lost)', 'DeleteRecords', 'data offset=1'] } }
      : {}),
  }
}

/** What a client makes of UNKNOWN_PRODUCER_ID when its second batch is in doubt, and why the partition knows it no more. */
function reset(policy: Policy, fault: 'deletedRecords' | 'producerExpirations'): ClaimCase {
  const deleted = fault === 'deletedRecords'
  const repeats = policy === 'reset always' || (policy === 'reset if truncated' && deleted)
  const forgets = deleted ? 'DeleteRecords' : 'ExpireProducer'
  const steps = ['data offset=1', 'Produce reply (lost)', forgets, 'UNKNOWN_PRODUCER_ID', 'data offset=2']
  return {
    name: `${policy}: ${deleted ? 'the records are deleted' : 'the producer expires'}`,
    model,
    preset: 'kafka-1.1',
    config: { ...idempotent, inputs: 2, [fault]: 1, lostReplies: 1, sequenceErrors: policies[policy] },
    expected: { [twoNumbers]: repeats ? 'violated' : 'proved' },
    ...(repeats ? { shows: { [twoNumbers]: steps } } : {}),
    ...(repeats && policy !== 'reset always'
      ? {
          because:
            'that the batch in doubt was written and deleted too cannot be told from the start of the log',
        }
      : {}),
  }
}

/** The coordinator knows one of two partitions. */
function notAdded(preset: NonNullable<ClaimCase['preset']>): ClaimCase {
  const verifies = preset !== 'kafka-1.1' && preset !== 'kafka-2.5'
  const written = ['AddPartitionsToTxn', 'partition: 1', 'data offset=0']
  return {
    name: `${preset}, ${verifies ? 'which verifies partitions' : 'which verifies nothing'}`,
    model,
    preset,
    config: {
      application: 'produce',
      instances: 1,
      inputs: 1,
      outputPartitions: 2,
      addedPartitions: 'all but the last',
      liveness: true,
    },
    expected: {
      [hanging]: verifies ? 'proved' : 'violated',
      [inParts]: verifies ? 'unwitnessed' : 'witnessed',
      [notHeldUp]: verifies ? 'proved' : 'violated',
    },
    ...(verifies
      ? { because: 'the coordinator does not confirm the partition, and the transaction is aborted' }
      : {
          shows: {
            [hanging]: written,
            [inParts]: [...written, 'PrepareCommit', 'marker commit'],
            [notHeldUp]: written,
          },
        }),
  }
}
