/**
 * An application whose transactions an external store decides (KIP-939): it prepares each, commits in the store together with the
 * identity of what is prepared, and completes it in Kafka.
 */
import { transactionName } from '../ghost.ts'
import { appLane } from '../lanes.ts'
import { completionOf } from '../protocol/producer.ts'
import { identityOf, noIdentity } from '../protocol/transaction-coordinator/decision.ts'
import type { Worker } from './worker.ts'

/** KafkaProducer.prepareTransaction: nothing is in flight any more, and no request tells the coordinator. */
export function prepare({ step, client, instance }: Worker): void {
  instance.phase = 'prepared'
  step.emit({ kind: 'note', lane: appLane(client), text: 'prepareTransaction: known to the client alone' })
}

/** The store commits, and keeps the identity, or does not. The application is told in the same step, or has crashed. */
export function decideExternally({ state, step, client, instance }: Worker): void {
  const decided = step.choose('the external store decides', ['commit', 'abort'] as const)
  state.ghost.external[transactionName(instance.session, instance.transaction)] = decided
  const kept = decided === 'commit' ? identityOf(instance) : noIdentity
  instance.result = completionOf(kept, instance)
  step.emit({ kind: 'note', lane: appLane(client), text: `the external store decides: ${decided}` })
}
