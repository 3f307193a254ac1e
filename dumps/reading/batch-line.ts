/** The lines of kafka-dump-log.sh that are about a batch: `baseOffset: 0 lastOffset: 1 count: 2 ...`. */
import type { Batch, Place } from '../observation.ts'
import { boolean, type Fields, fieldsOf, integer, known } from './fields.ts'
import { broken, isCutPair, type Parsed } from './parsed.ts'

/** Fields of which the value must be a whole number. */
const numeric = [
  'baseOffset',
  'lastOffset',
  'count',
  'baseSequence',
  'lastSequence',
  'producerId',
  'producerEpoch',
  'partitionLeaderEpoch',
  'position',
  'CreateTime',
  'LogAppendTime',
  'size',
  'magic',
  'crc',
]
const logical = ['isTransactional', 'isControl', 'isvalid']

/** All versions print the checksum and its verdict, at the end or near it; without them the line may go on. */
export function parseBatch(text: string, place: Place): Parsed<Batch> {
  const fields = fieldsOf(text)
  const { values } = fields
  const bad = badFieldOf(values)
  if (bad !== undefined && bad === fields.last) return { state: 'unfinished', value: undefined }
  const problem = problemOf(fields, bad)
  if (problem !== undefined) return broken(problem)
  const rest = text.slice(fields.end).trim()
  const value = batchOf(values, place)
  const whole = 'crc' in values && 'isvalid' in values
  if (whole) return { state: 'whole', value: value as Batch, rest }
  if (!isCutPair(rest)) return broken(`'${rest.slice(0, 40)}' is no field of a batch`)
  // Whoever cuts columns off may leave what matters; a line that ends before is of no use.
  return { state: 'unfinished', value: 'isTransactional' in values && rest === '' ? value : undefined }
}

const badFieldOf = (values: Fields['values']): string | undefined =>
  numeric.find((name) => name in values && integer(values[name]) === undefined) ??
  logical.find((name) => name in values && boolean(values[name]) === undefined)

function problemOf({ values, repeated }: Fields, bad: string | undefined): string | undefined {
  if (repeated) return 'a field stands twice'
  if (bad !== undefined) return `${bad} cannot be '${values[bad]?.slice(0, 40)}'`
  const [first, last] = [integer(values.baseOffset), integer(values.lastOffset)]
  if (first !== undefined && first < 0) return 'baseOffset is below 0'
  return first !== undefined && last !== undefined && last < first && 'baseSequence' in values
    ? 'lastOffset is below baseOffset'
    : undefined
}

function batchOf(values: Fields['values'], place: Place): Batch | undefined {
  const [baseOffset, lastOffset] = [integer(values.baseOffset), integer(values.lastOffset)]
  if (baseOffset === undefined || lastOffset === undefined || lastOffset < baseOffset) return undefined
  return {
    kind: 'batch',
    place,
    single: false,
    baseOffset,
    lastOffset,
    ...commonFields(values),
    ...known({
      count: integer(values.count),
      baseSequence: integer(values.baseSequence),
      lastSequence: integer(values.lastSequence),
      leaderEpoch: integer(values.partitionLeaderEpoch),
      control: boolean(values.isControl),
      size: integer(values.size),
    }),
  }
}

/** What a batch and a record of the formats before 2.3 have in common. */
export const commonFields = (values: Fields['values']) =>
  known({
    producerId: integer(values.producerId),
    producerEpoch: integer(values.producerEpoch),
    transactional: boolean(values.isTransactional),
    timestamp: integer(values.CreateTime) ?? integer(values.LogAppendTime),
    valid: boolean(values.isvalid),
    position: integer(values.position),
  })
