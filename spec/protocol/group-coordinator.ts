/** The group coordinator: its members, what commits and markers make of the offsets, and what a new owner reads. */
import type { Group, LogRecord, OffsetCommitRequest, Partition, Result } from '../state.ts'
import { withEntry } from './partition-leader.ts'
import type { Protocol } from './protocol.ts'

/** Of static members a classic group remembers who has their group.instance.id. */
export const newGroup = (protocol?: Protocol): Group => ({
  generation: 0,
  members: [],
  ...(protocol !== undefined && replacesMembers(protocol)
    ? { staticMember: { memberId: -1, newest: 0 } }
    : {}),
  committed: 0,
  committedAt: -1,
  pending: [],
})

/**
 * Whether a static member may take the place of another that lives. In a consumer group it may not: it gets
 * UNRELEASED_INSTANCE_ID until the other has left or timed out (GroupMetadataManager.throwIfInstanceIdIsUnreleased).
 */
const replacesMembers = ({ config }: Protocol): boolean =>
  config.staticMembers && config.groupProtocol === 'classic'

/** What the records of the group's partition say. */
type Offsets = Pick<Group, 'committed' | 'committedAt' | 'pending'>

const noOffsets: Offsets = { committed: 0, committedAt: -1, pending: [] }

/** What the log says by the rules of Kafka, whichever are switched off. */
const everyRule: Protocol['protects'] = () => true

/** The group after a commit was appended at `at`: pending inside a transaction (OffsetMetadataManager.replay). */
export function afterCommit<Known extends Offsets>(
  group: Known,
  { kind, producerId, offset }: Pick<OffsetCommitRequest, 'kind' | 'producerId' | 'offset'>,
  at: number,
  protects = everyRule,
): Known {
  return kind === 'OffsetCommit' || !protects('offsets wait for the marker')
    ? { ...group, committed: offset, committedAt: at }
    : { ...group, pending: withEntry(group.pending, { producerId, offset, at }) }
}

/**
 * The group after a marker of a producer: of a committed offset and a pending one, that of the later record stands
 * (OffsetMetadataManager.replayEndTransactionMarker).
 */
export function afterMarker<Known extends Offsets>(
  group: Known,
  producerId: number,
  result: Result,
  protects = everyRule,
): Known {
  const own = group.pending.find((pending) => pending.producerId === producerId)
  if (own === undefined) return group
  const pending = group.pending.filter((other) => other !== own)
  const counts = result === 'commit' || !protects('aborted offsets are dropped')
  const isLater = own.at > group.committedAt || !protects('later offset record stands')
  const stands = counts && isLater
  return stands ? { ...group, committed: own.offset, committedAt: own.at, pending } : { ...group, pending }
}

/** The offsets that a log says: what a new leader of the group's partition has in memory (CoordinatorLoader). */
export function replayed(log: readonly LogRecord[], protects = everyRule): Offsets {
  let offsets = noOffsets
  for (const [at, record] of log.entries()) {
    if (record.kind === 'marker') offsets = afterMarker(offsets, record.producerId, record.result, protects)
    if (record.kind === 'offset')
      offsets = afterCommit(
        offsets,
        { ...record, kind: record.transactional ? 'TxnOffsetCommit' : 'OffsetCommit' },
        at,
        protects,
      )
  }
  return offsets
}

/** What a new leader of the group's partition knows of its offsets. */
export const loadedOffsets = ({ protects }: Protocol, log: readonly LogRecord[]): Offsets =>
  protects('offsets from the log') ? replayed(log, protects) : noOffsets

/** What OffsetFetch answers, or why it does not answer yet. */
export type Fetched = { kind: 'committed'; offset: number } | { kind: 'wait'; because: string }

/**
 * OffsetFetch. With require_stable it is executed like a write: it sees what is in memory, refuses while a transaction
 * could still change that (UNSTABLE_OFFSET_COMMIT, KIP-447), and is answered when what it saw is replicated. Without
 * it sees what is replicated, and pending offsets mean nothing to it (GroupCoordinatorService.fetchOffsets).
 */
export function fetchOffset(protocol: Protocol, group: Group, { log, highWatermark }: Partition): Fetched {
  const { committed, committedAt, pending } = replayed(log.slice(0, highWatermark), protocol.protects)
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

/** Another static member has the group.instance.id of this one. */
export const isReplaced = ({ staticMember }: Group, memberId: number): boolean =>
  staticMember !== undefined && staticMember.memberId >= 0 && staticMember.memberId !== memberId

export const ownerOf = ({ members }: Group): number => members.at(-1) ?? -1

/**
 * The group after an instance has joined to take the input partition over. The owner only learns the current
 * generation. Of the former members those stay that are said to; the others were removed, for their sessions have timed out or
 * they did not join again in time (ClassicGroup.initNextGeneration, ConsumerGroup).
 */
export function afterJoin(group: Group, memberId: number, staying: readonly number[]): Group {
  if (memberId >= 0 && ownerOf(group) === memberId) return group
  if (group.staticMember !== undefined) return afterStaticJoin(group, group.staticMember)
  const generation = group.generation + 1
  const others = group.members.filter((member) => member !== memberId && staying.includes(member))
  return { ...group, generation, members: [...others, generation] }
}

/**
 * A static member takes the place of the one that has its group.instance.id: what that had is its own, in the same
 * generation (ClassicGroup.replaceStaticMember, KIP-345). Where nobody has it, it joins like any other.
 */
function afterStaticJoin(
  group: Group,
  { memberId: replaced, newest }: { memberId: number; newest: number },
): Group {
  const memberId = newest + 1
  const generation = replaced < 0 ? group.generation + 1 : group.generation
  return { ...group, generation, members: [memberId], staticMember: { memberId, newest: memberId } }
}

/** The session of a member has timed out (GroupMetadataManager.expireClassicGroupMemberHeartbeat). */
export function afterExpiry(group: Group, memberId: number): Group {
  const members = group.members.filter((member) => member !== memberId)
  const free =
    group.staticMember === undefined ? {} : { staticMember: { ...group.staticMember, memberId: -1 } }
  return { ...group, generation: group.generation + 1, members, ...free }
}

/** Another member has joined that gets nothing: the owner keeps the partition, in the next generation. */
export const afterIdleJoin = (group: Group): Group => ({ ...group, generation: group.generation + 1 })
