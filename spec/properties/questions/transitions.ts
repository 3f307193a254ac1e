/** Transitions of a transactional.id: whether each that is begun comes to an end, whatever becomes of its append. */
import { leadsTo, type Property, reachable } from '../../../checker/model.ts'
import type { KafkaState, TransactionState } from '../../state.ts'

const written = ['Empty', 'Ongoing', 'PrepareCommit', 'PrepareAbort', 'Dead'] as const

/** @param steps the names of the actions that are no faults */
export const transitionQuestions = (steps: readonly string[]): Property<KafkaState>[] => [
  ...written.map((state) => isOverAtLast(state, steps)),
  neverWrittenExpires,
]

const isOverAtLast = (target: TransactionState, steps: readonly string[]): Property<KafkaState> => {
  const isPending = ({ coordinator }: KafkaState) =>
    coordinator.some(({ entry }) => entry?.pendingState === target)
  return leadsTo(
    `a transition to ${target} is over at last`,
    isPending,
    (state: KafkaState) => !isPending(state),
    {
      summary: `While it is pending, requests are answered CONCURRENT_TRANSACTIONS; at last ${target} is written, or has failed.`,
      sources: ['TransactionMetadata.prepareTransitionTo', 'TransactionStateManager.appendTransactionToLog'],
      fairness: { weak: steps, mayStop: true },
    },
  )
}

const neverWrittenExpires: Property<KafkaState> = reachable(
  'a transactional.id expires that was never written',
  ({ transactionLog }: KafkaState) =>
    transactionLog.some(
      ({ committed, tail }) => committed === null && tail?.state === 'Dead' && tail.producerEpoch === -1,
    ),
  {
    summary:
      'One whose first append has failed is in memory only, without an epoch; it does not stay there for ever.',
    sources: ['KAFKA-14880', 'TransactionStateManager.removeExpiredTransactionalIds'],
  },
)
