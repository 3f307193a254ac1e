/** InitProducerId: who gets which producer id and epoch. */
import type { CoordinatorEntry, ErrorName, Identity, InitProducerIdRequest } from '../../state.ts'
import type { Protocol } from '../protocol.ts'
import {
  completionFirst,
  type Decision,
  isExhausted,
  isPrepared,
  pendingFirst,
  producerIdAfter,
  refuse,
  type TakeProducerId,
  wait,
} from './decision.ts'
import { following } from './entry.ts'
import { fence } from './fence.ts'

/** A producer without a transactional.id: any broker answers, nothing is written (TransactionCoordinator.handleInitProducerId). */
export const freshIdentity = (takeProducerId: TakeProducerId): Identity => ({
  producerId: takeProducerId(),
  producerEpoch: 0,
})

/**
 * What any coordinator refuses before it looks for the transactional.id: no version that was read can keep a prepared
 * transaction, and no transaction may take longer than the brokers allow, unless an external store decides it
 * (TransactionCoordinator.handleInitProducerId, KIP-939, transaction.max.timeout.ms).
 */
export function refusedAtOnce({
  keepPreparedTxn,
  timeoutAboveMaximum,
  enable2Pc,
}: InitProducerIdRequest): ErrorName | undefined {
  if (keepPreparedTxn === true) return 'UNSUPPORTED_VERSION'
  return timeoutAboveMaximum === true && enable2Pc !== true ? 'INVALID_TRANSACTION_TIMEOUT' : undefined
}

/**
 * TransactionCoordinator.prepareInitProducerIdTransit. Where a transaction is open only the producer id of the request is
 * looked at: an old epoch aborts it too.
 */
export function initProducerId(
  protocol: Protocol,
  entry: CoordinatorEntry,
  request: InitProducerIdRequest,
  takeProducerId: TakeProducerId,
): Decision {
  const { protects } = protocol
  if (entry.pendingState !== 'none' && protects('one transition at a time')) return wait(pendingFirst)
  if (!isItsProducer(protocol, entry, request)) return refuse('PRODUCER_FENCED')
  if (isPrepared(entry.state) && protects('completion first')) return wait(completionFirst)
  if (entry.state === 'Ongoing' && protects('abort of the old transaction')) {
    return fence(protocol, entry, protects('epoch bump at fencing abort'), takeProducerId)
  }
  return nextIdentity(protocol, entry, request, takeProducerId)
}

/** The previous producer id is one to go on from if its epochs were used up: the reply that told of the next was lost. */
function isItsProducer(
  protocol: Protocol,
  entry: CoordinatorEntry,
  { expectedProducerId, expectedEpoch }: InitProducerIdRequest,
): boolean {
  if (expectedEpoch === -1 || entry.producerEpoch === -1 || expectedProducerId === entry.producerId)
    return true
  return expectedProducerId === entry.previousProducerId && isExhausted(protocol, expectedEpoch)
}

/** TransactionMetadata.prepareProducerIdRotation, prepareIncrementProducerEpoch. */
function nextIdentity(
  protocol: Protocol,
  entry: CoordinatorEntry,
  request: InitProducerIdRequest,
  takeProducerId: TakeProducerId,
): Decision {
  const { expectedEpoch } = request
  const { producerId, producerEpoch, lastProducerEpoch } = entry
  const empty = (identity: Identity, last: number) => begin(entry, request, identity, last)
  const bumps = protocol.protects('epoch bump at initialisation') || producerEpoch === -1
  const expected = expectedEpoch === -1 || expectedEpoch === producerEpoch
  const last = expectedEpoch === -1 ? -1 : producerEpoch
  if (bumps && isExhausted(protocol, producerEpoch)) {
    const rotated = producerIdAfter(protocol, entry, takeProducerId)
    if (expected) return empty({ producerId: rotated, producerEpoch: 0 }, last)
    // IllegalStateException, although the request may be a repetition whose first copy led to this epoch.
    return refuse('UNKNOWN_SERVER_ERROR')
  }
  const next = bumps ? producerEpoch + 1 : producerEpoch
  if (expected || producerEpoch === -1) return empty({ producerId, producerEpoch: next }, last)
  // A repeated request whose first reply was lost (KIP-360).
  const repeated = protocol.protects('repeated initialisation') && expectedEpoch === lastProducerEpoch
  if (repeated) return empty({ producerId, producerEpoch }, lastProducerEpoch)
  return refuse('PRODUCER_FENCED')
}

/** The timeout is that of the request from now on (TransactionMetadata.txnTimeoutMs). */
function begin(
  { neverTimesOut: _former, ...entry }: CoordinatorEntry,
  { enable2Pc }: InitProducerIdRequest,
  identity: Identity,
  lastProducerEpoch: number,
): Decision {
  const record = following(entry, {
    ...identity,
    lastProducerEpoch,
    ...(enable2Pc === true ? { neverTimesOut: true as const } : {}),
    state: 'Empty',
    partitions: [],
    transaction: '',
  })
  return { kind: 'write', record, identity }
}
