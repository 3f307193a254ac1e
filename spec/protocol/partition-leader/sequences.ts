/** The sequence of a batch: already there, next in order, or out of order. */
import type { ErrorName, Partition, ProduceRequest, ProducerEntry } from '../../state.ts'
import type { Protocol } from '../protocol.ts'
import { entryOf, guardOf } from './entries.ts'

/**
 * ProducerStateEntry.findDuplicateBatch: same epoch and exactly the same sequence among the remembered batches.
 * The offset of the batch, or -1.
 */
export function duplicateOf(
  protocol: Protocol,
  producer: ProducerEntry | null,
  request: ProduceRequest,
): number {
  if (!protocol.protects('duplicate check') || producer === null) return -1
  if (producer.producerEpoch !== request.producerEpoch) return -1
  return producer.batches.find(({ sequence }) => sequence === request.sequence)?.offset ?? -1
}

/** ProducerAppendInfo.checkSequence. */
export function sequenceError(protocol: Protocol, partition: Partition, request: ProduceRequest): ErrorName {
  const { flags, protects } = protocol
  if (!protects('sequence check')) return 'NONE'
  const { producerId, producerEpoch, sequence } = request
  const producer = entryOf(partition, producerId)
  if (request.transactional && overtakes(protocol, partition, request)) return 'OUT_OF_ORDER_SEQUENCE_NUMBER'
  if (isForgotten(producer, request)) {
    return flags.stateDiesWithRecords && sequence > 0
      ? 'UNKNOWN_PRODUCER_ID'
      : unlessFirst(producer, sequence)
  }
  const last = producer?.producerEpoch === producerEpoch ? producer.batches.at(-1)?.sequence : undefined
  return sequence === (last ?? -1) + 1 ? 'NONE' : 'OUT_OF_ORDER_SEQUENCE_NUMBER'
}

/**
 * Rules that come with a guard. An empty entry accepts only sequence 0 from a client of transaction.version 2
 * (KAFKA-18654); and a later batch in flight must not overtake the first one while its verification is
 * repeated (KAFKA-14920).
 */
function overtakes(
  { flags, protects }: Protocol,
  partition: Partition,
  { producerId, sequence }: ProduceRequest,
): boolean {
  const guard = guardOf(partition, producerId)
  if (guard === null) return false
  const isEmpty = (entryOf(partition, producerId)?.batches ?? []).length === 0
  const hasRule = flags.sequenceZeroRule && protects('sequence zero rule')
  const mustBeFirst = hasRule && flags.clientVersion === 2 && isEmpty
  const overtakesFirst = sequence > guard.lowestSequence && protects('lowest sequence of a guard')
  return overtakesFirst || (mustBeFirst && sequence > 0)
}

/** Nothing is known of the producer, or at this epoch no batch. */
const isForgotten = (producer: ProducerEntry | null, { producerEpoch }: ProduceRequest): boolean =>
  producer === null || (producer.producerEpoch === producerEpoch && producer.batches.length === 0)

/** An unknown producer may begin with any sequence since KIP-360, one that is known must begin with 0. */
const unlessFirst = (producer: ProducerEntry | null, sequence: number): ErrorName =>
  producer === null || sequence === 0 ? 'NONE' : 'OUT_OF_ORDER_SEQUENCE_NUMBER'
