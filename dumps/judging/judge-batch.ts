/** A batch and a marker against what the partition knows of their producer: ProducerAppendInfo. */
import type { Batch } from '../observation.ts'
import type { Location } from './finding.ts'
import type { PartitionLog } from './partition-log.ts'
import {
  type EndOfTransaction,
  mayBeExpired,
  type Producer,
  remember,
  type Transaction,
  takeEpoch,
} from './producer.ts'
import { blameOf, judgeSequence } from './sequences.ts'

const recordsOf = ({ count, baseOffset, lastOffset }: Batch): number => count ?? lastOffset - baseOffset + 1

/** ProducerAppendInfo.appendDataBatch. */
export function judgeData(log: PartitionLog, producer: Producer, batch: Batch, isNew: boolean): void {
  const { producerEpoch, transactional = false, baseSequence = -1 } = batch
  const at = log.location(batch)
  const isOld = isOlder(producer, batch) && !mayBeExpired(producer, batch)
  if (isOld) findOld(log, producer, batch, at)
  else if (baseSequence >= 0) judgeSequence(log, producer, batch, isNew)
  if (producerEpoch === undefined) {
    log.ledger.doubt('no epochs', 'the first batch of a producer, of which the epoch is not known', at)
  }
  if (!transactional && producer.open !== undefined && !producer.open.uncertain) {
    log.ledger.find(
      'data outside the open transaction',
      `a batch without transaction, while the transaction of offset ${producer.open.offset} is open`,
      at,
      { producer: blameOf(batch), related: [log.locationAt(producer.open)] },
    )
  }
  if (transactional) joinTransaction(log, producer, batch, at)
  // An epoch that should not be there any more changes nothing for the batches that come after it.
  if (isOld) return
  takeEpoch(producer, producerEpoch, at)
  remember(producer, batch)
}

const isOlder = ({ producerEpoch: known }: Producer, { producerEpoch }: Batch): boolean =>
  known !== undefined && producerEpoch !== undefined && producerEpoch < known

function findOld(log: PartitionLog, producer: Producer, batch: Batch, at: Location): void {
  const { lastEnd, producerEpoch: known, epochAt } = producer
  const byMarker = lastEnd !== undefined && lastEnd.producerEpoch === known && lastEnd.at === epochAt
  const isOwn = byMarker && lastEnd.decision === 'ABORT' && lastEnd.ended?.lastEpoch === batch.producerEpoch
  log.ledger.find(
    isOwn && batch.transactional === true ? 'data after its own abort marker' : 'data of an older epoch',
    byMarker
      ? `epoch ${batch.producerEpoch} comes after a marker (${lastEnd.decision}) of epoch ${known}`
      : `epoch ${batch.producerEpoch} comes after epoch ${known}`,
    at,
    { producer: blameOf(batch), related: epochAt === undefined ? [] : [epochAt] },
  )
}

function joinTransaction(log: PartitionLog, producer: Producer, batch: Batch, at: Location): void {
  const { open } = producer
  const { producerEpoch, timestamp, lastOffset } = batch
  const records = recordsOf(batch)
  const last = {
    ...(producerEpoch === undefined ? {} : { lastEpoch: producerEpoch }),
    ...(timestamp === undefined ? {} : { lastTimestamp: timestamp }),
    lastOffset,
  }
  if (open === undefined) {
    producer.open = {
      offset: batch.baseOffset,
      place: batch.place,
      ...(producerEpoch === undefined ? {} : { producerEpoch }),
      ...(timestamp === undefined ? {} : { timestamp }),
      ...last,
      records,
      uncertain: false,
      recordsBefore: log.records - records,
      ...(producer.lastEnd === undefined ? {} : { after: producer.lastEnd }),
    }
    return
  }
  if (
    open.lastEpoch !== undefined &&
    producerEpoch !== undefined &&
    producerEpoch > open.lastEpoch &&
    !open.uncertain
  ) {
    log.ledger.find(
      'transaction of two epochs',
      `epoch ${producerEpoch} goes on with a transaction of epoch ${open.lastEpoch}, open since offset ${open.offset}`,
      at,
      { producer: blameOf(batch), related: [log.locationAt(open)] },
    )
  }
  Object.assign(open, last)
  open.records += records
}

/** ProducerAppendInfo.appendEndTxnMarker. */
export function judgeMarker(log: PartitionLog, producer: Producer, batch: Batch): void {
  const at = log.location(batch)
  const { producerEpoch, coordinatorEpoch, marker: decision = 'unknown' } = batch
  checkEpochs(log, producer, batch, at)
  const { open } = producer
  if (decision === 'unknown') {
    log.ledger.doubt('no decisions', 'a marker of which it is not printed whether it commits or aborts', at)
  }
  const { lastEpoch = 0 } = open ?? {}
  if (
    open?.uncertain === false &&
    decision === 'COMMIT' &&
    producerEpoch !== undefined &&
    producerEpoch > lastEpoch + 1
  ) {
    log.ledger.find(
      'commit of an older epoch',
      `a marker of epoch ${producerEpoch} commits what epoch ${lastEpoch} has written from offset ${open.offset} on`,
      at,
      { producer: blameOf(batch), related: [log.locationAt(open)] },
    )
  }
  const end: EndOfTransaction = {
    decision,
    at,
    ...(producerEpoch === undefined ? {} : { producerEpoch }),
    ...(batch.timestamp === undefined ? {} : { timestamp: batch.timestamp }),
    ...(open === undefined ? {} : { ended: endedOf(open) }),
    certain: open === undefined ? log.isWhole || producer.certain : !open.uncertain,
  }
  delete producer.open
  producer.lastEnd = end
  if (!isOlder(producer, batch)) takeEpoch(producer, producerEpoch, at)
  producer.coordinatorEpoch = Math.max(producer.coordinatorEpoch, coordinatorEpoch ?? -1)
  producer.lastOffset = batch.lastOffset
  if (batch.timestamp !== undefined) producer.lastTimestamp = batch.timestamp
  log.ended(producer, end, decision)
}

/** What is remembered of a transaction that has ended: nothing that leads on to those before it. */
const endedOf = ({ offset, records, lastOffset, lastEpoch }: Transaction): EndOfTransaction['ended'] => ({
  offset,
  records,
  lastOffset,
  ...(lastEpoch === undefined ? {} : { lastEpoch }),
})

function checkEpochs(log: PartitionLog, producer: Producer, batch: Batch, at: Location): void {
  if (mayBeExpired(producer, batch)) return
  const { producerEpoch, coordinatorEpoch } = batch
  const more = {
    producer: blameOf(batch),
    related: producer.epochAt === undefined ? [] : [producer.epochAt],
  }
  if (isOlder(producer, batch)) {
    const found = `a marker of epoch ${producerEpoch} comes after epoch ${producer.producerEpoch}`
    log.ledger.find('marker of an older epoch', found, at, more)
  }
  if (coordinatorEpoch !== undefined && coordinatorEpoch < producer.coordinatorEpoch) {
    const found = `a marker of coordinator epoch ${coordinatorEpoch} comes after ${producer.coordinatorEpoch}`
    const related = producer.lastEnd === undefined ? [] : [producer.lastEnd.at]
    log.ledger.find('marker of an older coordinator', found, at, { ...more, related })
  }
}
