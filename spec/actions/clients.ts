/** Steps of the application instances and their producers. */
import { type Action, action, type Step } from '../../checker/model.ts'
import { beginOrFinish, initialise, open, type Worker } from '../apps/read-process-write.ts'
import { appLane } from '../lanes.ts'
import { canFetch } from '../protocol/group-coordinator.ts'
import { type Protocol, transactionalIdOf } from '../protocol/protocol.ts'
import type { Instance, KafkaState } from '../state.ts'
import { brokers, connectionTo, receive } from './replies.ts'

export function clientActions(protocol: Protocol): Action<KafkaState>[] {
  const { config } = protocol
  const client = Array.from({ length: config.instances }, (_, index) => index)

  return [
    action('Start', { client }, (state: KafkaState, { client }, step) => {
      const instance = state.instance[client] as Instance
      const fresh = instance.status === 'not started'
      // All instances are alike until they have started: their first starts in order are all there is to see.
      const inOrder = client === 0 || state.instance[client - 1]?.status !== 'not started'
      step.when('the instances before it have started', inOrder)
      step.when('it is not at work', fresh || instance.status === 'crashed' || instance.status === 'closed')
      const idle = state.instance.every(({ status }) => status !== 'running' && status !== 'finished')
      step.when('no other instance is known to be at work', idle)
      if (!fresh) {
        step.when('budget of restarts is left', state.budget.restarts > 0)
        state.budget.restarts -= 1
      }
      state.ghost.sessions += 1
      instance.status = 'running'
      instance.session = state.ghost.sessions
      instance.transactionalId = transactionalIdOf(protocol, client, instance.session)
      step.emit({ kind: 'started', lane: appLane(client), text: `session ${instance.session}` })
      open({ protocol, state, step, client, instance })
    }),

    action('JoinGroup', { client }, (state: KafkaState, { client }, step) => {
      const worker = atWork(protocol, state, step, client)
      step.when('it is about to join the group', worker.instance.phase === 'joining')
      state.group.generation += 1
      worker.instance.generation = state.group.generation
      worker.instance.phase = 'fetching'
    }),

    action('FetchOffsets', { client }, (state: KafkaState, { client }, step) => {
      const worker = atWork(protocol, state, step, client)
      step.when('it is about to read the committed offset', worker.instance.phase === 'fetching')
      step.when('the offset is stable', canFetch(protocol, state.group))
      worker.instance.position = state.group.committed
      const text = `starts at the committed offset ${state.group.committed}`
      step.emit({ kind: 'note', lane: appLane(client), text })
      if (worker.instance.producerEpoch < 0) initialise(worker)
      else beginOrFinish(worker)
    }),
  ]
}

/** Replies wait only for an instance that was paused. */
export function resumedActions(protocol: Protocol): Action<KafkaState>[] {
  const client = Array.from({ length: protocol.config.instances }, (_, index) => index)
  return [
    action(
      'ReceiveReply',
      { client, broker: brokers(protocol) },
      (state: KafkaState, { client, broker }, step) => {
        step.when('a reply waits', connectionTo(state, client, broker).replies.length > 0)
        receive(atWork(protocol, state, step, client), broker)
      },
    ),
  ]
}

export function atWork(protocol: Protocol, state: KafkaState, step: Step, client: number): Worker {
  const instance = state.instance[client] as Instance
  step.when('the instance is running', instance.status === 'running')
  return { protocol, state, step, client, instance }
}
