/** Batches of an instance at work: sent, answered, given up (Sender). */
import { sendBatchAgain } from '../actions/connections.ts'
import { emitSent } from '../actions/step.ts'
import { noteAcknowledged } from '../ghost.ts'
import { partitionLane } from '../lanes.ts'
import {
  acknowledge,
  becomeAborting,
  closeGap,
  complete,
  currentOf,
  discardUndrained,
  drainBatches,
  failBatch,
  forgetSequences,
  inFlight,
  initProducerIdRequest,
  isCompleting,
  isNextExpected,
  isOwnEpochRaised,
  isSameIdentity,
  isSequenceLost,
  outcomeOf,
  produceRequest,
  raisesEpoch,
  startAtBeginning,
} from '../protocol/producer.ts'
import { outputsOf, partitionAt, partitionsFor } from '../protocol/topology.ts'
import { noIdentity } from '../protocol/transaction-coordinator/decision.ts'
import type { ErrorName, Identity, LogRecord, ProduceRequest } from '../state.ts'
import { stopsOnFailure } from './plain-offsets.ts'
import { partitionConnection, sendToCoordinator, type Worker } from './worker.ts'

/**
 * KafkaProducer.send: the batches of an input wait for each of its output partitions, to be drained as the
 * rules allow.
 */
export function sendInput(worker: Worker, input: number): void {
  const { protocol, instance } = worker
  const { recordsPerOutput } = protocol.config
  for (const partition of partitionsFor(protocol, input)) {
    instance.unacknowledged[partition] = (instance.unacknowledged[partition] as number) + recordsPerOutput
    const { unsent } = partitionConnection(worker, partition)
    for (let part = 0; part < recordsPerOutput; part += 1) unsent.push(produceRequest(instance, input, part))
    drain(worker, partition)
  }
}

/** Puts waiting batches on the wire. */
export function drain(worker: Worker, partition: number): void {
  const { protocol, step, client, instance } = worker
  const connection = partitionConnection(worker, partition)
  for (const request of drainBatches(protocol, instance, partition, connection)) {
    emitSent(step, client, partitionLane(protocol, partition), request)
  }
}

/** The transaction has to be aborted: what was never sent is discarded, what was sent has to be answered. */
export function abortTransaction(worker: Worker): void {
  becomeAborting(worker.instance)
  for (const partition of outputsOf(worker.protocol)) {
    discardUndrained(worker.instance, partition, partitionConnection(worker, partition))
  }
}

/** Acts on the answer to a batch. False if the error is fatal. */
export function onBatchAnswered(
  worker: Worker,
  partition: number,
  batch: ProduceRequest,
  error: ErrorName,
): boolean {
  const { protocol, instance } = worker
  const connection = partitionConnection(worker, partition)
  const aborting = isAborting(worker)
  const outcome = outcomeOf(protocol, {
    error,
    isCurrent: isSameIdentity(currentOf(batch), instance),
    isNext: isNextExpected(instance, partition, batch),
    wasReset: batch.reset !== undefined,
    unresolved: instance.unresolved[partition] as boolean,
    recordsDeleted: () => isDeleted(worker, partition),
  })
  switch (outcome) {
    case 'fatal':
      return false
    case 'acknowledged':
      acknowledge(instance, partition, batch)
      noteAcknowledged(protocol, worker.state, batch, partition)
      break
    case 'failed':
      failAlone(worker, partition, batch)
      if (stopsOnFailure(worker)) return false
      break
    case 'abortable':
      complete(instance, partition, 1)
      closeGap(instance, partition, connection, batch)
      failTransaction(worker)
      break
    default:
      sendBatchAgain(worker, partition, batch)
      if (outcome === 'renumber') startAtBeginning(instance, partition, connection)
      if (outcome === 'raise own epoch') raiseOwnEpoch(worker, partition)
  }
  return settle(worker, partition, batch, aborting)
}

/** Whether abortTransaction has been called. */
export const isAborting = ({ protocol, instance }: Worker): boolean =>
  instance.result === 'abort' && isCompleting(protocol, instance)

/** What follows when a batch of a transaction has failed. */
export function failTransaction(worker: Worker): void {
  failBatch(worker.protocol, worker.instance)
  abortTransaction(worker)
}

/** A batch of an idempotent producer has failed for good: the next one must not be taken for a gap. */
function failAlone(worker: Worker, partition: number, batch: ProduceRequest): void {
  const { protocol, instance } = worker
  complete(instance, partition, 1)
  const current = isSameIdentity(currentOf(batch), instance)
  if (protocol.config.producer === 'idempotent' && current) raiseOwnEpoch(worker, partition)
}

/**
 * An idempotent producer raises its epoch without asking anybody, and numbers the batches in flight to the
 * partition anew; when no epoch is left, or before KIP-360, it asks for another producer id
 * (TransactionManager.bumpIdempotentProducerEpoch, resetIdempotentProducerId).
 */
function raiseOwnEpoch(worker: Worker, partition: number): void {
  const { protocol, instance } = worker
  if (instance.phase === 'initialising') return
  const recovers = isOwnEpochRaised(protocol)
  if (recovers && instance.producerEpoch < protocol.config.maxEpoch) instance.producerEpoch += 1
  else initialise(worker)
  for (const other of outputsOf(worker.protocol)) {
    if (!recovers) forgetSequences(instance, other)
    else if (other === partition) continue
    else if (protocol.config.sequences === 'all anew at each epoch') {
      startAtBeginning(instance, other, partitionConnection(worker, other))
    } else restartIfIdle(worker, other)
  }
  if (recovers) startAtBeginning(instance, partition, partitionConnection(worker, partition))
}

/** Asks for an identity; where an external store decides, what is prepared is to be kept (KIP-939). */
export function initialise(worker: Worker, keepPrepared = worker.protocol.config.twoPhaseCommit): void {
  const { protocol, instance } = worker
  if (instance.transactionalId < 0) Object.assign(instance, noIdentity)
  instance.phase = 'initialising'
  sendToCoordinator(worker, initProducerIdRequest(protocol, instance, { keepPrepared }))
}

/**
 * Sequences of a partition start at 0 with a new identity, once nothing is in flight
 * (maybeUpdateProducerIdAndEpoch).
 */
function restartIfIdle(worker: Worker, partition: number): void {
  const connection = partitionConnection(worker, partition)
  if (inFlight(connection).length === 0) startAtBeginning(worker.instance, partition, connection)
}

/** A producer has its next producer id: batches that were numbered anew without one get it. */
export function renewBatches(worker: Worker, { producerId, producerEpoch }: Identity): void {
  for (const partition of outputsOf(worker.protocol)) {
    for (const { reset } of inFlight(partitionConnection(worker, partition))) {
      if (reset?.producerId === -1) Object.assign(reset, { producerId, producerEpoch })
    }
    drain(worker, partition)
  }
}

/**
 * A batch is done with: it may have been the last one in flight. Where sequences are lost, the epoch is
 * raised even if the transaction is being completed, but what the abort does was settled when it was called.
 * False if that is fatal, as before KIP-360.
 */
export function settle(worker: Worker, partition: number, batch: ProduceRequest, aborting: boolean): boolean {
  const { protocol, instance } = worker
  const connection = partitionConnection(worker, partition)
  const lost = isSequenceLost(instance, partition, connection)
  if (protocol.config.producer === 'idempotent') {
    if (lost) raiseOwnEpoch(worker, partition)
    else if (!isSameIdentity(currentOf(batch), instance)) restartIfIdle(worker, partition)
  }
  if (protocol.config.producer !== 'transactional' || !lost) return true
  if (raisesEpoch(protocol) && !instance.epochBumpRequired) {
    instance.epochBumpRequired = true
    instance.bumpTooLate = aborting
  }
  abortTransaction(worker)
  return isOwnEpochRaised(protocol)
}

/** Whether the log begins after the batch that the producer heard of last. */
function isDeleted({ state, instance }: Worker, partition: number): boolean {
  const { log, logStart } = partitionAt(state, partition)
  const sequence = instance.lastAcknowledged[partition] as number
  const isLast = (record: LogRecord) =>
    record.kind === 'data' && isSameIdentity(record, instance) && record.sequence === sequence
  return log.findLastIndex(isLast) < logStart
}
