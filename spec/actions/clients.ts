/** Steps of the application instances and their producers. */
import { type Action, action, type Step } from '../../checker/model.ts'
import { initialise } from '../apps/batches.ts'
import { close } from '../apps/leaving.ts'
import { decideExternally } from '../apps/prepared.ts'
import { rejoin } from '../apps/read-process-write.ts'
import { beginOrFinish, end, open } from '../apps/session.ts'
import type { Worker } from '../apps/worker.ts'
import { appLane } from '../lanes.ts'
import { afterJoin, fetchOffset, isMember, isReplaced, ownerOf } from '../protocol/group-coordinator.ts'
import { type Protocol, transactionalIdOf } from '../protocol/protocol.ts'
import { clientsOf } from '../protocol/topology.ts'
import type { Instance, KafkaState, Partition } from '../state.ts'
import { brokers, connectionTo, receive } from './replies.ts'

export function clientActions(protocol: Protocol): Action<KafkaState>[] {
  const { config } = protocol
  const client = clientsOf(protocol)

  return [
    action('Start', { client }, (state: KafkaState, { client }, step) => {
      const worker = startable(protocol, state, step, client)
      const idle = state.instance.every(({ status }) => status !== 'running' && status !== 'finished')
      step.when('no other instance is known to be at work', idle)
      start(worker)
    }),

    action('JoinGroup', { client }, (state: KafkaState, { client }, step) => {
      const worker = atWork(protocol, state, step, client)
      step.when('it is about to join the group', worker.instance.phase === 'joining')
      // To a static member with a member id of its own JoinGroup says that it is fenced.
      if (worker.instance.memberId >= 0 && isReplaced(state.group, worker.instance.memberId))
        return close(worker)
      join(worker)
      worker.instance.phase = 'fetching'
    }),

    action('FetchOffsets', { client }, (state: KafkaState, { client }, step) => {
      const worker = atWork(protocol, state, step, client)
      step.when('it is about to read the committed offset', worker.instance.phase === 'fetching')
      const { group, partition } = state
      if (!isMember(protocol, group, worker.instance.memberId)) return rejoin(worker)
      if (worker.instance.goesOnAt !== undefined) return goOn(worker, worker.instance.goesOnAt)
      const offsets = partition[protocol.offsetsPartition] as Partition
      const fetched = fetchOffset(protocol, group, offsets)
      if (fetched.kind === 'wait') return step.when(fetched.because, false)
      worker.instance.position = fetched.offset
      if (protocol.config.groupProtocol === 'consumer') worker.instance.generation = group.generation
      const text = `starts at the committed offset ${fetched.offset}`
      step.emit({ kind: 'note', lane: appLane(client), text })
      if (worker.instance.producerEpoch < 0 && config.producer !== 'plain') initialise(worker)
      else beginOrFinish(worker)
    }),

    ...(config.twoPhaseCommit
      ? [
          action('DecideExternally', { client }, (state: KafkaState, { client }, step) => {
            const worker = atWork(protocol, state, step, client)
            step.when('its transaction is prepared', worker.instance.phase === 'prepared')
            decideExternally(worker)
            end(worker)
          }),
        ]
      : []),
  ]
}

/** With what it has in hand, whatever is committed. */
function goOn(worker: Worker, position: number): void {
  const { step, client, instance } = worker
  instance.position = position
  delete instance.goesOnAt
  step.emit({ kind: 'note', lane: appLane(client), text: `goes on with input ${position}` })
  if (instance.producerEpoch < 0) initialise(worker)
  else beginOrFinish(worker)
}

/** An instance that may start a session; a restart takes from its budget. */
export function startable(protocol: Protocol, state: KafkaState, step: Step, client: number): Worker {
  const instance = state.instance[client] as Instance
  const fresh = instance.status === 'not started'
  // All instances are alike until they have started: their first starts in order are all there is to see.
  const inOrder = client === 0 || state.instance[client - 1]?.status !== 'not started'
  step.when('the instances before it have started', inOrder)
  step.when('it is not at work', fresh || instance.status === 'crashed' || instance.status === 'closed')
  step.when('budget of restarts is left', fresh || state.budget.restarts > 0)
  return { protocol, state, step, client, instance }
}

/** Starts a session. */
export function start(worker: Worker): void {
  const { protocol, state, step, client, instance } = worker
  if (instance.status !== 'not started') state.budget.restarts -= 1
  state.ghost.sessions += 1
  instance.status = 'running'
  instance.session = state.ghost.sessions
  instance.transactionalId = transactionalIdOf(protocol, client, instance.session)
  if (protocol.config.staticMembers) instance.groupInstanceId = 'static-member'
  step.emit({ kind: 'started', lane: appLane(client), text: `session ${instance.session}` })
  open(worker)
}

/**
 * Joins the group and takes the input partition over. The former owner was removed from the group, for its session
 * has timed out. Only in a rebalance among the living it stays a member of a classic group; with the consumer protocol
 * nobody gets a partition from a living member that has not given it up.
 */
function join({ protocol, state, instance }: Worker): void {
  const { config } = protocol
  const among = config.groupProtocol === 'classic' && config.rebalances > 0
  const living = among ? state.instance.filter(({ status }) => status === 'running') : []
  state.group = afterJoin(
    state.group,
    instance.memberId,
    living.map(({ memberId }) => memberId),
  )
  instance.memberId = ownerOf(state.group)
  instance.generation = state.group.generation
}

/** Replies wait only for an instance that was paused. */
export function resumedActions(protocol: Protocol): Action<KafkaState>[] {
  const client = clientsOf(protocol)
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
