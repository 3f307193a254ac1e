/** Short notations for what a partition leader remembers, is asked and decides. */
import { type Append, emptyPartition, type validateMarker } from '../../../spec/protocol/partition-leader.ts'
import type {
  DataRecord,
  LogRecord,
  Marker,
  MarkerRecord,
  OffsetCommitRequest,
  OffsetRecord,
  Partition,
  ProduceRequest,
  ProducerEntry,
  Result,
} from '../../../spec/state.ts'

/** The epoch of the producer entry that the tables speak of. */
export const current = 5

const ghost = { session: 1, transaction: 's1.1' }

export const data = (producerEpoch = current, sequence = 0): DataRecord => ({
  kind: 'data',
  producerEpoch,
  sequence,
  input: 0,
  part: 0,
  fenced: false,
  ...ghost,
})

export const offsetRecord = (transactional: boolean): OffsetRecord => ({
  kind: 'offset',
  producerEpoch: current,
  offset: 1,
  transactional,
  fenced: false,
  ...ghost,
})

export const markerRecord = (result: Result): MarkerRecord => ({
  kind: 'marker',
  producerEpoch: current,
  result,
  coordinatorEpoch: 0,
  transaction: 's1.1',
})

/** A log with its high watermark; at the end unless it is said. */
export const partitionOf = (log: LogRecord[], highWatermark = log.length): Partition => ({
  ...emptyPartition(),
  log,
  highWatermark,
})

/** An entry that remembers the given sequences, at offsets 10, 11, ... */
export const entry = (sequences: readonly number[], changes: Partial<ProducerEntry> = {}): ProducerEntry => ({
  producerEpoch: current,
  coordinatorEpoch: 0,
  batches: sequences.map((sequence, index) => ({ sequence, offset: 10 + index })),
  openOffset: -1,
  ...changes,
})

export const leaderWith = (changes: Partial<Partition>): Partition => ({
  ...partitionOf([data(), data(), data()]),
  ...changes,
})

const origin = { ...ghost, executing: false }

export const produce = (producerEpoch: number, sequence: number): ProduceRequest => ({
  kind: 'Produce',
  ...origin,
  producerEpoch,
  sequence,
  input: 0,
  part: 0,
})

export const offsetCommit = (producerEpoch: number): OffsetCommitRequest => ({
  kind: 'TxnOffsetCommit',
  ...origin,
  producerEpoch,
  generation: 1,
  offset: 1,
})

export const marker = (producerEpoch: number, coordinatorEpoch = 0, result: Result = 'commit'): Marker => ({
  producerEpoch,
  result,
  coordinatorEpoch,
  transaction: 's1.1',
  late: false,
})

/** 'epoch 5 [0,1] open 3 coordinator 0': what an entry remembers. */
export function shownEntry({ producerEpoch, batches, openOffset, coordinatorEpoch }: ProducerEntry): string {
  const sequences = batches.map(({ sequence }) => sequence).join(',')
  return `epoch ${producerEpoch} [${sequences}] ${openOffset < 0 ? 'closed' : `open ${openOffset}`} coordinator ${coordinatorEpoch}`
}

/** An outcome in one line: the error, 'duplicate of 10', or the entry after the append. */
export function shown(outcome: Append | ReturnType<typeof validateMarker>): string {
  if (outcome.kind === 'refused') return outcome.error
  return outcome.kind === 'duplicate' ? `duplicate of ${outcome.offset}` : shownEntry(outcome.producer)
}
