/** The logs of a state as people draw them: a row for each record, and how far readers may read. */
import { lastStableOffset } from './protocol/partition-leader/stable-offset.ts'
import type { KafkaState, LogRecord } from './state.ts'

export interface LogPicture {
  /** `partition 0`, or `group offsets`. */
  readonly title: string
  /** `offset | record | producer | epoch | sequence`, one row for each record; deleted ones are left out. */
  readonly rows: readonly (readonly string[])[]
  /** High watermark and last stable offset. */
  readonly marks: string
}

export const logColumns = ['offset', 'record', 'producer id', 'epoch', 'sequence'] as const

/** Of every partition that holds something; the last one is that of the group's offsets. */
export function logPictures({ partition }: Pick<KafkaState, 'partition'>): LogPicture[] {
  return partition.flatMap((one, index) => {
    if (one.log.length === 0) return []
    const title = index === partition.length - 1 ? 'group offsets' : `partition ${index}`
    const rows = one.log.map((record, offset) => rowOf(record, offset)).slice(one.logStart)
    const marks = `high watermark ${one.highWatermark}, last stable offset ${lastStableOffset(one)}`
    return [{ title, rows, marks }]
  })
}

function rowOf(record: LogRecord, offset: number): string[] {
  const { producerId, producerEpoch } = record
  const sequence = record.kind === 'data' ? String(record.sequence) : ''
  return [String(offset), contentOf(record), String(producerId), String(producerEpoch), sequence]
}

function contentOf(record: LogRecord): string {
  if (record.kind === 'data') return `input ${record.input}, part ${record.part}`
  return record.kind === 'offset'
    ? `committed offset ${record.offset}`
    : `${record.result.toUpperCase()} marker`
}
