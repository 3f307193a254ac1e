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
  /** Nothing to write; `producerEpoch` is -1 where the reply carries none. */
  | { kind: 'accept'; producerEpoch: number }
  /** Append `record`; the reply (with `producerEpoch`) follows when it is durable. */
  | { kind: 'write'; record: TransactionRecord; lastProducerEpoch: number; producerEpoch: number }
  /** Append the abort of the open transaction on behalf of a new producer, which has to ask again. */
  | { kind: 'fence'; record: TransactionRecord; lastProducerEpoch: number; memoryEpoch: number }

const wait = (because: string): Decision => ({ kind: 'wait', because })
const refuse = (error: ErrorName): Decision => ({ kind: 'refuse', error })

const isPrepared = (state: TransactionState) => state === 'PrepareCommit' || state === 'PrepareAbort'
export const prepared = (result: Result) => (result === 'commit' ? 'PrepareCommit' : 'PrepareAbort')
export const completed = (state: TransactionState) =>
  state === 'PrepareCommit' ? 'CompleteCommit' : 'CompleteAbort'

/** A transactional.id that has never been seen: in memory only (TransactionCoordinator.handleInitProducerId). */
export const newEntry = (): CoordinatorEntry => ({
  producerEpoch: -1,
  state: 'Empty',
  partitions: [],
  transaction: '',
  lastProducerEpoch: -1,
  pendingState: 'none',
})

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
    record: { producerEpoch: epoch, state: 'Empty', partitions: [], transaction: '' },
    lastProducerEpoch: last,
    producerEpoch: epoch,
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
 * prepareAbortOrCommit). Before transaction.version 2 the memory holds the raised epoch before the write.
 */
export function fence(protocol: Protocol, entry: CoordinatorEntry, bump: boolean): Decision {
  const epoch = bump ? entry.producerEpoch + 1 : entry.producerEpoch
  const versionTwo = protocol.flags.transactionVersion === 2
  return {
    kind: 'fence',
    record: {
      producerEpoch: epoch,
      state: 'PrepareAbort',
      partitions: entry.partitions,
      transaction: entry.transaction,
    },
    lastProducerEpoch: versionTwo ? entry.producerEpoch : -1,
    memoryEpoch: versionTwo ? entry.producerEpoch : epoch,
  }
}

/** A transaction is aborted by timeout only while it is open and nothing is pending (TransactionStateManager.timedOutTransactions). */
export const canTimeOut = (entry: CoordinatorEntry | null): entry is CoordinatorEntry =>
  entry !== null && entry.state === 'Ongoing' && entry.pendingState === 'none'

interface Claimed {
  producerEpoch: number
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
  if (open && added.length === 0) return { kind: 'accept', producerEpoch: -1 }
  return {
    kind: 'write',
    record: {
      producerEpoch: entry.producerEpoch,
      state: 'Ongoing',
      partitions: [...known, ...added].sort((one, other) => one - other),
      transaction: request.transaction,
    },
    lastProducerEpoch: entry.lastProducerEpoch,
    producerEpoch: -1,
  }
}

/**
 * The question of a partition leader whether it takes part in a transaction, before transaction.version 2
 * (TransactionCoordinator.handleVerifyPartitionsInTransaction). The pending state is deliberately not consulted (KAFKA-14904).
 */
export function verifyPartition(
  protocol: Protocol,
  entry: CoordinatorEntry | null,
  producerEpoch: number,
  partition: number,
): Decision {
  if (entry === null) return refuse('INVALID_PRODUCER_ID_MAPPING')
  if (protocol.protects('coordinator epoch check') && producerEpoch !== entry.producerEpoch) {
    return refuse('PRODUCER_FENCED')
  }
  if (isPrepared(entry.state)) return wait('no transaction is being completed')
  const present = entry.state === 'Ongoing' && entry.partitions.includes(partition)
  return present ? { kind: 'accept', producerEpoch: -1 } : refuse('TRANSACTION_ABORTABLE')
}

/** EndTxn (TransactionCoordinator.endTransaction, endTransactionWithTV1). */
export function endTransaction(
  protocol: Protocol,
  entry: CoordinatorEntry | null,
  request: EndTxnRequest,
): Decision {
  if (entry === null) return refuse('INVALID_PRODUCER_ID_MAPPING')
  return protocol.flags.transactionVersion === 1
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
  return repeated ? { kind: 'accept', producerEpoch: -1 } : refuse('INVALID_TXN_STATE')
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
  if (finished && (repeated || !bumps)) return { kind: 'accept', producerEpoch: entry.producerEpoch }
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
  entry: TransactionRecord,
  result: Result,
  producerEpoch: number,
  lastProducerEpoch: number,
  answered: number,
): Decision {
  return {
    kind: 'write',
    record: {
      producerEpoch,
      state: prepared(result),
      partitions: entry.partitions,
      transaction: entry.transaction,
    },
    lastProducerEpoch,
    producerEpoch: answered,
  }
}

/** A record read back by a new coordinator (TransactionStateManager.loadTransactionMetadata): what was only in memory is gone. */
export const loaded = (record: TransactionRecord): CoordinatorEntry => ({
  ...record,
  lastProducerEpoch: -1,
  pendingState: 'none',
})

/** The last word on a transaction, once all of its markers are acknowledged (TransactionMetadata.prepareComplete). */
export const completion = (entry: CoordinatorEntry): TransactionRecord => ({
  producerEpoch: entry.producerEpoch,
  state: completed(entry.state),
  partitions: [],
  transaction: '',
})
