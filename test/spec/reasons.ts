/**
 * For each defence: how a trace shows that it was missing. A reason holds of a step in which the very thing
 * happened that the defence exists to prevent; with the defence in place it holds of no step. What a reader is shown is
 * no part of a state: there the reason is in the failed part of the property.
 */
import type { FailedPart, Trace, TraceStep } from '../../checker/trace.ts'
import type { DefenceName } from '../../spec/defences.ts'
import {
  type LoggedTransaction,
  lastStableOffset,
  transactionsOf,
} from '../../spec/protocol/partition-leader.ts'
import type {
  CoordinatorEntry,
  DataRecord,
  KafkaState,
  LogRecord,
  MarkerRecord,
  TransactionRecord,
} from '../../spec/state.ts'

export interface Moment {
  readonly before: KafkaState
  readonly after: KafkaState
  readonly step: TraceStep
  /** Of the last step: what the property says about the state after it. */
  readonly failed?: FailedPart
}

/** The steps of a trace with the states around them. */
export function momentsOf(trace: Trace): Moment[] {
  const states = trace.states as unknown as KafkaState[]
  return trace.steps.map((step, index) => ({
    before: states[index] as KafkaState,
    after: states[index + 1] as KafkaState,
    step,
    ...(index === trace.steps.length - 1 && trace.property?.failed ? { failed: trace.property.failed } : {}),
  }))
}

interface Appended {
  readonly partition: number
  readonly record: LogRecord
}

/** What the step wrote to partitions. */
function appended({ before, after }: Moment): Appended[] {
  return after.partition.flatMap(({ log }, partition) =>
    log.slice(before.partition[partition]?.log.length).map((record) => ({ partition, record })),
  )
}

const appendedData = (moment: Moment) =>
  appended(moment).filter((one): one is Appended & { record: DataRecord } => one.record.kind === 'data')
const appendedMarkers = (moment: Moment) =>
  appended(moment).filter((one): one is Appended & { record: MarkerRecord } => one.record.kind === 'marker')

const requestsOf = ({ partition }: KafkaState['connection'][number]) =>
  partition.flatMap(({ requests, late }) => [...requests, ...late.flat()]).map((request) => ({ request }))

interface NewRecord {
  readonly record: TransactionRecord
  /** What the coordinator of its transactional.id had in memory before. */
  readonly entry: CoordinatorEntry | null
}

/** The record that the step appended to the transaction log. */
function newRecord({ before, after }: Moment): NewRecord | null {
  for (const [id, { tail }] of after.transactionLog.entries()) {
    const isNew = JSON.stringify(before.transactionLog[id]?.tail) !== JSON.stringify(tail)
    if (tail !== null && isNew) return { record: tail, entry: before.coordinator[id]?.entry ?? null }
  }
  return null
}

/** The step appended a record that leaves the producer the epoch that it has. */
function keepsEpoch(moment: Moment, of: (record: TransactionRecord) => boolean): boolean {
  const appended = newRecord(moment)
  if (appended === null || !of(appended.record)) return false
  const { record, entry } = appended
  return (
    entry !== null &&
    entry.producerEpoch >= 0 &&
    record.producerId === entry.producerId &&
    record.producerEpoch === entry.producerEpoch
  )
}

/** What the leader remembered of the producer of a record before the step. */
const remembered = ({ before }: Moment, { partition, record: { producerId } }: Appended) =>
  before.partition[partition]?.producers.find((producer) => producer.producerId === producerId)

/** How many requests of leaders the coordinator has said yes to, and are not yet appended. */
const allowed = ({ verification }: KafkaState) =>
  verification.flat().filter(({ phase }) => phase !== 'to be verified').length

const contains =
  (offset: number) =>
  ({ firstOffset, markerOffset, aborted }: LoggedTransaction) =>
    aborted && firstOffset <= offset && offset < markerOffset

/** A request that the coordinator took up, as its event shows it. */
const claimedEpoch = ({ step }: Moment) =>
  step.events.find(({ kind, lane }) => kind === 'delivered' && lane === 'coordinator')?.fields?.producerEpoch

/** Whether any coordinator has the epoch. */
const isEpochOfOne = ({ before }: Moment, epoch: number) =>
  before.coordinator.some(({ entry }) => entry?.producerEpoch === epoch)

const isDecision = ({ state }: TransactionRecord) => state === 'PrepareCommit' || state === 'PrepareAbort'
const isLastWord = ({ state }: TransactionRecord) => state === 'CompleteCommit' || state === 'CompleteAbort'
const underWay = ({ after }: Moment) => after.markers.some((markers) => markers.length > 0)

export const reasons: Record<DefenceName, (moment: Moment) => boolean> = {
  'partition epoch check': (moment) =>
    appended(moment).some(
      (one) =>
        one.record.kind !== 'marker' &&
        one.record.producerEpoch < (remembered(moment, one)?.producerEpoch ?? -1),
    ),
  'coordinator epoch check': (moment) => {
    const claimed = claimedEpoch(moment)
    const accepted = newRecord(moment) !== null || allowed(moment.after) > allowed(moment.before)
    return typeof claimed === 'number' && !isEpochOfOne(moment, claimed) && accepted
  },
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
  'partition verification': (moment) =>
    appendedData(moment).some((one) => {
      const { coordinator, markers } = moment.before
      const isOpen = coordinator.some(
        ({ entry }) => entry?.state === 'Ongoing' && entry.partitions.includes(one.partition),
      )
      const takesPart = isOpen || (markers[one.partition] ?? []).length > 0
      return (remembered(moment, one)?.openOffset ?? -1) < 0 && !takesPart
    }),
  'verification guard': (moment) =>
    moment.step.action === 'AppendVerified' &&
    appended(moment).some(({ partition }) =>
      moment.before.verification[partition]?.some(
        ({ guard, phase }) => guard === 'cleared' && phase === 'verified',
      ),
    ),
  'abort of the old transaction': (moment) => {
    const { record, entry } = newRecord(moment) ?? {}
    return entry?.state === 'Ongoing' && record?.state === 'Empty'
  },
  'epoch bump at initialisation': (moment) => keepsEpoch(moment, ({ state }) => state === 'Empty'),
  'epoch bump at fencing abort': (moment) =>
    moment.step.action === 'HandleInitProducerId' &&
    keepsEpoch(moment, ({ state }) => state === 'PrepareAbort'),
  'epoch bump at timeout': (moment) =>
    moment.step.action === 'AbortTimedOutTransaction' && keepsEpoch(moment, () => true),
  'epoch bump at every end': (moment) =>
    moment.step.action === 'HandleEndTxn' && keepsEpoch(moment, isDecision),
  'epoch bump after an error': ({ before, after, step }) =>
    step.action !== 'AbandonTransaction' &&
    before.instance.some(({ result }, client) => {
      const now = after.instance[client]
      return result === 'commit' && now?.result === 'abort' && !now.epochBumpRequired
    }),
  'durable decision': (moment) => {
    const { record } = newRecord(moment) ?? {}
    return record !== undefined && isDecision(record) && underWay(moment)
  },
  'markers before complete': (moment) => {
    const { record } = newRecord(moment) ?? {}
    return record !== undefined && isLastWord(record) && underWay(moment)
  },
  'marker epoch check': (moment) =>
    appendedMarkers(moment).some((one) => {
      const producer = remembered(moment, one)
      return (
        producer !== undefined &&
        producer.openOffset >= 0 &&
        one.record.producerEpoch <= producer.producerEpoch
      )
    }),
  'marker coordinator epoch check': (moment) =>
    appendedMarkers(moment).some(
      (one) => one.record.coordinatorEpoch < (remembered(moment, one)?.coordinatorEpoch ?? -1),
    ),
  'last stable offset': ({ after, failed }) =>
    failed?.part === 'its transaction is closed' &&
    after.partition.some((partition) => Number(failed.values.offset) >= lastStableOffset(partition)),
  'aborted records filter': ({ after, failed }) =>
    failed?.part === 'it was closed by a commit' &&
    after.partition.some(({ log }) => transactionsOf(log).some(contains(Number(failed.values.offset)))),
  'require stable offsets': ({ before, step }) =>
    step.action === 'FetchOffsets' && before.group.pending.length > 0,
  'generation check': (moment) => {
    const { before } = moment
    const commits = appended(moment).some(({ record }) => record.kind === 'offset')
    const requests = [...before.verification.flat(), ...before.connection.flatMap(requestsOf)]
    return (
      commits &&
      requests.some(
        ({ request }) => request.kind === 'TxnOffsetCommit' && request.generation !== before.group.generation,
      )
    )
  },
  'offsets inside the transaction': (moment) =>
    moment.step.events.some(({ kind, message }) => kind === 'sent' && message === 'OffsetCommit'),
  'rewind after abort': ({ before, after }) =>
    before.instance.some(({ result, phase, position }, client) => {
      const aborted = result === 'abort' && phase === 'ending'
      return aborted && after.instance[client]?.position === position + 1
    }),
}
