/** A trace as steps with the states around them, and what is read off a step. */
import type { FailedPart, Trace, TraceStep } from '../../../checker/trace.ts'
import type {
  CoordinatorEntry,
  DataRecord,
  KafkaState,
  LogRecord,
  MarkerRecord,
  TransactionRecord,
} from '../../../spec/state.ts'

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

export interface Appended {
  readonly partition: number
  readonly record: LogRecord
}

/** What the step wrote to partitions. */
export function appended({ before, after }: Moment): Appended[] {
  return after.partition.flatMap(({ log }, partition) =>
    log.slice(before.partition[partition]?.log.length).map((record) => ({ partition, record })),
  )
}

export const appendedData = (moment: Moment) =>
  appended(moment).filter((one): one is Appended & { record: DataRecord } => one.record.kind === 'data')

export const appendedMarkers = (moment: Moment) =>
  appended(moment).filter((one): one is Appended & { record: MarkerRecord } => one.record.kind === 'marker')

interface NewRecord {
  readonly record: TransactionRecord
  /** What the coordinator of its transactional.id had in memory before. */
  readonly entry: CoordinatorEntry | null
}

/** The record that the step appended to the transaction log. */
export function newRecord({ before, after }: Moment): NewRecord | null {
  for (const [id, { tail }] of after.transactionLog.entries()) {
    const isNew = JSON.stringify(before.transactionLog[id]?.tail) !== JSON.stringify(tail)
    if (tail !== null && isNew) return { record: tail, entry: before.coordinator[id]?.entry ?? null }
  }
  return null
}

/** What the leader remembered of the producer of a record before the step. */
export const remembered = ({ before }: Moment, { partition, record: { producerId } }: Appended) =>
  before.partition[partition]?.producers.find((producer) => producer.producerId === producerId)

export const isDecision = ({ state }: TransactionRecord) =>
  state === 'PrepareCommit' || state === 'PrepareAbort'
