/**
 * What the transaction coordinator makes of a request. Its rules are pure functions of its memory and the request.
 *
 * A retriable refusal (CONCURRENT_TRANSACTIONS and the like) is the decision 'wait': the client repeats the
 * request until it is decided, which to the coordinator is one request that waits.
 */
import type { ErrorName, Identity, Result, TransactionRecord, TransactionState } from '../../state.ts'
import type { Protocol } from '../protocol.ts'

/** What the coordinator does with a request. */
export type Decision =
  | { kind: 'wait'; because: string }
  | { kind: 'refuse'; error: ErrorName }
  /** Nothing to write. */
  | { kind: 'accept'; identity: Identity }
  /** Append `record`; the reply (with `identity`) follows when it is durable. */
  | { kind: 'write'; record: TransactionRecord; identity: Identity }
  | Fence

/** The abort of the open transaction on behalf of a new producer, which has to ask again, or after a timeout. */
export type Fence =
  /** Append `record`; `memoryEpoch` holds at once. */
  | { kind: 'fence'; record: TransactionRecord; memoryEpoch: number }
  /** No epoch is left: an exception, nothing is written. What was raised in memory before stays raised. */
  | { kind: 'fail'; memoryEpoch: number }

/** Takes a producer id that nobody else gets (ProducerIdManager.generateProducerId). */
export type TakeProducerId = () => number

/** Of a reply that carries no identity. */
export const noIdentity: Identity = { producerId: -1, producerEpoch: -1 }

export const identityOf = ({ producerId, producerEpoch }: Identity): Identity => ({
  producerId,
  producerEpoch,
})

export const wait = (because: string): Decision => ({ kind: 'wait', because })
export const refuse = (error: ErrorName): Decision => ({ kind: 'refuse', error })

export const pendingFirst = 'no transition is pending'
export const completionFirst = 'no transaction is being completed'

export const isPrepared = (state: TransactionState): state is 'PrepareCommit' | 'PrepareAbort' =>
  state === 'PrepareCommit' || state === 'PrepareAbort'
/** Open, or decided and not completed everywhere: what a partition may still have open is closed by its end. */
export const isUnfinished = (state: TransactionState): boolean => state === 'Ongoing' || isPrepared(state)
export const prepared = (result: Result) => (result === 'commit' ? 'PrepareCommit' : 'PrepareAbort')
export const completed = (state: TransactionState) =>
  state === 'PrepareCommit' ? 'CompleteCommit' : 'CompleteAbort'

/** Who goes on, from epoch 0, when the epochs of a producer id are used up (TransactionMetadata.prepareProducerIdRotation). */
export const producerIdAfter = (
  { protects }: Protocol,
  { producerId }: Identity,
  takeProducerId: TakeProducerId,
): number => (protects('rotation of an exhausted producer id') ? takeProducerId() : producerId)

/** From one below the largest epoch on the producer id is to be replaced (TransactionMetadata.isEpochExhausted). */
export const isExhausted = ({ config, protects }: Protocol, producerEpoch: number): boolean =>
  producerEpoch >= (protects('an epoch is left for the abort') ? config.maxEpoch - 1 : config.maxEpoch)
