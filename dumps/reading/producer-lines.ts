/** What kafka-dump-log.sh prints of a producer snapshot (.snapshot) and of a transaction index (.txnindex). */
import type { AbortedTransaction, Place, ProducerSnapshot } from '../observation.ts'
import { fieldsOf, integer, known, optionalLong } from './fields.ts'
import { broken, isCutPair, type Parsed } from './parsed.ts'

export function parseSnapshot(text: string, place: Place): Parsed<ProducerSnapshot> {
  // 1.0 printed the remembered batches as a Scala collection, which says nothing that is needed.
  const { values, end, repeated } = fieldsOf(text, 0, new Set(['cachedMetadata']))
  if (repeated) return broken('a field stands twice')
  const [producerId, producerEpoch] = [integer(values.producerId), integer(values.producerEpoch)]
  const openOffset = optionalLong(values.currentTxnFirstOffset)
  const rest = text.slice(end).trim()
  if (producerId === undefined || producerEpoch === undefined || openOffset === undefined) {
    return isCutPair(rest)
      ? { state: 'unfinished', value: undefined }
      : broken(`'${rest.slice(0, 40)}' is no field of a producer`)
  }
  const value: ProducerSnapshot = {
    kind: 'snapshot',
    place,
    producerId,
    producerEpoch,
    openOffset,
    ...known({
      coordinatorEpoch: integer(values.coordinatorEpoch),
      lastSequence: integer(values.lastSequence),
      lastOffset: integer(values.lastOffset),
    }),
  }
  const isCollection = rest.startsWith('cachedMetadata')
  if (rest !== '' && !isCollection && isCutPair(rest)) return { state: 'unfinished', value }
  return { state: 'whole', value, rest: isCollection ? '' : rest }
}

export function parseAborted(text: string, place: Place): Parsed<AbortedTransaction> {
  const { values, end, repeated } = fieldsOf(text)
  if (repeated) return broken('a field stands twice')
  const [producerId, firstOffset] = [integer(values.producerId), integer(values.firstOffset)]
  const [lastOffset, lastStableOffset] = [integer(values.lastOffset), integer(values.lastStableOffset)]
  const rest = text.slice(end).trim()
  if (
    producerId === undefined ||
    firstOffset === undefined ||
    lastOffset === undefined ||
    lastStableOffset === undefined
  ) {
    return isCutPair(rest)
      ? { state: 'unfinished', value: undefined }
      : broken(`'${rest.slice(0, 40)}' is no field of an aborted transaction`)
  }
  const value = { kind: 'aborted', place, producerId, firstOffset, lastOffset, lastStableOffset } as const
  return { state: 'whole', value, rest }
}
