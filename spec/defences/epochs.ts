/** Defences by which sessions and transactions can be told apart: when an epoch is raised, and what follows the last one. */
import { atomic, fencedWrites, hanging, noRival, visible } from '../guarantees.ts'
import { flagsOf } from '../protocol/protocol.ts'
import { type Rule, versionTwo } from './rule.ts'

export const epochRules = {
  'epoch bump at initialisation': {
    summary: 'Every session gets an epoch of its own, so that earlier ones can be told apart.',
    sources: ['TransactionMetadata.prepareIncrementProducerEpoch', 'KIP-98'],
    exercisedBy: { scenario: 'zombie', preset: 'kafka-4.4', property: fencedWrites },
  },
  'epoch bump at fencing abort': {
    summary:
      'The abort on behalf of a new session raises the epoch, so that the old session cannot go on before the new one has its own.',
    sources: ['TransactionMetadata.prepareFenceProducerEpoch', 'KAFKA-5231'],
    exercisedBy: { scenario: 'zombie', preset: 'kafka-4.4', property: atomic },
  },
  'epoch bump at timeout': {
    summary:
      'The abort after a timeout raises the epoch, so that the slow session cannot go on in the aborted transaction.',
    sources: ['TransactionCoordinator.abortTimedOutTransactions', 'KIP-588', 'KAFKA-19367'],
    exercisedBy: { scenario: 'transaction-timeout', preset: 'kafka-4.4', property: atomic },
  },
  'epoch bump at every end': {
    summary:
      'Every end of a transaction raises the epoch: a late request of one transaction cannot reach the next.',
    sources: ['KIP-890', 'TransactionMetadata.prepareAbortOrCommit'],
    appliesTo: versionTwo,
    exercisedBy: { scenario: 'late-request', preset: 'kafka-4.4', property: atomic },
  },
  'epoch bump after an error': {
    summary:
      'A client raises its epoch after it gave up a batch: the late batch cannot join its next transaction.',
    sources: ['KIP-360', 'TransactionManager.epochBumpRequired'],
    appliesTo: (config) => flagsOf(config).clientEpochBump,
    exercisedBy: { scenario: 'given-up-batch-flushed', preset: 'kafka-3.9', property: visible },
  },
  'rotation of an exhausted producer id': {
    summary: 'When its epochs are used up a producer gets another producer id, so that no epoch comes twice.',
    sources: [
      'TransactionMetadata.prepareProducerIdRotation',
      'TransactionMetadata.isEpochExhausted',
      'KIP-890',
    ],
    exercisedBy: {
      scenario: 'last-epoch-timeout',
      preset: 'kafka-4.4',
      property: 'an epoch is of one transaction',
    },
  },
  'an epoch is left for the abort': {
    summary:
      'A producer id counts as used up one epoch below the largest, so that its last transaction can still be aborted at a higher one.',
    sources: ['TransactionMetadata.isEpochExhausted'],
    exercisedBy: { scenario: 'last-epoch-abort', preset: 'kafka-4.4', property: hanging },
  },
  'repeated initialisation': {
    summary:
      'A client that raises its epoch and does not get the reply is told the same epoch again: the coordinator knows the epoch before.',
    sources: [
      'TransactionMetadata.lastProducerEpoch',
      'TransactionMetadata.prepareIncrementProducerEpoch',
      'KIP-360',
    ],
    exercisedBy: { scenario: 'repeated-epoch-bump', preset: 'kafka-3.9', property: noRival },
  },
  'next producer id is durable': {
    summary:
      'The producer ids before and after the one that is used up are in the transaction log: after a failover the client can go on with the one that it was told.',
    sources: ['TransactionLogValue', 'KAFKA-20310'],
    appliesTo: (config) => flagsOf(config).durableProducerIds,
    exercisedBy: { scenario: 'last-epoch-failover', preset: 'kafka-4.4', property: noRival },
  },
} as const satisfies Record<string, Rule>
