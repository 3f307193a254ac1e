/** Owners of the input partition follow each other: what one commits no earlier one takes back. */
import { always, type Property, transition } from '../../checker/model.ts'
import { isReplaced, replayed } from '../protocol/group-coordinator.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { partitionAt } from '../protocol/topology.ts'
import type { Instance, KafkaState, LogRecord, OffsetRecord } from '../state.ts'

/** Of the offset that stands when the log is read so far, the generation of its owner; -1 if there is none. */
function generationAt(log: readonly LogRecord[], end: number): number {
  const { committedAt } = replayed(log.slice(0, end))
  return committedAt < 0 ? -1 : (log[committedAt] as OffsetRecord).generation
}

export const laterOwnersStand = ({ offsetsPartition }: Protocol): Property<KafkaState> =>
  always(
    'no earlier owner replaces an offset of a later one',
    (state: KafkaState, claim) => {
      const { log } = partitionAt(state, offsetsPartition)
      let generation = -1
      for (let end = 1; end <= log.length; end += 1) {
        const next = generationAt(log, end)
        claim.that('the offset is of the same or a later generation', next >= generation, {
          offset: end - 1,
          before: generation,
          after: next,
        })
        generation = next
      }
    },
    {
      summary: 'The committed offset of an owner is never replaced by one that an earlier owner committed.',
      sources: ['KIP-447', 'ClassicGroup.validateOffsetCommit'],
    },
  )

/** It owns the input partition, and works from an offset that it has read. */
const hasFetched = (instance: Instance, generation: number): boolean =>
  instance.generation === generation &&
  instance.position >= 0 &&
  instance.phase !== 'joining' &&
  instance.phase !== 'fetching'

export const fetchedOffsetStands = ({ offsetsPartition }: Protocol): Property<KafkaState> =>
  transition(
    'a fetched offset stands',
    (before: KafkaState, after: KafkaState, claim) => {
      const { committedAt } = after.group
      if (committedAt < 0 || committedAt === before.group.committedAt) return
      const { leaderEpoch } = partitionAt(before, offsetsPartition)
      if (leaderEpoch !== partitionAt(after, offsetsPartition).leaderEpoch) return
      const record = partitionAt(after, offsetsPartition).log[committedAt] as OffsetRecord
      for (const instance of before.instance) {
        if (!hasFetched(instance, before.group.generation)) continue
        // The generation says nothing of a static member that was replaced.
        if (isReplaced(before.group, instance.memberId)) continue
        const values = { session: record.session, owner: instance.session, offset: record.offset }
        claim.that('only the owner that has read it moves it on', record.session === instance.session, values)
      }
    },
    {
      summary:
        'The offset that a new owner has read is not changed later by a transaction that was open when it did.',
      sources: ['KIP-447', 'OffsetFetchRequest requireStable'],
    },
  )
