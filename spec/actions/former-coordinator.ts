/**
 * A former coordinator that does not know yet that it was replaced. It answers from its memory what needs no write: refusals,
 * and what is true already. Whatever it writes is never durable, so that such a request waits and goes to the successor.
 */
import { type Action, action, type Step } from '../../checker/model.ts'
import { appLane, coordinatorLane, partitionLane } from '../lanes.ts'
import { nextRequest } from '../protocol/network.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { clientsOf, partitionsOf, verificationsAt } from '../protocol/topology.ts'
import type { Decision } from '../protocol/transaction-coordinator/decision.ts'
import { endTransaction } from '../protocol/transaction-coordinator/end.ts'
import { newEntry } from '../protocol/transaction-coordinator/entry.ts'
import { initProducerId } from '../protocol/transaction-coordinator/initialisation.ts'
import { addPartitions, verifyPartition } from '../protocol/transaction-coordinator/participants.ts'
import type {
  CoordinatorEntry,
  CoordinatorRequest,
  FormerCoordinator,
  KafkaState,
  Verification,
} from '../state.ts'
import { reply } from './replies.ts'
import { present } from './step.ts'
import { refuseVerification } from './verifications.ts'

const noProducerId = () => -1

export function formerCoordinatorActions(protocol: Protocol): Action<KafkaState>[] {
  const client = clientsOf(protocol)
  const partition = partitionsOf(protocol)
  return [
    action('AskFormerCoordinator', { client }, (state: KafkaState, { client }, step) => {
      const connection = state.connection[client]?.coordinator
      const request = connection === undefined ? undefined : nextRequest(connection)
      step.when('a request has arrived', request !== undefined && request.transactionalId >= 0)
      const asked = request as CoordinatorRequest
      const { entry } = stillAsked(state, step, asked.transactionalId, 'clients', client)
      const lane = appLane(client)
      step.emit({ kind: 'delivered', lane: coordinatorLane, peer: lane, message: asked.kind, text: byFormer })
      const decision = decide(protocol, entry, asked)
      const answered = { protocol, state, step, client, broker: 'coordinator' } as const
      if (decision.kind === 'refuse') reply(answered, decision.error)
      else if (decision.kind === 'accept') reply(answered, 'NONE', decision.identity)
      else step.when(needsNoWrite, false)
    }),

    action('AskFormerAboutPartition', { partition }, (state: KafkaState, { partition }, step) => {
      const verifications = verificationsAt(state, partition)
      const index = verifications.findIndex(({ phase }) => phase === 'to be verified')
      step.when('a leader asks the coordinator', index >= 0)
      const verification = verifications[index] as Verification
      const { transactionalId, transaction, ...request } = verification.request
      const { entry } = stillAsked(state, step, transactionalId, 'partitions', partition)
      const decision =
        protocol.flags.clientVersion === 2
          ? addPartitions(protocol, entry, { ...request, partitions: [partition], transaction })
          : verifyPartition(protocol, entry, request, partition)
      const lane = partitionLane(protocol, partition)
      const message = 'AddPartitionsToTxn'
      step.emit({ kind: 'delivered', lane: coordinatorLane, peer: lane, message, text: byFormer })
      if (decision.kind === 'refuse')
        refuseVerification(protocol, state, step, partition, index, decision.error)
      else if (decision.kind === 'accept') verification.phase = 'verified'
      else step.when(needsNoWrite, false)
    }),
  ]
}

const byFormer = 'answered by a former coordinator'
const needsNoWrite = 'the former coordinator can answer without a write'

function stillAsked(
  state: KafkaState,
  step: Step,
  id: number,
  kind: 'clients' | 'partitions',
  index: number,
): FormerCoordinator {
  const former = present(step, 'a former coordinator does not know yet', state.coordinator[id]?.former)
  step.when('the successor has not answered it yet', former[kind].includes(index))
  return former
}

function decide(protocol: Protocol, entry: CoordinatorEntry | null, request: CoordinatorRequest): Decision {
  switch (request.kind) {
    case 'InitProducerId':
      return initProducerId(protocol, entry ?? newEntry(-1), request, noProducerId)
    case 'EndTxn':
      return endTransaction(protocol, entry, request, noProducerId)
    default:
      return addPartitions(protocol, entry, request)
  }
}
