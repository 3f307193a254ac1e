/** Defences of the leader of a partition: what it appends, and what it answers. */
import { atomic, fencedWrites, gaps, inOrder } from '../guarantees.ts'
import { flagsOf } from '../protocol/protocol.ts'
import { asks, type Rule, versionTwo } from './rule.ts'

export const leaderRules = {
  'partition epoch check': {
    summary: 'A partition refuses batches of an older epoch than it has seen.',
    sources: ['ProducerAppendInfo.checkProducerEpoch', 'KIP-98', 'KAFKA-18042'],
    exercisedBy: { scenario: 'zombie', preset: 'kafka-3.9', property: fencedWrites },
  },
  'sequence check': {
    summary:
      'A partition appends a batch only if its sequence follows the last one: a later batch does not overtake a refused one.',
    sources: ['ProducerAppendInfo.checkSequence', 'KIP-98', 'KAFKA-5494'],
    exercisedBy: { scenario: 'pipelined-batches', preset: 'kafka-4.4', property: inOrder },
  },
  'duplicate check': {
    summary: 'A batch that is already in the log is answered with its old offset and not appended again.',
    sources: ['ProducerStateEntry.findDuplicateBatch', 'KIP-98'],
    exercisedBy: {
      scenario: 'lost-reply',
      preset: 'kafka-4.4',
      property: inOrder,
      together: ['sequence check'],
    },
  },
  'sequence zero rule': {
    summary:
      'A partition that has no batch of a producer begins its transaction with sequence 0 only: no later batch stands in for a lost first one.',
    sources: ['ProducerAppendInfo.checkSequence', 'KAFKA-18654'],
    appliesTo: (config) => versionTwo(config) && flagsOf(config).sequenceZeroRule,
    exercisedBy: { scenario: 'pipelined-given-up-batch', preset: 'kafka-4.4', property: gaps },
  },
  'lowest sequence of a guard': {
    summary:
      'While the first batch of a transaction is verified again, a later one in flight does not take its place.',
    sources: ['ProducerAppendInfo.checkSequence', 'KAFKA-14920'],
    appliesTo: asks,
    exercisedBy: {
      scenario: 'pipelined-batches',
      preset: 'kafka-4.4',
      property: gaps,
      together: ['sequence zero rule'],
    },
  },
  'acknowledgement after replication': {
    summary:
      'A batch or an offset commit is answered only when the high watermark covers it, so that no election takes away what its producer relies on.',
    sources: ['ReplicaManager.appendRecords', 'ReplicaManager.maybeAddDelayedProduce', 'acks'],
    exercisedBy: { scenario: 'leader-change', preset: 'kafka-4.4', property: atomic },
  },
  'duplicate waits for its original': {
    summary: 'A repeated batch is answered only when the high watermark covers its original.',
    sources: ['ReplicaManager.maybeAddDelayedProduce', 'UnifiedLog.append'],
    exercisedBy: {
      scenario: 'leader-change-and-late-request',
      preset: 'kafka-4.4',
      property: 'acknowledged batches are in the log',
    },
  },
  'producer state from the log': {
    summary:
      'A new leader knows the epochs, sequences and open transactions of the producers, for its replica has made them from its own log.',
    sources: ['ProducerStateManager', 'UnifiedLog.updateProducers', 'KIP-98'],
    exercisedBy: { scenario: 'leader-change', preset: 'kafka-4.4', property: inOrder },
  },
  'open producers do not expire': {
    summary: 'A partition does not forget a producer while a transaction of it is open there.',
    sources: ['ProducerStateManager.isProducerExpired'],
    exercisedBy: {
      scenario: 'expired-producer',
      preset: 'kafka-4.4',
      property: 'reported outcomes are what readers see',
    },
  },
} as const satisfies Record<string, Rule>
