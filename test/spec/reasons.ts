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
import type { DataRecord, KafkaState, LogRecord, MarkerRecord } from '../../spec/state.ts'

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
  partition.flatMap(({ requests, late }) => [...requests, ...late]).map((request) => ({ request }))

const newRecord = ({ before, after }: Moment) =>
  JSON.stringify(before.transactionLog.tail) === JSON.stringify(after.transactionLog.tail)
    ? null
    : after.transactionLog.tail

const epochOf = ({ before }: Moment) => before.coordinator.entry?.producerEpoch ?? -1

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

export const reasons: Record<DefenceName, (moment: Moment) => boolean> = {
  'partition epoch check': (moment) =>
    appended(moment).some(
      ({ partition, record }) =>
        record.kind !== 'marker' &&
        record.producerEpoch < (moment.before.partition[partition]?.producer?.producerEpoch ?? -1),
    ),
  'coordinator epoch check': (moment) => {
    const claimed = claimedEpoch(moment)
    const accepted = newRecord(moment) !== null || allowed(moment.after) > allowed(moment.before)
    return typeof claimed === 'number' && claimed !== epochOf(moment) && accepted
  },
  'sequence check': (moment) =>
    appendedData(moment).some(({ partition, record }) => {
      const producer = moment.before.partition[partition]?.producer
      const last =
        producer?.producerEpoch === record.producerEpoch ? (producer.batches.at(-1)?.sequence ?? -1) : -1
      return record.sequence !== last + 1
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
    appendedData(moment).some(({ partition }) => {
      const { coordinator, markers } = moment.before
      const isOpen =
        coordinator.entry?.state === 'Ongoing' && coordinator.entry.partitions.includes(partition)
      const takesPart = isOpen || (markers[partition] ?? []).length > 0
      return (moment.before.partition[partition]?.producer?.openOffset ?? -1) < 0 && !takesPart
    }),
  'verification guard': (moment) =>
    moment.step.action === 'AppendVerified' &&
    appended(moment).some(({ partition }) =>
      moment.before.verification[partition]?.some(
        ({ guard, phase }) => guard === 'cleared' && phase === 'verified',
      ),
    ),
  'abort of the old transaction': (moment) =>
    moment.before.coordinator.entry?.state === 'Ongoing' && newRecord(moment)?.state === 'Empty',
  'epoch bump at initialisation': (moment) => {
    const record = newRecord(moment)
    return record?.state === 'Empty' && epochOf(moment) >= 0 && record.producerEpoch === epochOf(moment)
  },
  'epoch bump at fencing abort': (moment) => {
    const record = newRecord(moment)
    const fences = moment.step.action === 'HandleInitProducerId' && record?.state === 'PrepareAbort'
    return fences && record.producerEpoch === epochOf(moment)
  },
  'epoch bump at timeout': (moment) =>
    moment.step.action === 'AbortTimedOutTransaction' && newRecord(moment)?.producerEpoch === epochOf(moment),
  'epoch bump at every end': (moment) => {
    const record = newRecord(moment)
    const ends = record?.state === 'PrepareCommit' || record?.state === 'PrepareAbort'
    return moment.step.action === 'HandleEndTxn' && ends && record.producerEpoch === epochOf(moment)
  },
  'epoch bump after an error': ({ before, after, step }) =>
    step.action !== 'AbandonTransaction' &&
    before.instance.some(({ result }, client) => {
      const now = after.instance[client]
      return result === 'commit' && now?.result === 'abort' && !now.epochBumpRequired
    }),
  'durable decision': (moment) => {
    const { state = 'Empty' } = newRecord(moment) ?? {}
    const decides = state === 'PrepareCommit' || state === 'PrepareAbort'
    return decides && moment.after.markers.some((underWay) => underWay.length > 0)
  },
  'markers before complete': (moment) => {
    const { state = 'Empty' } = newRecord(moment) ?? {}
    const completes = state === 'CompleteCommit' || state === 'CompleteAbort'
    return completes && moment.after.markers.some((underWay) => underWay.length > 0)
  },
  'marker epoch check': (moment) =>
    appendedMarkers(moment).some(({ partition, record }) => {
      const producer = moment.before.partition[partition]?.producer
      return producer != null && producer.openOffset >= 0 && record.producerEpoch <= producer.producerEpoch
    }),
  'marker coordinator epoch check': (moment) =>
    appendedMarkers(moment).some(
      ({ partition, record }) =>
        record.coordinatorEpoch < (moment.before.partition[partition]?.producer?.coordinatorEpoch ?? -1),
    ),
  'last stable offset': ({ after, failed }) =>
    failed?.part === 'its transaction is closed' &&
    after.partition.some((partition) => Number(failed.values.offset) >= lastStableOffset(partition)),
  'aborted records filter': ({ after, failed }) =>
    failed?.part === 'it was closed by a commit' &&
    after.partition.some(({ log }) => transactionsOf(log).some(contains(Number(failed.values.offset)))),
  'require stable offsets': ({ before, step }) => step.action === 'FetchOffsets' && before.group.pending >= 0,
  'generation check': (moment) => {
    const { before } = moment
    const commits = appended(moment).some(({ record }) => record.kind === 'offset')
    const underWay = [...before.verification.flat(), ...before.connection.flatMap(requestsOf)]
    return (
      commits &&
      underWay.some(
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
