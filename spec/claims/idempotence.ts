/** What is said of the idempotent producer. */
import { clientProfiles } from '../clients.ts'
import { acknowledged, atomic, inOrder } from '../guarantees.ts'
import { kafka } from '../model.ts'
import { noneTwice } from '../outside/questions.ts'
import { anyModel, type Claim, type ClaimCase } from './claim.ts'
import { programCase, reader, transactional } from './program-case.ts'

const model = anyModel(kafka)
const twice = 'no output is there twice'
const ordered = 'records are in the order of sending'
const originalOffset = 'a batch that is recognised is answered with its original offset'
const torn = 'an output is in one partition and not in another, and nobody is at work'

/** A producer of its own, without transactions. */
const produce = { application: 'produce', instances: 1, outputPartitions: 1 }
const idempotent = { ...produce, producer: 'idempotent' }

const sendOutput = { send: 'output' } as const

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
      'with idempotence a batch that is sent again is recognised as long as it is among the remembered ones: it is in the log once, and the answer is its original offset',
    stands: 'holds',
    sources: ['KIP-98', 'ProducerStateEntry.findDuplicateBatch'],
    cases: [
      {
        name: 'a reply is lost',
        model,
        config: { ...idempotent, maxInFlight: 2, lostReplies: 1 },
        expected: {
          [twice]: 'proved',
          [inOrder]: 'proved',
          [acknowledged]: 'proved',
          [originalOffset]: 'proved',
        },
      },
      {
        name: 'a reply is lost and a connection closed',
        model,
        config: { ...idempotent, maxInFlight: 2, lostReplies: 1, lateRequests: 1 },
        expected: { [twice]: 'proved', [inOrder]: 'proved', [originalOffset]: 'proved' },
      },
      {
        name: 'two batches have one sequence, and the answer to the second is the offset of the first',
        model,
        config: {
          ...idempotent,
          inputs: 1,
          recordsPerOutput: 2,
          maxInFlight: 2,
          sequences: 'one for two sends',
        },
        expected: { [originalOffset]: 'violated' },
        shows: { [originalOffset]: ['part=1', 'data offset=0'] },
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
    id: 'claim-I5',
    claim: 'an application that calls send() twice for one thing has two records, idempotence or not',
    stands: 'holds',
    sources: ['KafkaProducer.send', 'KIP-98'],
    cases: Object.entries({
      'without a transaction': reader('poll', sendOutput, sendOutput, 'commit offset'),
      'in a transaction': transactional('poll', 'begin', sendOutput, sendOutput, 'send offsets', 'commit'),
    }).map(([name, app]) =>
      programCase({
        name,
        config: { apps: [app], inputs: [{ event: 0 }] },
        expected: { [noneTwice]: 'violated' },
        shows: { [noneTwice]: ['output  send', 'output  send'] },
        because: 'sequence numbers tell a batch that is repeated from another one, whatever is in it',
      }),
    ),
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
  {
    id: 'claim-I9',
    claim:
      'a batch that is sent again is in the log twice exactly by clients that are not idempotent by default',
    stands: 'holds',
    sources: ['enable.idempotence', 'KIP-679'],
    table: { rows: 'client' },
    cases: clientProfiles.map(({ name, settings }): ClaimCase => {
      const dedupes = settings.producer === 'idempotent'
      return {
        name,
        cell: { row: `${name}, ${dedupes ? 'idempotent' : 'not idempotent'}` },
        model,
        config: { ...produce, client: name, inputs: 1, lostReplies: 1 },
        expected: { [twice]: dedupes ? 'proved' : 'violated' },
        ...(dedupes
          ? {}
          : { shows: { [twice]: ['data offset=0', 'Produce reply (lost)', 'data offset=1'] } }),
      }
    }),
  },
  {
    id: 'claim-I10',
    claim: 'idempotence is not atomic: after a crash some partitions have an output and others do not',
    stands: 'holds',
    sources: ['KIP-98'],
    cases: [
      {
        name: 'idempotent',
        model,
        config: { ...idempotent, outputPartitions: 2, inputs: 1, crashes: 1 },
        expected: { [torn]: 'witnessed' },
        shows: { [torn]: ['data offset=0', 'Crash(client: 0)'] },
      },
    ],
  },
  {
    id: 'claim-I13',
    claim:
      'without idempotence a retry breaks the order when more than one batch is in flight, and with one it does not',
    stands: 'holds',
    sources: ['max.in.flight.requests.per.connection', 'enable.idempotence'],
    cases: [
      {
        name: 'two in flight',
        model,
        config: {
          ...produce,
          producer: 'plain',
          recordsPerOutput: 2,
          inputs: 1,
          maxInFlight: 2,
          refusedBatches: 1,
        },
        expected: { [ordered]: 'violated' },
        shows: { [ordered]: ['part=0', 'NOT_ENOUGH_REPLICAS', 'data offset=0', 'data offset=1'] },
      },
      {
        name: 'one in flight',
        model,
        config: { ...produce, producer: 'plain', recordsPerOutput: 2, refusedBatches: 1, lostReplies: 1 },
        expected: { [ordered]: 'proved' },
      },
      {
        name: 'two in flight, idempotent, a reply is lost',
        model,
        config: { ...idempotent, recordsPerOutput: 2, maxInFlight: 2, lostReplies: 1 },
        expected: { [ordered]: 'proved' },
      },
      {
        name: 'two in flight, idempotent, a batch is refused',
        model,
        config: { ...idempotent, recordsPerOutput: 2, maxInFlight: 2, refusedBatches: 1 },
        expected: { [ordered]: 'proved' },
      },
      {
        name: 'two in flight, idempotent, the first batch is refused and the reply lost',
        model,
        config: {
          ...idempotent,
          inputs: 1,
          recordsPerOutput: 2,
          maxInFlight: 2,
          refusedBatches: 1,
          lostReplies: 1,
        },
        expected: { [ordered]: 'violated' },
        shows: {
          [ordered]: [
            'NOT_ENOUGH_REPLICAS',
            'late, sent by',
            'data offset=0',
            'OUT_OF_ORDER_SEQUENCE_NUMBER',
            'data offset=1',
          ],
        },
        because:
          'a partition accepts any first sequence of an idempotent producer that it does not know (KIP-360): on the closed connection the second batch overtakes the first',
      },
    ],
  },
]
