/** Short notations for what a partition leader remembers, is asked and decides. */

import type { PresetName } from '../../../spec/presets.ts'
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
  VerificationGuard,
} from '../../../spec/state.ts'

/** The epoch of the producer entry that the tables speak of. */
export const current = 5

const identity = { producerId: 0, producerEpoch: current }
const ghost = { session: 1, transaction: 's1.1' }

export const data = (
  producerEpoch = current,
  sequence = 0,
  changes: Partial<DataRecord> = {},
): DataRecord => ({
  kind: 'data',
  producerId: 0,
  producerEpoch,
  transactional: true,
  sequence,
  input: 0,
  part: 0,
  fenced: false,
  ...ghost,
  ...changes,
})

export const offsetRecord = (transactional: boolean): OffsetRecord => ({
  kind: 'offset',
  ...identity,
  offset: 1,
  generation: 1,
  transactional,
  fenced: false,
  ...ghost,
})

export const markerRecord = (result: Result, changes: Partial<MarkerRecord> = {}): MarkerRecord => ({
  kind: 'marker',
  ...identity,
  result,
  coordinatorEpoch: 0,
  transaction: 's1.1',
  ...changes,
})

/** A log with its high watermark; at the end unless it is said. */
export const partitionOf = (log: LogRecord[], highWatermark = log.length): Partition => ({
  ...emptyPartition(),
  log,
  highWatermark,
})

/** An entry that remembers the given sequences, at offsets 10, 11, ... */
export const entry = (sequences: readonly number[], changes: Partial<ProducerEntry> = {}): ProducerEntry => ({
  ...identity,
  coordinatorEpoch: 0,
  batches: sequences.map((sequence, index) => ({ sequence, offset: 10 + index })),
  openOffset: -1,
  ...changes,
})

export const guardAt = (lowestSequence: number, producerEpoch = current): VerificationGuard => ({
  producerId: 0,
  producerEpoch,
  lowestSequence,
})

interface Remembered {
  readonly producer?: ProducerEntry | null
  readonly guard?: VerificationGuard | null
}

/** A partition with three records that remembers one producer, and another one that has nothing to do with it. */
export const leaderWith = ({ producer = null, guard = null }: Remembered): Partition => ({
  ...partitionOf([data(), data(), data()]),
  producers: [...(producer === null ? [] : [producer]), entry([7], { producerId: 1, openOffset: 2 })],
  guards: [...(guard === null ? [] : [guard]), { ...guardAt(0, current + 9), producerId: 1 }],
})

const origin = { ...ghost, transactionalId: 0, executing: false }

export const produce = (
  producerEpoch: number,
  sequence: number,
  changes: Partial<ProduceRequest> = {},
): ProduceRequest => ({
  kind: 'Produce',
  ...origin,
  producerId: 0,
  producerEpoch,
  transactional: true,
  sequence,
  input: 0,
  part: 0,
  ...changes,
})

export const offsetCommit = (
  producerEpoch: number,
  kind: OffsetCommitRequest['kind'] = 'TxnOffsetCommit',
): OffsetCommitRequest => ({
  kind,
  ...origin,
  producerId: 0,
  producerEpoch,
  memberId: 1,
  generation: 1,
  offset: 1,
})

/** Of transaction.version 2 unless it is said. */
export const marker = (producerEpoch: number, changes: Partial<Marker> = {}): Marker => ({
  transactionalId: 0,
  producerId: 0,
  producerEpoch,
  result: 'commit',
  coordinatorEpoch: 0,
  transactionVersion: 2,
  transaction: 's1.1',
  late: false,
  ...changes,
})

/** 'epoch 5 [0,1] open 3 coordinator 0': what an entry remembers. */
export function shownEntry({ producerEpoch, batches, openOffset, coordinatorEpoch }: ProducerEntry): string {
  const sequences = batches.map(({ sequence }) => sequence).join(',')
  return `epoch ${producerEpoch} [${sequences}] ${openOffset < 0 ? 'closed' : `open ${openOffset}`} coordinator ${coordinatorEpoch}`
}

/** An outcome in one line: the error, 'duplicate of 10', or the entry after the append. */
export function shown(outcome: Append | ReturnType<typeof validateMarker>): string {
  if (outcome.kind === 'refused') return outcome.error
  if (outcome.kind === 'duplicate') return `duplicate of ${outcome.offset}`
  return outcome.producer === null ? 'appended' : shownEntry(outcome.producer)
}

/** The same in every version, or by versions: { '1.1 2.5': ..., else: ... }. */
export type Outcome<Value extends string | boolean = string> = Value | { readonly [versions: string]: Value }

/** What a table says of one version. */
export function outcomeIn<Value extends string | boolean>(
  outcome: Outcome<Value>,
  preset: PresetName,
): Value {
  if (typeof outcome !== 'object') return outcome as Value
  const version = preset.replace('kafka-', '')
  const key = Object.keys(outcome).find((versions) => versions.split(' ').includes(version)) ?? 'else'
  const value = (outcome as { readonly [versions: string]: Value })[key]
  if (value === undefined) throw new Error(`the table says nothing of ${preset}`)
  return value
}

/** A batch of an old epoch: PRODUCER_FENCED until KIP-588. */
export const staleEpoch: Outcome = { '1.1 2.5': 'PRODUCER_FENCED', else: 'INVALID_PRODUCER_EPOCH' }
