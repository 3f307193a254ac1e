/** What an application does when commitTransaction times out: the outcome is unknown to it. */
import { chooseSurviving, connectionTo, cut } from '../actions/connections.ts'
import { appLane } from '../lanes.ts'
import { becomeAborting, producerStateOf } from '../protocol/producer.ts'
import { abortTransaction } from './batches.ts'
import { close } from './leaving.ts'
import { end, endWhenDone } from './session.ts'
import type { Worker } from './worker.ts'

const note = ({ step, client }: Worker, text: string) =>
  step.emit({ kind: 'note', lane: appLane(client), text })

/** A call of initTransactions or abortTransaction is not tried again: the producer is closed. */
export function onCallTimeout(worker: Worker): void {
  const { protocol, instance } = worker
  if (producerStateOf(protocol, instance) !== 'COMMITTING') return close(worker)
  switch (protocol.config.onCommitTimeout) {
    case 'new producer, offsets read again':
      return close(worker)
    case 'commit again':
      // It waits for the same request (TransactionManager.handleCachedTransactionRequestResult).
      return note(worker, 'commitTransaction is called again')
    case 'abort':
      note(worker, 'abortTransaction throws IllegalStateException: a commit is pending')
      return close(worker)
    case 'abort by force':
      return abortByForce(worker)
    case 'new producer, assume committed':
      return assume(worker, 'committed', 1 + instance.position)
    case 'new producer, assume aborted':
      return assume(worker, 'aborted', instance.position - instance.processed)
  }
}

/** What of the commit is on the wire may still be executed, on its closed connection. */
function abortByForce(worker: Worker): void {
  const { state, step, client, instance } = worker
  note(worker, 'aborts all the same, over a new connection')
  if (instance.phase === 'sending') {
    abortTransaction(worker)
    return endWhenDone(worker)
  }
  cut(worker, 'coordinator', chooseSurviving(step, connectionTo(state, client, 'coordinator'), 0))
  becomeAborting(instance)
  end(worker)
}

/** It goes on with another producer, and does not ask what is committed. */
function assume(worker: Worker, outcome: 'committed' | 'aborted', position: number): void {
  note(worker, `takes the transaction for ${outcome}`)
  close(worker)
  worker.instance.goesOnAt = position
}
