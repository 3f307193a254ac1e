/** What comes of a permission that is missing. */
import { always, type Property, reachable } from '../../../checker/model.ts'
import type { Protocol } from '../../protocol/protocol.ts'
import type { KafkaState } from '../../state.ts'
import { isDone } from './cost.ts'

export const permissionQuestions = ({ config }: Protocol): Property<KafkaState>[] => {
  const wasRefused = ({ budget }: KafkaState) => budget.missingPermissions < config.missingPermissions
  return [
    always(
      'nothing is written before the permission is granted',
      (state: KafkaState, claim) => {
        const { ghost, partition, transactionLog, group } = state
        const nobody = ghost.newestSession.every((session) => session === 0)
        claim.given('a request was refused, and no session has an epoch yet', wasRefused(state) && nobody)
        const records = partition.reduce((sum, { log }) => sum + log.length, 0)
        const known = transactionLog.some(({ committed }) => committed !== null)
        claim.that('no partition has a record', records === 0, { records })
        claim.that('the coordinator knows of nothing', !known)
        claim.that('no offset has moved', group.committed === 0, { committed: group.committed })
      },
      {
        summary:
          'As long as initTransactions was refused and nobody else has initialised, no log has a record.',
        sources: ['KafkaApis.handleInitProducerIdRequest', 'TransactionalIdAuthorizationException'],
      },
    ),
    reachable(
      'all work is done after a permission was missing',
      (state: KafkaState) => wasRefused(state) && isDone(state),
      {
        summary: 'What was refused is tried again, and succeeds.',
        sources: ['TransactionManager.InitProducerIdHandler', 'TransactionalIdAuthorizationException'],
      },
    ),
    reachable(
      'a transaction is aborted as a permission is missing',
      (state: KafkaState) => wasRefused(state) && Object.values(state.ghost.told).includes('abort'),
      {
        summary: 'The application is told so, aborts, and its abort succeeds.',
        sources: ['TopicAuthorizationException', 'KafkaProducer.abortTransaction'],
      },
    ),
  ]
}
