/** What a partition remembers follows from its log. */
import { alwaysForEach, type Property } from '../../checker/model.ts'
import { producersOf } from '../protocol/partition-leader.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { partitionAt, partitionsOf } from '../protocol/topology.ts'
import type { KafkaState, ProducerEntry } from '../state.ts'

export const entriesFollowLog = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'a partition remembers what its log says',
    partitionsOf(protocol),
    (state: KafkaState, partition, claim) => {
      const { log, producers } = partitionAt(state, partition)
      const known = producersOf(protocol, log)
      for (const entry of known) {
        const { producerId, producerEpoch } = entry
        const remembered = producers.find((other) => other.producerId === producerId)
        const values = { partition, producerId, producerEpoch }
        if (remembered === undefined) {
          claim.that('a producer with an open transaction is not forgotten', entry.openOffset < 0, values)
          continue
        }
        claim.that('the epoch is the last one', remembered.producerEpoch === producerEpoch, values)
        claim.that(
          'the open transaction is that of the log',
          remembered.openOffset === entry.openOffset,
          values,
        )
        claim.that('the batches are the last ones', isTail(remembered.batches, entry.batches), values)
      }
      for (const { producerId } of producers) {
        const written = known.some((entry) => entry.producerId === producerId)
        claim.that('only producers that wrote something are remembered', written, { partition, producerId })
      }
    },
    {
      summary:
        'The producer state of a partition is a fold over its log: epoch, open transaction and the last batches; only idle producers are forgotten.',
      sources: ['ProducerStateManager', 'ProducerStateManager.removeExpiredProducers'],
    },
  )

/** Fewer are remembered after a reload from a snapshot, or when the producer was forgotten for a while. */
const isTail = (batches: ProducerEntry['batches'], all: ProducerEntry['batches']): boolean =>
  batches.every(({ offset }, index) => all.at(index - batches.length)?.offset === offset)

export const guardsAreNotOpen = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'no guard for a transaction that is open',
    partitionsOf(protocol),
    (state: KafkaState, partition, claim) => {
      const { producers, guards } = partitionAt(state, partition)
      for (const { producerId, producerEpoch } of guards) {
        const open = producers.some(
          (entry) =>
            entry.producerId === producerId && entry.producerEpoch === producerEpoch && entry.openOffset >= 0,
        )
        claim.that('it is at another epoch than the open transaction', !open, {
          partition,
          producerId,
          producerEpoch,
        })
      }
    },
    {
      summary:
        'A verification guard is there only until the transaction that it is for is open in the partition.',
      sources: ['VerificationStateEntry', 'ProducerStateManager.clearVerificationStateEntry'],
    },
  )
