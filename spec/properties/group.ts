/** The group's offsets follow from the log. */
import { always, type Property } from '../../checker/model.ts'
import { replayed } from '../protocol/group-coordinator.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { partitionAt } from '../protocol/topology.ts'
import type { KafkaState } from '../state.ts'

export const groupFollowsLog = ({ offsetsPartition }: Protocol): Property<KafkaState> =>
  always(
    'the group knows the offsets of its log',
    (state: KafkaState, claim) => {
      const { log, producers } = partitionAt(state, offsetsPartition)
      const { committed, committedAt, pending } = state.group
      const known = replayed(log)
      const values = { committed, inLog: known.committed }
      claim.that(
        'the committed offset is that of the log',
        committed === known.committed && committedAt === known.committedAt,
        values,
      )
      for (const { producerId } of pending) {
        const open = producers.some((entry) => entry.producerId === producerId && entry.openOffset >= 0)
        claim.that('a pending offset is of an open transaction', open, { producerId })
      }
      claim.that('no pending offset is missing', pending.length === known.pending.length, {
        pending: pending.length,
        inLog: known.pending.length,
      })
    },
    {
      summary: 'Committed and pending offsets of the group are what its log says, markers included.',
      sources: ['OffsetMetadataManager.replay', 'OffsetMetadataManager.replayEndTransactionMarker'],
    },
  )
