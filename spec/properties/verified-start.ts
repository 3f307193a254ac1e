/** A transaction begins in a partition only where the coordinator knows that it does. */
import { type Property, type Taken, transition } from '../../checker/model.ts'
import { entryOf } from '../protocol/partition-leader.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { partitionAt } from '../protocol/topology.ts'
import { isUnfinished } from '../protocol/transaction-coordinator/decision.ts'
import type { KafkaState } from '../state.ts'
import { isMarkerUnderWay } from './hanging.ts'
import { touchedPartitions } from './touched.ts'

/** A promise of the versions that ask the coordinator; where offset commits are not verified, of data alone. */
export function verifiedStart(protocol: Protocol): Property<KafkaState> {
  const { offsetsPartition, flags } = protocol
  const verifiesOffsets = flags.verifyOffsets || flags.clientVersion === 2
  return transition(
    'transactions begin with the knowledge of the coordinator',
    (before: KafkaState, after: KafkaState, claim, taken: Taken) => {
      for (const partition of touchedPartitions(protocol, taken)) {
        if (partition === offsetsPartition && !verifiesOffsets) continue
        for (const { producerId, producerEpoch, openOffset } of partitionAt(after, partition).producers) {
          const begins =
            openOffset >= 0 && (entryOf(partitionAt(before, partition), producerId)?.openOffset ?? -1) < 0
          if (!begins) continue
          const known =
            takesPart(after, partition, producerId) || isMarkerUnderWay(after, partition, producerId)
          const values = { partition, producerId, producerEpoch, offset: openOffset }
          claim.that('the coordinator counts the partition in, or its marker is to come', known, values)
        }
      }
    },
    {
      summary:
        'When a record opens a transaction in a partition, the coordinator has that partition in its open transaction, or its marker is still to come.',
      sources: ['KIP-890', 'UnifiedLog.maybeStartTransactionVerification'],
    },
  )
}

const takesPart = ({ coordinator, transactionLog }: KafkaState, partition: number, producerId: number) =>
  coordinator.some(({ entry }, id) =>
    [entry, transactionLog[id]?.tail].some(
      (record) =>
        record?.producerId === producerId &&
        record.partitions.includes(partition) &&
        isUnfinished(record.state),
    ),
  )
