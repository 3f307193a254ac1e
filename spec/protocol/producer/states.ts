/** The state machine of the client, in Kafka's names, as it follows from what an instance does. */
import type { Instance } from '../../state.ts'
import type { Protocol } from '../protocol.ts'

/**
 * TransactionManager.State. FATAL_ERROR has no exit but to close the producer, which an application does in
 * the same step.
 */
export type ProducerState =
  | 'UNINITIALIZED'
  | 'INITIALIZING'
  | 'READY'
  | 'IN_TRANSACTION'
  | 'PREPARED_TRANSACTION'
  | 'COMMITTING'
  | 'ABORTING'
  | 'ABORTABLE_ERROR'

export function producerStateOf(protocol: Protocol, instance: Instance): ProducerState {
  switch (instance.phase) {
    case 'none':
      return 'UNINITIALIZED'
    case 'initialising':
    case 'raising the epoch':
      return 'INITIALIZING'
    case 'joining':
    case 'fetching':
      return instance.producerEpoch < 0 ? 'UNINITIALIZED' : 'READY'
    case 'committing offsets':
      return 'READY'
    case 'adding partitions':
      return instance.result === 'abort' ? 'ABORTING' : 'IN_TRANSACTION'
    case 'sending':
      return stateWhileSending(protocol, instance)
    case 'prepared':
      return 'PREPARED_TRANSACTION'
    case 'ending':
      return instance.result === 'abort' ? 'ABORTING' : 'COMMITTING'
  }
}

/**
 * The application calls commitTransaction or abortTransaction when sendOffsetsToTransaction returns, with
 * batches still in flight unless it flushes them before a commit; prepareTransaction does so itself.
 */
function stateWhileSending({ config }: Protocol, { result, offsetsPending }: Instance): ProducerState {
  if (result === 'abort') return offsetsPending ? 'ABORTABLE_ERROR' : 'ABORTING'
  return offsetsPending || config.flushBeforeCommit || config.twoPhaseCommit ? 'IN_TRANSACTION' : 'COMMITTING'
}

/** TransactionManager.isCompleting. */
export function isCompleting(protocol: Protocol, instance: Instance): boolean {
  const state = producerStateOf(protocol, instance)
  return state === 'COMMITTING' || state === 'ABORTING'
}

/** The transaction has to be aborted. */
export function becomeAborting(instance: Instance): void {
  instance.result = 'abort'
}

/**
 * A batch failed: the transaction has to be aborted, and the epoch is raised after that, unless the
 * transaction is already being completed (KIP-360, TransactionManager.maybeTransitionToErrorState).
 */
export function failBatch(protocol: Protocol, instance: Instance): void {
  if (raisesEpoch(protocol) && !isCompleting(protocol, instance)) instance.epochBumpRequired = true
  becomeAborting(instance)
}

/**
 * TransactionManager.needToTriggerEpochBumpFromClient: not where every end raises the epoch, and not before
 * KIP-360.
 */
export const raisesEpoch = ({ flags, protects }: Protocol): boolean =>
  flags.clientEpochBump && protects('epoch bump after an error')
