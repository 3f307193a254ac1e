/** What a log looks like, and what its readers get. */
import { always, type Property, reachable } from '../../../checker/model.ts'
import { readCommitted, readUncommitted, type Seen } from '../../protocol/consumer.ts'
import type { Protocol } from '../../protocol/protocol.ts'
import type { KafkaState, LogRecord, Partition } from '../../state.ts'

export const logQuestions = (protocol: Protocol): Property<KafkaState>[] => [
  reachable(
    'a log holds two records, COMMIT, two records, ABORT',
    ({ partition: [first] }) => isPicture(first),
    {
      summary: 'Markers take offsets of their own: 2 and 5.',
      sources: ['KIP-98', 'ControlBatch'],
    },
  ),
  always(
    'of two records, COMMIT, two records, ABORT read_uncommitted gets 0, 1, 3, 4 and read_committed 0, 1',
    ({ partition: [first] }: KafkaState, claim) => {
      claim.given('a log holds them, and all is replicated', isPicture(first))
      const uncommitted = offsets(readUncommitted(first as Partition))
      const committed = offsets(readCommitted(protocol, first as Partition))
      claim.that('read_uncommitted gets all but the markers', uncommitted === '0 1 3 4', { uncommitted })
      claim.that('read_committed gets what was committed', committed === '0 1', { committed })
    },
    {
      summary: 'Readers skip markers; those of committed records skip aborted ones as well.',
      sources: ['isolation.level', 'CompletedFetch.nextFetchedRecord'],
    },
  ),
]

const offsets = (seen: readonly Seen[]): string => seen.map(({ offset }) => offset).join(' ')

const letter = (record: LogRecord): string =>
  record.kind !== 'marker' ? 'd' : record.result === 'commit' ? 'C' : 'A'

const isPicture = (partition: Partition | undefined): boolean =>
  partition !== undefined &&
  partition.highWatermark === partition.log.length &&
  partition.log.map(letter).join('') === 'ddCddA'
