/**
 * The delivery timeout: a batch is given up although it may be, or come, in the log
 * (Sender.sendProducerData).
 */
import { chooseSurviving, reconnect } from '../actions/connections.ts'
import { onTheWire } from '../protocol/network.ts'
import { closeGap, complete, incomplete } from '../protocol/producer.ts'
import type { Connection, ProduceRequest } from '../state.ts'
import { drain, failTransaction, isAborting, settle } from './batches.ts'
import { close } from './leaving.ts'
import { stopsOnFailure } from './plain-offsets.ts'
import { endWhenDone } from './session.ts'
import { partitionConnection, type Worker } from './worker.ts'

/** Batches expire in the order in which they were made (Sender.getExpiredInflightBatches). */
function oldestOf(connection: Connection): ProduceRequest | undefined {
  const age = ({ input, part }: ProduceRequest) => input * 10 + part
  return incomplete(connection).sort((one, other) => age(one) - age(other))[0]
}

/**
 * The oldest batch is given up. If it is on the wire, either its connection stays open, and its reply is
 * ignored; or the connection was closed when the request timed out, and there was no time to send the batch
 * again.
 */
export function giveUpOldest(worker: Worker, partition: number): void {
  const { protocol, step, instance } = worker
  const connection = partitionConnection(worker, partition)
  const batch = oldestOf(connection)
  step.when('a batch is not acknowledged', batch !== undefined)
  if (batch === undefined) return
  const aborting = isAborting(worker)
  giveUp(worker, partition, connection, batch)
  complete(instance, partition, 1)
  if (stopsOnFailure(worker)) return close(worker)
  if (protocol.config.producer === 'transactional') failTransaction(worker)
  if (!settle(worker, partition, batch, aborting)) return close(worker)
  drain(worker, partition)
  endWhenDone(worker)
}

function giveUp(worker: Worker, partition: number, connection: Connection, batch: ProduceRequest): void {
  const { step, protocol } = worker
  const waiting = connection.unsent.indexOf(batch)
  if (waiting >= 0) {
    connection.unsent.splice(waiting, 1)
    if (batch.sequence >= 0) markUnresolved(worker, partition)
    return
  }
  batch.givenUp = true
  if (protocol.config.sequences === 'of given-up batches again') {
    return closeGap(worker.instance, partition, connection, batch)
  }
  if (step.choose('its connection', ['stays open', 'is closed']) === 'stays open') {
    if (batch.retried === true) markUnresolved(worker, partition)
    return
  }
  markUnresolved(worker, partition)
  const least = onTheWire(connection).includes(batch) ? 1 : 0
  reconnect(worker, partition, chooseSurviving(step, connection, least))
}

/**
 * A batch that had been sent before may be in the log: no new one is drained until that is known
 * (TransactionManager.markSequenceUnresolved).
 */
function markUnresolved({ protocol, instance }: Worker, partition: number): void {
  if (protocol.config.producer !== 'plain') instance.unresolved[partition] = true
}
