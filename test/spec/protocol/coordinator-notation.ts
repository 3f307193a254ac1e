/** Short notations for the coordinator's memory, requests and decisions. */
import type { Decision } from '../../../spec/protocol/transaction-coordinator/decision.ts'
import type {
  AddPartitionsRequest,
  CoordinatorEntry,
  EndTxnRequest,
  Identity,
  InitProducerIdRequest,
  Result,
  TransactionRecord,
  TransactionState,
} from '../../../spec/state.ts'

export const states: readonly TransactionState[] = [
  'Empty',
  'Ongoing',
  'PrepareCommit',
  'PrepareAbort',
  'CompleteCommit',
  'CompleteAbort',
]

/** The epoch of the entry that the tables speak of, and the one before it. */
export const current = 5
export const last = 4
/** The producer id that the tables speak of, the one that a coordinator takes next, and one of somebody else. */
export const producer = 0
export const fresh = 7
export const other = 9
export const takeFresh = () => fresh

export function entryIn(state: TransactionState, changes: Partial<CoordinatorEntry> = {}): CoordinatorEntry {
  const participants =
    state === 'Ongoing' || state === 'PrepareCommit' || state === 'PrepareAbort' ? [0, 2] : []
  return {
    producerId: producer,
    previousProducerId: producer,
    nextProducerId: -1,
    producerEpoch: current,
    lastProducerEpoch: last,
    state,
    transactionVersion: 1,
    partitions: participants,
    transaction: participants.length > 0 ? 's1.1' : '',
    pendingState: 'none',
    failedEpochFence: false,
    ...changes,
  }
}

/** A state in which a transition is pending; the target does not matter to the rules. */
export const pendingEntry = (state: TransactionState): CoordinatorEntry =>
  entryIn(state, { pendingState: state === 'PrepareCommit' ? 'CompleteCommit' : 'PrepareAbort' })

const origin = { session: 1, transaction: 's1.1', transactionalId: 0, executing: false }

/** From a producer that has an identity, or with -1 from a new one. */
export const initRequest = (expectedEpoch: number, expectedProducerId = producer): InitProducerIdRequest => ({
  kind: 'InitProducerId',
  ...origin,
  expectedProducerId: expectedEpoch < 0 ? -1 : expectedProducerId,
  expectedEpoch,
})

export const addRequest = (
  producerEpoch: number,
  partitions: number[],
  producerId = producer,
): AddPartitionsRequest => ({ kind: 'AddPartitionsToTxn', ...origin, producerId, producerEpoch, partitions })

export const endRequest = (producerEpoch: number, result: Result, producerId = producer): EndTxnRequest => ({
  kind: 'EndTxn',
  ...origin,
  producerId,
  producerEpoch,
  result,
})

/**
 * A decision in one line: 'wait', the error, 'NONE', 'NONE (6)' for a reply that carries an identity,
 * 'PrepareAbort(6){0,2} last 5 -> NONE (6)' for a record and the reply that follows it, and
 * 'PrepareAbort(6){0,2} last 5, memory 5 -> wait' for an abort on behalf of a new producer. A producer id that is not the
 * usual one stands before its epoch; one that takes over later stands after it: '7:0', '6 then 7'.
 */
export function shown(decision: Decision): string {
  switch (decision.kind) {
    case 'wait':
      return 'wait'
    case 'refuse':
      return decision.error
    case 'accept':
      return none(decision.identity)
    case 'write':
      return `${written(decision.record)} -> ${none(decision.identity)}`
    case 'fence':
      return `${written(decision.record)}, memory ${decision.memoryEpoch} -> wait`
    case 'fail':
      return `UNKNOWN_SERVER_ERROR, memory ${decision.memoryEpoch}`
  }
}

const identified = ({ producerId, producerEpoch }: Identity) =>
  producerId === producer ? `${producerEpoch}` : `${producerId}:${producerEpoch}`

const none = (identity: Identity) => (identity.producerEpoch < 0 ? 'NONE' : `NONE (${identified(identity)})`)

export function written(record: TransactionRecord): string {
  const next = record.nextProducerId < 0 ? '' : ` then ${record.nextProducerId}`
  const participants = record.partitions.join(',')
  return `${record.state}(${identified(record)}${next}){${participants}} last ${record.lastProducerEpoch}`
}
