/** No transaction is open in a partition without the coordinator knowing it. */
import { alwaysForEach, type Property } from '../../checker/model.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { partitionAt, partitionsOf } from '../protocol/topology.ts'
import { isUnfinished } from '../protocol/transaction-coordinator/decision.ts'
import type { KafkaState, Marker } from '../state.ts'

export const nothingHangs = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'open transactions are known to the coordinator',
    partitionsOf(protocol),
    (state: KafkaState, partition, claim) => {
      const { producers, log } = partitionAt(state, partition)
      for (const { producerId, openOffset } of producers) {
        if (openOffset < 0) continue
        claim.given('a transaction is open in a partition', true)
        const known = isKnown(state, partition, producerId) || isMarkerUnderWay(state, partition, producerId)
        claim.that('the coordinator will close it', known, {
          partition,
          offset: openOffset,
          transaction: log[openOffset]?.transaction ?? '',
          coordinator: coordinatorState(state, producerId),
        })
      }
    },
    {
      summary:
        'A transaction that is open in a partition is open or being completed at the coordinator: it will be closed.',
      sources: ['KIP-664', 'KIP-890'],
    },
  )

/** What the coordinator that knows the producer says of its transaction. */
const coordinatorState = ({ coordinator }: KafkaState, producerId: number): string =>
  coordinator.find(({ entry }) => entry?.producerId === producerId)?.entry?.state ?? 'none'

/** Open or being completed there, in memory or in the log that a successor would read. */
function isKnown(
  { coordinator, transactionLog }: KafkaState,
  partition: number,
  producerId: number,
): boolean {
  return coordinator.some(({ entry }, id) =>
    [entry, transactionLog[id]?.tail, transactionLog[id]?.committed].some(
      (record) =>
        record?.producerId === producerId &&
        record.partitions.includes(partition) &&
        isUnfinished(record.state),
    ),
  )
}

/** The marker that will close it is on its way to the partition. */
export const isMarkerUnderWay = ({ markers }: KafkaState, partition: number, producerId: number): boolean =>
  (markers[partition] ?? []).some((marker: Marker) => marker.producerId === producerId && !marker.late)
