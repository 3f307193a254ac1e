/** What shows that a defence of readers, of the group or of the application was missing. */
import type { readerRules } from '../../../spec/defences/readers-and-group.ts'
import { replayed } from '../../../spec/protocol/group-coordinator.ts'
import {
  type LoggedTransaction,
  lastStableOffset,
  transactionsOf,
} from '../../../spec/protocol/partition-leader.ts'
import type { KafkaState, Partition } from '../../../spec/state.ts'
import { appended, appendedMarkers, type Moment } from './moments.ts'

const requestsOf = ({ partition }: KafkaState['connection'][number]) =>
  partition.flatMap(({ requests, late }) => [...requests, ...late.flat()]).map((request) => ({ request }))

const appendedCommits = (moment: Moment) =>
  appended(moment).flatMap(({ record }) =>
    record.kind === 'offset' && record.transactional ? [{ record }] : [],
  )

/** The transactional offset commits that are under way. */
const committing = ({ verification, connection }: KafkaState) =>
  [...verification.flat(), ...connection.flatMap(requestsOf)].flatMap(({ request }) =>
    request.kind === 'TxnOffsetCommit' ? [request] : [],
  )

const contains =
  (offset: number) =>
  ({ firstOffset, markerOffset, aborted }: LoggedTransaction) =>
    aborted && firstOffset <= offset && offset < markerOffset

export const readerReasons: Record<keyof typeof readerRules, (moment: Moment) => boolean> = {
  'last stable offset': ({ after, failed }) =>
    failed?.part === 'its transaction is closed' &&
    after.partition.some((partition) => Number(failed.values.offset) >= lastStableOffset(partition)),
  'aborted records filter': ({ after, failed }) =>
    failed?.part === 'it was closed by a commit' &&
    after.partition.some(({ log }) => transactionsOf(log).some(contains(Number(failed.values.offset)))),
  'require stable offsets': ({ before, step }) =>
    step.action === 'FetchOffsets' && before.group.pending.length > 0,
  'generation check': (moment) =>
    appendedCommits(moment).some(({ record }) => record.generation !== moment.before.group.generation),
  'member check': (moment) =>
    appendedCommits(moment).some(({ record }) =>
      committing(moment.before).some(
        ({ session, memberId }) =>
          session === record.session && memberId >= 0 && !moment.before.group.members.includes(memberId),
      ),
    ),
  'offsets wait for the marker': (moment) =>
    appendedCommits(moment).length > 0 && moment.after.group.committedAt !== moment.before.group.committedAt,
  'aborted offsets are dropped': (moment) =>
    appendedMarkers(moment).some(({ record }) => record.result === 'abort') &&
    moment.after.group.committedAt !== moment.before.group.committedAt,
  'later offset record stands': (moment) =>
    appendedMarkers(moment).length > 0 && moment.after.group.committedAt < moment.before.group.committedAt,
  'offsets from the log': ({ before, after }) => {
    const { leaderEpoch, log } = after.partition.at(-1) as Partition
    const { committedAt, pending } = replayed(log)
    const isForgotten =
      after.group.committedAt !== committedAt || after.group.pending.length !== pending.length
    return leaderEpoch !== before.partition.at(-1)?.leaderEpoch && isForgotten
  },
  'batches answered before the end': ({ before, after }) =>
    after.instance.some(
      ({ phase, unacknowledged }, client) =>
        phase === 'ending' &&
        before.instance[client]?.phase !== 'ending' &&
        unacknowledged.some((batches) => batches > 0),
    ),
  'offsets inside the transaction': (moment) =>
    moment.step.events.some(({ kind, message }) => kind === 'sent' && message === 'OffsetCommit'),
  'rewind after abort': ({ before, after }) =>
    before.instance.some(({ result, phase, position }, client) => {
      const aborted = result === 'abort' && phase === 'ending'
      return aborted && after.instance[client]?.position === position + 1
    }),
}
