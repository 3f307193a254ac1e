/**
 * The transaction coordinator: what it answers and what it writes, as pure functions of its memory and a request.
 *
 * A retriable refusal (CONCURRENT_TRANSACTIONS and the like) is the decision 'wait': the client repeats the
 * request until it is decided, which to the coordinator is one request that waits.
 */
import type {
  CoordinatorEntry,
  EndTxnRequest,
  ErrorName,
  Identity,
  InitProducerIdRequest,
  Result,
  TransactionRecord,
  TransactionState,
} from '../state.ts'
import type { Protocol } from './protocol.ts'

/** What the coordinator does with a request. */
export type Decision =
  | { kind: 'wait'; because: string }
  | { kind: 'refuse'; error: ErrorName }
  /** Nothing to write. */
  | { kind: 'accept'; identity: Identity }
  /** Append `record`; the reply (with `identity`) follows when it is durable. */
  | { kind: 'write'; record: TransactionRecord; lastProducerEpoch: number; identity: Identity }
  /** Append the abort of the open transaction on behalf of a new producer, which has to ask again. */
  | { kind: 'fence'; record: TransactionRecord; lastProducerEpoch: number; memoryEpoch: number }

/** Of a reply that carries no identity. */
export const noIdentity: Identity = { producerId: -1, producerEpoch: -1 }

const wait = (because: string): Decision => ({ kind: 'wait', because })
const refuse = (error: ErrorName): Decision => ({ kind: 'refuse', error })

const isPrepared = (state: TransactionState) => state === 'PrepareCommit' || state === 'PrepareAbort'
export const prepared = (result: Result) => (result === 'commit' ? 'PrepareCommit' : 'PrepareAbort')
export const completed = (state: TransactionState) =>
  state === 'PrepareCommit' ? 'CompleteCommit' : 'CompleteAbort'

/** A transactional.id that has never been seen: in memory only (TransactionCoordinator.handleInitProducerId). */
export const newEntry = (producerId: number): CoordinatorEntry => ({
  producerId,
  previousProducerId: -1,
  nextProducerId: -1,
  producerEpoch: -1,
  state: 'Empty',
  partitions: [],
  transaction: '',
  lastProducerEpoch: -1,
  pendingState: 'none',
  failedEpochFence: false,
})

/** What an entry has in common with its records. */
export function recordOf(entry: CoordinatorEntry): TransactionRecord {
  const { lastProducerEpoch: _last, pendingState: _pending, failedEpochFence: _failed, ...record } = entry
  return record
}

/** TransactionCoordinator.prepareInitProducerIdTransit, TransactionMetadata.prepareIncrementProducerEpoch. */
export function initProducerId(
  protocol: Protocol,
  entry: CoordinatorEntry,
  { expectedEpoch }: InitProducerIdRequest,
): Decision {
  if (entry.pendingState !== 'none') return wait('no transition is pending')
  if (isPrepared(entry.state)) return wait('no transaction is being completed')
  if (entry.state === 'Ongoing' && protocol.protects('abort of the old transaction')) {
    return fence(protocol, entry, protocol.protects('epoch bump at fencing abort'))
  }
  const { producerEpoch, lastProducerEpoch } = entry
  const empty = (epoch: number, last: number): Decision => ({
    kind: 'write',
    record: {
      ...recordOf(entry),
      previousProducerId: entry.producerId,
      producerEpoch: epoch,
      state: 'Empty',
      partitions: [],
      transaction: '',
    },
    lastProducerEpoch: last,
    identity: { producerId: entry.producerId, producerEpoch: epoch },
  })
  const next =
    protocol.protects('epoch bump at initialisation') || producerEpoch === -1
      ? producerEpoch + 1
      : producerEpoch
  if (expectedEpoch === -1) return empty(next, -1)
  if (producerEpoch === -1 || expectedEpoch === producerEpoch) return empty(next, producerEpoch)
  // A repeated request whose first reply was lost (KIP-360). Not known after a failover: lastProducerEpoch is not durable.
  if (expectedEpoch === lastProducerEpoch) return empty(producerEpoch, lastProducerEpoch)
  return refuse('PRODUCER_FENCED')
}

/**
 * The abort of an open transaction for a new producer or after a timeout (TransactionMetadata.prepareFenceProducerEpoch,
 * prepareAbortOrCommit). Before KAFKA-19367 the memory holds the raised epoch before the write, and with
 * transaction.version 2 the record raises it once more.
 */
export function fence({ flags }: Protocol, entry: CoordinatorEntry, bump: boolean): Decision {
  const raised = bump ? entry.producerEpoch + 1 : entry.producerEpoch
  const early = flags.fenceBump !== 'single'
  const producerEpoch = flags.fenceBump === 'double' && bump ? raised + 1 : raised
  const lastOf = { early: -1, double: raised, single: entry.producerEpoch }
  return {
    kind: 'fence',
    record: {
      ...recordOf(entry),
      previousProducerId: entry.producerId,
      producerEpoch,
      state: 'PrepareAbort',
    },
    lastProducerEpoch: lastOf[flags.fenceBump],
    memoryEpoch: early ? raised : entry.producerEpoch,
  }
}

/** A transaction is aborted by timeout only while it is open and nothing is pending (TransactionStateManager.timedOutTransactions). */
export const canTimeOut = (entry: CoordinatorEntry | null): entry is CoordinatorEntry =>
  entry !== null && entry.state === 'Ongoing' && entry.pendingState === 'none'

interface Claimed extends Identity {
  partitions: readonly number[]
  /** Ghost: what the transaction is called when the partitions are added. */
  transaction: string
}

/** AddPartitionsToTxn and AddOffsetsToTxn, from the client or from a partition leader (TransactionCoordinator.handleAddPartitionsToTransaction). */
export function addPartitions(
  protocol: Protocol,
  entry: CoordinatorEntry | null,
  request: Claimed,
): Decision {
  if (entry === null) return refuse('INVALID_PRODUCER_ID_MAPPING')
  const pending = entry.pendingState !== 'none'
  if (protocol.flags.pendingCheckFirst && pending) return wait('no transition is pending')
  if (protocol.protects('coordinator epoch check') && request.producerEpoch !== entry.producerEpoch) {
    return refuse('PRODUCER_FENCED')
  }
  if (pending) return wait('no transition is pending')
  if (isPrepared(entry.state)) return wait('no transaction is being completed')
  const open = entry.state === 'Ongoing'
  const known = open ? entry.partitions : []
  const added = request.partitions.filter((partition) => !known.includes(partition))
  if (open && added.length === 0) return { kind: 'accept', identity: noIdentity }
  return {
    kind: 'write',
    record: {
      ...recordOf(entry),
      previousProducerId: entry.producerId,
      state: 'Ongoing',
      partitions: [...known, ...added].sort((one, other) => one - other),
      transaction: request.transaction,
    },
    lastProducerEpoch: entry.lastProducerEpoch,
    identity: noIdentity,
  }
}

/**
 * The question of a partition leader whether it takes part in a transaction, before transaction.version 2
 * (TransactionCoordinator.handleVerifyPartitionsInTransaction). The pending state is deliberately not consulted (KAFKA-14904).
 */
export function verifyPartition(
  protocol: Protocol,
  entry: CoordinatorEntry | null,
  { producerId, producerEpoch }: Identity,
  partition: number,
): Decision {
  if (entry === null || producerId !== entry.producerId) return refuse('INVALID_PRODUCER_ID_MAPPING')
  if (protocol.protects('coordinator epoch check') && producerEpoch !== entry.producerEpoch) {
    return refuse('PRODUCER_FENCED')
  }
  if (isPrepared(entry.state)) return wait('no transaction is being completed')
  const present = entry.state === 'Ongoing' && entry.partitions.includes(partition)
  return present ? { kind: 'accept', identity: noIdentity } : refuse('TRANSACTION_ABORTABLE')
}

/** EndTxn (TransactionCoordinator.endTransaction, endTransactionWithTV1). */
export function endTransaction(
  protocol: Protocol,
  entry: CoordinatorEntry | null,
  request: EndTxnRequest,
): Decision {
  if (entry === null) return refuse('INVALID_PRODUCER_ID_MAPPING')
  return protocol.flags.clientVersion === 1
    ? endVersionOne(protocol, entry, request)
    : endVersionTwo(protocol, entry, request)
}

/** Before transaction.version 2 a repeated request is recognised by the state alone: the epoch is that of the next transaction too. */
function endVersionOne(protocol: Protocol, entry: CoordinatorEntry, request: EndTxnRequest): Decision {
  if (protocol.protects('coordinator epoch check') && request.producerEpoch !== entry.producerEpoch) {
    return refuse('PRODUCER_FENCED')
  }
  if (entry.pendingState !== 'none') return wait('no transition is pending')
  if (entry.state === 'Ongoing')
    return decide(entry, request.result, entry.producerEpoch, entry.lastProducerEpoch, -1)
  if (isPrepared(entry.state)) {
    return entry.state === prepared(request.result)
      ? wait('no transaction is being completed')
      : refuse('INVALID_TXN_STATE')
  }
  const repeated = entry.state === (request.result === 'commit' ? 'CompleteCommit' : 'CompleteAbort')
  return repeated ? { kind: 'accept', identity: noIdentity } : refuse('INVALID_TXN_STATE')
}

/** With transaction.version 2 a repeated request carries the epoch before the one that its first copy led to (KIP-890). */
function endVersionTwo(protocol: Protocol, entry: CoordinatorEntry, request: EndTxnRequest): Decision {
  if (entry.pendingState !== 'none') return wait('no transition is pending')
  const bumps = protocol.protects('epoch bump at every end')
  const repeated = bumps ? entry.producerEpoch === request.producerEpoch + 1 : false
  const current = entry.producerEpoch === request.producerEpoch
  const checked = protocol.protects('coordinator epoch check')
  const next = bumps ? entry.producerEpoch + 1 : entry.producerEpoch
  if (entry.state === 'Ongoing') {
    if (checked && !current) return refuse('PRODUCER_FENCED')
    return decide(entry, request.result, next, entry.producerEpoch, next)
  }
  if (isPrepared(entry.state)) {
    if (checked && !(bumps ? repeated : current)) return refuse('PRODUCER_FENCED')
    return entry.state === prepared(request.result)
      ? wait('no transaction is being completed')
      : refuse('INVALID_TXN_STATE')
  }
  if (checked && !current && !(repeated && entry.state !== 'Empty')) return refuse('PRODUCER_FENCED')
  return endWithoutTransaction(protocol, entry, request, repeated, next)
}

/** EndTxn in Empty, CompleteCommit or CompleteAbort, transaction.version 2. */
function endWithoutTransaction(
  protocol: Protocol,
  entry: CoordinatorEntry,
  { result }: EndTxnRequest,
  repeated: boolean,
  next: number,
): Decision {
  const bumps = protocol.protects('epoch bump at every end')
  const finished = entry.state === (result === 'commit' ? 'CompleteCommit' : 'CompleteAbort')
  if (finished && (repeated || !bumps)) return { kind: 'accept', identity: identityOf(entry) }
  if (result === 'commit') {
    return refuse(
      repeated && entry.state === 'CompleteAbort' ? protocol.flags.lateCommitReply : 'INVALID_TXN_STATE',
    )
  }
  if (repeated) return refuse('INVALID_TXN_STATE')
  // The producer may have sent nothing that arrived: its abort raises the epoch all the same (KIP-890).
  return decide({ ...entry, partitions: [], transaction: '' }, 'abort', next, entry.producerEpoch, next)
}

function decide(
  entry: CoordinatorEntry,
  result: Result,
  producerEpoch: number,
  lastProducerEpoch: number,
  answered: number,
): Decision {
  const { producerId } = entry
  return {
    kind: 'write',
    record: {
      ...recordOf(entry),
      previousProducerId: producerId,
      producerEpoch,
      state: prepared(result),
    },
    lastProducerEpoch,
    identity: answered < 0 ? noIdentity : { producerId, producerEpoch: answered },
  }
}

const identityOf = ({ producerId, producerEpoch }: CoordinatorEntry): Identity => ({
  producerId,
  producerEpoch,
})

/** A record read back by a new coordinator (TransactionStateManager.loadTransactionMetadata): what was only in memory is gone. */
export const loaded = (record: TransactionRecord): CoordinatorEntry => ({
  ...record,
  lastProducerEpoch: -1,
  pendingState: 'none',
  failedEpochFence: false,
})

/** The last word on a transaction, once all of its markers are acknowledged (TransactionMetadata.prepareComplete). */
export const completion = (entry: CoordinatorEntry): TransactionRecord => ({
  ...recordOf(entry),
  state: completed(entry.state),
  partitions: [],
  transaction: '',
})
