/** What shows that a defence of the transaction coordinator was missing. */
import type { coordinatorRules } from '../../../spec/defences/transaction-coordinator.ts'
import type { KafkaState, TransactionRecord } from '../../../spec/state.ts'
import { isDecision, type Moment, newRecord } from './moments.ts'

const begins = ({ state }: TransactionRecord) => state === 'Empty' || state === 'Ongoing'

/** The coordinator acts on a record that it has just appended. */
const actsOnTail = (moment: Moment, state: TransactionRecord['state']) =>
  newRecord(moment)?.record.state === state &&
  moment.step.action !== 'FailOver' &&
  moment.after.transactionLog.some(({ tail, tailInEffect }) => tail?.state === state && tailInEffect)

/** The coordinator waits for the marker of a partition. */
const isParticipant = ({ coordinator }: KafkaState, partition: number) =>
  coordinator.some(({ entry }) => entry !== null && isDecision(entry) && entry.partitions.includes(partition))

/** A request that the coordinator took up, as its event shows it. */
const claimedEpoch = ({ step }: Moment) =>
  step.events.find(({ kind, lane }) => kind === 'delivered' && lane === 'coordinator')?.fields?.producerEpoch

/** Whether any coordinator has the epoch. */
const isEpochOfOne = ({ before }: Moment, epoch: number) =>
  before.coordinator.some(({ entry }) => entry?.producerEpoch === epoch)

/** How many requests of leaders the coordinator has said yes to, and are not yet appended. */
const allowed = ({ verification }: KafkaState) =>
  verification.flat().filter(({ phase }) => phase !== 'to be verified').length

const isLastWord = ({ state }: TransactionRecord) => state === 'CompleteCommit' || state === 'CompleteAbort'

const underWay = ({ after }: Moment) => after.markers.some((markers) => markers.length > 0)

export const coordinatorReasons: Record<keyof typeof coordinatorRules, (moment: Moment) => boolean> = {
  'coordinator epoch check': (moment) => {
    const claimed = claimedEpoch(moment)
    const accepted = newRecord(moment) !== null || allowed(moment.after) > allowed(moment.before)
    return typeof claimed === 'number' && !isEpochOfOne(moment, claimed) && accepted
  },
  'abort of the old transaction': (moment) => {
    const { record, entry } = newRecord(moment) ?? {}
    return entry?.state === 'Ongoing' && record?.state === 'Empty'
  },
  'one transition at a time': (moment) => {
    const { record, entry } = newRecord(moment) ?? {}
    return record !== undefined && begins(record) && (entry?.pendingState ?? 'none') !== 'none'
  },
  'failed append ends its transition': ({ after, step }) =>
    step.action === 'FailAppend' &&
    after.coordinator[Number(step.args.id)]?.entry?.pendingState !== 'none' &&
    after.transactionLog[Number(step.args.id)]?.tail === null,
  'completion first': (moment) => {
    const { record, entry } = newRecord(moment) ?? {}
    return (
      record !== undefined && begins(record) && entry !== undefined && entry !== null && isDecision(entry)
    )
  },
  'pending check first': ({ before, step }) =>
    before.coordinator.some(({ entry }) => (entry?.pendingState ?? 'none') !== 'none') &&
    step.action === 'VerifyPartition' &&
    step.events.some(({ fields }) => fields?.error === 'INVALID_PRODUCER_ID_MAPPING'),
  'end is the one decided': ({ after: { ghost } }) =>
    Object.entries(ghost.told).some(([transaction, told]) => told !== (ghost.decisions[transaction] ?? told)),
  'durable identity': (moment) => actsOnTail(moment, 'Empty'),
  'durable participants': (moment) => actsOnTail(moment, 'Ongoing'),
  'durable decision': (moment) => {
    const { record } = newRecord(moment) ?? {}
    return record !== undefined && isDecision(record) && underWay(moment)
  },
  'markers before complete': (moment) => {
    const { record } = newRecord(moment) ?? {}
    return record !== undefined && isLastWord(record) && underWay(moment)
  },
  'markers are sent again': ({ before, after }) =>
    after.partition.some(({ leaderEpoch, awaiting }, partition) => {
      const until = before.partition[partition]
      const waited = until?.awaiting.some((one) => 'markerOf' in one) === true
      const isLost = awaiting.length === 0 && after.markers[partition]?.length === 0
      return leaderEpoch !== until?.leaderEpoch && waited && isLost && isParticipant(after, partition)
    }),
  'completion by the next coordinator': ({ after, step }) =>
    step.action === 'FailOver' &&
    after.coordinator.some(
      ({ entry }) => entry !== null && isDecision(entry) && entry.pendingState === 'none',
    ),
  'open transactions do not expire': ({ before, step }) =>
    step.action === 'ExpireTransactionalId' &&
    before.coordinator[Number(step.args.id)]?.entry?.state === 'Ongoing',
}
