/**
 * What must happen at last. All steps are weakly fair but those that make faults happen, which need not happen at all: a
 * request is taken up, a record is replicated, a marker is written, an instance that can start does.
 */
import { alwaysEventually, eventually, type Fairness, leadsTo, type Property } from '../../checker/model.ts'
import { isCalling } from '../apps/session.ts'
import { noTimeoutNeeded, notHeldUp, workIsDone } from '../guarantees.ts'
import { lastStableOffset } from '../protocol/partition-leader.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { canTimeOut } from '../protocol/transaction-coordinator/fence.ts'
import type { CoordinatorEntry, Instance, KafkaState, Partition } from '../state.ts'

/** @param steps the names of the actions that are not put off for ever */
export function livenessOf(protocol: Protocol, steps: readonly string[]): Property<KafkaState>[] {
  const fairness: Fairness = { weak: steps, mayStop: true }
  return [
    inputsAreProcessed(protocol, fairness),
    ...(protocol.config.producer === 'transactional'
      ? [decidedIsCompleted(fairness), callsAreAnswered(protocol, fairness), readersAreNotHeldUp(fairness)]
      : []),
  ]
}

const inputsAreProcessed = ({ config }: Protocol, fairness: Fairness): Property<KafkaState> =>
  eventually(
    workIsDone,
    ({ group, instance }: KafkaState) =>
      config.application === 'produce'
        ? instance.some(({ status }) => status === 'finished')
        : group.committed >= config.inputs,
    {
      summary: 'Whatever happens, the work is done in the end.',
      sources: ['KIP-98', 'KafkaProducer.sendOffsetsToTransaction'],
      fairness,
    },
  )

const isDecided = (entry: CoordinatorEntry | null) =>
  entry?.state === 'PrepareCommit' || entry?.state === 'PrepareAbort'

const decidedIsCompleted = (fairness: Fairness): Property<KafkaState> =>
  leadsTo(
    'a decided transaction is completed at last',
    ({ coordinator }: KafkaState) => coordinator.some(({ entry }) => isDecided(entry)),
    ({ coordinator }: KafkaState) => !coordinator.some(({ entry }) => isDecided(entry)),
    {
      summary: 'After PrepareCommit or PrepareAbort comes CompleteCommit or CompleteAbort.',
      sources: ['TransactionMarkerChannelManager', 'TransactionMarkerRequestCompletionHandler'],
      fairness,
    },
  )

const callsAreAnswered = (protocol: Protocol, fairness: Fairness): Property<KafkaState> => {
  const waits = (instance: Instance) => instance.status === 'running' && isCalling({ protocol, instance })
  return leadsTo(
    noTimeoutNeeded,
    ({ instance }: KafkaState) => instance.some(waits),
    ({ instance }: KafkaState) => !instance.some(waits),
    {
      summary:
        'initTransactions, commitTransaction and abortTransaction are answered at last; none waits until max.block.ms or delivery.timeout.ms ends it.',
      sources: ['KafkaProducer.commitTransaction', 'TransactionManager.canRetry', 'max.block.ms'],
      fairness,
    },
  )
}

const readersAreNotHeldUp = (fairness: Fairness): Property<KafkaState> =>
  alwaysEventually(
    notHeldUp,
    ({ coordinator, partition }: KafkaState) =>
      partition.every((leader) => isStable(leader) || willTimeOut(leader, coordinator)),
    {
      summary:
        'Again and again the last stable offset reaches the high watermark, or what it waits for is a transaction that times out.',
      sources: ['KIP-98', 'KIP-664', 'KAFKA-14402'],
      fairness,
    },
  )

const isStable = (leader: Partition) => lastStableOffset(leader) === leader.highWatermark

/** Timeouts take from a budget; that a transaction would time out is as good as an end. */
const willTimeOut = ({ producers }: Partition, coordinators: KafkaState['coordinator']) =>
  producers.every(
    ({ producerId, openOffset }) =>
      openOffset < 0 ||
      coordinators.some(({ entry }) => canTimeOut(entry) && entry.producerId === producerId),
  )
