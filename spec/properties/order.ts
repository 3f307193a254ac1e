/** Batches of a session are in order, none twice; readers read in order. */
import { alwaysForEach, type Property, type Taken, transition } from '../../checker/model.ts'
import { ordinal } from '../ghost.ts'
import { lastStableOffset, transactionsOf } from '../protocol/partition-leader.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { partitionAt, partitionsOf } from '../protocol/topology.ts'
import type { DataRecord, KafkaState } from '../state.ts'
import { isData } from './logs.ts'
import { touchedPartitions } from './touched.ts'

export const batchesInOrder = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'batches are in order, none twice',
    partitionsOf(protocol),
    (state: KafkaState, partition, claim) => {
      const latest = new Map<number, DataRecord>()
      const used = new Set<string>()
      const { log, logStart } = partitionAt(state, partition)
      for (const [offset, record] of log.entries()) {
        if (!isData(record)) continue
        const number = `${record.producerId} ${record.producerEpoch} ${record.sequence}`
        claim.that('no sequence number of an epoch is used twice', !used.has(number), {
          partition,
          producerId: record.producerId,
          producerEpoch: record.producerEpoch,
          sequence: record.sequence,
        })
        // A producer of an old version that was forgotten with its records begins anew at 0.
        if (offset >= logStart) used.add(number)
        const last = latest.get(record.session)
        latest.set(record.session, record)
        if (last === undefined) continue
        const values = { partition, session: record.session, first: label(last), second: label(record) }
        const ordered = compare(last, record)
        claim.that('no batch is in the log twice', ordered !== 0, values)
        claim.that("a session's batches are in the order of sending", ordered < 0, values)
      }
    },
    {
      summary:
        'In every partition the batches of a session stand in the order of sending, each at most once.',
      sources: ['KIP-98', 'KIP-679', 'ProducerAppendInfo.checkSequence'],
    },
  )

/** By transaction, if there are any, then by input and by the part of its outputs. */
const compare = (one: DataRecord, other: DataRecord): number =>
  ordinal(one.transaction) - ordinal(other.transaction) || one.input - other.input || one.part - other.part

const label = ({ transaction, input, part }: DataRecord) =>
  transaction === '' ? `input ${input} part ${part}` : `${transaction} input ${input} part ${part}`

/** Sequences are given out without a gap, so a gap in the log is a batch that a later one has overtaken. */
export const sequencesWithoutGaps = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'sequences have no gaps',
    partitionsOf(protocol),
    (state: KafkaState, partition, claim) => {
      const latest = new Map<string, number>()
      for (const record of partitionAt(state, partition).log.filter(isData)) {
        const { producerId, producerEpoch, sequence, transactional } = record
        const epoch = `${producerId} ${producerEpoch}`
        const last = latest.get(epoch)
        const values = { partition, producerId, producerEpoch, sequence }
        if (last === undefined) {
          // Without this rule, which is of transactions only, a producer that is not known may begin anywhere.
          const first = !protocol.flags.sequenceZeroRule || !transactional || sequence === 0
          claim.that('the first sequence of an epoch is 0', first, values)
        } else claim.that('each sequence follows the one before', sequence <= last + 1, { ...values, last })
        latest.set(epoch, sequence)
      }
    },
    {
      summary: 'No batch overtakes an earlier one of the same epoch that is not yet in the log.',
      sources: ['KIP-98', 'ProducerAppendInfo.checkSequence', 'KAFKA-14920', 'KAFKA-18654'],
    },
  )

export const offsetsInOrder = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'last stable offset <= high watermark <= log end',
    partitionsOf(protocol),
    (state: KafkaState, partition, claim) => {
      const { log, highWatermark } = partitionAt(state, partition)
      const lastStable = lastStableOffset({ log, highWatermark })
      const values = { partition, lastStableOffset: lastStable, highWatermark, logEnd: log.length }
      claim.that(
        'the last stable offset is not above the high watermark',
        lastStable <= highWatermark,
        values,
      )
      claim.that('the high watermark is not above the log end', highWatermark <= log.length, values)
      const unstable = transactionsOf(log).filter(
        ({ markerOffset }) => markerOffset < 0 || markerOffset >= highWatermark,
      )
      claim.that(
        'it is not above an open or unreplicated transaction',
        unstable.every(({ firstOffset }) => lastStable <= firstOffset),
        values,
      )
    },
    {
      summary: 'Readers never pass an open transaction or an unreplicated record.',
      sources: ['UnifiedLog.lastStableOffset'],
    },
  )

export const readersNeverGoBack = (protocol: Protocol): Property<KafkaState> =>
  transition(
    'readers never go back',
    (before: KafkaState, after: KafkaState, claim, taken: Taken) => {
      for (const partition of touchedPartitions(protocol, taken)) {
        const from = partitionAt(before, partition)
        const to = partitionAt(after, partition)
        // A new leader may know an earlier high watermark than its predecessor did.
        if (from.leaderEpoch !== to.leaderEpoch) continue
        const values = { partition, before: from.highWatermark, after: to.highWatermark }
        claim.that('the high watermark does not decrease', from.highWatermark <= to.highWatermark, values)
        const [stableBefore, stableAfter] = [lastStableOffset(from), lastStableOffset(to)]
        claim.that('the last stable offset does not decrease', stableBefore <= stableAfter, {
          partition,
          before: stableBefore,
          after: stableAfter,
        })
      }
    },
    {
      summary: 'Under one leader neither kind of reader is taken back to records that it has read.',
      sources: ['UnifiedLog.maybeIncrementHighWatermark', 'UnifiedLog.lastStableOffset'],
    },
  )
