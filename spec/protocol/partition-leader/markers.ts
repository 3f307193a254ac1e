/** Control markers: KafkaApis.handleWriteTxnMarkersRequest, ProducerAppendInfo.appendEndTxnMarker. */
import type { ErrorName, Marker, Partition, ProducerEntry } from '../../state.ts'
import type { Protocol } from '../protocol.ts'
import { entryAfterMarker, entryOf } from './entries.ts'

/**
 * The error, or the entry after the marker. A marker of a producer that has nothing open, or that the partition does
 * not know, is appended all the same.
 */
export function validateMarker(
  protocol: Protocol,
  partition: Partition,
  marker: Marker,
): { kind: 'refused'; error: ErrorName } | { kind: 'append'; producer: ProducerEntry } {
  const producer = entryOf(partition, marker.producerId)
  if (protocol.protects('marker epoch check') && isMarkerStale(protocol, producer, marker)) {
    return { kind: 'refused', error: 'INVALID_PRODUCER_EPOCH' }
  }
  const seen = producer?.coordinatorEpoch ?? -1
  if (protocol.protects('marker coordinator epoch check') && marker.coordinatorEpoch < seen) {
    return { kind: 'refused', error: 'TRANSACTION_COORDINATOR_FENCED' }
  }
  return { kind: 'append', producer: entryAfterMarker(producer, marker) }
}

/**
 * With the strict rule a marker of transaction.version 2 must raise the epoch, unless it repeats one that has done
 * its work, or no higher epoch exists (KIP-1228, KAFKA-19446, KAFKA-19999). The rule presupposes that every end raises
 * the epoch: without that it would refuse the markers that it is to let in.
 */
function isMarkerStale(protocol: Protocol, producer: ProducerEntry | null, marker: Marker): boolean {
  if (producer === null || marker.producerEpoch > producer.producerEpoch) return false
  if (marker.producerEpoch < producer.producerEpoch) return true
  const exempt = producer.openOffset < 0 || marker.producerEpoch === protocol.config.maxEpoch
  const strict =
    protocol.flags.markerCheck === 'strict' &&
    marker.transactionVersion === 2 &&
    everyEndRaisesEpoch(protocol)
  return strict && !exempt
}

const everyEndRaisesEpoch = ({ protects }: Protocol): boolean =>
  protects('epoch bump at every end') &&
  protects('epoch bump at fencing abort') &&
  protects('epoch bump at timeout')
