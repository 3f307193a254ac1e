/** Transactions that are open where a log ends: since when, what they block, and what the coordinator says. */
import type { Across } from './across.ts'
import type { Coordinator, IdState } from './coordinator.ts'
import { nameOf } from './coordinator.ts'
import type { Location } from './finding.ts'
import type { PartitionLog } from './partition-log.ts'
import type { Producer, Transaction } from './producer.ts'
import type { Rows } from './rows.ts'

export interface OpenTransaction {
  readonly log: string
  readonly at: Location
  readonly producerId: number
  readonly producerEpoch?: number
  readonly transactionalId?: string
  /** When its first batch was made, in milliseconds since 1970. */
  readonly since?: number
  readonly records: number
  /** Whether it is what keeps readers with read_committed from going on. */
  readonly blocks: boolean
  /** What the coordinator says, as a sentence. */
  readonly coordinator: string
  readonly verdict: 'open' | 'hanging' | 'not known'
}

/** Largest transaction.max.timeout.ms by default, and the five minutes of ProducerStateManager.LATE_TRANSACTION_BUFFER_MS. */
const lateMs = 20 * 60_000

export interface Evidence {
  readonly coordinator: Coordinator
  readonly across: Across
  readonly rows: Rows
}

type Said = Pick<OpenTransaction, 'coordinator' | 'verdict'>

export function judgeOpen(log: PartitionLog, evidence: Evidence): OpenTransaction[] {
  const open = [...log.producers.values()].flatMap((producer) =>
    producer.open === undefined ? [] : [{ producer, transaction: producer.open }],
  )
  open.sort((one, other) => one.transaction.offset - other.transaction.offset)
  return open.map(({ producer, transaction }, index) => {
    const said = saidOf(log, producer, transaction, evidence)
    const { producerEpoch, timestamp } = transaction
    const transactionalId =
      evidence.coordinator.idOf(producer.producerId)?.transactionalId ??
      evidence.rows.idOf(producer.producerId)
    return {
      log: log.name,
      at: log.locationAt(transaction),
      producerId: producer.producerId,
      ...(producerEpoch === undefined ? {} : { producerEpoch }),
      ...(transactionalId === undefined ? {} : { transactionalId }),
      ...(timestamp === undefined ? {} : { since: timestamp }),
      records: transaction.records,
      blocks: index === 0,
      ...said,
    }
  })
}

function saidOf(log: PartitionLog, producer: Producer, open: Transaction, evidence: Evidence): Said {
  const at = log.locationAt(open)
  if (open.uncertain || log.hasHoleAfter(open.lastOffset)) {
    log.ledger.doubt(
      'offsets are missing',
      `the transaction of offset ${open.offset} may have ended there`,
      at,
    )
    return { coordinator: 'not asked: the log has a hole after its beginning', verdict: 'not known' }
  }
  const state = evidence.coordinator.idOf(producer.producerId)
  const reported = evidence.rows.hangingAt(log.partition ?? log.name, producer.producerId)
  const said =
    state === undefined
      ? withoutRecords(log, producer, open, evidence)
      : byRecords(log, producer, open, state, evidence)
  if (said.verdict !== 'hanging' && reported !== undefined) {
    log.ledger.find('reported as hanging', `the transaction that is open since offset ${open.offset}`, at, {
      related: [reported],
      producer: blameOf(producer, open),
    })
    return { ...said, verdict: 'hanging' }
  }
  return said
}

const blameOf = ({ producerId }: Producer, { producerEpoch }: Transaction, transactionalId?: string) => ({
  producerId,
  ...(producerEpoch === undefined ? {} : { producerEpoch }),
  ...(transactionalId === undefined ? {} : { transactionalId }),
})

/** No log of the coordinator: what a table says, and how long it takes already. */
function withoutRecords(log: PartitionLog, producer: Producer, open: Transaction, evidence: Evidence): Said {
  const row = evidence.rows.saidOf(producer.producerId)
  const ageMs = (log.lastTimestamp ?? 0) - (open.lastTimestamp ?? Number.POSITIVE_INFINITY)
  if (ageMs >= lateMs) {
    const found = `open since offset ${open.offset}, without a batch in the last ${Math.floor(ageMs / 60_000)} minutes of the log`
    log.ledger.find('late transaction', found, log.locationAt(open), { producer: blameOf(producer, open) })
  }
  if (row === undefined) return { coordinator: 'nothing that is dumped', verdict: 'open' }
  const isOver = row.state !== 'Ongoing' && !row.state.startsWith('Prepare')
  if (isOver) {
    const found = `the transaction of offset ${open.offset} is open, and a table says ${row.state}`
    log.ledger.doubt('the coordinator is not dumped', found, log.locationAt(open))
  }
  return { coordinator: `${row.state}, by a table`, verdict: isOver ? 'not known' : 'open' }
}

function byRecords(
  log: PartitionLog,
  producer: Producer,
  open: Transaction,
  state: IdState,
  evidence: Evidence,
): Said {
  const { value } = state
  const at = log.locationAt(open)
  const epoch = open.lastEpoch ?? open.producerEpoch
  const stands = value === undefined ? 'the id has expired' : `${value.state} at epoch ${value.producerEpoch}`
  const isCurrent =
    value !== undefined &&
    value.producerId === producer.producerId &&
    (epoch === undefined || value.producerEpoch === epoch)
  if (isCurrent && value.state === 'Ongoing') {
    if (mayBeIn(log, value.partitions)) {
      return { coordinator: `${stands}, with this partition`, verdict: 'open' }
    }
    return hangs(log, producer, open, state, `${stands}, without this partition`, evidence)
  }
  const isDecided = value?.state === 'PrepareCommit' || value?.state === 'PrepareAbort'
  if (isDecided && mayBeIn(log, value.partitions)) {
    return { coordinator: `${stands}: the marker is on its way`, verdict: 'open' }
  }
  if (epoch !== undefined && value?.producerId === producer.producerId && value.producerEpoch < epoch) {
    log.ledger.doubt(
      'the coordinator stops earlier',
      `the coordinator knows epoch ${value.producerEpoch}, the open transaction is of epoch ${epoch}`,
      at,
    )
    return { coordinator: stands, verdict: 'not known' }
  }
  return hangs(log, producer, open, state, stands, evidence)
}

const mayBeIn = ({ partition }: PartitionLog, partitions: readonly string[]): boolean =>
  partition === undefined || partitions.includes(partition)

/** Nothing is open for it, as far as the coordinator has written; whether that is the newest is a matter of times. */
function hangs(
  log: PartitionLog,
  producer: Producer,
  open: Transaction,
  state: IdState,
  stands: string,
  evidence: Evidence,
): Said {
  const at = log.locationAt(open)
  const known = state.source.lastTimestamp() ?? state.timestamp
  const sentence = `${nameOf(state.transactionalId)}: ${stands}; the transaction of offset ${open.offset} is open in ${log.name}`
  if (open.timestamp === undefined || known === undefined || open.timestamp > known) {
    log.ledger.doubt('the coordinator stops earlier', sentence, at)
    return { coordinator: stands, verdict: 'not known' }
  }
  if (state.source.hasLossAfter(state.last.offset ?? -1)) {
    log.ledger.doubt('the coordinator stops earlier', sentence, at)
    return { coordinator: stands, verdict: 'not known' }
  }
  const hasAll = hasAllMarkers(log, open, state, evidence)
  if (!hasAll && (log.lastTimestamp ?? 0) < (state.timestamp ?? Number.POSITIVE_INFINITY)) {
    log.ledger.doubt('the partition stops earlier', sentence, at)
    return { coordinator: stands, verdict: 'not known' }
  }
  const { after } = open
  const isLate = hasAll && after?.decision === 'ABORT'
  log.ledger.find(isLate ? 'data after its own abort marker' : 'hanging transaction', sentence, at, {
    related: [...(after === undefined ? [] : [after.at]), state.last],
    producer: blameOf(producer, open, state.transactionalId),
  })
  return { coordinator: stands, verdict: 'hanging' }
}

/** The partition has a marker for each decision of the coordinator at this epoch: none can be on its way. */
function hasAllMarkers(log: PartitionLog, open: Transaction, state: IdState, evidence: Evidence): boolean {
  const { after } = open
  if (after?.producerEpoch === undefined || state.value === undefined) return false
  const { producerId, producerEpoch } = state.value
  const decided = evidence.coordinator.decisions.filter(
    (one) =>
      one.producerId === producerId &&
      one.producerEpoch === after.producerEpoch &&
      mayBeIn(log, one.partitions),
  )
  if (after.producerEpoch !== producerEpoch || decided.at(-1)?.fromTheBeginning !== true) return false
  return evidence.across.markersOf(producerId, after.producerEpoch, log).length >= decided.length
}
