/** Which records a coordinator may write, given what it remembers of a transactional.id. */
import type { TransactionValue } from '../observation.ts'

/** What a coordinator remembers; `absent` before the first record and after a tombstone. */
export type Memory = TransactionValue | 'absent'

const isIdle = ({ state }: TransactionValue): boolean =>
  state === 'Empty' || state === 'CompleteCommit' || state === 'CompleteAbort'

/** Why a coordinator with this memory does not write this record; undefined if it may. */
export function objection(memory: Memory, next: Memory): string | undefined {
  if (next === 'absent') {
    return memory === 'absent' || isIdle(memory)
      ? undefined
      : `an id expires only while nothing is open, not in ${memory.state}`
  }
  if (memory === 'absent') return fromNothing(next)
  switch (next.state) {
    case 'Empty':
      return toEmpty(memory, next)
    case 'Ongoing':
      return toOngoing(memory, next)
    case 'PrepareCommit':
    case 'PrepareAbort':
      return toPrepared(memory, next)
    case 'CompleteCommit':
    case 'CompleteAbort':
      return toComplete(memory, next)
    default:
      return `${next.state} is never written`
  }
}

/** TransactionCoordinator.handleInitProducerId: a new id begins in Empty, at epoch 0. */
const fromNothing = ({ state, producerEpoch }: TransactionValue): string | undefined =>
  state === 'Empty' && producerEpoch === 0
    ? undefined
    : `a transactional.id begins in Empty at epoch 0, not in ${state} at epoch ${producerEpoch}`

const follows = (memory: TransactionValue, { state }: TransactionValue): string =>
  `${state} does not follow ${memory.state}`

const keepsProducer = (memory: TransactionValue, next: TransactionValue): string | undefined =>
  memory.producerId === next.producerId
    ? undefined
    : `the producer id changes from ${memory.producerId} to ${next.producerId} within a transaction`

const epochIsOneOf = (next: TransactionValue, memory: TransactionValue, ...steps: readonly number[]) =>
  steps.some((step) => next.producerEpoch === memory.producerEpoch + step)
    ? undefined
    : `the epoch goes from ${memory.producerEpoch} to ${next.producerEpoch}`

const isSubset = (part: readonly string[], whole: readonly string[]): boolean => {
  const known = new Set(whole)
  return part.every((name) => known.has(name))
}

/** A producer begins: at the next epoch, at the same one if it asks again, or with a new id (prepareIncrementProducerEpoch). */
function toEmpty(memory: TransactionValue, next: TransactionValue): string | undefined {
  if (!isIdle(memory)) return follows(memory, next)
  if (next.partitions.length > 0) return 'Empty has no partitions'
  if (memory.producerId !== next.producerId) {
    return next.producerEpoch === 0
      ? undefined
      : `a new producer id begins at epoch 0, not at ${next.producerEpoch}`
  }
  return epochIsOneOf(next, memory, 0, 1)
}

/** Partitions are added (prepareAddPartitions): the set only ever grows. */
function toOngoing(memory: TransactionValue, next: TransactionValue): string | undefined {
  if (!isIdle(memory) && memory.state !== 'Ongoing') return follows(memory, next)
  if (next.partitions.length === 0) return 'Ongoing has partitions'
  if (!isSubset(memory.partitions, next.partitions)) return 'partitions of the open transaction are gone'
  return keepsProducer(memory, next) ?? epochIsOneOf(next, memory, 0)
}

/**
 * Decided by the client, at its epoch or the next one (transaction.version 2); aborted by a fence or a timeout also two
 * epochs later (before KAFKA-19367). With transaction.version 2 an abort needs no transaction.
 */
function toPrepared(memory: TransactionValue, next: TransactionValue): string | undefined {
  if (memory.state !== 'Ongoing') {
    if (next.state === 'PrepareCommit' || !isIdle(memory)) return follows(memory, next)
    if (next.partitions.length > 0) return 'an abort without transaction has no partitions'
    return keepsProducer(memory, next) ?? epochIsOneOf(next, memory, 1)
  }
  const same = isSubset(memory.partitions, next.partitions) && isSubset(next.partitions, memory.partitions)
  if (!same) return 'the decision is about other partitions than the transaction has'
  const steps = next.state === 'PrepareCommit' ? [0, 1] : [0, 1, 2]
  return keepsProducer(memory, next) ?? epochIsOneOf(next, memory, ...steps)
}

/** All markers are there (prepareComplete); where the epochs are used up the next producer id takes over. */
function toComplete(memory: TransactionValue, next: TransactionValue): string | undefined {
  const decided = next.state === 'CompleteCommit' ? 'PrepareCommit' : 'PrepareAbort'
  if (memory.state !== decided) return follows(memory, next)
  if (next.partitions.length > 0) return `${next.state} has no partitions`
  const overflows = memory.producerEpoch >= 32_766 && next.producerEpoch === 0
  if (overflows && memory.producerId !== next.producerId) return undefined
  return keepsProducer(memory, next) ?? epochIsOneOf(next, memory, 0)
}
