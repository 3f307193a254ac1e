/** The group coordinator: offsets committed inside transactions, and what a new owner reads. */
import type { ErrorName, Group, OffsetCommitRequest, Result } from '../state.ts'
import { withEntry } from './partition-leader.ts'
import type { Protocol } from './protocol.ts'

export const newGroup = (): Group => ({ generation: 0, committed: 0, committedAt: -1, pending: [] })

/** ClassicGroup.validateOffsetCommit: an owner that has been replaced commits nothing (KIP-447). */
export function validateCommit(
  protocol: Protocol,
  group: Group,
  { generation }: OffsetCommitRequest,
): ErrorName {
  const replaced = generation >= 0 && generation !== group.generation
  return protocol.protects('generation check') && replaced ? 'ILLEGAL_GENERATION' : 'NONE'
}

/** The group after a commit was appended at `at`: pending inside a transaction (OffsetMetadataManager.replay). */
export function afterCommit(group: Group, request: OffsetCommitRequest, at: number): Group {
  const { kind, producerId, offset } = request
  return kind === 'OffsetCommit'
    ? { ...group, committed: offset, committedAt: at }
    : { ...group, pending: withEntry(group.pending, { producerId, offset, at }) }
}

/**
 * The group after a marker of a producer: of a committed offset and a pending one, that of the later record stands
 * (OffsetMetadataManager.replayEndTransactionMarker).
 */
export function afterMarker(group: Group, producerId: number, result: Result): Group {
  const own = group.pending.find((pending) => pending.producerId === producerId)
  if (own === undefined) return group
  const pending = group.pending.filter((other) => other !== own)
  const stands = result === 'commit' && own.at > group.committedAt
  return stands ? { ...group, committed: own.offset, committedAt: own.at, pending } : { ...group, pending }
}

/** Whether OffsetFetch answers: not while a transaction could still change the offset (UNSTABLE_OFFSET_COMMIT, KIP-447). */
export const canFetch = (protocol: Protocol, group: Group): boolean =>
  !protocol.protects('require stable offsets') || group.pending.length === 0
