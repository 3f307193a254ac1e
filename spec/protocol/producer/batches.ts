/**
 * Batches of one output partition in the client: which are drained, retried and discarded, and how they are
 * numbered (RecordAccumulator, TransactionManager, TxnPartitionEntry).
 */
import type { Connection, Identity, Instance, ProduceRequest } from '../../state.ts'
import type { Protocol } from '../protocol.ts'

/**
 * The sequence and the identity that the client has for a batch now, whatever its copies on the wire carry.
 */
export const currentOf = (batch: ProduceRequest): Identity & { sequence: number } => batch.reset ?? batch

/** It was sent before, with a sequence; the others wait for their first attempt. */
const isDrained = ({ sequence }: ProduceRequest): boolean => sequence >= 0

/** All batches of the client that are neither answered nor given up. */
export const incomplete = ({ requests, replies, unsent }: Connection): ProduceRequest[] =>
  ([...replies.map(({ request }) => request), ...requests, ...unsent] as ProduceRequest[]).filter(
    ({ givenUp }) => givenUp === undefined,
  )

/** Those that have a sequence (TxnPartitionEntry.inflightBatchesBySequence). */
export const inFlight = (connection: Connection): ProduceRequest[] => incomplete(connection).filter(isDrained)

/** Takes batches that wait into the connection, and returns those that are sent. */
export function drainBatches(
  protocol: Protocol,
  instance: Instance,
  partition: number,
  connection: Connection,
): ProduceRequest[] {
  const sent: ProduceRequest[] = []
  while (mayDrain(protocol, instance, partition, connection)) {
    const batch = connection.unsent.shift() as ProduceRequest
    const numbered =
      protocol.config.producer === 'plain' ? batch : number(protocol, instance, partition, batch)
    connection.requests.push(numbered)
    sent.push(numbered)
  }
  // With acks=0 a batch counts as acknowledged when it is sent.
  if (protocol.config.acks === '0') complete(instance, partition, sent.length)
  return sent
}

/**
 * RecordAccumulator.shouldStopDrainBatchesForPartition: a batch is retried only when no earlier one is in
 * flight, and a new one goes out only when all in flight have the present identity and nothing is unresolved.
 */
function mayDrain(
  { config }: Protocol,
  instance: Instance,
  partition: number,
  connection: Connection,
): boolean {
  const [next] = connection.unsent
  if (next === undefined) return false
  const onConnection = connection.requests.length + connection.replies.length
  if (config.acks !== '0' && onConnection >= config.maxInFlight) return false
  if (config.producer === 'plain') return true
  if (instance.producerId < 0) return false
  const others = inFlight({ ...connection, unsent: connection.unsent.slice(1) }).map(currentOf)
  if (isDrained(next)) return others.every(({ sequence }) => sequence > currentOf(next).sequence)
  return !instance.unresolved[partition] && others.every((other) => isSameIdentity(other, instance))
}

export const isSameIdentity = (one: Identity, other: Identity): boolean =>
  one.producerId === other.producerId && one.producerEpoch === other.producerEpoch

/** Numbered when it is drained for the first time, and the same ever after unless the client renumbers it. */
function number(
  protocol: Protocol,
  instance: Instance,
  partition: number,
  batch: ProduceRequest,
): ProduceRequest {
  if (isDrained(batch)) return { ...batch, ...batch.reset }
  const { producerId, producerEpoch } = instance
  const sequence = numberFor(protocol, batch, instance.nextSequence[partition] as number)
  instance.nextSequence[partition] = sequence + 1
  return { ...batch, producerId, producerEpoch, sequence }
}

/** The next number, unless the client has a defect: another send took it at the same time, or it starts again. */
function numberFor({ config }: Protocol, { part }: ProduceRequest, next: number): number {
  if (config.sequences === 'one for two sends' && part > 0) return next - 1
  return config.sequences === 'from 0 again' && part === 0 ? 0 : next
}

/**
 * A batch waits to be sent again: in the order of sequences (RecordAccumulator.insertInSequenceOrder), or,
 * from a producer that has none, before all others (RecordAccumulator.reenqueue).
 */
export function reenqueue({ config }: Protocol, connection: Connection, batch: ProduceRequest): void {
  const again = {
    ...batch,
    executing: false,
    ...(config.deliveryTimeouts > 0 ? { retried: true as const } : {}),
  }
  const { sequence } = currentOf(batch)
  const later = (other: ProduceRequest) => !isDrained(other) || currentOf(other).sequence > sequence
  const index = config.producer === 'plain' ? 0 : connection.unsent.findIndex(later)
  connection.unsent.splice(index < 0 ? connection.unsent.length : index, 0, again)
}

/**
 * Batches that were never sent are discarded when the transaction is aborted
 * (RecordAccumulator.abortUndrainedBatches).
 */
export function discardUndrained(instance: Instance, partition: number, connection: Connection): void {
  const kept = connection.unsent.filter(isDrained)
  const discarded = connection.unsent.length - kept.length
  if (discarded === 0) return
  connection.unsent = kept
  complete(instance, partition, discarded)
}

/** Batches are no longer waited for. */
export function complete(instance: Instance, partition: number, batches: number): void {
  instance.unacknowledged[partition] = (instance.unacknowledged[partition] as number) - batches
}

/** TransactionManager.handleCompletedBatch. */
export function acknowledge(instance: Instance, partition: number, batch: ProduceRequest): void {
  const last = instance.lastAcknowledged[partition] as number
  instance.lastAcknowledged[partition] = Math.max(last, currentOf(batch).sequence)
  complete(instance, partition, 1)
}

/** An out-of-order answer is final for the batch that comes next, and repeated for later ones. */
export const isNextExpected = (instance: Instance, partition: number, batch: ProduceRequest): boolean =>
  currentOf(batch).sequence === (instance.lastAcknowledged[partition] as number) + 1

/**
 * A refused batch leaves no gap: the sequences after it move down
 * (TransactionManager.adjustSequencesDueToFailedBatch).
 */
export function closeGap(
  instance: Instance,
  partition: number,
  connection: Connection,
  failed: ProduceRequest,
): void {
  const { sequence } = currentOf(failed)
  instance.nextSequence[partition] = (instance.nextSequence[partition] as number) - 1
  for (const batch of inFlight(connection)) {
    const current = currentOf(batch)
    if (current.sequence < sequence) continue
    const { producerId, producerEpoch } = current
    batch.reset = { producerId, producerEpoch, sequence: current.sequence - 1 }
  }
}

/**
 * Numbers what is in flight from 0, under the present identity (TxnPartitionEntry.startSequencesAtBeginning).
 */
export function startAtBeginning(instance: Instance, partition: number, connection: Connection): void {
  const { producerId, producerEpoch } = instance
  const batches = inFlight(connection).sort(
    (one, other) => currentOf(one).sequence - currentOf(other).sequence,
  )
  for (const [sequence, batch] of batches.entries()) batch.reset = { producerId, producerEpoch, sequence }
  forgetSequences(instance, partition)
  instance.nextSequence[partition] = batches.length
}

/** TransactionManager.resetProducerId, before KIP-360; what is in flight keeps its numbers. */
export function forgetSequences(instance: Instance, partition: number): void {
  instance.nextSequence[partition] = 0
  instance.lastAcknowledged[partition] = -1
  instance.unresolved[partition] = false
}

/**
 * When nothing is in flight any more, batches that were given up after a retry are accounted for: a later one
 * that was acknowledged shows that they are in the log. Else it is unknown
 * (TransactionManager.maybeResolveSequences). Says whether it is.
 */
export function isSequenceLost(instance: Instance, partition: number, connection: Connection): boolean {
  if (!instance.unresolved[partition] || inFlight(connection).length > 0) return false
  instance.unresolved[partition] = false
  return instance.nextSequence[partition] !== (instance.lastAcknowledged[partition] as number) + 1
}
