/** The records of a transactional.id: their states, their epochs, and who writes them. */
import { type Property, transition } from '../../checker/model.ts'
import { coordinators } from '../actions/coordinator.ts'
import type { Protocol } from '../protocol/protocol.ts'
import type { KafkaState, TransactionLog, TransactionRecord, TransactionState } from '../state.ts'

/** From which states each may be entered (TransactionState.validPreviousStates); 'none' before the first record. */
const predecessors: Record<TransactionState, readonly (TransactionState | 'none')[]> = {
  Empty: ['none', 'Empty', 'CompleteCommit', 'CompleteAbort'],
  Ongoing: ['Ongoing', 'Empty', 'CompleteCommit', 'CompleteAbort'],
  PrepareCommit: ['Ongoing'],
  PrepareAbort: ['Ongoing', 'Empty', 'CompleteCommit', 'CompleteAbort'],
  CompleteCommit: ['PrepareCommit'],
  CompleteAbort: ['PrepareAbort'],
  Dead: ['Empty', 'CompleteCommit', 'CompleteAbort'],
}

/** An abort without a transaction is of version 2 (KIP-890). */
function mayFollow({ flags }: Protocol, from: TransactionState | 'none', to: TransactionState): boolean {
  if (to === 'PrepareAbort' && flags.clientVersion === 1 && flags.serverVersion === 1)
    return from === 'Ongoing'
  return predecessors[to].includes(from)
}

const logAt = (state: KafkaState, id: number) => state.transactionLog[id] as TransactionLog

/** What became durable in a step, with what was so before. */
function replicatedIn(before: KafkaState, after: KafkaState, id: number) {
  const from = logAt(before, id).committed
  const to = logAt(after, id).committed
  return from === to || to === null ? undefined : { from, to, log: logAt(before, id) }
}

const isSame = (one: TransactionRecord, other: TransactionRecord): boolean =>
  one.state === other.state &&
  one.producerId === other.producerId &&
  one.producerEpoch === other.producerEpoch &&
  one.partitions.join() === other.partitions.join()

export const legalStates = (protocol: Protocol): Property<KafkaState> =>
  transition(
    'durable states follow each other as they may',
    (before: KafkaState, after: KafkaState, claim) => {
      for (const id of coordinators(protocol)) {
        const step = replicatedIn(before, after, id)
        if (step === undefined || (step.from !== null && isSame(step.from, step.to))) continue
        const from = step.from?.state ?? 'none'
        // A record that was reported as failed may have been read by a coordinator on whose state this one builds.
        const via = step.log.reportedFailed?.state
        const legal =
          mayFollow(protocol, from, step.to.state) ||
          (via !== undefined && mayFollow(protocol, via, step.to.state))
        claim.that('the state may be entered from the one before', legal, { id, from, to: step.to.state })
      }
    },
    {
      summary: 'The durable states of a transactional.id follow the state machine of transactions.',
      sources: ['TransactionState.validPreviousStates', 'KIP-98', 'KIP-890'],
    },
  )

export const epochsOnlyGrow = (protocol: Protocol): Property<KafkaState> =>
  transition(
    'the epochs of a transactional.id only grow',
    (before: KafkaState, after: KafkaState, claim) => {
      for (const id of coordinators(protocol)) {
        const step = replicatedIn(before, after, id)
        if (step === undefined || step.from === null) continue
        const { from, to } = step
        const grows =
          to.producerId > from.producerId ||
          (to.producerId === from.producerId && to.producerEpoch >= from.producerEpoch)
        claim.that('the producer id is a later one, or the epoch is at least what it was', grows, {
          id,
          before: `(${from.producerId}, ${from.producerEpoch})`,
          after: `(${to.producerId}, ${to.producerEpoch})`,
        })
      }
    },
    {
      summary: 'No durable record of a transactional.id goes back to an earlier producer id or epoch.',
      sources: ['TransactionMetadata.prepareTransitionTo', 'KIP-98', 'KIP-360'],
    },
  )

export const oneWriter = (protocol: Protocol): Property<KafkaState> =>
  transition(
    'only the coordinator of the epoch makes records durable',
    (before: KafkaState, after: KafkaState, claim) => {
      for (const id of coordinators(protocol)) {
        const step = replicatedIn(before, after, id)
        if (step === undefined) continue
        const { from, to, log } = step
        const appended = [from, log.tail, log.reportedFailed].some(
          (record) => record !== null && isSame(record, to),
        )
        claim.that('what becomes durable was appended by it', appended, { id, state: to.state })
      }
    },
    {
      summary:
        'Under one leader epoch of the transaction log only its leader makes records durable: what a former coordinator has in memory never becomes so.',
      sources: ['TransactionStateManager.appendTransactionToLog', 'Partition.appendRecordsToLeader'],
    },
  )
