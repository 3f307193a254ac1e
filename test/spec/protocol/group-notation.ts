/** Groups and offset commits for tables of the group coordinator. */
import { newGroup } from '../../../spec/protocol/group-coordinator.ts'
import type { Group, OffsetCommitRequest } from '../../../spec/state.ts'

export const group = (changes: Partial<Group> = {}): Group => ({ ...newGroup(), ...changes })

export const offsetCommit = (
  kind: OffsetCommitRequest['kind'],
  changes: Partial<OffsetCommitRequest> = {},
): OffsetCommitRequest => ({
  kind,
  session: 1,
  transaction: 's1.1',
  transactionalId: 0,
  executing: false,
  producerId: 0,
  producerEpoch: 0,
  memberId: 2,
  generation: 2,
  offset: 7,
  ...changes,
})
