/** The delivery timeout: a batch is given up although it may be, or come, in the log (Sender.sendProducerData). */
import { chooseSurviving, reconnect } from '../actions/connections.ts'
import { onTheWire } from '../protocol/network.ts'
import { complete, incomplete } from '../protocol/producer.ts'
import type { Connection, ProduceRequest } from '../state.ts'
import { drain, failTransaction, isAborting, settle } from './batches.ts'
import { close } from './leaving.ts'
import { endWhenDone } from './session.ts'
import { partitionConnection, type Worker } from './worker.ts'

/** Batches expire in the order in which they were made (Sender.getExpiredInflightBatches). */
function oldestOf(connection: Connection): ProduceRequest | undefined {
  const age = ({ input, part }: ProduceRequest) => input * 10 + part
  return incomplete(connection).sort((one, other) => age(one) - age(other))[0]
}

/**
 * The oldest batch is given up. If it is on the wire, either its connection stays open, and its reply is ignored; or the
 * connection was closed when the request timed out, and there was no time to send the batch again.
 */
export function giveUpOldest(worker: Worker, partition: number): void {
  const { protocol, step, instance } = worker
  const connection = partitionConnection(worker, partition)
  const batch = oldestOf(connection)
  step.when('a batch is not acknowledged', batch !== undefined)
  if (batch === undefined) return
  const aborting = isAborting(worker)
  const retried = giveUp(worker, partition, connection, batch)
  complete(instance, partition, 1)
  if (retried && protocol.config.producer !== 'plain') instance.unresolved[partition] = true
  if (protocol.config.producer === 'transactional') failTransaction(worker)
  if (!settle(worker, partition, batch, aborting)) return close(worker)
  drain(worker, partition)
  endWhenDone(worker)
}

/** Says whether the batch had been sent before: then its sequence is unresolved (TransactionManager.markSequenceUnresolved). */
function giveUp(worker: Worker, partition: number, connection: Connection, batch: ProduceRequest): boolean {
  const waiting = connection.unsent.indexOf(batch)
  if (waiting >= 0) {
    connection.unsent.splice(waiting, 1)
    return batch.sequence >= 0
  }
  batch.givenUp = true
  const fates = ['stays open', 'is closed'] as const
  if (worker.step.choose('its connection', fates) === 'stays open') return batch.retried === true
  const least = onTheWire(connection).includes(batch) ? 1 : 0
  reconnect(worker, partition, chooseSurviving(worker.step, connection, least))
  return true
}
