/** No transaction is open in a partition without the coordinator knowing it. */
import { always, type Property } from '../../checker/model.ts'
import type { KafkaState, Marker } from '../state.ts'

export const nothingHangs: Property<KafkaState> = always(
  'open transactions are known to the coordinator',
  (state: KafkaState, claim) => {
    for (const [partition, { producer, log }] of state.partition.entries()) {
      if (producer === null || producer.openOffset < 0) continue
      claim.given('a transaction is open in a partition', true)
      const known = isKnown(state, partition) || isMarkerUnderWay(state, partition)
      const first = log[producer.openOffset]
      claim.that('the coordinator will close it', known, {
        partition,
        offset: producer.openOffset,
        transaction: first?.transaction ?? '',
        coordinator: state.coordinator.entry?.state ?? 'none',
      })
    }
  },
  {
    summary:
      'A transaction that is open in a partition is open or being completed at the coordinator: it will be closed.',
    sources: ['KIP-664', 'KIP-890'],
  },
)

/** Open or being completed there, in memory or in the log that a successor would read. */
function isKnown({ coordinator, transactionLog }: KafkaState, partition: number): boolean {
  return [coordinator.entry, transactionLog.tail, transactionLog.committed].some(
    (record) =>
      record?.partitions.includes(partition) &&
      (record.state === 'Ongoing' || record.state === 'PrepareCommit' || record.state === 'PrepareAbort'),
  )
}

const isMarkerUnderWay = ({ markers }: KafkaState, partition: number): boolean =>
  (markers[partition] ?? []).some((marker: Marker) => !marker.late)
