/** Short notations for the coordinator's memory, requests and decisions. */
import type { Decision } from '../../../spec/protocol/transaction-coordinator.ts'
import type {
  AddPartitionsRequest,
  CoordinatorEntry,
  EndTxnRequest,
  InitProducerIdRequest,
  Result,
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

export function entryIn(state: TransactionState, changes: Partial<CoordinatorEntry> = {}): CoordinatorEntry {
  const participants =
    state === 'Ongoing' || state === 'PrepareCommit' || state === 'PrepareAbort' ? [0, 2] : []
  return {
    producerEpoch: current,
    lastProducerEpoch: last,
    state,
    partitions: participants,
    transaction: participants.length > 0 ? 's1.1' : '',
    pendingState: 'none',
    ...changes,
  }
}

/** A state in which a transition is pending; the target does not matter to the rules. */
export const pendingEntry = (state: TransactionState): CoordinatorEntry =>
  entryIn(state, { pendingState: state === 'PrepareCommit' ? 'CompleteCommit' : 'PrepareAbort' })

const origin = { session: 1, transaction: 's1.1', executing: false }

export const initRequest = (expectedEpoch: number): InitProducerIdRequest => ({
  kind: 'InitProducerId',
  ...origin,
  expectedEpoch,
})

export const addRequest = (producerEpoch: number, partitions: number[]): AddPartitionsRequest => ({
  kind: 'AddPartitionsToTxn',
  ...origin,
  producerEpoch,
  partitions,
})

export const endRequest = (producerEpoch: number, result: Result): EndTxnRequest => ({
  kind: 'EndTxn',
  ...origin,
  producerEpoch,
  result,
})

/**
 * A decision in one line: 'wait', the error, 'NONE', 'NONE (6)' for a reply that carries an epoch,
 * 'PrepareAbort(6){0,2} last 5 -> NONE (6)' for a record and the reply that follows it, and
 * 'PrepareAbort(6){0,2} last 5, memory 5 -> wait' for an abort on behalf of a new producer.
 */
export function shown(decision: Decision): string {
  switch (decision.kind) {
    case 'wait':
      return 'wait'
    case 'refuse':
      return decision.error
    case 'accept':
      return none(decision.producerEpoch)
    case 'write':
      return `${written(decision)} -> ${none(decision.producerEpoch)}`
    case 'fence':
      return `${written(decision)}, memory ${decision.memoryEpoch} -> wait`
  }
}

const none = (producerEpoch: number) => (producerEpoch < 0 ? 'NONE' : `NONE (${producerEpoch})`)

const written = ({ record, lastProducerEpoch }: Extract<Decision, { kind: 'write' | 'fence' }>) =>
  `${record.state}(${record.producerEpoch}){${record.partitions.join(',')}} last ${lastProducerEpoch}`
