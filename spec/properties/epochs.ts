/** Epochs only grow, and nobody is ahead of the coordinator that gives them out. */
import { alwaysForEach, type Property, type Taken, transition } from '../../checker/model.ts'
import { entryOf } from '../protocol/partition-leader.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { clientsOf, partitionAt, partitionsOf } from '../protocol/topology.ts'
import type { Identity, Instance, KafkaState } from '../state.ts'
import { touchedPartitions } from './touched.ts'

export const entryEpochsOnlyGrow = (protocol: Protocol): Property<KafkaState> =>
  transition(
    'the epochs of a partition only grow',
    (before: KafkaState, after: KafkaState, claim, taken: Taken) => {
      for (const partition of touchedPartitions(protocol, taken)) {
        const from = partitionAt(before, partition)
        const to = partitionAt(after, partition)
        // A new leader may lack records that were not replicated.
        if (from.leaderEpoch !== to.leaderEpoch) continue
        for (const { producerId, producerEpoch, coordinatorEpoch } of from.producers) {
          const entry = entryOf(to, producerId)
          if (entry === null) continue
          const values = { partition, producerId, before: producerEpoch, after: entry.producerEpoch }
          claim.that('the producer epoch does not decrease', producerEpoch <= entry.producerEpoch, values)
          claim.that('the coordinator epoch does not decrease', coordinatorEpoch <= entry.coordinatorEpoch, {
            ...values,
            before: coordinatorEpoch,
            after: entry.coordinatorEpoch,
          })
        }
      }
    },
    {
      summary:
        'While a partition remembers a producer, neither its epoch nor that of its coordinator goes back.',
      sources: [
        'ProducerAppendInfo.checkProducerEpoch',
        'ProducerAppendInfo.checkCoordinatorEpoch',
        'KIP-98',
      ],
    },
  )

/** The identities that coordinators have given out last, and those that follow from what they have decided. */
function givenOut({ coordinator, transactionLog }: KafkaState): Identity[] {
  const records = coordinator.flatMap(({ entry }, id) => [entry, transactionLog[id]?.tail ?? null])
  return records.flatMap((record) =>
    record === null
      ? []
      : [
          { producerId: record.producerId, producerEpoch: record.producerEpoch },
          ...(record.nextProducerId < 0 ? [] : [{ producerId: record.nextProducerId, producerEpoch: 0 }]),
        ],
  )
}

/** A producer id that no coordinator knows any more has expired, or was replaced: nothing is said of it. */
function isAhead(state: KafkaState, { producerId, producerEpoch }: Identity): boolean {
  const epochs = givenOut(state)
    .filter((given) => given.producerId === producerId)
    .map((given) => given.producerEpoch)
  return epochs.length > 0 && producerEpoch > Math.max(...epochs)
}

const noPartitionAheadOf = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'no partition is ahead of the coordinator',
    partitionsOf(protocol),
    (state: KafkaState, partition, claim) => {
      for (const { producerId, producerEpoch } of partitionAt(state, partition).producers) {
        const ahead = isAhead(state, { producerId, producerEpoch })
        claim.that('its epoch was given out', !ahead, { partition, producerId, producerEpoch })
      }
    },
    {
      summary: 'No partition has seen an epoch of a producer that the coordinator does not know of.',
      sources: ['KIP-98', 'TransactionCoordinator'],
    },
  )

const noClientAheadOf = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'no client is ahead of the coordinator',
    clientsOf(protocol),
    (state: KafkaState, client, claim) => {
      const { producerId, producerEpoch } = state.instance[client] as Instance
      if (producerId < 0) return
      const ahead = isAhead(state, { producerId, producerEpoch })
      claim.that('its epoch was given out', !ahead, { client, producerId, producerEpoch })
    },
    {
      summary: 'No client has an epoch that the coordinator does not know of: it could never go on.',
      sources: ['KIP-98', 'KIP-890', 'TransactionCoordinator'],
    },
  )

export const nobodyAhead = (protocol: Protocol): Property<KafkaState>[] => [
  noPartitionAheadOf(protocol),
  noClientAheadOf(protocol),
]
