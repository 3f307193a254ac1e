/** Sessions and the epochs that they believe to have. */
import { type Property, reachable } from '../../../checker/model.ts'
import type { Connection, KafkaState } from '../../state.ts'

const initialises = ({ requests, replies, late }: Connection) =>
  [...requests, ...replies.map(({ request }) => request), ...late.flat()].some(
    ({ kind }) => kind === 'InitProducerId',
  )

/** Two copies of its own initialisation have overtaken each other: the coordinator has given the newer epoch to nobody. */
export const holdsOlderEpoch: Property<KafkaState> = reachable(
  'the only session there is holds an older epoch than the coordinator',
  ({ instance, connection, coordinator, ghost }: KafkaState) =>
    ghost.sessions === 1 &&
    instance.some(({ status, producerId, producerEpoch, transactionalId }, client) => {
      const { entry } = coordinator[transactionalId] ?? {}
      return (
        status === 'running' &&
        producerEpoch >= 0 &&
        !initialises(connection[client]?.coordinator as Connection) &&
        entry?.state === 'Empty' &&
        entry.pendingState === 'none' &&
        entry.producerId === producerId &&
        entry.producerEpoch > producerEpoch
      )
    }),
  {
    summary:
      'No initialisation is under way that would tell it: its requests are refused, and nobody but itself has fenced it.',
    sources: ['TransactionCoordinator.handleInitProducerId', 'Spring Kafka #1408'],
  },
)
