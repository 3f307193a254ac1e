/**
 * What a partition is under another leader. All state of the producers is a fold over the log, which every
 * replica makes of its own (ProducerStateManager); guards and waiting requests are of the old leader alone.
 */
import type { LogRecord, Partition, ProducerEntry } from '../../state.ts'
import type { Protocol } from '../protocol.ts'
import { type Batch, entryAfterBatch, entryAfterMarker, entryOf, withEntry } from './entries.ts'

/** What a replica with this log remembers of the producers. */
export function producersOf(protocol: Protocol, log: readonly LogRecord[]): ProducerEntry[] {
  let producers: ProducerEntry[] = []
  log.forEach((record, offset) => {
    if (record.producerId < 0) return
    const before = entryOf({ producers }, record.producerId)
    const after =
      record.kind === 'marker'
        ? entryAfterMarker(before, record)
        : entryAfterBatch(protocol, before, batchOfRecord(record), offset)
    producers = withEntry(producers, after)
  })
  return producers
}

const batchOfRecord = (record: Exclude<LogRecord, { kind: 'marker' }>): Batch => ({
  ...record,
  sequence: record.kind === 'data' ? record.sequence : -1,
})

/**
 * The partition under a leader whose log ends at `end`. It knows no producer that the old one had forgotten: replicas
 * expire them by the same clock.
 */
export function underNewLeader(protocol: Protocol, partition: Partition, end: number): Partition {
  const { log, logStart, producers, leaderEpoch, highWatermark } = partition
  const kept = log.slice(0, end)
  const known = producersOf(protocol, kept).filter(
    ({ producerId }) => entryOf(partition, producerId) !== null,
  )
  const remembered = end === log.length ? producers : retained(protocol, known, kept, logStart)
  return {
    log: kept,
    logStart,
    highWatermark: Math.min(highWatermark, end),
    leaderEpoch: leaderEpoch + 1,
    producers: protocol.protects('producer state from the log') ? remembered : [],
    guards: [],
    awaiting: [],
  }
}

/**
 * A snapshot keeps one batch per producer (ProducerStateManager.writeSnapshot): that is what a replica remembers
 * after it was restarted or had to truncate its log.
 */
export const fromSnapshot = (producers: readonly ProducerEntry[]): ProducerEntry[] =>
  producers.map((producer) => ({ ...producer, batches: producer.batches.slice(-1) }))

/**
 * The producers that are still remembered when the records below `logStart` are deleted: all since KIP-360; before,
 * those with a batch that is left (ProducerStateManager.truncateHead, isProducerRetained).
 */
export function retained(
  { flags }: Protocol,
  producers: readonly ProducerEntry[],
  log: readonly LogRecord[],
  logStart: number,
): ProducerEntry[] {
  if (!flags.stateDiesWithRecords) return [...producers]
  return producers
    .filter((producer) => log.slice(logStart).some((record) => isLastingRecordOf(producer, record)))
    .map((producer) => ({
      ...producer,
      batches: producer.batches.filter(({ offset }) => offset >= logStart),
    }))
}

/** Markers do not count, nor do batches of an epoch before the entry's. */
const isLastingRecordOf = ({ producerId, producerEpoch }: ProducerEntry, record: LogRecord): boolean =>
  record.kind !== 'marker' && record.producerId === producerId && record.producerEpoch === producerEpoch
