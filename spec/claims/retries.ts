/** What is said of a retry that does not go where its first attempt went. */
import { kafka } from '../model.ts'
import { anyModel, type Claim, type ClaimCase } from './claim.ts'

const inTwo = 'no output is in two partitions'
const produce = { application: 'produce', instances: 1, inputs: 1, outputPartitions: 2, lostReplies: 1 }

/** The same batch to the same partition, or a new one to another. */
const cells = (['plain', 'idempotent'] as const).flatMap((producer) =>
  (['another partition at each retry', 'one partition'] as const).map((partitioning): ClaimCase => {
    const again = partitioning !== 'one partition'
    return {
      name: `${producer}, ${again ? 'the retry goes to another partition' : 'the retry goes to the same partition'}`,
      model: anyModel(kafka),
      config: { ...produce, producer, partitioning },
      expected: { [inTwo]: again ? 'violated' : 'proved' },
      ...(again
        ? {
            shows: {
              [inTwo]: [
                'partition: 0',
                'data offset=0',
                'Produce reply (lost)',
                'partition: 1',
                'data offset=0',
              ],
            },
            because: 'each partition recognises only what it has itself',
          }
        : {}),
    }
  }),
)

export const retryClaims: readonly Claim[] = [
  {
    id: 'claim-I7',
    claim: 'a retry that goes to another partition leaves two records, idempotence or not',
    stands: 'holds',
    sources: ['Partitioner', 'KIP-98', 'ProducerStateManager'],
    cases: cells,
  },
]

/** The defect that has it. */
export const retryDefects: readonly Claim[] = [
  {
    id: 'ruby-kafka-956',
    claim:
      'a client chooses the partition of a record again when it sends it again, and the record is in two',
    stands: 'holds within limits',
    sources: ['ruby-kafka #956'],
    cases: cells,
  },
]
