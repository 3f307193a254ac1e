/** Makes dumps as the tools of each version print them, from a log that is written down as data. */

export interface Entry {
  /** Records, or the marker that a control batch holds. */
  readonly records?: number
  readonly marker?: 'COMMIT' | 'ABORT'
  readonly producerId?: number
  readonly producerEpoch?: number
  readonly baseSequence?: number
  readonly transactional?: boolean
  readonly coordinatorEpoch?: number
  readonly timestamp?: number
  readonly leaderEpoch?: number
  /** `key: ... payload: ...` of each record. */
  readonly contents?: readonly string[]
  /** Offsets left out before the batch, as by compaction. */
  readonly skip?: number
  /** Offsets and bytes left out before the batch, as by whoever has cut lines out. */
  readonly lost?: number
}

export const formats = [
  '0.11 deep',
  '1.0 deep',
  '0.11 shallow',
  '2.0 shallow',
  '2.1 shallow',
  '2.3',
  '2.8',
  '3.0',
  '3.2',
  '3.3',
] as const
export type Format = (typeof formats)[number]

/** Whether the format tells epochs, the decisions of markers, and batches. */
export const tells = (format: Format) => ({
  epochs: format !== '0.11 deep',
  decisions: !format.endsWith('shallow'),
  control: format !== '0.11 shallow' && format !== '2.0 shallow',
  batches: !/^(?:0\.11|1\.0) deep$/.test(format),
})

const start = 1_700_000_000_000

export const data = (
  producerId: number,
  producerEpoch: number,
  baseSequence: number,
  rest: Entry = {},
): Entry => ({
  records: 1,
  transactional: true,
  producerId,
  producerEpoch,
  baseSequence,
  ...rest,
})

export const marker = (
  producerId: number,
  producerEpoch: number,
  decision: 'COMMIT' | 'ABORT',
  rest: Entry = {},
): Entry => ({ marker: decision, transactional: true, producerId, producerEpoch, ...rest })

/** A whole dump of one log file. */
export function dump(
  partition: string,
  entries: readonly Entry[],
  format: Format = '3.3',
  startOffset = 0,
): string {
  const name = String(startOffset).padStart(20, '0')
  const starting = format === '3.3' ? 'Log starting offset' : 'Starting offset'
  return [
    `Dumping /data/${partition}/${name}.log`,
    `${starting}: ${startOffset}`,
    ...bodyLines(entries, format, startOffset),
    '',
  ].join('\n')
}

export function bodyLines(entries: readonly Entry[], format: Format, startOffset = 0): string[] {
  let offset = startOffset
  let position = 0
  return entries.flatMap((entry, index) => {
    const count = entry.marker === undefined ? (entry.records ?? 1) : 1
    const batch = numbersOf(
      entry,
      index,
      offset + (entry.skip ?? 0) + (entry.lost ?? 0),
      count,
      position + (entry.lost ?? 0),
    )
    offset = batch.lastOffset + 1
    position = batch.position + batch.size
    return linesOf(batch, format)
  })
}

type Numbers = ReturnType<typeof numbersOf>

function numbersOf(entry: Entry, index: number, baseOffset: number, count: number, position: number) {
  const baseSequence = entry.marker === undefined ? (entry.baseSequence ?? -1) : -1
  return {
    entry,
    count,
    baseOffset,
    lastOffset: baseOffset + count - 1,
    baseSequence,
    lastSequence: baseSequence < 0 ? -1 : (baseSequence + count - 1) % 2 ** 31,
    producerId: entry.producerId ?? -1,
    producerEpoch: entry.producerEpoch ?? -1,
    transactional: entry.transactional ?? false,
    control: entry.marker !== undefined,
    timestamp: entry.timestamp ?? start + index * 10,
    leaderEpoch: entry.leaderEpoch ?? 0,
    position,
    size: 70 + 10 * count,
    crc: 1000 + index,
  }
}

function linesOf(batch: Numbers, format: Format): string[] {
  if (!tells(format).batches) return recordsOf(batch).map((record) => oldRecord(batch, record, format))
  const records = format.endsWith('shallow')
    ? []
    : recordsOf(batch).map((record) => newRecord(batch, record, format))
  return [batchLine(batch, format), ...records]
}

interface Printed {
  readonly offset: number
  readonly sequence: number
  readonly content: string
}

const recordsOf = (batch: Numbers): Printed[] =>
  Array.from({ length: batch.count }, (_, index) => ({
    offset: batch.baseOffset + index,
    sequence: batch.baseSequence < 0 ? -1 : (batch.baseSequence + index) % 2 ** 31,
    content: batch.control
      ? ` endTxnMarker: ${batch.entry.marker} coordinatorEpoch: ${batch.entry.coordinatorEpoch ?? 0}`
      : ` ${batch.entry.contents?.[index] ?? `payload: value-${String(index).padStart(4, '0')}`}`,
  }))

function batchLine(batch: Numbers, format: Format): string {
  const isNew = !format.endsWith('shallow')
  const head =
    `baseOffset: ${batch.baseOffset} lastOffset: ${batch.lastOffset}` +
    (format === '0.11 shallow' ? '' : ` count: ${batch.count}`) +
    ` baseSequence: ${batch.baseSequence} lastSequence: ${batch.lastSequence} producerId: ${batch.producerId}` +
    ` producerEpoch: ${batch.producerEpoch} partitionLeaderEpoch: ${batch.leaderEpoch} isTransactional: ${batch.transactional}`
  const control = tells(format).control ? ` isControl: ${batch.control}` : ''
  const horizon = format === '3.2' || format === '3.3' ? ' deleteHorizonMs: OptionalLong.empty' : ''
  const place = ` position: ${batch.position} CreateTime: ${batch.timestamp}`
  const codec = format === '3.0' || format === '3.2' || format === '3.3' ? 'none' : 'NONE'
  const size = ` size: ${batch.size} magic: 2 compresscodec: ${codec} crc: ${batch.crc}`
  return head + control + horizon + place + (isNew ? `${size} isvalid: true` : ` isvalid: true${size}`)
}

const sizes = ({ control }: Numbers, format: Format) => {
  const [key, value] =
    format === '2.3' || /deep/.test(format) ? ['keysize', 'valuesize'] : ['keySize', 'valueSize']
  return `${key}: ${control ? 4 : -1} ${value}: ${control ? 6 : 10}`
}

function newRecord(batch: Numbers, { offset, sequence, content }: Printed, format: Format): string {
  const time = `CreateTime: ${batch.timestamp}`
  if (format !== '2.8') {
    return `| offset: ${offset} ${time} ${sizes(batch, format)} sequence: ${sequence} headerKeys: []${content}`
  }
  return (
    `| offset: ${offset} isValid: true crc: null ${sizes(batch, format)} ${time} baseOffset: ${batch.baseOffset}` +
    ` lastOffset: ${batch.lastOffset} baseSequence: ${batch.baseSequence} lastSequence: ${batch.lastSequence}` +
    ` producerEpoch: ${batch.producerEpoch} partitionLeaderEpoch: ${batch.leaderEpoch} batchSize: ${batch.size} magic: 2` +
    ` compressType: NONE position: ${batch.position} sequence: ${sequence} headerKeys: []${content}`
  )
}

function oldRecord(batch: Numbers, { offset, sequence, content }: Printed, format: Format): string {
  const epoch = tells(format).epochs ? ` producerEpoch: ${batch.producerEpoch}` : ''
  return (
    `offset: ${offset} position: ${batch.position} CreateTime: ${batch.timestamp} isvalid: true ${sizes(batch, format)}` +
    ` magic: 2 compresscodec: NONE producerId: ${batch.producerId}${epoch} sequence: ${sequence}` +
    ` isTransactional: ${batch.transactional} headerKeys: []${content}`
  )
}

/** A record of __transaction_state, as --transaction-log-decoder prints it. */
export const transaction = (
  transactionalId: string,
  producerId: number,
  producerEpoch: number,
  state: string,
  partitions: readonly string[] = [],
  timestamp?: number,
): Entry => ({
  contents: [
    `key: transaction_metadata::transactionalId=${transactionalId} payload: producerId:${producerId},producerEpoch:` +
      `${producerEpoch},state=${state},partitions=[${partitions.join(',')}],txnLastUpdateTimestamp=${timestamp ?? start},txnTimeoutMs=60000`,
  ],
  ...(timestamp === undefined ? {} : { timestamp }),
})
