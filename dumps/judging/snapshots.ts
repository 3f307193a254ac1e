/** Producer snapshots and transaction indexes against the log that they were made of. */
import type { ProducerSnapshot } from '../observation.ts'
import type { AbortedRange, PartitionLog } from './partition-log.ts'
import type { Producer } from './producer.ts'

/** What a leader knows that has read the snapshot: of the batches, the last one (ProducerStateManager.readSnapshot). */
export function producerOf(snapshot: ProducerSnapshot, log: PartitionLog): Producer {
  const {
    producerId,
    producerEpoch,
    coordinatorEpoch = -1,
    lastSequence,
    lastOffset = -1,
    openOffset = -1,
    place,
  } = snapshot
  const at = { ...place, log: log.name }
  return {
    producerId,
    producerEpoch,
    epochAt: at,
    coordinatorEpoch,
    certain: true,
    remembered: [],
    lastOffset,
    ...(lastSequence === undefined || lastSequence < 0 ? {} : { lastSequence }),
    ...(openOffset < 0
      ? {}
      : {
          open: {
            offset: openOffset,
            place,
            producerEpoch,
            lastEpoch: producerEpoch,
            lastOffset,
            records: 0,
            uncertain: false,
            recordsBefore: 0,
          },
        }),
  }
}

/** The snapshot that was taken at an offset, when the log has come that far. */
export function compareSnapshot(log: PartitionLog, offset: number): void {
  if (!log.isWhole || log.firstOffset === offset) return
  for (const snapshot of log.snapshots.get(offset) ?? []) {
    const producer = log.producers.get(snapshot.producerId)
    const found = producer === undefined ? 'has nothing of it' : differenceOf(snapshot, producer)
    if (found === undefined) continue
    const { producerId, producerEpoch } = snapshot
    log.ledger.find(
      'snapshot against the log',
      `of producer ${producerId} at offset ${offset} the log ${found}`,
      {
        ...snapshot.place,
        log: log.name,
        offset,
      },
      { producer: { producerId, producerEpoch } },
    )
  }
}

function differenceOf(snapshot: ProducerSnapshot, producer: Producer): string | undefined {
  const pairs: [string, number | undefined, number | undefined][] = [
    ['epoch', snapshot.producerEpoch, producer.producerEpoch],
    ['last sequence', snapshot.lastSequence, producer.lastSequence ?? -1],
    ['first offset of the open transaction', snapshot.openOffset, producer.open?.offset ?? -1],
  ]
  const different = pairs.find(
    ([, told, known]) => told !== undefined && known !== undefined && told !== known,
  )
  return different === undefined
    ? undefined
    : `has ${different[0]} ${different[2]}, and the snapshot ${different[1]}`
}

/** The segment that an offset is in, by its first offset. */
const segmentOf = ({ segments, indexed }: PartitionLog, offset: number): number =>
  Math.max(-1, ...[...segments, ...indexed].filter((start) => start <= offset))

/** The list of aborted transactions that readers are given, against those that the log has. */
export function compareIndex(log: PartitionLog): void {
  if (log.indexed.size === 0 || !log.isWhole) return
  const keyOf = (one: Pick<AbortedRange, 'producerId' | 'firstOffset' | 'lastOffset'>) =>
    `${one.producerId} ${one.firstOffset} ${one.lastOffset}`
  const listed = new Set(log.index.map(keyOf))
  const aborted = new Set(log.aborted.map(keyOf))
  for (const one of log.aborted) {
    if (listed.has(keyOf(one)) || !log.indexed.has(segmentOf(log, one.lastOffset))) continue
    const found = `producer ${one.producerId} has aborted offsets ${one.firstOffset} to ${one.lastOffset}, and the index does not say so`
    log.ledger.find(
      'aborted transaction not in the index',
      found,
      { ...one.place, log: log.name, offset: one.lastOffset },
      {
        producer: { producerId: one.producerId },
      },
    )
  }
  for (const one of log.index) {
    if (aborted.has(keyOf(one)) || one.lastOffset >= log.endOffset) continue
    const found = `producer ${one.producerId}, offsets ${one.firstOffset} to ${one.lastOffset}: the log has no such abort`
    log.ledger.find(
      'index entry without an aborted transaction',
      found,
      { ...one.place, log: log.name, offset: one.firstOffset },
      {
        producer: { producerId: one.producerId },
      },
    )
  }
}
