/** What can happen to the consumer group: zombies, new owners, and what they read. */

import { atomic, offsetStays } from '../guarantees.ts'
import { all, type KafkaScenario, violated } from './expecting.ts'

export const groupScenarios: readonly KafkaScenario[] = [
  {
    name: 'zombie',
    summary: 'An instance pauses at any point, another takes over, the first one wakes up at any point.',
    sources: ['KIP-98', 'KIP-447'],
    config: { outputPartitions: 1, pauses: 1 },
  },
  {
    name: 'fetch-before-init',
    summary: 'As zombie, but the new owner reads the committed offset before it initialises its producer.',
    sources: ['KIP-447'],
    config: { outputPartitions: 1, pauses: 1, fetchOffsets: 'before init' },
    expected: violated({
      [atomic]: ['kafka-1.1'],
      [offsetStays]: ['kafka-1.1'],
    }),
  },
  {
    name: 'own-ids-rebalance',
    summary:
      'Two instances, each with a transactional.id of its own; the second takes over the partition while the first is alive.',
    sources: ['KIP-447'],
    config: { transactionalIds: 'own', inputs: 1, attempts: 2, outputPartitions: 1, rebalances: 1 },
    expected: violated({
      [atomic]: ['kafka-1.1'],
    }),
  },
  {
    name: 'own-ids-zombie',
    summary:
      'Two instances, each with a transactional.id of its own; one pauses, the other takes over, the first one wakes up.',
    sources: ['KIP-447'],
    config: {
      transactionalIds: 'own',
      inputs: 1,
      attempts: 2,
      outputPartitions: 1,
      pauses: 1,
    },
    expected: violated({
      [atomic]: ['kafka-1.1'],
    }),
  },
  {
    name: 'fresh-ids',
    summary:
      'The instance crashes and starts again with another transactional.id; what it left open times out.',
    sources: ['transaction.timeout.ms', 'KIP-447'],
    config: {
      transactionalIds: 'fresh',
      instances: 1,
      inputs: 1,
      outputPartitions: 1,
      crashes: 1,
      restarts: 1,
      transactionTimeouts: 1,
    },
    expected: violated({
      [atomic]: ['kafka-1.1'],
    }),
  },
  {
    name: 'group-id-only',
    summary: 'As own-ids-rebalance, but sendOffsetsToTransaction names only the group.',
    sources: ['ConsumerGroupMetadata', 'KIP-447'],
    config: {
      transactionalIds: 'own',
      groupMetadata: 'group id only',
      inputs: 1,
      attempts: 2,
      outputPartitions: 1,
      rebalances: 1,
    },
    expected: violated({
      [atomic]: all,
    }),
  },
  {
    name: 'static-takeover',
    summary:
      'As own-ids-rebalance, with one group.instance.id: the second instance takes the place of the first at once.',
    sources: ['KIP-345', 'ClassicGroup.validateOffsetCommit'],
    config: {
      transactionalIds: 'own',
      inputs: 1,
      attempts: 2,
      outputPartitions: 1,
      rebalances: 1,
      staticMembers: true,
    },
    presets: ['kafka-2.5', 'kafka-3.6', 'kafka-3.9', 'kafka-4.1', 'kafka-4.4', 'kafka-4.4-tv1'],
  },
  {
    name: 'consumer-group',
    summary: 'As own-ids-rebalance, with the consumer group protocol.',
    sources: ['KIP-848'],
    config: {
      transactionalIds: 'own',
      groupProtocol: 'consumer',
      attempts: 2,
      outputPartitions: 1,
      rebalances: 1,
    },
    presets: ['kafka-3.9', 'kafka-4.1', 'kafka-4.4', 'kafka-4.4-tv1'],
  },
  {
    name: 'consumer-group-id-only',
    summary: 'As consumer-group, but sendOffsetsToTransaction names only the group.',
    sources: ['KIP-848', 'KIP-1251'],
    config: {
      transactionalIds: 'own',
      groupProtocol: 'consumer',
      groupMetadata: 'group id only',
      inputs: 1,
      attempts: 2,
      outputPartitions: 1,
      rebalances: 1,
    },
    presets: ['kafka-4.4', 'kafka-4.4-tv1'],
    expected: violated({
      [atomic]: ['kafka-4.4', 'kafka-4.4-tv1'],
    }),
  },
  {
    name: 'auto-commit',
    summary: 'The consumer commits its position by itself in the middle of a transaction.',
    sources: ['enable.auto.commit'],
    config: { instances: 1, outputPartitions: 1, autoCommits: 1 },
    expected: violated({
      [atomic]: all,
    }),
  },
]
