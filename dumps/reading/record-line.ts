/** The lines of kafka-dump-log.sh that are about a record, with and without a batch line above them. */
import type { Batch, Decision, Place } from '../observation.ts'
import { commonFields } from './batch-line.ts'
import { boolean, fieldsOf, integer, known } from './fields.ts'
import { broken, isCutPair, type Parsed } from './parsed.ts'

export interface RecordLine {
  readonly place: Place
  /** Absent where only key and payload are printed (`--skip-record-metadata`). */
  readonly offset?: number
  readonly sequence?: number
  readonly marker?: Decision | 'unknown'
  readonly coordinatorEpoch?: number
  /** Bytes of key and value, -1 if there is none. */
  readonly keySize?: number
  readonly valueSize?: number
  /** `key: ... payload: ...`, as it stands. */
  readonly content: string
  /** Of the formats without batch lines: the record with what is known of its batch. */
  readonly alone?: Batch
}

const contentNames = new Set(['headerKeys', 'key', 'payload', 'endTxnMarker', 'controlType'])

/** @param text begins at `offset:`, without the bar before it */
export function parseRecord(text: string, place: Place): Parsed<RecordLine> {
  const { values, end, repeated, last } = fieldsOf(text, 0, contentNames)
  if (repeated) return broken('a field stands twice')
  const bad = ['offset', 'sequence', 'keySize', 'keysize', 'valueSize', 'valuesize', 'producerId'].find(
    (name) => name in values && integer(values[name]) === undefined,
  )
  if (bad !== undefined && bad === last) return { state: 'unfinished', value: undefined }
  if (bad !== undefined) return broken(`${bad} cannot be '${values[bad]?.slice(0, 40)}'`)
  const offset = integer(values.offset)
  const rest = text.slice(end).trimStart()
  const content = contentOf(rest)
  if (content === undefined) {
    return isCutPair(rest) || /^headerKeys: ?(?:\[.*)?$/s.test(rest)
      ? { state: 'unfinished', value: undefined }
      : broken(`'${rest.slice(0, 40)}' is no field of a record`)
  }
  const control = controlOf(content)
  const needsMore = offset === undefined || (control !== undefined && control === 'unfinished')
  if (needsMore) return { state: 'unfinished', value: undefined }
  const record: RecordLine = {
    place,
    content: control === undefined ? content : '',
    ...known({
      offset,
      sequence: integer(values.sequence),
      keySize: integer(values.keySize) ?? integer(values.keysize),
      valueSize: integer(values.valueSize) ?? integer(values.valuesize),
    }),
    ...(control === undefined ? {} : control),
  }
  // A record line with a batch above it repeats no producer id, in no version.
  const standsAlone = 'producerId' in values || (!('baseOffset' in values) && 'isvalid' in values)
  return {
    state: 'whole',
    value: standsAlone ? { ...record, alone: aloneOf(record, values, offset as number) } : record,
    rest: '',
  }
}

/** What follows the header keys; undefined if that is not reached yet. */
function contentOf(rest: string): string | undefined {
  if (rest === '') return undefined
  if (!rest.startsWith('headerKeys:')) {
    return /^(?:key|payload|endTxnMarker|controlType): ?/.test(rest) ? rest : undefined
  }
  const match = /^headerKeys: ?\[.*?\](?=$| key: | payload: | endTxnMarker: | controlType: | ?$)/s.exec(rest)
  return match === null ? undefined : rest.slice(match[0].length).trimStart()
}

type Control = Pick<RecordLine, 'marker' | 'coordinatorEpoch'>

function controlOf(content: string): Control | 'unfinished' | undefined {
  const initial = content.charCodeAt(0)
  // Most contents are those of clients, and begin with `key` or `payload`.
  if (initial === 107 || initial === 112) return undefined
  if (/^(?:endT|endTx|endTxn|control|controlT)\w*:?\s*$/.test(content)) return 'unfinished'
  if (content.startsWith('controlType:')) return { marker: 'unknown' }
  if (!content.startsWith('endTxnMarker:')) return undefined
  const [, marker, epoch] = /^endTxnMarker: ?(COMMIT|ABORT) coordinatorEpoch: ?(-?\d+)/.exec(content) ?? []
  const coordinatorEpoch = integer(epoch)
  if (coordinatorEpoch === undefined) return 'unfinished'
  return { marker: marker as Decision, coordinatorEpoch }
}

function aloneOf(record: RecordLine, values: Readonly<Record<string, string>>, offset: number): Batch {
  const { place, sequence, marker, coordinatorEpoch } = record
  const hasFields = boolean(values.isTransactional) !== undefined
  return {
    kind: 'batch',
    place,
    single: true,
    baseOffset: offset,
    lastOffset: offset,
    count: 1,
    ...commonFields(values),
    ...(hasFields ? { control: marker !== undefined } : {}),
    ...known({ baseSequence: sequence, lastSequence: sequence, marker, coordinatorEpoch }),
  }
}
