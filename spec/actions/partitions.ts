/** Steps of the partition leaders, the group's partition among them. */
import { type Action, action } from '../../checker/model.ts'
import { partitionLane } from '../lanes.ts'
import { copies } from '../protocol/network.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { clientsOf, partitionAt, partitionsOf, verificationsAt } from '../protocol/topology.ts'
import type { KafkaState, Marker, Verification } from '../state.ts'
import { acknowledge, start, write, writeMarker } from './appends.ts'
import { connectionTo } from './replies.ts'
import { emitDelivered, oneOf, takeUp } from './step.ts'

export function partitionActions(protocol: Protocol): Action<KafkaState>[] {
  const { offsetsPartition } = protocol
  const all = partitionsOf(protocol)
  const clients = clientsOf(protocol)

  return [
    action(
      'HandleProduce',
      { client: clients, partition: all.slice(0, -1), copy: copies },
      (state: KafkaState, { client, partition, copy }, step) => {
        const { request, index } = takeUp(step, connectionTo(state, client, partition), copy, ['Produce'])
        emitDelivered(step, client, partitionLane(protocol, partition), request, copy)
        start(protocol, state, step, { client, partition, copy, index, request })
      },
    ),

    action(
      'HandleOffsetCommit',
      { client: clients, copy: copies },
      (state: KafkaState, { client, copy }, step) => {
        const partition = offsetsPartition
        const kinds = ['TxnOffsetCommit', 'OffsetCommit'] as const
        const { request, index } = takeUp(step, connectionTo(state, client, partition), copy, kinds)
        emitDelivered(step, client, partitionLane(protocol, partition), request, copy)
        start(protocol, state, step, { client, partition, copy, index, request })
      },
    ),

    action('AppendVerified', { partition: all }, (state: KafkaState, { partition }, step) => {
      const verifications = verificationsAt(state, partition)
      const ready = verifications.flatMap(({ phase }, index) => (phase === 'verified' ? [index] : []))
      step.when('a verified request waits for its append', ready.length > 0)
      const index = oneOf(step, 'request', ready)
      const { request, client, late, guard } = verifications[index] as Verification
      verifications.splice(index, 1)
      const copy = late ? 'late' : 'live'
      write(protocol, state, step, { client, partition, copy, index: -1, request }, guard)
    }),

    action('AppendMarker', { partition: all }, (state: KafkaState, { partition }, step) => {
      const requests = state.markers[partition] as Marker[]
      step.when('a marker has arrived', requests.length > 0)
      const index = oneOf(step, 'marker', [...requests.keys()])
      const marker = { ...(requests[index] as Marker) }
      requests.splice(index, 1)
      writeMarker(protocol, state, step, partition, marker)
    }),

    action('AdvanceHighWatermark', { partition: all }, (state: KafkaState, { partition }, step) => {
      const leader = partitionAt(state, partition)
      step.when('records are not yet replicated', leader.highWatermark < leader.log.length)
      leader.highWatermark = leader.log.length
      step.emit({
        kind: 'note',
        lane: partitionLane(protocol, partition),
        text: `high watermark ${leader.log.length}`,
      })
      const { awaiting } = leader
      leader.awaiting = []
      for (const waiting of awaiting) acknowledge(protocol, state, step, partition, waiting)
    }),
  ]
}
