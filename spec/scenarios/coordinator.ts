/** What can happen to the transaction coordinator. */

import {
  ahead,
  atomic,
  closedAsDecided,
  committedWhole,
  externalDecision,
  hanging,
  inOrder,
  mixing,
  noRival,
  remembers,
  toldIsSeen,
  verifiedStart,
  visible,
  whole,
} from '../guarantees.ts'
import { all, type KafkaScenario, unverified, verified, versionOne, violated } from './expecting.ts'

export const coordinatorScenarios: readonly KafkaScenario[] = [
  {
    name: 'coordinator-failover',
    summary:
      'The transaction coordinator moves at any point; its last record may be lost, its markers arrive late.',
    sources: ['TransactionCoordinator.onElection'],
    config: { instances: 1, coordinatorFailovers: 1 },
  },
  {
    name: 'transaction-timeout',
    summary:
      'The coordinator aborts a transaction that takes too long; the instance goes on or is closed and starts again.',
    sources: ['KIP-588', 'KAFKA-19367'],
    config: { instances: 1, transactionTimeouts: 1, restarts: 1 },
  },
  {
    name: 'late-marker',
    summary: 'One marker outlives its connection and is written a second time, at any later point.',
    sources: ['TransactionMarkerChannelManager', 'KIP-1228'],
    config: { instances: 1, lateMarkers: 1 },
    expected: violated({
      [visible]: [...versionOne, 'kafka-4.1'],
      [whole]: [...versionOne, 'kafka-4.1'],
      [closedAsDecided]: [...versionOne, 'kafka-4.1'],
    }),
  },
  {
    name: 'two-coordinator-moves',
    summary: 'The transaction coordinator moves twice.',
    sources: ['TransactionStateManager.loadTransactionMetadata'],
    config: { instances: 1, inputs: 1, outputPartitions: 1, coordinatorFailovers: 2 },
    expected: violated({
      [hanging]: all,
      [verifiedStart]: ['kafka-3.6', 'kafka-3.9', 'kafka-4.1', 'kafka-4.4', 'kafka-4.4-tv1'],
      [ahead]: ['kafka-4.1', 'kafka-4.4'],
    }),
  },
  {
    name: 'stale-coordinator',
    summary:
      'The transaction coordinator moves, and the former one goes on answering until it learns of it; a batch may be given up.',
    sources: ['TransactionStateManager.getAndMaybeAddTransactionState'],
    config: {
      instances: 1,
      inputs: 1,
      outputPartitions: 1,
      flushBeforeCommit: true,
      coordinatorFailovers: 1,
      staleCoordinators: 1,
      deliveryTimeouts: 1,
    },
    expected: violated({
      [visible]: versionOne,
      [whole]: versionOne,
      [atomic]: versionOne,
      [closedAsDecided]: versionOne,
      [toldIsSeen]: versionOne,
      [hanging]: versionOne,
      [noRival]: ['kafka-2.5', 'kafka-3.6', 'kafka-3.9', 'kafka-4.1', 'kafka-4.4', 'kafka-4.4-tv1'],
      [mixing]: verified,
      [verifiedStart]: verified,
    }),
  },
  {
    name: 'failed-append',
    summary:
      'An append to the transaction log is reported as failed, written or not, and a transaction times out.',
    sources: ['TransactionStateManager.appendTransactionToLog'],
    config: {
      instances: 1,
      inputs: 1,
      outputPartitions: 1,
      failedAppends: 1,
      transactionTimeouts: 1,
      restarts: 1,
    },
  },
  {
    name: 'failed-append-and-failover',
    summary:
      'An append to the transaction log is reported as failed, written or not, and the coordinator moves.',
    sources: ['TransactionStateManager.appendTransactionToLog'],
    config: { instances: 1, inputs: 1, outputPartitions: 1, failedAppends: 1, coordinatorFailovers: 1 },
  },
  {
    name: 'expired-id',
    summary: 'The transactional.id expires while the instance is idle or gone.',
    sources: ['TransactionStateManager.removeExpiredTransactionalIds'],
    config: { instances: 1, inputs: 1, outputPartitions: 1, idExpirations: 1, crashes: 1, restarts: 1 },
  },
  {
    name: 'last-epoch',
    summary: 'The epochs of the producer id come to their end, and a reply is lost.',
    sources: ['TransactionMetadata.isEpochExhausted', 'KIP-890'],
    config: { instances: 1, inputs: 3, outputPartitions: 1, maxEpoch: 2, lostReplies: 1 },
  },
  {
    name: 'last-epoch-failover',
    summary: 'The epochs of the producer id come to their end, and the coordinator moves.',
    sources: ['KAFKA-20310'],
    config: { instances: 1, inputs: 3, outputPartitions: 1, maxEpoch: 2, coordinatorFailovers: 1 },
    expected: violated({
      [noRival]: ['kafka-4.1'],
    }),
  },
  {
    name: 'last-epoch-timeout',
    summary: 'A transaction times out when the epochs of the producer id come to their end.',
    sources: ['KAFKA-20090'],
    config: { instances: 1, outputPartitions: 1, maxEpoch: 2, transactionTimeouts: 1, restarts: 1 },
    expected: violated({
      [remembers]: ['kafka-4.1'],
    }),
  },
  {
    name: 'last-epoch-abort',
    summary:
      'A producer without a group goes on to the last epoch of its producer id, and a transaction times out.',
    sources: ['TransactionMetadata.isEpochExhausted'],
    config: {
      application: 'produce',
      instances: 1,
      inputs: 3,
      outputPartitions: 1,
      maxEpoch: 2,
      transactionTimeouts: 1,
    },
    expected: violated({ [remembers]: ['kafka-4.1'] }),
  },
  {
    name: 'repeated-epoch-bump',
    summary: 'A client gives up a batch, aborts and raises its epoch; a reply of any kind is lost.',
    sources: ['KIP-360', 'TransactionMetadata.lastProducerEpoch'],
    config: {
      application: 'produce',
      instances: 1,
      inputs: 1,
      outputPartitions: 1,
      recordsPerOutput: 2,
      maxInFlight: 2,
      lostReplies: 1,
      deliveryTimeouts: 1,
      flushBeforeCommit: true,
    },
    expected: violated({
      [visible]: unverified,
      [whole]: unverified,
      [committedWhole]: ['kafka-1.1'],
      [closedAsDecided]: unverified,
      [toldIsSeen]: unverified,
      [hanging]: unverified,
      [inOrder]: ['kafka-1.1'],
    }),
  },
  {
    name: 'two-phase-commit-crash',
    summary:
      'An external store decides a prepared transaction, and the instance crashes before it has told Kafka.',
    sources: ['KIP-939', 'KafkaProducer.prepareTransaction'],
    config: { instances: 1, inputs: 1, outputPartitions: 1, crashes: 1, restarts: 1, twoPhaseCommit: true },
    presets: ['kafka-4.1', 'kafka-4.4', 'kafka-4.4-tv1'],
    expected: violated({ [externalDecision]: ['kafka-4.1', 'kafka-4.4', 'kafka-4.4-tv1'] }),
  },
  {
    name: 'fence-window',
    summary:
      'A request may come between the raised epoch and the abort on behalf of a new session, or after a timeout.',
    sources: ['TransactionCoordinator.endTransaction'],
    config: { inputs: 1, outputPartitions: 1, fenceWindow: true, pauses: 1 },
  },
]
