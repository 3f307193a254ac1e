/**
 * A client that may not do what it asks for: it was not given the permission yet, or has lost it. Brokers look at that before
 * anything else (KafkaApis), so that nothing comes of the request.
 */
import { action } from '../../checker/model.ts'
import { brokers, connectionTo, reply } from '../actions/replies.ts'
import { oneOf, spend } from '../actions/step.ts'
import { nextRequest } from '../protocol/network.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { clientsOf } from '../protocol/topology.ts'
import type { ErrorName, KafkaState, Request } from '../state.ts'
import type { Fault } from './fault.ts'

const transactionalId: ErrorName = 'TRANSACTIONAL_ID_AUTHORIZATION_FAILED'
const topic: ErrorName = 'TOPIC_AUTHORIZATION_FAILED'

/** One topic that may not be written refuses the whole set of an AddPartitionsToTxn (KafkaApis.handleAddPartitionsToTxnRequest). */
function refusals(request: Request | undefined): ErrorName[] {
  switch (request?.kind) {
    case 'InitProducerId':
      // How a client goes on that asked for its next epoch (KIP-360) is left out.
      return request.transactionalId >= 0 && request.expectedEpoch < 0 ? [transactionalId] : []
    case 'AddPartitionsToTxn':
      return [transactionalId, topic]
    case 'Produce':
      return request.transactional ? [transactionalId, topic] : [topic]
    case 'AddOffsetsToTxn':
    case 'EndTxn':
    case 'TxnOffsetCommit':
      return [transactionalId]
    default:
      return []
  }
}

export const permissionFaults = (protocol: Protocol): Fault[] => [
  {
    budget: 'missingPermissions',
    actions: [
      action(
        'DenyPermission',
        { client: clientsOf(protocol), broker: brokers(protocol) },
        (state: KafkaState, { client, broker }, step) => {
          spend(state, step, 'missingPermissions')
          const errors = refusals(nextRequest(connectionTo(state, client, broker)))
          step.when('a request that needs a permission is on the wire', errors.length > 0)
          const error = oneOf(step, 'the broker answers', errors)
          reply({ protocol, state, step, client, broker }, error)
        },
      ),
    ],
  },
]
