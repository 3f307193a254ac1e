/** How a prepared transaction is ended as an external store has decided (KIP-939). */
import type { Identity, Result } from '../../state.ts'

/**
 * KafkaProducer.completeTransaction. The store keeps, with its own commit, the identity that prepareTransaction returned: what
 * it has of the transaction that is prepared is committed, anything else says that the store has not committed it.
 */
export const completionOf = (kept: Identity, prepared: Identity): Result =>
  kept.producerId === prepared.producerId && kept.producerEpoch === prepared.producerEpoch
    ? 'commit'
    : 'abort'
