/** Output and offset move together. */
import { always, type Property, transition } from '../../checker/model.ts'
import { readBy } from '../protocol/consumer.ts'
import { replayed } from '../protocol/group-coordinator.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { partitionAt } from '../protocol/topology.ts'
import type { CoordinatorEntry, KafkaState, Partition } from '../state.ts'

/**
 * Whether no transaction is undecided anywhere: none open or unreplicated in a partition, none in the coordinator.
 * In between, markers land one partition at a time, and that is no violation.
 */
export const isSettled = ({ coordinator, transactionLog, partition }: KafkaState): boolean =>
  coordinator.some(({ entry }) => entry !== null) &&
  coordinator.every(({ entry }) => entry === null || isDecided(entry)) &&
  transactionLog.every(({ tail }) => tail === null) &&
  partition.every(isQuiet)

const isDecided = ({ state, pendingState }: CoordinatorEntry): boolean =>
  pendingState === 'none' && (state === 'Empty' || state === 'CompleteCommit' || state === 'CompleteAbort')

/** Everything is replicated and no transaction is open. */
const isQuiet = ({ log, highWatermark, producers }: Partition): boolean =>
  highWatermark === log.length && producers.every(({ openOffset }) => openOffset < 0)

export function outputWithOffset(protocol: Protocol): Property<KafkaState> {
  const { outputPartitions, recordsPerOutput, inputs } = protocol.config
  return always(
    'output and offset are atomic',
    (state: KafkaState, claim) => {
      claim.given('no transaction is undecided', isSettled(state))
      const { committed } = state.group
      for (let partition = 0; partition < outputPartitions; partition += 1) {
        const visible = readBy(protocol, partitionAt(state, partition))
        for (let input = 0; input < inputs; input += 1) {
          const copies = visible.filter(
            ({ record }) => record.kind === 'data' && record.input === input,
          ).length
          const values = { input, partition, visible: copies, committedOffset: committed }
          claim.that('no input has more output than it makes', copies <= recordsPerOutput, values)
          claim.that('output is visible only with its offset', copies === 0 || committed > input, values)
          claim.that(
            'the offset is committed only with its output',
            committed <= input || copies === recordsPerOutput,
            values,
          )
        }
      }
    },
    {
      summary:
        'Once no transaction is undecided, each input has its output exactly once if its offset is committed, and none otherwise.',
      sources: ['KIP-98', 'KIP-447', 'Kafka documentation, Design: Using Transactions'],
    },
  )
}

/** What an application that only produces was promised: its offsets are not in the transaction, but all of its records are. */
export function committedIsWhole(protocol: Protocol): Property<KafkaState> {
  const { recordsPerOutput } = protocol.config
  return always(
    'a committed transaction is whole',
    (state: KafkaState, claim) => {
      claim.given('no transaction is undecided', isSettled(state))
      const outputs = state.partition.slice(0, protocol.offsetsPartition)
      const visible = outputs.map((partition) => readBy(protocol, partition).map(({ record }) => record))
      for (const [transaction, told] of Object.entries(state.ghost.told)) {
        if (told !== 'commit') continue
        const counts = visible.map(
          (records) => records.filter((one) => one.transaction === transaction).length,
        )
        const whole = counts.every(
          (count) => count > 0 && count % recordsPerOutput === 0 && count === counts[0],
        )
        claim.that('each of its batches is visible once in every partition', whole, { transaction, counts })
      }
    },
    {
      summary: 'All records of a transaction whose commit succeeded are visible, in all partitions.',
      sources: ['KIP-98', 'KafkaProducer.commitTransaction'],
    },
  )
}

export const offsetNeverGoesBack: Property<KafkaState> = transition(
  'the committed offset never goes back',
  (before: KafkaState, after: KafkaState, claim) => {
    const values = { before: durablyCommitted(before, after), after: after.group.committed }
    claim.that('it is at least what it was', values.after >= values.before, values)
  },
  {
    summary: 'No late or repeated offset commit takes the committed offset of the group back.',
    sources: ['KIP-447', 'OffsetMetadataManager.replayEndTransactionMarker'],
  },
)

/** A new leader of the group's partition may lack what was not replicated: nobody has been told of that offset. */
function durablyCommitted(before: KafkaState, after: KafkaState): number {
  const { log, highWatermark, leaderEpoch } = before.partition.at(-1) as Partition
  const moved = leaderEpoch !== after.partition.at(-1)?.leaderEpoch
  return moved ? replayed(log.slice(0, highWatermark)).committed : before.group.committed
}
