/** Whether a batch is of an older epoch than its producer is known to have, and of a transaction that is open. */
import type { ProducerEntry } from '../../state.ts'
import type { Protocol } from '../protocol.ts'

/** ProducerAppendInfo.checkProducerEpoch. */
export function isStale(protocol: Protocol, producer: ProducerEntry | null, producerEpoch: number): boolean {
  return (
    protocol.protects('partition epoch check') && producer !== null && producerEpoch < producer.producerEpoch
  )
}

/** Whether the batch goes on with a transaction that this partition already takes part in. */
export function hasOpenTransaction(
  { flags, protects }: Protocol,
  producer: ProducerEntry | null,
  producerEpoch: number,
): boolean {
  if (producer === null || producer.openOffset < 0) return false
  const isBlind =
    flags.verification === 'epochBlind' || !protects('open transaction counts only at its own epoch')
  return isBlind || producer.producerEpoch === producerEpoch
}
