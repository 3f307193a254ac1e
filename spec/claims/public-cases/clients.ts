/** Defects that show in what clients and applications do, and a report that must not come out as a defect. */
import { acknowledged, inOrder, mixing, noRival, visible, whole } from '../../guarantees.ts'
import { kafka } from '../../model.ts'
import { presetNames } from '../../presets.ts'
import { anyModel, type Claim, type ClaimCase } from '../claim.ts'
import { crashPointCases, twoPhaseSinkCases } from '../outside/recovery.ts'

const model = anyModel(kafka)
const twice = 'no output is there twice'
const ordered = 'records are in the order of sending'
const inParts = 'a committed transaction is visible in one partition and not yet in another'
const olderEpoch = 'the only session there is holds an older epoch than the coordinator'
const waits = 'a committed transaction waits behind an open one'

const produce = { application: 'produce', instances: 1, outputPartitions: 1 }
const idempotent = { ...produce, producer: 'idempotent', inputs: 1 }
const pipelined = { ...idempotent, recordsPerOutput: 2, maxInFlight: 2 }
const interleaved = {
  ...produce,
  instances: 2,
  transactionalIds: 'own',
  inputs: 1,
  attempts: 1,
  recordsPerOutput: 2,
  pauses: 1,
}

export const clientCases: readonly Claim[] = [
  {
    id: 'KAFKA-5494',
    claim:
      'with more than one batch in flight, a failure of the first one changes the order of the records, or leaves one there twice',
    stands: 'holds within limits',
    sources: ['KAFKA-5494', 'ProducerAppendInfo.checkSequence', 'ProducerStateEntry'],
    cases: [
      {
        name: 'a batch is refused, without the check of sequences',
        model,
        config: { ...pipelined, refusedBatches: 1 },
        without: ['sequence check'],
        expected: { [ordered]: 'violated' },
        shows: {
          [ordered]: ['NOT_ENOUGH_REPLICAS', 'part=1', 'data offset=0', 'part=0', 'data offset=1'],
        },
      },
      {
        name: 'a batch is refused, with the check',
        model,
        config: { ...pipelined, refusedBatches: 1 },
        expected: { [ordered]: 'proved', [twice]: 'proved' },
      },
      {
        name: 'a reply is lost, two in flight and one remembered',
        model,
        config: { ...pipelined, lostReplies: 1, rememberedBatches: 1 },
        expected: { [twice]: 'violated' },
        shows: {
          [twice]: ['Produce reply (lost)', 'data offset=1', 'OUT_OF_ORDER_SEQUENCE_NUMBER', 'data offset=2'],
        },
        because:
          'the partition knows the second batch only: it takes the first one for one out of order, and the client sends it again with its next epoch',
      },
      {
        name: 'a reply is lost, two in flight and two remembered',
        model,
        config: { ...pipelined, lostReplies: 1, rememberedBatches: 2 },
        expected: { [ordered]: 'proved', [twice]: 'proved' },
      },
    ],
  },
  {
    id: 'KAFKA-8710-unknown-producer',
    claim:
      'a partition that has forgotten a producer accepts any first sequence, and with it a batch that it has already',
    stands: 'holds within limits',
    sources: ['KAFKA-8710', 'KIP-360', 'producer.id.expiration.ms'],
    cases: [1, 0].map((lostReplies): ClaimCase => {
      const isSentAgain = lostReplies > 0
      return {
        name: isSentAgain ? 'forgotten before a retry' : 'forgotten, and nothing is under way for so long',
        model,
        config: { ...idempotent, producerExpirations: 1, lostReplies },
        expected: { [twice]: isSentAgain ? 'violated' : 'proved' },
        ...(isSentAgain
          ? {
              shows: {
                [twice]: ['data offset=0', 'Produce reply (lost)', 'ExpireProducer', 'data offset=1'],
              },
            }
          : {}),
      }
    }),
  },
  ...[
    {
      id: 'KafkaJS-598',
      claim: 'two sends at the same time take the same sequence: both are acknowledged and one is in the log',
      defect: 'one for two sends',
      config: pipelined,
      property: acknowledged,
      shows: ['part=1', 'sequence=0', 'data offset=0', 'duplicate of offset 0'],
    },
    {
      id: 'librdkafka-1.9.0',
      claim:
        'sequences that start from 0 again without a new epoch have new records taken for old ones, and they are lost',
      defect: 'from 0 again',
      config: { ...idempotent, inputs: 2 },
      property: acknowledged,
      shows: ['data offset=0', 'input=1', 'sequence=0', 'duplicate of offset 0'],
    },
    {
      id: 'franz-go-1217',
      claim:
        'the sequence of a record that was given up in doubt is given to the next one, which is acknowledged and lost',
      defect: 'of given-up batches again',
      config: { ...idempotent, inputs: 2, deliveryTimeouts: 1 },
      property: acknowledged,
      shows: ['data offset=0', 'ExpireBatch', 'input=1', 'sequence=0', 'duplicate of offset 0'],
    },
    {
      id: 'librdkafka-4953',
      claim:
        'a new epoch because of one partition numbers the batches in flight to another one anew, and one that is in doubt is there twice',
      defect: 'all anew at each epoch',
      config: { ...idempotent, outputPartitions: 2, deliveryTimeouts: 1, lostReplies: 1 },
      property: twice,
      shows: ['ExpireBatch', 'Produce reply (lost)', 'producerEpoch=1 (appended)'],
    },
  ].map(defectiveClient),
  {
    id: 'Spring-Kafka-1408',
    claim:
      'an initialisation that is overtaken by its repetition fences the live producer by its own hand, and nothing that is visible is wrong',
    stands: 'holds within limits',
    sources: ['Spring Kafka #1408', 'KIP-360', 'KIP-890'],
    cases: [
      ...presetNames.map(
        (preset): ClaimCase => ({
          name: `the first initialisation, ${preset}`,
          model,
          preset,
          config: { ...produce, inputs: 1, attempts: 1, lateRequests: 1 },
          expected: { [olderEpoch]: 'witnessed', [visible]: 'proved', [whole]: 'proved', [twice]: 'proved' },
          shows: {
            [olderEpoch]: [
              'InitProducerId (delayed',
              'InitProducerId reply error=NONE producerEpoch=0',
              'late, sent by session 1',
              'Empty partitions=[] producerEpoch=1',
            ],
          },
        }),
      ),
      ...(['kafka-3.9', 'kafka-4.4'] as const).map((preset): ClaimCase => {
        const asks = preset === 'kafka-3.9'
        return {
          name: `an initialisation that raises the epoch, ${preset}`,
          model,
          preset,
          config: { ...produce, inputs: 1, lateRequests: 1, deliveryTimeouts: 1, flushBeforeCommit: true },
          expected: { [noRival]: asks ? 'violated' : 'proved', [visible]: 'proved', [whole]: 'proved' },
          ...(asks
            ? {
                shows: {
                  [noRival]: [
                    'InitProducerId (delayed',
                    'InitProducerId reply error=NONE producerEpoch=1',
                    'late, sent by session 1',
                    'PrepareAbort partitions=[0] producerEpoch=2',
                    'INVALID_PRODUCER_EPOCH',
                  ],
                },
                because: 'the session fences itself; no record is lost, there twice or visible too early',
              }
            : { because: 'every end raises the epoch: after an abort nobody asks for another one' }),
        }
      }),
    ],
  },
  {
    id: 'FLINK-8086',
    claim:
      'a two-phase sink that takes a transaction for committed when the answer is that it is fenced or invalid loses what it had prepared',
    stands: 'holds within limits',
    sources: ['FLINK-8086', 'Flink TwoPhaseCommitSinkFunction', 'transaction.timeout.ms'],
    cases: [...twoPhaseSinkCases, ...crashPointCases],
  },
  {
    id: 'Jepsen-Redpanda-calibration',
    claim:
      'the records of two transactions alternate in a partition, a poll gets part of one, and that breaks nothing',
    stands: 'holds',
    sources: ['Jepsen: Redpanda 21.10.1', 'KIP-98'],
    cases: [
      {
        name: 'they alternate',
        model,
        config: interleaved,
        expected: { [waits]: 'witnessed', [mixing]: 'proved' },
        shows: { [waits]: ['data offset=0', 'data offset=1', 'data offset=2', 'marker commit offset=3'] },
        because: 'the first record is of one transaction, the others of another that ends before it',
      },
      {
        name: 'a poll gets part of a transaction',
        model,
        config: { ...produce, inputs: 1, outputPartitions: 2 },
        expected: { [inParts]: 'witnessed', [whole]: 'proved' },
        shows: { [inParts]: ['PrepareCommit', 'marker commit'] },
        because: 'partitions get their markers one after the other; in the end both are visible',
      },
      ...presetNames.map(
        (preset): ClaimCase => ({
          name: preset,
          model,
          preset,
          config: interleaved,
          expected: { [visible]: 'proved', [whole]: 'proved', [inOrder]: 'proved' },
        }),
      ),
    ],
  },
]

interface DefectiveClient {
  readonly id: string
  readonly claim: string
  /** How it numbers its batches. */
  readonly defect: string
  readonly config: ClaimCase['config']
  readonly property: string
  readonly shows: readonly string[]
}

/** A client with a defect, and one that numbers its batches as the protocol asks. */
function defectiveClient({ id, claim, defect, config, property, shows }: DefectiveClient): Claim {
  return {
    id,
    claim,
    stands: 'holds within limits',
    sources: [id, 'KIP-98'],
    cases: [
      {
        name: `sequences: ${defect}`,
        model,
        config: { ...config, sequences: defect },
        expected: { [property]: 'violated' },
        shows: { [property]: shows },
      },
      { name: 'sequences: one for each batch', model, config, expected: { [property]: 'proved' } },
    ],
  }
}
