/** The abort of an open transaction by the coordinator itself: for a new producer, or after a timeout. */
import type { CoordinatorEntry } from '../../state.ts'
import type { Protocol } from '../protocol.ts'
import { type Fence, isExhausted, producerIdAfter, type TakeProducerId } from './decision.ts'
import { following } from './entry.ts'

/**
 * A transaction is aborted by timeout only while it is open and nothing is pending, and never where an external store decides
 * it (TransactionStateManager.timedOutTransactions).
 */
export const canTimeOut = (entry: CoordinatorEntry | null): entry is CoordinatorEntry =>
  entry !== null && entry.state === 'Ongoing' && entry.pendingState === 'none' && entry.neverTimesOut !== true

/**
 * The abort that keeps the old producer out by a higher epoch (TransactionMetadata.prepareFenceProducerEpoch,
 * prepareAbortOrCommit). Before KAFKA-19367 the memory holds the raised epoch before the write, and with
 * transaction.version 2 the record raises it once more.
 */
export function fence(
  protocol: Protocol,
  entry: CoordinatorEntry,
  bump: boolean,
  takeProducerId: TakeProducerId,
): Fence {
  return protocol.flags.fenceBump === 'single'
    ? fenceWithTheWrite(protocol, entry, bump, takeProducerId)
    : fenceInMemory(protocol, entry, bump)
}

/** KAFKA-19367. Where the epochs are used up, the next producer id takes over (KAFKA-20090). */
function fenceWithTheWrite(
  protocol: Protocol,
  entry: CoordinatorEntry,
  bump: boolean,
  takeProducerId: TakeProducerId,
): Fence {
  const { producerEpoch } = entry
  const exhausted = bump && isExhausted(protocol, producerEpoch)
  const raised = bump ? Math.min(producerEpoch + 1, protocol.config.maxEpoch) : producerEpoch
  const record = following(entry, {
    nextProducerId: exhausted ? producerIdAfter(protocol, entry, takeProducerId) : -1,
    producerEpoch: raised,
    lastProducerEpoch: producerEpoch,
    state: 'PrepareAbort',
    transactionVersion: protocol.flags.serverVersion,
  })
  return { kind: 'fence', record, memoryEpoch: producerEpoch }
}

/** An epoch that was raised for an abort whose write failed is not raised again (hasFailedEpochFence). */
function fenceInMemory({ config, flags }: Protocol, entry: CoordinatorEntry, bump: boolean): Fence {
  const { producerEpoch } = entry
  if (bump && producerEpoch === config.maxEpoch) return { kind: 'fail', memoryEpoch: producerEpoch }
  const raised = bump && !entry.failedEpochFence ? producerEpoch + 1 : producerEpoch
  const twice = flags.fenceBump === 'double' && bump
  const written = twice ? raised + 1 : raised
  if (written > config.maxEpoch) return { kind: 'fail', memoryEpoch: raised }
  const record = following(entry, {
    producerEpoch: written,
    lastProducerEpoch: flags.fenceBump === 'double' ? raised : -1,
    state: 'PrepareAbort',
    transactionVersion: flags.serverVersion,
  })
  return { kind: 'fence', record, memoryEpoch: raised }
}
