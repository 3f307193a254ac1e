/** Whether the sequence of a batch is one that a leader appends: ProducerAppendInfo.checkSequence. */
import type { Batch } from '../observation.ts'
import type { Location } from './finding.ts'
import type { PartitionLog } from './partition-log.ts'
import { mayBeExpired, nextSequence, type Producer, sequenceDistance } from './producer.ts'

/** Looks at a batch that has a sequence, before it is remembered. */
export function judgeSequence(log: PartitionLog, producer: Producer, batch: Batch, isNew: boolean): void {
  const { ledger } = log
  const at = log.location(batch)
  const { baseSequence = -1, producerEpoch } = batch
  if (mayBeExpired(producer, batch)) return
  if (isNew) return judgeFirst(log, batch, at)
  const sameEpoch = producerEpoch === undefined || producerEpoch === producer.producerEpoch
  if (!sameEpoch) {
    const known = producer.producerEpoch !== undefined && !log.hasHoleAfter(producer.lastOffset)
    if (baseSequence !== 0 && known) {
      ledger.find(
        'sequence gap',
        `epoch ${producerEpoch} begins with sequence ${baseSequence}, and not with 0`,
        at,
        {
          producer: blameOf(batch),
        },
      )
    }
    return
  }
  if (producer.lastSequence !== undefined) return judgeNext(log, producer, batch, producer.lastSequence)
  if (baseSequence === 0 || !producer.certain) {
    if (baseSequence !== 0) doubtFirst(log, at, baseSequence)
    return
  }
  ledger.find(
    'sequence gap',
    `after the marker that began epoch ${producerEpoch ?? '?'} comes sequence ${baseSequence}, and not 0`,
    at,
    {
      producer: blameOf(batch),
    },
  )
}

function judgeFirst(log: PartitionLog, batch: Batch, at: Location): void {
  const { baseSequence = -1 } = batch
  if (baseSequence === 0) return
  if (!log.isWhole) return doubtFirst(log, at, baseSequence)
  log.ledger.find(
    'first sequence is not 0',
    `the first batch of the producer in this log has sequence ${baseSequence}`,
    at,
    {
      producer: blameOf(batch),
    },
  )
}

function doubtFirst({ ledger, holes }: PartitionLog, at: Location, sequence: number): void {
  ledger.doubt(
    holes > 0 ? 'offsets are missing' : 'the log begins later',
    `nothing is known of the batches before sequence ${sequence} of the producer`,
    at,
  )
}

function judgeNext(log: PartitionLog, producer: Producer, batch: Batch, last: number): void {
  const { ledger } = log
  const { baseSequence: first = -1, lastSequence = -1, producerEpoch } = batch
  const expected = nextSequence(last)
  if (first === expected) return
  const at = log.location(batch)
  const more = { producer: blameOf(batch), related: [log.locationAt(producer.remembered.at(-1))] }
  const copied = producer.remembered.find((one) => one.first === first && one.last === lastSequence)
  if (first === 0 && producerEpoch === undefined) {
    return ledger.doubt('no epochs', `sequence 0 comes after ${last}: a new epoch, or a copy`, at)
  }
  if (copied !== undefined) {
    const found = `sequences ${rangeOf(first, lastSequence)} of epoch ${producerEpoch ?? '?'} are at offset ${copied.offset} already`
    return ledger.find('duplicate batch', found, at, { ...more, related: [log.locationAt(copied)] })
  }
  const distance = sequenceDistance(expected, first)
  if (distance > 0) {
    return ledger.find('sequence gap', `sequence ${first} comes after ${last}: ${distance} missing`, at, more)
  }
  if (first === 0 && !log.startsAtZero) {
    return ledger.doubt('the producer may be forgotten', `sequence 0 comes again after ${last}`, at)
  }
  ledger.find('repeated sequence', `sequences ${rangeOf(first, lastSequence)} come after ${last}`, at, more)
}

export const rangeOf = (first: number, last: number): string =>
  first === last ? `${first}` : `${first} to ${last}`

export const blameOf = ({ producerId = -1, producerEpoch }: Batch) => ({
  producerId,
  ...(producerEpoch === undefined ? {} : { producerEpoch }),
})
