/** How far readers get, and what those get that do not wait. */
import { type Property, reachable, transition } from '../../../checker/model.ts'
import { readUncommitted } from '../../protocol/consumer.ts'
import { lastStableOffset, transactionsOf } from '../../protocol/partition-leader.ts'
import type { KafkaState, Partition } from '../../state.ts'

export const readerQuestions: Property<KafkaState>[] = [
  reachable(
    'a committed transaction waits behind an open one',
    ({ partition }: KafkaState) => partition.some(holdsBackCommitted),
    {
      summary: 'Its marker is replicated, and readers of committed records do not get it yet.',
      sources: ['UnifiedLog.lastStableOffset', 'isolation.level'],
    },
  ),
  reachable(
    'a read_uncommitted reader gets an aborted record',
    ({ partition, ghost }: KafkaState) =>
      partition.some((one) =>
        readUncommitted(one).some(({ record }) => ghost.decisions[record.transaction] === 'abort'),
      ),
    { summary: 'It does not wait for the marker.', sources: ['isolation.level'] },
  ),
  transition(
    'the offsets of readers never go back in a term',
    (before: KafkaState, after: KafkaState, claim) => {
      for (const [partition, now] of after.partition.entries()) {
        const stable = lastStableOffset(now)
        const { highWatermark, log } = now
        const values = { partition, stable, highWatermark, end: log.length }
        const inOrder = stable <= highWatermark && highWatermark <= log.length
        claim.that('last stable offset <= high watermark <= log end', inOrder, values)
        const earlier = before.partition[partition]
        if (earlier?.leaderEpoch === now.leaderEpoch)
          claim.that('none of them goes back', !goesBack(earlier, now), values)
      }
    },
    {
      summary:
        'The last stable offset is at most the high watermark, that at most the end of the log, and under one leader none gets smaller.',
      sources: ['UnifiedLog.lastStableOffset', 'Partition.maybeIncrementLeaderHW'],
    },
  ),
]

function holdsBackCommitted(partition: Partition): boolean {
  const stable = lastStableOffset(partition)
  return transactionsOf(partition.log).some(
    ({ firstOffset, markerOffset, aborted }) =>
      !aborted && firstOffset > stable && markerOffset >= 0 && markerOffset < partition.highWatermark,
  )
}

const goesBack = (before: Partition, after: Partition): boolean =>
  lastStableOffset(after) < lastStableOffset(before) ||
  after.highWatermark < before.highWatermark ||
  after.log.length < before.log.length
