/** What is said of the idempotent producer. */
import { acknowledged, atomic, inOrder } from '../guarantees.ts'
import { kafka } from '../model.ts'
import { anyModel, type Claim } from './claim.ts'

const model = anyModel(kafka)
const twice = 'no output is there twice'

/** A producer of its own, without transactions. */
const produce = { application: 'produce', instances: 1, outputPartitions: 1 }
const idempotent = { ...produce, producer: 'idempotent' }

export const idempotenceClaims: readonly Claim[] = [
  {
    id: 'claim-I1',
    claim: 'without idempotence a batch whose reply is lost is sent again and is in the log twice',
    stands: 'holds',
    sources: ['enable.idempotence', 'KIP-98'],
    cases: [
      {
        name: 'a reply is lost',
        model,
        config: { ...produce, producer: 'plain', inputs: 1, lostReplies: 1 },
        expected: { [twice]: 'violated' },
        shows: { [twice]: ['data offset=0', 'Produce reply (lost)', 'data offset=1'] },
      },
    ],
  },
  {
    id: 'claim-I2',
    claim:
      'with idempotence a batch that is sent again is recognised as long as it is among the remembered ones: it is in the log once and is acknowledged',
    stands: 'holds',
    sources: ['KIP-98', 'ProducerStateEntry.findDuplicateBatch'],
    cases: [
      {
        name: 'a reply is lost',
        model,
        config: { ...idempotent, maxInFlight: 2, lostReplies: 1 },
        expected: { [twice]: 'proved', [inOrder]: 'proved', [acknowledged]: 'proved' },
      },
      {
        name: 'a reply is lost and a connection closed',
        model,
        config: { ...idempotent, maxInFlight: 2, lostReplies: 1, lateRequests: 1 },
        expected: { [twice]: 'proved', [inOrder]: 'proved' },
      },
      {
        name: 'nobody recognises it',
        model,
        config: { ...idempotent, inputs: 1, lostReplies: 1 },
        without: ['duplicate check', 'sequence check'],
        expected: { [twice]: 'violated' },
        shows: { [twice]: ['data offset=0', 'Produce reply (lost)', 'data offset=1'] },
      },
    ],
  },
  {
    id: 'claim-I8',
    claim:
      'a partition that has forgotten an idempotent producer appends a copy of its batch again; without delays beyond the expiry it never does',
    stands: 'holds within limits',
    sources: ['producer.id.expiration.ms', 'ProducerStateManager.removeExpiredProducers'],
    cases: [
      {
        name: 'forgotten while a copy is under way',
        model,
        config: { ...idempotent, inputs: 1, producerExpirations: 1, lateRequests: 1 },
        expected: { [twice]: 'violated' },
        shows: { [twice]: ['data offset=0', 'Produce (delayed', 'ExpireProducer', 'data offset=1'] },
      },
      {
        name: 'forgotten, and nothing is under way for so long',
        model,
        config: { ...idempotent, producerExpirations: 1 },
        expected: { [twice]: 'proved' },
      },
      {
        name: 'a copy is under way, and nobody forgets',
        model,
        config: { ...idempotent, lateRequests: 1, lostReplies: 1 },
        expected: { [twice]: 'proved' },
      },
      {
        name: 'the records are deleted, and the producer with them',
        model,
        preset: 'kafka-1.1',
        config: { ...idempotent, inputs: 1, deletedRecords: 1, lostReplies: 1, lateRequests: 1 },
        expected: { [inOrder]: 'violated' },
        shows: { [inOrder]: ['data offset=0', 'DeleteRecords', 'data offset=1'] },
      },
      {
        name: 'the records are deleted, and the producer is not forgotten',
        model,
        config: { ...idempotent, inputs: 1, deletedRecords: 1, lostReplies: 1, lateRequests: 1 },
        expected: { [inOrder]: 'proved' },
      },
    ],
  },
  {
    id: 'claim-I6',
    claim: 'a process that starts again and sends again has another producer id: the record is there twice',
    stands: 'holds',
    sources: ['KIP-98', 'InitProducerId'],
    cases: [
      {
        name: 'crash and restart',
        model,
        config: { ...idempotent, inputs: 1, crashes: 1, restarts: 1 },
        expected: { [twice]: 'violated' },
        shows: { [twice]: ['data offset=0', 'Crash(client: 0)', 'data offset=1'] },
      },
    ],
  },
  {
    id: 'claim-I15',
    claim: 'a transactional.id removes duplicates across restarts',
    stands: 'refuted',
    sources: ['KIP-98', 'transactional.id'],
    cases: [
      {
        name: 'the application only produces',
        model,
        config: { ...produce, inputs: 1, crashes: 1, restarts: 1 },
        expected: { [twice]: 'violated' },
        shows: { [twice]: ['PrepareCommit', 'Crash(client: 0)', 'PrepareCommit', 'marker commit'] },
        because: 'nothing tells the new session that the transaction of the old one was committed',
      },
      {
        name: 'the offset of the input is in the transaction',
        model,
        config: { instances: 1, outputPartitions: 1, inputs: 1, crashes: 1, restarts: 1 },
        expected: { [twice]: 'proved', [atomic]: 'proved' },
      },
    ],
  },
]
