/** What can happen to the application, its producer and its connections. */

import {
  acknowledged,
  atomic,
  closedAsDecided,
  hanging,
  inOrder,
  mixing,
  toldIsSeen,
  toldTruth,
  visible,
  whole,
} from '../guarantees.ts'
import { all, type KafkaScenario, unverified, verified, versionOne, violated } from './expecting.ts'

export const clientScenarios: readonly KafkaScenario[] = [
  {
    name: 'no-faults',
    summary: 'One instance processes two inputs and nothing fails; all delays are explored.',
    sources: ['KIP-98'],
    config: { instances: 1 },
  },
  {
    name: 'crash-and-restart',
    summary: 'The instance crashes at any point, what it sent may still arrive, and it starts again.',
    sources: ['KIP-98'],
    config: { instances: 1, crashes: 1, restarts: 1 },
  },
  {
    name: 'application-abort',
    summary: 'The application aborts one transaction of its own accord and goes on.',
    sources: ['KafkaProducer.abortTransaction'],
    config: { instances: 1, applicationAborts: 1 },
  },
  {
    name: 'lost-reply',
    summary: 'One reply of any kind is lost and the request is sent again.',
    sources: ['NetworkClient', 'KIP-98'],
    config: { instances: 1, lostReplies: 1 },
  },
  {
    name: 'late-request',
    summary:
      'One request of any kind outlives its connection and is executed a second time, at any later point.',
    sources: ['Selector', 'KIP-890'],
    config: { instances: 1, lateRequests: 1 },
    expected: violated({
      [whole]: versionOne,
      [atomic]: versionOne,
      [hanging]: [...unverified, 'kafka-3.6'],
      [closedAsDecided]: verified,
      [toldTruth]: verified,
      [toldIsSeen]: verified,
      [mixing]: verified,
    }),
  },
  {
    name: 'given-up-batch',
    summary:
      'The client gives up a batch that is on the wire and aborts; the batch arrives at any later point.',
    sources: ['KIP-360', 'KIP-890', 'KAFKA-14402'],
    config: { instances: 1, deliveryTimeouts: 1 },
    expected: violated({
      [visible]: versionOne,
      [whole]: versionOne,
      [atomic]: versionOne,
      [closedAsDecided]: versionOne,
      [toldIsSeen]: versionOne,
      [hanging]: unverified,
      [mixing]: verified,
    }),
  },
  {
    name: 'given-up-batch-flushed',
    summary:
      'As given-up-batch, but the application waits for all acknowledgements before it calls commitTransaction.',
    sources: ['KIP-360', 'KIP-890'],
    config: { instances: 1, deliveryTimeouts: 1, flushBeforeCommit: true },
    expected: violated({
      [visible]: unverified,
      [whole]: unverified,
      [atomic]: unverified,
      [closedAsDecided]: unverified,
      [toldIsSeen]: unverified,
      [hanging]: unverified,
    }),
  },
  {
    name: 'pipelined-batches',
    summary: 'Two batches to one partition are in flight and one is refused for lack of replicas.',
    sources: ['KIP-98', 'KAFKA-5494'],
    config: { instances: 1, outputPartitions: 1, recordsPerOutput: 2, maxInFlight: 2, refusedBatches: 1 },
  },
  {
    name: 'call-timeout',
    summary:
      'A call of initTransactions, commitTransaction or abortTransaction times out, the producer is closed with the request on the wire, and the instance starts again.',
    sources: ['max.block.ms', 'TransactionManager.handleCachedTransactionRequestResult'],
    config: { instances: 1, inputs: 1, outputPartitions: 1, callTimeouts: 1, restarts: 1 },
  },
  {
    name: 'two-offset-commits',
    summary:
      'A transaction processes two inputs and commits the offset of each; one request of any kind comes late.',
    sources: ['KafkaProducer.sendOffsetsToTransaction', 'KIP-447'],
    config: { instances: 1, outputPartitions: 1, inputsPerTransaction: 2, lateRequests: 1 },
    expected: violated({
      [atomic]: all,
      [hanging]: [...unverified, 'kafka-3.6'],
      [mixing]: ['kafka-3.6'],
    }),
  },
  {
    name: 'pipelined-late-request',
    summary:
      'Two batches to one partition are in flight and their connection is closed: both are executed late, in order, and sent again.',
    sources: ['Selector', 'KIP-98'],
    config: {
      instances: 1,
      inputs: 1,
      outputPartitions: 1,
      recordsPerOutput: 2,
      maxInFlight: 2,
      lateRequests: 1,
    },
    expected: violated({
      [hanging]: [...unverified, 'kafka-3.6'],
      [mixing]: ['kafka-3.6'],
    }),
  },
  {
    name: 'pipelined-given-up-batch',
    summary: 'Two batches to one partition are in flight and one of them is given up.',
    sources: ['KIP-360', 'delivery.timeout.ms'],
    config: { instances: 1, outputPartitions: 1, recordsPerOutput: 2, maxInFlight: 2, deliveryTimeouts: 1 },
    expected: violated({
      [visible]: versionOne,
      [whole]: versionOne,
      [atomic]: versionOne,
      [closedAsDecided]: versionOne,
      [toldIsSeen]: versionOne,
      [hanging]: unverified,
      [inOrder]: ['kafka-1.1'],
      [mixing]: verified,
    }),
  },
  {
    name: 'idempotent-producer',
    summary:
      'An idempotent producer without transactions has two batches in flight; a reply is lost and a connection closed.',
    sources: ['KIP-98', 'KIP-679'],
    config: {
      application: 'produce',
      producer: 'idempotent',
      instances: 1,
      outputPartitions: 1,
      recordsPerOutput: 2,
      maxInFlight: 2,
      lostReplies: 1,
      lateRequests: 1,
    },
  },
  {
    name: 'idempotent-given-up-batch',
    summary: 'An idempotent producer gives up one of two batches in flight and raises its own epoch.',
    sources: ['KIP-360', 'TransactionManager.bumpIdempotentProducerEpoch'],
    config: {
      application: 'produce',
      producer: 'idempotent',
      instances: 1,
      outputPartitions: 1,
      recordsPerOutput: 2,
      maxInFlight: 2,
      deliveryTimeouts: 1,
    },
    expected: violated({
      [inOrder]: all,
      [acknowledged]: ['kafka-1.1'],
    }),
  },
  {
    name: 'plain-producer',
    summary: 'A producer that is not idempotent loses a reply and sends the batch again.',
    sources: ['enable.idempotence'],
    config: { application: 'produce', producer: 'plain', instances: 1, outputPartitions: 1, lostReplies: 1 },
  },
  {
    name: 'acknowledged-by-the-leader',
    summary: 'A producer with acks=1, and a partition that changes its leader.',
    sources: ['acks'],
    config: {
      application: 'produce',
      producer: 'plain',
      acks: '1',
      instances: 1,
      outputPartitions: 1,
      leaderChanges: 1,
    },
    expected: violated({
      [acknowledged]: all,
    }),
  },
  {
    name: 'acknowledged-by-nobody',
    summary: 'A producer with acks=0, and a connection that breaks.',
    sources: ['acks'],
    config: {
      application: 'produce',
      producer: 'plain',
      acks: '0',
      instances: 1,
      outputPartitions: 1,
      lostRequests: 1,
    },
  },
  {
    name: 'old-clients',
    summary:
      'Clients of transaction.version 1 on a cluster of version 2; one request of any kind comes late.',
    sources: ['KIP-890', 'ApiVersions'],
    config: {
      instances: 1,
      outputPartitions: 1,
      lateRequests: 1,
      flags: { clientVersion: 1, clientEpochBump: true },
    },
    presets: ['kafka-4.1', 'kafka-4.4'],
    expected: violated({
      [whole]: ['kafka-4.1', 'kafka-4.4'],
      [atomic]: ['kafka-4.1', 'kafka-4.4'],
      [closedAsDecided]: ['kafka-4.1', 'kafka-4.4'],
      [toldTruth]: ['kafka-4.1', 'kafka-4.4'],
      [mixing]: ['kafka-4.1', 'kafka-4.4'],
    }),
  },
]
