/**
 * What can happen to messages. The loss of a reply is a choice of the step that answers (`reply` in
 * actions/replies.ts).
 */
import { action } from '../../checker/model.ts'
import {
  type Broker,
  brokers,
  chooseSurviving,
  connectionTo,
  laneOf,
  reconnect,
} from '../actions/connections.ts'
import { spend } from '../actions/step.ts'
import { appLane, coordinatorLane, partitionLane } from '../lanes.ts'
import { onTheWire } from '../protocol/network.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { clientsOf, partitionsOf } from '../protocol/topology.ts'
import type { KafkaState, Marker } from '../state.ts'
import type { Fault } from './fault.ts'

/** A batch that is sent with acks=0 is as good as done. */
const isForgotten = ({ config, offsetsPartition }: Protocol, broker: Broker): boolean =>
  config.acks === '0' && broker !== 'coordinator' && broker !== offsetsPartition

export function networkFaults(protocol: Protocol): Fault[] {
  const client = clientsOf(protocol)
  const partition = partitionsOf(protocol)
  const broker = brokers(protocol)
  return [
    {
      budget: 'lostRequests',
      actions: [
        action('LoseRequest', { client, broker }, (state: KafkaState, { client, broker }, step) => {
          spend(state, step, 'lostRequests')
          const connection = connectionTo(state, client, broker)
          const [request] = onTheWire(connection)
          step.when('a request is on the wire', request !== undefined)
          const message = request?.kind ?? ''
          step.emit({
            kind: 'lost',
            lane: appLane(client),
            peer: laneOf(protocol, broker),
            message,
            text: isForgotten(protocol, broker) ? 'nobody waits for it' : 'sent again',
          })
          reconnect({ protocol, state, step, client }, broker, 0)
        }),
      ],
    },
    {
      budget: 'lateRequests',
      actions: [
        action('DelayRequest', { client, broker }, (state: KafkaState, { client, broker }, step) => {
          spend(state, step, 'lateRequests')
          const connection = connectionTo(state, client, broker)
          const request = connection.requests[0]
          step.when('a request is not yet answered', request !== undefined)
          const message = request?.kind ?? ''
          const again = isForgotten(protocol, broker) ? '' : '; sent again'
          const text = `its connection is closed, it may still be executed${again}`
          step.emit({ kind: 'delayed', lane: appLane(client), peer: laneOf(protocol, broker), message, text })
          reconnect({ protocol, state, step, client }, broker, chooseSurviving(step, connection, 1))
        }),
      ],
    },
    {
      budget: 'lateMarkers',
      actions: [
        action('DelayMarker', { partition }, (state: KafkaState, { partition }, step) => {
          spend(state, step, 'lateMarkers')
          const requests = state.markers[partition] as Marker[]
          const index = requests.findIndex(({ late }) => !late)
          step.when('a marker is on the wire', index >= 0)
          const lane = partitionLane(protocol, partition)
          const text = 'its connection is closed, it may still be executed; sent again'
          step.emit({ kind: 'delayed', lane: coordinatorLane, peer: lane, message: 'WriteTxnMarkers', text })
          requests.push({ ...(requests[index] as Marker), late: true })
        }),
      ],
    },
  ]
}
