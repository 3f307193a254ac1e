/** What must happen at last, whatever went wrong once. */
import {
  ahead,
  atomic,
  closedAsDecided,
  hanging,
  mixing,
  noTimeoutNeeded,
  notHeldUp,
  toldIsSeen,
  toldTruth,
  verifiedStart,
  visible,
  whole,
  workIsDone,
} from '../guarantees.ts'
import { all, type KafkaScenario, unverified, verified, versionOne, violated } from './expecting.ts'

const small = { instances: 1, inputs: 1, outputPartitions: 1, liveness: true } as const

export const livenessScenarios: readonly KafkaScenario[] = [
  {
    name: 'liveness-crash',
    summary: 'The instance crashes at any point and may start twice more: what must happen at last.',
    sources: ['KIP-98'],
    config: { ...small, crashes: 1, restarts: 2 },
  },
  {
    name: 'liveness-late-request',
    summary:
      'Two inputs, and one request of any kind is executed a second time, at any later point: what must happen at last.',
    sources: ['KAFKA-14402', 'KIP-890'],
    config: { ...small, inputs: 2, lateRequests: 1 },
    expected: violated({
      [workIsDone]: all,
      [notHeldUp]: [...unverified, 'kafka-3.6'],
      [whole]: versionOne,
      [atomic]: versionOne,
      [hanging]: [...unverified, 'kafka-3.6'],
      [closedAsDecided]: verified,
      [toldTruth]: verified,
      [mixing]: verified,
    }),
  },
  {
    name: 'liveness-given-up-batch',
    summary:
      'The client gives up a batch that is on the wire and aborts; the batch arrives at any later point: what must happen at last.',
    sources: ['KIP-360', 'TransactionManager.canRetry'],
    config: { ...small, deliveryTimeouts: 1 },
    expected: violated({
      [workIsDone]: ['kafka-1.1', ...verified],
      [noTimeoutNeeded]: verified,
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
    name: 'liveness-leader-change',
    summary: 'A partition leader changes at any point: what must happen at last.',
    sources: ['TransactionMarkerRequestCompletionHandler'],
    config: { ...small, leaderChanges: 1 },
  },
  {
    name: 'liveness-coordinator-moves',
    summary: 'The transaction coordinator moves twice: what must happen at last.',
    sources: ['TransactionStateManager.loadTransactionMetadata'],
    config: { ...small, coordinatorFailovers: 2 },
    expected: violated({
      [workIsDone]: all,
      [notHeldUp]: all,
      [hanging]: all,
      [verifiedStart]: ['kafka-3.6', 'kafka-3.9', 'kafka-4.1', 'kafka-4.4', 'kafka-4.4-tv1'],
      [ahead]: ['kafka-4.1', 'kafka-4.4'],
    }),
  },
]
