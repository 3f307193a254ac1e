/** What shows that a defence of a partition leader was missing. */
import type { leaderRules } from '../../../spec/defences/partition-leader.ts'
import { type Appended, appended, appendedData, type Moment, remembered } from './moments.ts'

/** A client hears in this step that its request has succeeded. */
const isToldOfSuccess = ({ step }: Moment) =>
  step.events.some(
    ({ kind, message, fields }) =>
      kind === 'sent' && /^(Produce|TxnOffsetCommit) reply$/.test(message ?? '') && fields?.error === 'NONE',
  )

/** The offsets of the batches of which a copy was recognised. */
const duplicates = ({ step }: Moment) =>
  step.events.flatMap(({ text }) => {
    const offset = /^recognised as a duplicate of offset (\d+)$/.exec(text ?? '')?.[1]
    return offset === undefined ? [] : [Number(offset)]
  })

/** The guard of the producer of a record before the step. */
const guardBefore = ({ before }: Moment, { partition, record: { producerId } }: Appended) =>
  before.partition[partition]?.guards.find((guard) => guard.producerId === producerId)

export const leaderReasons: Record<keyof typeof leaderRules, (moment: Moment) => boolean> = {
  'partition epoch check': (moment) =>
    appended(moment).some(
      (one) =>
        one.record.kind !== 'marker' &&
        one.record.producerEpoch < (remembered(moment, one)?.producerEpoch ?? -1),
    ),
  'sequence check': (moment) =>
    appendedData(moment).some((one) => {
      const producer = remembered(moment, one)
      const last =
        producer?.producerEpoch === one.record.producerEpoch ? (producer.batches.at(-1)?.sequence ?? -1) : -1
      return one.record.sequence !== last + 1
    }),
  'duplicate check': (moment) =>
    appendedData(moment).some(({ partition, record }) =>
      moment.before.partition[partition]?.log.some(
        (other) =>
          other.kind === 'data' &&
          other.transaction === record.transaction &&
          other.sequence === record.sequence,
      ),
    ),
  'sequence zero rule': (moment) =>
    appendedData(moment).some(
      (one) =>
        guardBefore(moment, one) !== undefined &&
        (remembered(moment, one)?.batches ?? []).length === 0 &&
        one.record.sequence > 0,
    ),
  'lowest sequence of a guard': (moment) =>
    appendedData(moment).some(
      (one) => one.record.sequence > (guardBefore(moment, one)?.lowestSequence ?? one.record.sequence),
    ),
  'acknowledgement after replication': (moment) =>
    appended(moment).some(({ record }) => record.kind !== 'marker') && isToldOfSuccess(moment),
  'duplicate waits for its original': (moment) =>
    duplicates(moment).some(
      (offset) =>
        isToldOfSuccess(moment) &&
        offset >= (moment.before.partition[Number(moment.step.args.partition)]?.highWatermark ?? 0),
    ),
  'producer state from the log': ({ before, after }) =>
    after.partition.some(({ leaderEpoch, log, logStart, producers }, partition) => {
      const { leaderEpoch: until, producers: known = [] } = before.partition[partition] ?? {}
      const isWritten = (id: number) =>
        log.slice(logStart).some(({ kind, producerId }) => kind !== 'marker' && producerId === id)
      const isForgotten = (id: number) => producers.every(({ producerId }) => producerId !== id)
      return leaderEpoch !== until && known.some(({ producerId: id }) => isWritten(id) && isForgotten(id))
    }),
  'open producers do not expire': ({ before, after, step }) =>
    step.action === 'ExpireProducer' &&
    before.partition.some(({ producers }, partition) =>
      producers.some(
        ({ producerId, openOffset }) =>
          openOffset >= 0 &&
          after.partition[partition]?.producers.every((other) => other.producerId !== producerId),
      ),
    ),
}
