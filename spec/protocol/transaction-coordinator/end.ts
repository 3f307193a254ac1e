/** EndTxn: the decision of a transaction by its client. */
import type { CoordinatorEntry, EndTxnRequest, Result } from '../../state.ts'
import type { Protocol } from '../protocol.ts'
import {
  completionFirst,
  type Decision,
  identityOf,
  isExhausted,
  isPrepared,
  noIdentity,
  pendingFirst,
  prepared,
  producerIdAfter,
  refuse,
  type TakeProducerId,
  wait,
} from './decision.ts'
import { following } from './entry.ts'

const finished = (result: Result) => (result === 'commit' ? 'CompleteCommit' : 'CompleteAbort')

/** EndTxn (TransactionCoordinator.endTransaction, endTransactionWithTV1); the version is that of the request. */
export function endTransaction(
  protocol: Protocol,
  entry: CoordinatorEntry | null,
  request: EndTxnRequest,
  takeProducerId: TakeProducerId,
): Decision {
  if (entry === null) return refuse('INVALID_PRODUCER_ID_MAPPING')
  return protocol.flags.clientVersion === 1
    ? endVersionOne(protocol, entry, request)
    : endVersionTwo(protocol, entry, request, takeProducerId)
}

/** An abort on behalf of a new session that has not got the lock again holds nobody up. */
const isPending = ({ pendingState }: CoordinatorEntry): boolean =>
  pendingState !== 'none' && pendingState !== 'PrepareEpochFence'

/**
 * Whether the transition cannot be prepared because that of a fence is: a commit then throws, an abort takes the place
 * of the fence (TransactionMetadata.prepareTransitionTo).
 */
const breaksFence = ({ pendingState }: CoordinatorEntry, result: Result): boolean =>
  pendingState === 'PrepareEpochFence' && result === 'commit'

/** Before transaction.version 2 a repeated request is recognised by the state alone: the epoch is that of the next transaction too. */
function endVersionOne(protocol: Protocol, entry: CoordinatorEntry, request: EndTxnRequest): Decision {
  const { result } = request
  if (request.producerId !== entry.producerId) return refuse('INVALID_PRODUCER_ID_MAPPING')
  if (protocol.protects('coordinator epoch check') && request.producerEpoch !== entry.producerEpoch) {
    return refuse('PRODUCER_FENCED')
  }
  if (isPending(entry)) return wait(pendingFirst)
  if (entry.state === 'Ongoing') {
    if (breaksFence(entry, result)) return refuse('UNKNOWN_SERVER_ERROR')
    const last = entry.pendingState === 'PrepareEpochFence' ? -1 : entry.lastProducerEpoch
    const record = following(entry, {
      state: prepared(result),
      lastProducerEpoch: last,
      transactionVersion: 1,
    })
    return { kind: 'write', record, identity: noIdentity }
  }
  if (isPrepared(entry.state)) return beingCompleted(entry, result)
  return isFinished(protocol, entry, result)
    ? { kind: 'accept', identity: noIdentity }
    : refuse('INVALID_TXN_STATE')
}

/** Whether the transaction has ended as the client asks: it repeats its request. */
const isFinished = ({ protects }: Protocol, { state }: CoordinatorEntry, result: Result): boolean =>
  state === finished(result) ||
  (!protects('end is the one decided') && (state === 'CompleteCommit' || state === 'CompleteAbort'))

const beingCompleted = ({ state }: CoordinatorEntry, result: Result): Decision =>
  state === prepared(result) ? wait(completionFirst) : refuse('INVALID_TXN_STATE')

/** What a request with transaction.version 2 looks like beside the entry. */
interface Relation {
  /** At the epoch that is current: the end of a transaction that is open, or of none. */
  readonly current: boolean
  /** At the epoch before the one that its first copy led to (KIP-890). */
  readonly repeated: boolean
}

function relationOf(protocol: Protocol, entry: CoordinatorEntry, request: EndTxnRequest): Relation {
  const bumps = protocol.protects('epoch bump at every end')
  const { producerId, producerEpoch } = entry
  const sameProducer = request.producerId === producerId
  const overflowed =
    request.producerId === entry.previousProducerId &&
    request.producerEpoch === protocol.config.maxEpoch - 1 &&
    producerEpoch === 0
  return {
    current: sameProducer && request.producerEpoch === producerEpoch,
    repeated: bumps && ((sameProducer && request.producerEpoch + 1 === producerEpoch) || overflowed),
  }
}

/** TransactionCoordinator.endTransaction: what is pending is looked at first (KAFKA-18464). */
function endVersionTwo(
  protocol: Protocol,
  entry: CoordinatorEntry,
  request: EndTxnRequest,
  takeProducerId: TakeProducerId,
): Decision {
  if (isPending(entry)) return wait(pendingFirst)
  const relation = relationOf(protocol, entry, request)
  if (request.producerId !== entry.producerId && !relation.repeated)
    return refuse('INVALID_PRODUCER_ID_MAPPING')
  if (protocol.protects('coordinator epoch check') && !isAllowed(protocol, entry, relation)) {
    return refuse('PRODUCER_FENCED')
  }
  if (isPrepared(entry.state)) return beingCompleted(entry, request.result)
  if (entry.state !== 'Ongoing')
    return endWithoutTransaction(protocol, entry, request, relation, takeProducerId)
  if (breaksFence(entry, request.result)) return refuse('UNKNOWN_SERVER_ERROR')
  return decide(protocol, entry, request.result, takeProducerId)
}

/** Which epochs may end a transaction in which state: the same epoch after the end means the next transaction. */
function isAllowed(
  protocol: Protocol,
  { state }: CoordinatorEntry,
  { current, repeated }: Relation,
): boolean {
  if (isPrepared(state)) return protocol.protects('epoch bump at every end') ? repeated : current
  return current || (repeated && (state === 'CompleteCommit' || state === 'CompleteAbort'))
}

/** EndTxn in Empty, CompleteCommit or CompleteAbort, transaction.version 2. */
function endWithoutTransaction(
  protocol: Protocol,
  entry: CoordinatorEntry,
  { result }: EndTxnRequest,
  { repeated }: Relation,
  takeProducerId: TakeProducerId,
): Decision {
  const bumps = protocol.protects('epoch bump at every end')
  if (isFinished(protocol, entry, result) && (repeated || !bumps)) {
    return { kind: 'accept', identity: identityOf(entry) }
  }
  if (result === 'commit') {
    return refuse(
      repeated && entry.state === 'CompleteAbort' ? protocol.flags.lateCommitReply : 'INVALID_TXN_STATE',
    )
  }
  if (repeated) return refuse('INVALID_TXN_STATE')
  // The producer may have sent nothing that arrived: its abort raises the epoch all the same (KIP-890).
  return decide(protocol, { ...entry, partitions: [], transaction: '' }, 'abort', takeProducerId)
}

/**
 * TransactionMetadata.prepareAbortOrCommit. The markers get the raised epoch of the old producer id; where that is the
 * largest one, the client goes on with the next producer id at epoch 0.
 */
function decide(
  protocol: Protocol,
  entry: CoordinatorEntry,
  result: Result,
  takeProducerId: TakeProducerId,
): Decision {
  const { producerId, producerEpoch } = entry
  const bumps = protocol.protects('epoch bump at every end')
  const raised = bumps ? producerEpoch + 1 : producerEpoch
  if (raised > protocol.config.maxEpoch) return refuse('UNKNOWN_SERVER_ERROR')
  // Before KAFKA-20090 an end in the place of a fence takes no producer id.
  const inPlaceOfFence = entry.pendingState === 'PrepareEpochFence' && protocol.flags.fenceBump !== 'single'
  const overflows = bumps && !inPlaceOfFence && isExhausted(protocol, producerEpoch)
  const nextProducerId = overflows ? producerIdAfter(protocol, entry, takeProducerId) : -1
  const record = following(entry, {
    nextProducerId,
    producerEpoch: raised,
    lastProducerEpoch: producerEpoch,
    state: prepared(result),
    transactionVersion: 2,
  })
  const identity = overflows
    ? { producerId: nextProducerId, producerEpoch: 0 }
    : { producerId, producerEpoch: raised }
  return { kind: 'write', record, identity }
}
