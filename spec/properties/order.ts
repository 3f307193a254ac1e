/** Batches of a session are in order, none twice; offsets of a log are in order. */
import { always, type Property } from '../../checker/model.ts'
import { ordinal } from '../ghost.ts'
import { lastStableOffset, transactionsOf } from '../protocol/partition-leader.ts'
import type { DataRecord, KafkaState } from '../state.ts'

const isData = (record: { kind: string }): record is DataRecord => record.kind === 'data'

export const batchesInOrder: Property<KafkaState> = always(
  'batches are in order, none twice',
  (state: KafkaState, claim) => {
    for (const [partition, { log }] of state.partition.entries()) {
      const latest = new Map<number, DataRecord>()
      for (const record of log.filter(isData)) {
        const last = latest.get(record.session)
        latest.set(record.session, record)
        if (last === undefined) continue
        const values = { partition, session: record.session, first: label(last), second: label(record) }
        const ordered = compare(last, record)
        claim.that('no batch is in the log twice', ordered !== 0, values)
        claim.that("a session's batches are in the order of sending", ordered < 0, values)
      }
    }
  },
  {
    summary: 'In every partition the batches of a session stand in the order of sending, each at most once.',
    sources: ['KIP-98', 'KIP-679'],
  },
)

/** By transaction, if there are any, then by input and by the part of its outputs. */
const compare = (one: DataRecord, other: DataRecord): number =>
  ordinal(one.transaction) - ordinal(other.transaction) || one.input - other.input || one.part - other.part

const label = ({ transaction, input, part }: DataRecord) =>
  transaction === '' ? `input ${input} part ${part}` : `${transaction} input ${input} part ${part}`

export const offsetsInOrder: Property<KafkaState> = always(
  'last stable offset <= high watermark <= log end',
  (state: KafkaState, claim) => {
    for (const [index, partition] of state.partition.entries()) {
      const { log, highWatermark } = partition
      const lastStable = lastStableOffset(partition)
      const values = { partition: index, lastStableOffset: lastStable, highWatermark, logEnd: log.length }
      claim.that(
        'the last stable offset is not above the high watermark',
        lastStable <= highWatermark,
        values,
      )
      claim.that('the high watermark is not above the log end', highWatermark <= log.length, values)
      const open = transactionsOf(log).find(({ markerOffset }) => markerOffset < 0)
      claim.that(
        'it is not above an open transaction',
        open === undefined || lastStable <= open.firstOffset,
        values,
      )
    }
  },
  {
    summary: 'Readers never pass an open transaction or an unreplicated record.',
    sources: ['UnifiedLog.lastStableOffset'],
  },
)
