/** What a diagram shows of a state of the Kafka model: who is down, what each is at, and the logs as readers see them. */
import type { LaneView, LogCell, LogView, StateView } from '../checker/view.ts'
import { appLane, coordinatorLane, partitionLane } from './lanes.ts'
import { readCommitted, readUncommitted } from './protocol/consumer.ts'
import { lastStableOffset, transactionsOf } from './protocol/partition-leader.ts'
import type { Protocol } from './protocol/protocol.ts'
import { partitionsOf } from './protocol/topology.ts'
import type { Coordinator, Instance, KafkaState, LogRecord, Partition } from './state.ts'

export const viewOf =
  (protocol: Protocol) =>
  (state: KafkaState): StateView => {
    const clients = state.instance.map(
      (instance, client) => [appLane(client), instanceView(instance)] as const,
    )
    const partitions = partitionsOf(protocol).map((partition) => {
      const isOffsets = partition === protocol.offsetsPartition
      const facts = isOffsets ? groupFacts(state) : partitionFacts(state.partition[partition] as Partition)
      return [partitionLane(protocol, partition), { facts }] as const
    })
    const coordinator = { facts: coordinatorFacts(state.coordinator) }
    return {
      lanes: Object.fromEntries([...clients, [coordinatorLane, coordinator], ...partitions]),
      logs: partitionsOf(protocol).map((partition) => logView(protocol, state, partition)),
    }
  }

function instanceView({ status, producerId, producerEpoch }: Instance): LaneView {
  const hasEnded = status === 'closed' || status === 'finished'
  return {
    status: status === 'crashed' ? 'down' : status === 'paused' ? 'paused' : 'up',
    facts: {
      ...(producerEpoch < 0 ? {} : { 'producer id': producerId, epoch: producerEpoch }),
      ...(hasEnded ? { producer: status } : {}),
    },
  }
}

/** With several transactional.ids, each fact says of which. */
function coordinatorFacts(coordinators: readonly Coordinator[]): LaneView['facts'] {
  const facts = coordinators.flatMap(({ entry, coordinatorEpoch }, id) => {
    const of = coordinators.length === 1 ? '' : ` of id ${id}`
    return [
      ...(entry === null
        ? []
        : [[`transaction${of}`, entry.state] as const, [`epoch${of}`, entry.producerEpoch] as const]),
      ...(coordinatorEpoch === 0 ? [] : [[`coordinator epoch${of}`, coordinatorEpoch] as const]),
    ]
  })
  return Object.fromEntries(facts)
}

const partitionFacts = (partition: Partition): LaneView['facts'] =>
  partition.log.length === 0
    ? {}
    : { HW: partition.highWatermark, LSO: lastStableOffset(partition), ...leaderFacts(partition) }

const leaderFacts = ({ leaderEpoch }: Partition): LaneView['facts'] =>
  leaderEpoch === 0 ? {} : { 'leader epoch': leaderEpoch }

const groupFacts = ({ group: { committed, generation } }: KafkaState): LaneView['facts'] => ({
  ...(generation === 0 ? {} : { generation }),
  'committed offset': committed,
})

function logView(protocol: Protocol, state: KafkaState, position: number): LogView {
  const partition = state.partition[position] as Partition
  const offsetsOf = (seen: readonly { readonly offset: number }[]) => seen.map(({ offset }) => offset)
  return {
    lane: partitionLane(protocol, position),
    label: position === protocol.offsetsPartition ? 'Group offsets' : `Partition ${position}`,
    cells: partition.log.map((record, offset) => cellOf(partition.log, record, offset)),
    bounds: { LSO: lastStableOffset(partition), HW: partition.highWatermark },
    readers: [
      { label: 'read_uncommitted', offsets: offsetsOf(readUncommitted(partition)) },
      { label: 'read_committed', offsets: offsetsOf(readCommitted(protocol, partition)) },
    ],
  }
}

function cellOf(log: readonly LogRecord[], record: LogRecord, offset: number): LogCell {
  const producer = record.producerId < 0 ? 'no id' : `id ${record.producerId} epoch ${record.producerEpoch}`
  if (record.kind === 'marker') return { offset, kind: 'marker', lines: [record.result, producer] }
  const what = record.kind === 'data' ? `input ${record.input}` : `offset ${record.offset}`
  const sequence = record.kind === 'data' && record.producerId >= 0 ? [`seq ${record.sequence}`] : []
  return { offset, kind: fateOf(log, record, offset), lines: [what, producer, ...sequence] }
}

function fateOf(log: readonly LogRecord[], record: LogRecord, offset: number): LogCell['kind'] {
  if (record.kind === 'marker' || !record.transactional) return 'plain'
  const transaction = transactionsOf(log).find(
    ({ producerId, firstOffset, markerOffset }) =>
      producerId === record.producerId &&
      firstOffset <= offset &&
      (markerOffset < 0 || offset < markerOffset),
  )
  if (transaction === undefined || transaction.markerOffset < 0) return 'open'
  return transaction.aborted ? 'aborted' : 'committed'
}
