/** What can happen in the consumer group: rebalances among instances that are alive, and commits nobody meant. */
import { action } from '../../checker/model.ts'
import { atWork, start, startable } from '../actions/clients.ts'
import { spend } from '../actions/step.ts'
import { appLane, partitionLane } from '../lanes.ts'
import { afterCommit, afterExpiry, afterIdleJoin } from '../protocol/group-coordinator.ts'
import { validateCommit } from '../protocol/offset-commit.ts'
import { offsetCommitRequest } from '../protocol/producer.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { clientsOf, partitionAt } from '../protocol/topology.ts'
import type { Instance, KafkaState, OffsetCommitRequest, Phase } from '../state.ts'
import type { Fault } from './fault.ts'

/** The consumer has been given the input, and the producer has not yet ended the transaction. */
const inTransaction: readonly Phase[] = ['adding partitions', 'sending', 'prepared', 'ending']

/** Neither in the transaction nor from the producer, and on the consumer's own connection. */
function appendPlain(protocol: Protocol, state: KafkaState, request: OffsetCommitRequest): void {
  const { log } = partitionAt(state, protocol.offsetsPartition)
  const { offset, generation, session } = request
  const none = { producerId: -1, producerEpoch: -1, transactional: false, transaction: '', fenced: false }
  const at = log.push({ kind: 'offset', offset, generation, session, ...none }) - 1
  state.group = afterCommit(state.group, request, at)
}

export function groupFaults(protocol: Protocol): Fault[] {
  const client = clientsOf(protocol)
  const lane = partitionLane(protocol, protocol.offsetsPartition)
  return [
    {
      budget: 'rebalances',
      actions: [
        action('StartBeside', { client }, (state: KafkaState, { client }, step) => {
          spend(state, step, 'rebalances')
          const worker = startable(protocol, state, step, client)
          const isLiving = state.instance.some(({ status }) => status === 'running')
          step.when('another instance is at work', isLiving)
          start(worker)
        }),
        action('ExpireMember', { client }, (state: KafkaState, { client }, step) => {
          spend(state, step, 'rebalances')
          const { status, memberId } = state.instance[client] as Instance
          step.when('it is running or paused', status === 'running' || status === 'paused')
          step.when('it is a member of the group', state.group.members.includes(memberId))
          state.group = afterExpiry(state.group, memberId)
          step.emit({ kind: 'note', lane, text: `the session of ${appLane(client)} has timed out` })
        }),
        action('JoinIdle', {}, (state: KafkaState, _arguments, step) => {
          spend(state, step, 'rebalances')
          step.when('the group has a member', state.group.members.length > 0)
          state.group = afterIdleJoin(state.group)
          const text = 'another member joins and gets nothing; the owner is in the next generation'
          step.emit({ kind: 'note', lane, text })
        }),
      ],
    },
    {
      budget: 'autoCommits',
      actions: [
        action('AutoCommit', { client }, (state: KafkaState, { client }, step) => {
          spend(state, step, 'autoCommits')
          const { instance } = atWork(protocol, state, step, client)
          step.when('it is in a transaction', inTransaction.includes(instance.phase))
          const request = offsetCommitRequest('OffsetCommit', instance, instance.position + 1, true)
          const error = validateCommit(protocol, state.group, request)
          step.when('the group accepts it', error === 'NONE')
          appendPlain(protocol, state, request)
          const text = `the consumer commits ${request.offset} by itself (enable.auto.commit)`
          step.emit({ kind: 'appended', lane, message: 'offset', fields: { offset: request.offset }, text })
        }),
      ],
    },
  ]
}
