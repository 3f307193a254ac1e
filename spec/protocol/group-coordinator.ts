/** The group coordinator: offsets committed inside transactions, and what a new owner reads. */
import type { ErrorName, Group, OffsetCommitRequest, Result } from '../state.ts'
import type { Protocol } from './protocol.ts'

export const newGroup = (): Group => ({ generation: 0, committed: 0, pending: -1 })

/** ClassicGroup.validateOffsetCommit: an owner that has been replaced commits nothing (KIP-447). */
export function validateCommit(
  protocol: Protocol,
  group: Group,
  { generation }: OffsetCommitRequest,
): ErrorName {
  const replaced = generation !== group.generation
  return protocol.protects('generation check') && replaced ? 'ILLEGAL_GENERATION' : 'NONE'
}

/** The group after a commit was appended: pending inside a transaction (OffsetMetadataManager.replay). */
export const afterCommit = (group: Group, { kind, offset }: OffsetCommitRequest): Group =>
  kind === 'OffsetCommit' ? { ...group, committed: offset } : { ...group, pending: offset }

/** The group after a marker (OffsetMetadataManager.replayEndTransactionMarker). */
export function afterMarker(group: Group, result: Result): Group {
  if (group.pending < 0) return group
  return { ...group, committed: result === 'commit' ? group.pending : group.committed, pending: -1 }
}

/** Whether OffsetFetch answers: not while a transaction could still change the offset (UNSTABLE_OFFSET_COMMIT, KIP-447). */
export const canFetch = (protocol: Protocol, group: Group): boolean =>
  !protocol.protects('require stable offsets') || group.pending < 0
