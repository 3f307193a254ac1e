/** The group coordinator: who may commit offsets, what a commit and a marker make of them, and what a new owner reads. */
import type { ErrorName, Group, LogRecord, OffsetCommitRequest, Partition, Result } from '../state.ts'
import { withEntry } from './partition-leader.ts'
import type { Protocol } from './protocol.ts'

export const newGroup = (): Group => ({
  generation: 0,
  members: [],
  committed: 0,
  committedAt: -1,
  pending: [],
})

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
const isUnknown = ({ group, request }: Commit) => !group.members.includes(request.memberId)
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
    when: 'the member is unknown',
    holds: (commit) => isNamed(commit) && isUnknown(commit),
    answer: () => 'UNKNOWN_MEMBER_ID',
  },
  {
    when: 'the generation is another',
    holds: (commit) => isNamed(commit) && commit.request.generation !== commit.group.generation,
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

/** ConsumerGroup.validateOffsetCommit (KIP-848, KIP-1251). A stale epoch is reported as an illegal generation. */
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
    holds: ({ request, group }) => request.generation !== group.generation,
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
  // Plain commits were checked before there was fencing of transactional ones.
  const checks =
    protocol.protects('generation check') || (request.kind === 'OffsetCommit' && !protocol.flags.groupFencing)
  if (!checks) return 'NONE'
  const rows = protocol.config.groupProtocol === 'classic' ? classicGroup : consumerGroup
  const commit = { protocol, group, state, request }
  return rows.find(({ holds }) => holds(commit))?.answer(commit) ?? 'NONE'
}

/** What the records of the group's partition say. */
type Offsets = Pick<Group, 'committed' | 'committedAt' | 'pending'>

/** The group after a commit was appended at `at`: pending inside a transaction (OffsetMetadataManager.replay). */
export function afterCommit<Known extends Offsets>(
  group: Known,
  { kind, producerId, offset }: Pick<OffsetCommitRequest, 'kind' | 'producerId' | 'offset'>,
  at: number,
): Known {
  return kind === 'OffsetCommit'
    ? { ...group, committed: offset, committedAt: at }
    : { ...group, pending: withEntry(group.pending, { producerId, offset, at }) }
}

/**
 * The group after a marker of a producer: of a committed offset and a pending one, that of the later record stands
 * (OffsetMetadataManager.replayEndTransactionMarker).
 */
export function afterMarker<Known extends Offsets>(group: Known, producerId: number, result: Result): Known {
  const own = group.pending.find((pending) => pending.producerId === producerId)
  if (own === undefined) return group
  const pending = group.pending.filter((other) => other !== own)
  const stands = result === 'commit' && own.at > group.committedAt
  return stands ? { ...group, committed: own.offset, committedAt: own.at, pending } : { ...group, pending }
}

/** The offsets that a log says: what a new leader of the group's partition has in memory (CoordinatorLoader). */
export function replayed(log: readonly LogRecord[]): Offsets {
  let offsets: Offsets = { committed: 0, committedAt: -1, pending: [] }
  for (const [at, record] of log.entries()) {
    if (record.kind === 'marker') offsets = afterMarker(offsets, record.producerId, record.result)
    if (record.kind === 'offset')
      offsets = afterCommit(
        offsets,
        { ...record, kind: record.transactional ? 'TxnOffsetCommit' : 'OffsetCommit' },
        at,
      )
  }
  return offsets
}

/** What OffsetFetch answers, or why it does not answer yet. */
export type Fetched = { kind: 'committed'; offset: number } | { kind: 'wait'; because: string }

/**
 * OffsetFetch. With require_stable it is executed like a write: it sees what is in memory, refuses while a transaction
 * could still change that (UNSTABLE_OFFSET_COMMIT, KIP-447), and is answered when what it saw is replicated. Without
 * it sees what is replicated, and pending offsets mean nothing to it (GroupCoordinatorService.fetchOffsets).
 */
export function fetchOffset(protocol: Protocol, group: Group, { log, highWatermark }: Partition): Fetched {
  const { committed, committedAt, pending } = replayed(log.slice(0, highWatermark))
  if (!protocol.protects('require stable offsets')) return { kind: 'committed', offset: committed }
  if (group.pending.length > 0) return { kind: 'wait', because: 'the offset is stable' }
  if (committedAt !== group.committedAt || pending.length > 0)
    return { kind: 'wait', because: 'the offset is replicated' }
  return { kind: 'committed', offset: group.committed }
}

/**
 * Whether a member of the consumer protocol may fetch: its id and epoch are checked too. A stale epoch only makes it
 * ask again with the one of its next heartbeat; a classic member is not checked (ConsumerGroup.validateOffsetFetch).
 */
export const isMember = ({ config }: Protocol, { members }: Group, memberId: number): boolean =>
  config.groupProtocol === 'classic' || members.includes(memberId)

export const ownerOf = ({ members }: Group): number => members.at(-1) ?? -1

/**
 * The group after an instance has joined to take the input partition over. The owner only learns the current
 * generation. Of the former members those stay that are said to; the others were removed, for their sessions have timed out or
 * they did not join again in time (ClassicGroup.initNextGeneration, ConsumerGroup).
 */
export function afterJoin(group: Group, memberId: number, staying: readonly number[]): Group {
  if (memberId >= 0 && ownerOf(group) === memberId) return group
  const generation = group.generation + 1
  const others = group.members.filter((member) => member !== memberId && staying.includes(member))
  return { ...group, generation, members: [...others, generation] }
}

/** The session of a member has timed out (GroupMetadataManager.expireClassicGroupMemberHeartbeat). */
export function afterExpiry(group: Group, memberId: number): Group {
  const members = group.members.filter((member) => member !== memberId)
  return { ...group, generation: group.generation + 1, members }
}

/** Another member has joined that gets nothing: the owner keeps the partition, in the next generation. */
export const afterIdleJoin = (group: Group): Group => ({ ...group, generation: group.generation + 1 })
