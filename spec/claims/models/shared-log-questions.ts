/** What is asked of readers of the log that several writers share. */
import { always, type Property, reachable } from '../../../checker/model.ts'
import { fetchEnd, readCommitted, readUncommitted, type Seen } from '../../protocol/consumer.ts'
import { transactionsOf } from '../../protocol/partition-leader.ts'
import type { Protocol } from '../../protocol/protocol.ts'
import type { Partition } from '../../state.ts'
import type { SharedLogState } from './shared-log.ts'

export const plainWait = 'plain records wait behind an open transaction'
export const plainFollow = 'after the commit they are read in the order of the log'
export const fetchesDecided = 'what a read_committed reader fetches is decided'
export const abortedBelow = 'an aborted record is fetched, and filtered'
export const lastRecordLags = 'a client that commits the offset after its last record never has a lag of 0'
export const lastRecordOneBehind =
  'a client that commits the offset after its last record is one behind the end of the log'
export const positionCatchesUp = 'a client that commits its position has a lag of 0 when all is read'

const offsets = (seen: readonly Seen[]): string => seen.map(({ offset }) => offset).join(' ')

/** A plain record, one of A, and two more plain ones, all of them replicated: 'before', 'open', 'plain-1', 'plain-2'. */
const isBetween = ({ log, highWatermark }: Partition): boolean =>
  highWatermark >= 4 &&
  log.slice(0, 4).every((one) => one.kind === 'data') &&
  log
    .slice(0, 4)
    .map(({ producerId }) => (producerId === 0 ? 'A' : 'p'))
    .join('') === 'pApp'

/** Nothing is open, everything is replicated, and there is something. */
const isAllRead = ({ partition: { log, highWatermark }, ended }: SharedLogState): boolean =>
  ended.A && ended.B && highWatermark === log.length

/** A client that counts from what it was given: it sees no marker and no aborted record. */
const afterLastRecord = (protocol: Protocol, partition: Partition): number =>
  (readCommitted(protocol, partition).at(-1)?.offset ?? -1) + 1

export const readerQuestions = (protocol: Protocol): Property<SharedLogState>[] => [
  reachable(
    plainWait,
    ({ partition, ended }: SharedLogState) =>
      isBetween(partition) &&
      !ended.A &&
      offsets(readCommitted(protocol, partition)) === '0' &&
      offsets(readUncommitted(partition)) === '0 1 2 3',
    { summary: 'read_committed gets what lies before the open transaction, read_uncommitted everything.' },
  ),
  always(
    plainFollow,
    (state: SharedLogState, claim) => {
      const { partition } = state
      claim.given(
        'the transaction lies between plain records, and is committed',
        isBetween(partition) && isAllRead(state),
      )
      const read = offsets(readCommitted(protocol, partition))
      claim.that('all four are read', read === '0 1 2 3', { read })
    },
    { summary: 'What waited is read when the marker is there, with the records of the transaction between.' },
  ),
  always(
    fetchesDecided,
    ({ partition }: SharedLogState, claim) => {
      const end = fetchEnd(protocol, partition)
      const open = transactionsOf(partition.log).filter(
        ({ markerOffset }) => markerOffset < 0 || markerOffset >= partition.highWatermark,
      )
      for (const { firstOffset } of open)
        claim.that('no record of an open transaction', firstOffset >= end, { firstOffset, end })
    },
    { summary: 'There is nothing that such a reader would have to keep until it hears what became of it.' },
  ),
  reachable(
    abortedBelow,
    ({ partition }: SharedLogState) => {
      const end = fetchEnd(protocol, partition)
      const read = readCommitted(protocol, partition).map(({ offset }) => offset)
      return transactionsOf(partition.log).some(
        ({ aborted, firstOffset }) => aborted && firstOffset < end && !read.includes(firstOffset),
      )
    },
    { summary: 'It lies below the last stable offset, and the reader leaves it out.' },
  ),
  always(
    lastRecordLags,
    (state: SharedLogState, claim) => {
      const { partition } = state
      claim.given('all is decided and read', isAllRead(state))
      const lag = partition.highWatermark - afterLastRecord(protocol, partition)
      claim.that('a marker is left', lag > 0, { lag })
    },
    {
      summary: 'The last record of a transactional topic is followed by a marker, which no client is given.',
    },
  ),
  reachable(
    lastRecordOneBehind,
    (state: SharedLogState) =>
      isAllRead(state) && state.partition.highWatermark - afterLastRecord(protocol, state.partition) === 1,
    { summary: 'It has read everything, and its lag is 1.' },
  ),
  always(
    positionCatchesUp,
    (state: SharedLogState, claim) => {
      claim.given('all is decided', isAllRead(state))
      const lag = state.partition.highWatermark - fetchEnd(protocol, state.partition)
      claim.that('nothing is left', lag === 0, { lag })
    },
    {
      summary:
        'The position of a consumer passes markers and aborted records (CompletedFetch.nextFetchedRecord).',
    },
  ),
]
