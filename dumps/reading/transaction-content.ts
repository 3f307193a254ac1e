/** Records of __transaction_state as the tools decode them: kafka-dump-log.sh and the console consumer, text and JSON. */
import type { Place, TransactionRecord, TransactionValue } from '../observation.ts'
import { detached } from './bytes.ts'
import { integer, known } from './fields.ts'
import { arrayOf, jsonOf, numberOf, objectOf, stringOf } from './json.ts'

/** TransactionState.id. */
const statesById = [
  'Empty',
  'Ongoing',
  'PrepareCommit',
  'PrepareAbort',
  'CompleteCommit',
  'CompleteAbort',
  'Dead',
  'PrepareEpochFence',
]

const decodedKey = 'key: transaction_metadata::transactionalId='
const between = ' payload: '
const decodedValue =
  /^producerId:(-?\d+),producerEpoch:(-?\d+),state=(\w+),partitions=\[([^\]]*)\],txnLastUpdateTimestamp=(-?\d+),txnTimeoutMs=(-?\d+)$/

/** @param content `key: ... payload: ...` of a record that --transaction-log-decoder has decoded */
export function transactionOfContent(content: string, place: Place): TransactionRecord | undefined {
  if (!content.startsWith(decodedKey)) return transactionOfJsonPair(content, place)
  // An id can be any text, what follows it cannot.
  const border = content.lastIndexOf(between)
  if (border < 0) return undefined
  const transactionalId = content.slice(decodedKey.length, border)
  const value = content.slice(border + between.length)
  if (value === '<DELETE>') return { kind: 'transaction', place, transactionalId: detached(transactionalId) }
  const match = decodedValue.exec(value)
  if (match === null) return undefined
  const [, producerId, producerEpoch, state = '', partitions = '', lastUpdate, timeout] = match
  return withValue(place, transactionalId, {
    producerId: integer(producerId),
    producerEpoch: integer(producerEpoch),
    state,
    partitions: namesOf(partitions),
    timeoutMs: integer(timeout),
    lastUpdate: integer(lastUpdate),
  })
}

function transactionOfJsonPair(content: string, place: Place): TransactionRecord | undefined {
  if (!/(?:\}|null|>)$/.test(content.slice(-8))) return undefined
  const [, key, value] = /^key: (\{.*\}) payload: (\{.*\}|null|<DELETE>)$/s.exec(content) ?? []
  if (key === undefined || value === undefined) return undefined
  return transactionOfJson(jsonOf(key), value === '<DELETE>' ? null : jsonOf(value), place)
}

const formattedStart = '::TransactionMetadata(transactionalId='
const formatted = /^(.*), producerId=(-?\d+), producerEpoch=(-?\d+), (.*)\)$/s

/** A line of TransactionLogMessageFormatter up to 3.8: `ID::TransactionMetadata(...)`. */
export function transactionOfFormatter(text: string, place: Place): TransactionRecord | undefined {
  const gone = /^(.+)::(?:NULL|null)$/s.exec(text)
  if (gone !== null) return { kind: 'transaction', place, transactionalId: detached(gone[1] ?? '') }
  const from = text.indexOf(formattedStart)
  if (from < 0) return undefined
  const told = text.slice(from + formattedStart.length)
  const [, transactionalId = '', producerId, producerEpoch, rest = ''] = formatted.exec(told) ?? []
  const field = (name: string) => new RegExp(`\\b${name}=(-?\\w+)`).exec(rest)?.[1]
  const partitions = /\btopicPartitions=(?:Hash)?Set\(([^)]*)\)/.exec(rest)?.[1]
  const state = field('state')
  if (partitions === undefined || state === undefined) return undefined
  return withValue(place, transactionalId, {
    producerId: integer(producerId),
    producerEpoch: integer(producerEpoch),
    state,
    partitions: namesOf(partitions),
    timeoutMs: integer(field('txnTimeoutMs')),
    start: integer(field('txnStartTimestamp')),
    lastUpdate: integer(field('txnLastUpdateTimestamp')),
    nextProducerId: integer(field('nextProducerId')),
  })
}

/** A line of TransactionLogMessageFormatter since 3.9: `{"key":...,"value":...}`. */
export function transactionOfFormatterJson(text: string, place: Place): TransactionRecord | undefined {
  const record = objectOf(jsonOf(text))
  if (record === undefined || !('key' in record)) return undefined
  return transactionOfJson(record.key, record.value ?? null, place)
}

function transactionOfJson(key: unknown, value: unknown, place: Place): TransactionRecord | undefined {
  const transactionalId = stringOf(objectOf(objectOf(key)?.data)?.transactionalId)
  if (transactionalId === undefined) return undefined
  const data = objectOf(objectOf(value)?.data)
  if (data === undefined)
    return value === null
      ? { kind: 'transaction', place, transactionalId: detached(transactionalId) }
      : undefined
  const state = statesById[numberOf(data.transactionStatus) ?? -1]
  if (state === undefined) return undefined
  return withValue(place, transactionalId, {
    producerId: numberOf(data.producerId),
    producerEpoch: numberOf(data.producerEpoch),
    state,
    partitions: arrayOf(data.transactionPartitions).flatMap(partitionsOfTopic),
    timeoutMs: numberOf(data.transactionTimeoutMs),
    start: numberOf(data.transactionStartTimestampMs),
    lastUpdate: numberOf(data.transactionLastUpdateTimestampMs),
    nextProducerId: numberOf(data.nextProducerId),
  })
}

function partitionsOfTopic(value: unknown): string[] {
  const entry = objectOf(value)
  const topic = stringOf(entry?.topic)
  return topic === undefined ? [] : arrayOf(entry?.partitionIds).map((id) => `${topic}-${id}`)
}

type Unchecked = { [K in keyof TransactionValue]: TransactionValue[K] | undefined }

function withValue(
  place: Place,
  transactionalId: string,
  fields: Partial<Unchecked>,
): TransactionRecord | undefined {
  const { producerId, producerEpoch, state, partitions } = fields
  if (producerId === undefined || producerEpoch === undefined) return undefined
  if (state === undefined || !statesById.includes(state) || partitions === undefined) return undefined
  const told = { producerId, producerEpoch, state: detached(state), partitions }
  const value = { ...known(fields), ...told } as TransactionValue
  return { kind: 'transaction', place, transactionalId: detached(transactionalId), value }
}

const namesOf = (list: string): string[] =>
  list.split(',').flatMap((name) => (name.trim() === '' ? [] : [detached(name.trim())]))
