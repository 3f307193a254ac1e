/** What can happen in the consumer group: rebalances among instances that are alive. */
import { action } from '../../checker/model.ts'
import { start, startable } from '../actions/clients.ts'
import { spend } from '../actions/step.ts'
import { appLane, partitionLane } from '../lanes.ts'
import { afterExpiry, afterIdleJoin } from '../protocol/group-coordinator.ts'
import type { Protocol } from '../protocol/protocol.ts'
import type { Instance, KafkaState } from '../state.ts'
import type { Fault } from './fault.ts'

export function groupFaults(protocol: Protocol): Fault[] {
  const client = Array.from({ length: protocol.config.instances }, (_, index) => index)
  const lane = partitionLane(protocol, protocol.offsetsPartition)
  return [
    {
      budget: 'rebalances',
      actions: [
        action('StartBeside', { client }, (state: KafkaState, { client }, step) => {
          const worker = startable(protocol, state, step, client)
          const isLiving = state.instance.some(({ status }) => status === 'running')
          step.when('another instance is at work', isLiving)
          spend(state, step, 'rebalances')
          start(worker)
        }),
        action('ExpireMember', { client }, (state: KafkaState, { client }, step) => {
          const { status, memberId } = state.instance[client] as Instance
          step.when('it is running or paused', status === 'running' || status === 'paused')
          step.when('it is a member of the group', state.group.members.includes(memberId))
          spend(state, step, 'rebalances')
          state.group = afterExpiry(state.group, memberId)
          step.emit({ kind: 'note', lane, text: `the session of ${appLane(client)} has timed out` })
        }),
        action('JoinIdle', {}, (state: KafkaState, _arguments, step) => {
          step.when('the group has a member', state.group.members.length > 0)
          spend(state, step, 'rebalances')
          state.group = afterIdleJoin(state.group)
          const text = 'another member joins and gets nothing; the owner is in the next generation'
          step.emit({ kind: 'note', lane, text })
        }),
      ],
    },
  ]
}
