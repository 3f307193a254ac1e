/** What a producer knows, from its start to its end. */
import type { Identity, Instance } from '../../state.ts'

export function newInstance(outputPartitions: number): Instance {
  const each = <Value>(value: Value): Value[] => Array.from({ length: outputPartitions }, () => value)
  return {
    status: 'not started',
    phase: 'none',
    session: 0,
    transactionalId: -1,
    producerId: -1,
    producerEpoch: -1,
    memberId: -1,
    generation: -1,
    position: -1,
    processed: 0,
    transaction: 0,
    result: 'commit',
    nextSequence: each(0),
    lastAcknowledged: each(-1),
    unacknowledged: each(0),
    unresolved: each(false),
    offsetsPending: false,
    epochBumpRequired: false,
    bumpTooLate: false,
    mappingLost: false,
    revoked: false,
  }
}

/** Forgets all that a producer object knows: it crashed, was closed or has finished. */
export function stop(instance: Instance, status: 'crashed' | 'closed' | 'finished'): void {
  delete instance.goesOnAt
  Object.assign(instance, newInstance(instance.nextSequence.length), { status })
}

/** A new identity starts all sequences at 0 (TransactionManager.resetSequenceNumbers). */
export function adopt(instance: Instance, { producerId, producerEpoch }: Identity): void {
  instance.producerId = producerId
  instance.producerEpoch = producerEpoch
  instance.nextSequence = instance.nextSequence.map(() => 0)
  instance.lastAcknowledged = instance.lastAcknowledged.map(() => -1)
}

/** EndTxn is sent when no batch and no offset commit is outstanding (TransactionManager.nextRequest). */
export const isWorkDone = ({ unacknowledged, offsetsPending }: Instance): boolean =>
  !offsetsPending && unacknowledged.every((batches) => batches === 0)
