/** Everything together: every kind of fault, one at a time or two. */

import {
  atomic,
  closedAsDecided,
  hanging,
  mixing,
  toldIsSeen,
  toldTruth,
  visible,
  whole,
} from '../guarantees.ts'
import { type KafkaScenario, standard, unverified, verified, versionOne, violated } from './expecting.ts'

export const wholeScenarios: readonly KafkaScenario[] = [
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
    presets: standard,
    expected: violated({
      [whole]: ['kafka-3.9'],
      [atomic]: ['kafka-3.9'],
      [closedAsDecided]: ['kafka-3.9'],
      [toldTruth]: ['kafka-3.9'],
      [toldIsSeen]: ['kafka-3.9'],
      [mixing]: ['kafka-3.9'],
    }),
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
    presets: standard,
  },
  {
    name: 'every-fault',
    summary:
      'Two instances share a transactional.id and process one input into one partition; anywhere in it one fault of any kind that leaves the replicas their data.',
    sources: ['KIP-98', 'KIP-447', 'KIP-890'],
    config: {
      inputs: 1,
      outputPartitions: 1,
      attempts: 2,
      faults: 1,
      crashes: 1,
      pauses: 1,
      callTimeouts: 1,
      deliveryTimeouts: 1,
      applicationAborts: 1,
      lostRequests: 1,
      lostReplies: 1,
      lateRequests: 1,
      lateMarkers: 1,
      coordinatorFailovers: 1,
      failedAppends: 1,
      transactionTimeouts: 1,
      idExpirations: 1,
      refusedBatches: 1,
      leaderChanges: 1,
      producerExpirations: 1,
      rebalances: 1,
    },
    expected: violated({
      [visible]: versionOne,
      [whole]: versionOne,
      [atomic]: versionOne,
      [closedAsDecided]: versionOne,
      [toldIsSeen]: versionOne,
      [hanging]: [...unverified, 'kafka-3.6'],
      [mixing]: verified,
    }),
  },
]
