/** The standard configurations: one for everything together, and one for each question. */
import type { Scenario } from '../catalogue.ts'
import type { KafkaConfig } from '../config.ts'

export const scenarios: readonly Scenario<KafkaConfig>[] = [
  {
    name: 'read-process-write',
    summary:
      'Two instances share a transactional.id and process two inputs into two partitions; anywhere in it one of: crash, zombie, transaction timeout, coordinator failover, lost request, lost reply, late request.',
    sources: ['KIP-98', 'KIP-447', 'KIP-890'],
    config: {
      attempts: 2,
      faults: 1,
      crashes: 1,
      pauses: 1,
      lostRequests: 1,
      lostReplies: 1,
      lateRequests: 1,
      coordinatorFailovers: 1,
      transactionTimeouts: 1,
    },
    expected: {
      'kafka-3.9': { 'output and offset are atomic': 'violated', 'reported outcomes are true': 'violated' },
    },
  },
  {
    name: 'two-faults',
    summary:
      'Two instances process one input into one partition; anywhere in it any two of: zombie, coordinator failover, late request.',
    sources: ['KIP-98', 'KIP-447', 'KIP-890'],
    config: {
      inputs: 1,
      attempts: 2,
      outputPartitions: 1,
      faults: 2,
      pauses: 1,
      lateRequests: 1,
      coordinatorFailovers: 1,
    },
  },
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
    name: 'zombie',
    summary: 'An instance pauses at any point, another takes over, the first one wakes up at any point.',
    sources: ['KIP-98', 'KIP-447'],
    config: { outputPartitions: 1, pauses: 1 },
  },
  {
    name: 'transaction-timeout',
    summary:
      'The coordinator aborts a transaction that takes too long; the instance goes on or is closed and starts again.',
    sources: ['KIP-588', 'KAFKA-19367'],
    config: { instances: 1, transactionTimeouts: 1, restarts: 1 },
  },
  {
    name: 'coordinator-failover',
    summary:
      'The transaction coordinator moves at any point; its last record may be lost, its markers arrive late.',
    sources: ['TransactionCoordinator.onElection'],
    config: { instances: 1, coordinatorFailovers: 1 },
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
    expected: {
      'kafka-3.9': { 'output and offset are atomic': 'violated', 'reported outcomes are true': 'violated' },
    },
  },
  {
    name: 'late-marker',
    summary: 'One marker outlives its connection and is written a second time, at any later point.',
    sources: ['TransactionMarkerChannelManager', 'KIP-1228'],
    config: { instances: 1, lateMarkers: 1 },
    expected: { 'kafka-3.9': { 'aborted and open records stay invisible': 'violated' } },
  },
  {
    name: 'given-up-batch',
    summary:
      'The client gives up a batch that is on the wire and aborts; the batch arrives at any later point.',
    sources: ['KIP-360', 'KIP-890', 'KAFKA-14402'],
    config: { instances: 1, deliveryTimeouts: 1 },
    expected: {
      'kafka-3.9': {
        'aborted and open records stay invisible': 'violated',
        'output and offset are atomic': 'violated',
      },
    },
  },
  {
    name: 'given-up-batch-flushed',
    summary:
      'As given-up-batch, but the application waits for all acknowledgements before it calls commitTransaction.',
    sources: ['KIP-360', 'KIP-890'],
    config: { instances: 1, deliveryTimeouts: 1, flushBeforeCommit: true },
  },
  {
    name: 'application-abort',
    summary: 'The application aborts one transaction of its own accord and goes on.',
    sources: ['KafkaProducer.abortTransaction'],
    config: { instances: 1, applicationAborts: 1 },
  },
  {
    name: 'pipelined-batches',
    summary: 'Two batches to one partition are in flight and one is refused for lack of replicas.',
    sources: ['KIP-98', 'KAFKA-5494'],
    config: { instances: 1, outputPartitions: 1, recordsPerOutput: 2, maxInFlight: 2, refusedBatches: 1 },
  },
  {
    name: 'fetch-before-init',
    summary: 'As zombie, but the new owner reads the committed offset before it initialises its producer.',
    sources: ['KIP-447'],
    config: { outputPartitions: 1, pauses: 1, fetchOffsets: 'before init' },
  },
]
