/** Whether the group coordinator accepts an offset commit, and what the commit says of its sender. */
import type { ErrorName, Group, OffsetCommitRequest } from '../state.ts'
import { isReplaced, ownerOf } from './group-coordinator.ts'
import type { Protocol } from './protocol.ts'

export type GroupState = 'missing' | 'Empty' | 'CompletingRebalance' | 'Stable' | 'Dead'

/** A rebalance is one step here, and nobody deletes the group. */
export function stateOf({ generation, members }: Group): GroupState {
  if (generation === 0) return 'missing'
  return members.length === 0 ? 'Empty' : 'Stable'
}

/**
 * Whether an offset commit names its sender. A transactional one does since KIP-447, if the application passes on
 * ConsumerGroupMetadata as the consumer gave it and not only the group's id.
 */
export const namesMember = ({ config, flags }: Protocol, kind: OffsetCommitRequest['kind']): boolean =>
  kind === 'OffsetCommit' || (flags.groupFencing && config.groupMetadata === 'owner')

interface Commit {
  readonly protocol: Protocol
  readonly group: Group
  readonly state: GroupState
  readonly request: OffsetCommitRequest
}

interface Row {
  readonly when: string
  readonly holds: (commit: Commit) => boolean
  readonly answer: (commit: Commit) => ErrorName
}

const isNamed = ({ request }: Commit) => request.memberId >= 0
const isPlain = ({ request }: Commit) => request.kind === 'OffsetCommit'
/** Plain commits were checked before there was fencing of transactional ones. */
const checks = ({ flags, protects }: Protocol, defence: 'member check' | 'generation check') =>
  protects(defence) || !flags.groupFencing
const isUnknown = ({ protocol, group, request }: Commit) =>
  checks(protocol, 'member check') && !group.members.includes(request.memberId)
const isStale = ({ protocol, group, request }: Commit) =>
  checks(protocol, 'generation check') && request.generation !== group.generation
const isFenced = ({ protocol, group, request }: Commit) =>
  checks(protocol, 'member check') &&
  request.groupInstanceId !== undefined &&
  isReplaced(group, request.memberId)
const isLenient = ({ protocol }: Commit) => protocol.flags.memberEpochCheck === 'since assignment'
const accept = (): ErrorName => 'NONE'

/** OffsetMetadataManager.validateOffsetCommit: a commit without a generation makes a simple group. */
const anyGroup: readonly Row[] = [
  {
    when: 'the group does not exist, and no member is named',
    holds: (commit) => commit.state === 'missing' && !isNamed(commit),
    answer: accept,
  },
  {
    when: 'the group does not exist',
    holds: ({ state }) => state === 'missing',
    // Only the request's version 6 knows the newer error, and only producers of transaction.version 2 send it.
    answer: (commit) =>
      isLenient(commit) && commit.protocol.flags.clientVersion === 2
        ? 'GROUP_ID_NOT_FOUND'
        : 'ILLEGAL_GENERATION',
  },
]

/**
 * ClassicGroup.validateOffsetCommit. A rebalance under way means nothing to a transactional commit: until it ends,
 * the old generation may commit.
 */
const classicGroup: readonly Row[] = [
  {
    when: 'the group is dead',
    holds: ({ state }) => state === 'Dead',
    answer: () => 'COORDINATOR_NOT_AVAILABLE',
  },
  ...anyGroup,
  {
    when: 'no member is named, and the group is empty',
    holds: (commit) => !isNamed(commit) && commit.state === 'Empty',
    answer: accept,
  },
  {
    // Asked before the member id, which is unknown since then (ClassicGroup.validateMember).
    when: 'another member has its group.instance.id',
    holds: (commit) => isNamed(commit) && isFenced(commit),
    answer: () => 'FENCED_INSTANCE_ID',
  },
  {
    when: 'the member is unknown',
    holds: (commit) => isNamed(commit) && isUnknown(commit),
    answer: () => 'UNKNOWN_MEMBER_ID',
  },
  {
    when: 'the generation is another',
    holds: (commit) => isNamed(commit) && isStale(commit),
    answer: () => 'ILLEGAL_GENERATION',
  },
  {
    when: 'no member is named, outside of a transaction',
    holds: (commit) => !isNamed(commit) && isPlain(commit),
    answer: () => 'UNKNOWN_MEMBER_ID',
  },
  {
    when: 'a rebalance is being completed, outside of a transaction',
    holds: (commit) => isPlain(commit) && commit.state === 'CompletingRebalance',
    answer: () => 'REBALANCE_IN_PROGRESS',
  },
]

/**
 * ConsumerGroup.validateOffsetCommit (KIP-848, KIP-1251). A stale epoch is reported as an illegal generation. The
 * group.instance.id is not looked at: a static member has to leave before another gets its place.
 */
const consumerGroup: readonly Row[] = [
  ...anyGroup,
  {
    when: 'no member is named, and the group is empty',
    holds: (commit) => !isNamed(commit) && commit.state === 'Empty',
    answer: accept,
  },
  {
    when: 'no member is named',
    holds: (commit) => !isNamed(commit),
    answer: (commit) => (isLenient(commit) && !isPlain(commit) ? 'NONE' : 'UNKNOWN_MEMBER_ID'),
  },
  {
    when: 'the member is unknown',
    holds: isUnknown,
    answer: () => 'UNKNOWN_MEMBER_ID',
  },
  {
    when: "the epoch is not the member's",
    holds: isStale,
    answer: (commit) => (isLenient(commit) && isAssignedSince(commit) ? 'NONE' : 'ILLEGAL_GENERATION'),
  },
]

/** Whether the member had the input partition already in the epoch that it names: its assignment epoch is not later. */
const isAssignedSince = ({ request, group }: Commit): boolean =>
  ownerOf(group) === request.memberId &&
  request.memberId <= request.generation &&
  request.generation < group.generation

/**
 * Whether an offset commit is accepted: the first row that holds answers. An owner that has been replaced commits
 * nothing, if it says who it is (KIP-447).
 */
export function validateCommit(
  protocol: Protocol,
  group: Group,
  request: OffsetCommitRequest,
  state: GroupState = stateOf(group),
): ErrorName {
  if (request.kind === 'TxnOffsetCommit' && !protocol.flags.groupFencing) return 'NONE'
  const rows = protocol.config.groupProtocol === 'classic' ? classicGroup : consumerGroup
  const commit = { protocol, group, state, request }
  return rows.find(({ holds }) => holds(commit))?.answer(commit) ?? 'NONE'
}
