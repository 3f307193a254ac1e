/** Defences of the transaction coordinator: what it refuses, what it waits for, what it writes first. */
import { atomic, hanging, noRival, visible } from '../guarantees.ts'
import { flagsOf } from '../protocol/protocol.ts'
import type { Rule } from './rule.ts'

export const coordinatorRules = {
  'coordinator epoch check': {
    summary: 'The transaction coordinator refuses requests whose epoch is not the current one.',
    sources: [
      'TransactionCoordinator.handleAddPartitionsToTransaction',
      'TransactionCoordinator.endTransaction',
      'KIP-98',
    ],
    exercisedBy: { scenario: 'zombie', preset: 'kafka-4.4', property: 'fenced sessions end no transaction' },
  },
  'abort of the old transaction': {
    summary: 'A new session begins only after the open transaction of the last one is aborted.',
    sources: ['TransactionCoordinator.prepareInitProducerIdTransit', 'KIP-98'],
    exercisedBy: { scenario: 'crash-and-restart', preset: 'kafka-4.4', property: hanging },
  },
  'one transition at a time': {
    summary:
      'While a transition of a transactional.id is under way, other requests are answered CONCURRENT_TRANSACTIONS.',
    sources: ['TransactionMetadata.prepareTransitionTo', 'TransactionMetadata.pendingState'],
    exercisedBy: {
      scenario: 'call-timeout',
      preset: 'kafka-4.4',
      property: atomic,
      together: ['completion first'],
    },
  },
  'failed append ends its transition': {
    summary:
      'A transition whose append to the transaction log fails is no longer pending: it can be tried again, and others too.',
    sources: ['TransactionStateManager.appendTransactionToLog', 'KAFKA-5351', 'KAFKA-7519', 'KAFKA-14880'],
    exercisedBy: {
      scenario: 'failed-append',
      preset: 'kafka-4.4',
      property: 'what is pending is under way',
    },
  },
  'completion first': {
    summary: 'While a transaction is being completed, neither the next one nor the next session begins.',
    sources: [
      'TransactionCoordinator.prepareInitProducerIdTransit',
      'TransactionCoordinator.handleAddPartitionsToTransaction',
    ],
    exercisedBy: {
      scenario: 'call-timeout',
      preset: 'kafka-4.4',
      property: atomic,
      together: ['one transition at a time'],
    },
  },
  'pending check first': {
    summary:
      'A request that comes while a transaction is being completed is put off before its identity is looked at: the client may have been told the next one already.',
    sources: ['TransactionCoordinator.handleAddPartitionsToTransaction', 'KAFKA-18464', 'KAFKA-18660'],
    appliesTo: (config) => flagsOf(config).pendingCheckFirst,
    exercisedBy: { scenario: 'last-epoch', preset: 'kafka-4.4', property: noRival },
  },
  'end is the one decided': {
    summary: 'EndTxn succeeds after the end of a transaction only if it asks for the end that was decided.',
    sources: [
      'TransactionCoordinator.endTransaction',
      'TransactionCoordinator.logInvalidStateTransitionAndReturnError',
    ],
    exercisedBy: { scenario: 'call-timeout', preset: 'kafka-4.4', property: 'reported outcomes are true' },
  },
  'durable identity': {
    summary:
      'A session gets its epoch only when the record that says so is below the high watermark: no failover takes it back.',
    sources: [
      'TransactionCoordinator.handleInitProducerId',
      'TransactionStateManager.appendTransactionToLog',
    ],
    exercisedBy: { scenario: 'coordinator-failover', preset: 'kafka-4.4', property: noRival },
  },
  'durable participants': {
    summary:
      'A partition begins a transaction only when the record that names it a participant is below the high watermark: no failover forgets it.',
    sources: [
      'TransactionCoordinator.handleAddPartitionsToTransaction',
      'TransactionStateManager.appendTransactionToLog',
    ],
    exercisedBy: { scenario: 'coordinator-failover', preset: 'kafka-4.4', property: hanging },
  },
  'durable decision': {
    summary: 'A decision is answered and carried out only when its record is below the high watermark.',
    sources: ['TransactionStateManager.appendTransactionToLog', 'KIP-98'],
    exercisedBy: {
      scenario: 'coordinator-failover',
      preset: 'kafka-4.4',
      property: 'markers follow the decision',
    },
  },
  'markers before complete': {
    summary: 'The next transaction may begin only when every participant has the marker of the last one.',
    sources: ['TransactionMarkerChannelManager.writeTxnCompletion', 'KIP-98'],
    exercisedBy: { scenario: 'no-faults', preset: 'kafka-4.4', property: visible },
  },
  'markers are sent again': {
    summary: 'A marker that a former leader did not acknowledge is sent to whoever leads the partition now.',
    sources: ['TransactionMarkerRequestCompletionHandler.onComplete'],
    exercisedBy: {
      scenario: 'leader-change',
      preset: 'kafka-4.4',
      property: 'every participant gets its marker',
    },
  },
  'completion by the next coordinator': {
    summary: 'A new coordinator sends the markers of the decided transactions that it finds in its log.',
    sources: [
      'TransactionStateManager.loadTransactionsForTxnTopicPartition',
      'TransactionCoordinator.onElection',
    ],
    exercisedBy: {
      scenario: 'two-coordinator-moves',
      preset: 'kafka-4.4',
      property: 'what is pending is under way',
    },
  },
  'open transactions do not expire': {
    summary: 'A transactional.id does not expire while a transaction of it is open.',
    sources: [
      'TransactionStateManager.removeExpiredTransactionalIds',
      'TransactionState.isExpirationAllowed',
    ],
    exercisedBy: { scenario: 'expired-id', preset: 'kafka-4.4', property: hanging },
  },
} as const satisfies Record<string, Rule>
