/** What can happen to the partitions and their leaders. */
import { action, type Step } from '../../checker/model.ts'
import { writeMarker } from '../actions/appends.ts'
import { connectionTo, reply } from '../actions/replies.ts'
import { emitDelivered, oneOf, present, spend } from '../actions/step.ts'
import { onMarkerAnswered } from '../actions/transaction-log.ts'
import { answerWithoutAppend, clearGuard } from '../actions/verifications.ts'
import { coordinatorLane, partitionLane } from '../lanes.ts'
import { nextRequest } from '../protocol/network.ts'
import {
  lastStableOffset,
  retained,
  startVerification,
  validateMarker,
} from '../protocol/partition-leader.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { clientsOf, outputsOf, partitionAt, partitionsOf, verificationsAt } from '../protocol/topology.ts'
import { failedMarkerErrors, failedMarkers as outcomes } from '../protocol/transaction-coordinator/markers.ts'
import type { KafkaState, Marker, ProducerEntry } from '../state.ts'
import type { Fault } from './fault.ts'
import { leaderFaults } from './leaders.ts'

export function partitionFaults(protocol: Protocol): Fault[] {
  return [
    refusedBatches(protocol),
    failedMarkers(protocol),
    ...leaderFaults(protocol),
    ...forgottenState(protocol),
    adminAborts(protocol),
  ]
}

/** Partition.appendRecordsToLeader asks for the replicas only if the producer wants all of them to have the batch. */
function refusedBatches(protocol: Protocol): Fault {
  const { config } = protocol
  const client = clientsOf(protocol)
  const partition = config.acks === 'all' ? outputsOf(protocol) : []
  return {
    budget: 'refusedBatches',
    actions: [
      action('RefuseBatch', { client, partition }, (state: KafkaState, { client, partition }, step) => {
        spend(state, step, 'refusedBatches')
        const request = nextRequest(connectionTo(state, client, partition))
        const isBatch =
          request?.kind === 'Produce' &&
          startVerification(protocol, partitionAt(state, partition), request) === 'append'
        step.when('a batch that needs no verification is on the wire', isBatch)
        if (request !== undefined)
          emitDelivered(step, client, partitionLane(protocol, partition), request, 'live')
        reply({ protocol, state, step, client, broker: partition }, 'NOT_ENOUGH_REPLICAS')
      }),
      action('RefuseVerifiedBatch', { partition }, (state: KafkaState, { partition }, step) => {
        spend(state, step, 'refusedBatches')
        const verifications = verificationsAt(state, partition)
        const index = verifications.findIndex(({ phase }) => phase === 'verified')
        step.when('a verified batch waits for its append', index >= 0)
        answerWithoutAppend(protocol, state, step, partition, index, 'NOT_ENOUGH_REPLICAS')
      }),
    ],
  }
}

/**
 * A marker is answered with an error: it is not written, or not known to be (ReplicaManager.appendRecords). Its coordinator
 * gives no heed to the first copy from then on.
 */
function failedMarkers(protocol: Protocol): Fault {
  return {
    budget: 'failedMarkers',
    actions: [
      action(
        'FailMarker',
        { partition: partitionsOf(protocol) },
        (state: KafkaState, { partition }, step) => {
          spend(state, step, 'failedMarkers')
          const markers = state.markers[partition] as Marker[]
          const index = markers.findIndex(({ late }) => !late)
          step.when('a marker has arrived', index >= 0)
          const [marker] = markers.splice(index, 1) as [Marker]
          const error = step.choose('the leader answers', failedMarkerErrors)
          const { transactionalId, coordinatorEpoch } = marker
          if (outcomes[error].appended) {
            const accepted = validateMarker(protocol, partitionAt(state, partition), marker).kind === 'append'
            step.when('the marker is not refused', accepted)
            writeMarker(protocol, state, step, partition, marker, false)
          }
          step.emit({
            kind: 'sent',
            lane: partitionLane(protocol, partition),
            peer: coordinatorLane,
            message: 'WriteTxnMarkers reply',
            fields: { error },
          })
          onMarkerAnswered(protocol, state, step, { transactionalId, coordinatorEpoch, partition }, error)
        },
      ),
    ],
  }
}

/** One of several producers, told apart by their ids. */
function chooseProducer(step: Step, what: string, producers: readonly ProducerEntry[]): ProducerEntry {
  const ids = producers.map(({ producerId }) => producerId)
  const chosen = oneOf(step, what, ids)
  return present(
    step,
    what,
    producers.find(({ producerId }) => producerId === chosen),
  )
}

/**
 * No transaction is open, and none is about to be: a verification takes seconds, an expiration a day. A guard that
 * was left expires with the producer, as it is not younger than the marker that left it.
 */
const isIdle = (
  { protects }: Protocol,
  state: KafkaState,
  partition: number,
  { producerId, openOffset }: ProducerEntry,
): boolean =>
  (openOffset < 0 || !protects('open producers do not expire')) &&
  state.verification[partition]?.every(({ request }) => request.producerId !== producerId) === true

/** A partition forgets producers: they were idle for too long, or, before KIP-360, their records are gone. */
function forgottenState(protocol: Protocol): Fault[] {
  const all = [...outputsOf(protocol), protocol.offsetsPartition]
  return [
    {
      budget: 'producerExpirations',
      actions: [
        action('ExpireProducer', { partition: all }, (state: KafkaState, { partition }, step) => {
          spend(state, step, 'producerExpirations')
          const leader = partitionAt(state, partition)
          const idle = leader.producers.filter((producer) => isIdle(protocol, state, partition, producer))
          step.when('an idle producer is known', idle.length > 0)
          const { producerId } = chooseProducer(step, 'expired producer', idle)
          leader.producers = leader.producers.filter((producer) => producer.producerId !== producerId)
          clearGuard(state, partition, producerId)
          const text = `producer ${producerId} is forgotten: it was idle for too long`
          step.emit({ kind: 'note', lane: partitionLane(protocol, partition), text })
        }),
      ],
    },
    {
      budget: 'deletedRecords',
      actions: [
        action(
          'DeleteRecords',
          { partition: outputsOf(protocol) },
          (state: KafkaState, { partition }, step) => {
            spend(state, step, 'deletedRecords')
            const leader = partitionAt(state, partition)
            const stable = lastStableOffset(leader)
            step.when('stable records are left', stable > leader.logStart)
            leader.logStart = stable
            leader.producers = retained(protocol, leader.producers, leader.log, stable)
            const text = `the records below ${stable} are deleted`
            step.emit({ kind: 'note', lane: partitionLane(protocol, partition), text })
          },
        ),
      ],
    },
  ]
}

/**
 * An administrator ends an open transaction in one partition with what its leader says of the producer; the
 * coordinator is not told (AbortTransactionHandler, KIP-664).
 */
function adminAborts(protocol: Protocol): Fault {
  const all = [...outputsOf(protocol), protocol.offsetsPartition]
  return {
    budget: 'adminAborts',
    actions: [
      action('AbortByAdmin', { partition: all }, (state: KafkaState, { partition }, step) => {
        spend(state, step, 'adminAborts')
        const open = partitionAt(state, partition).producers.filter(({ openOffset }) => openOffset >= 0)
        step.when('a transaction is open in the partition', open.length > 0)
        const { producerId, producerEpoch, coordinatorEpoch } = chooseProducer(step, 'producer', open)
        state.markers[partition]?.push({
          transactionalId: -1,
          producerId,
          producerEpoch,
          result: 'abort',
          coordinatorEpoch: Math.max(0, coordinatorEpoch),
          transactionVersion: 0,
          transaction: '',
          late: false,
        })
        const text = `an administrator aborts the transaction of producer ${producerId}`
        step.emit({ kind: 'note', lane: partitionLane(protocol, partition), text })
      }),
    ],
  }
}
