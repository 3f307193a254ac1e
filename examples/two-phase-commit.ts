/**
 * Two-phase commit: a coordinator and some managers agree on whether a transaction commits.
 *
 * After "Consensus on transaction commit" by Jim Gray and Leslie Lamport (2006) and their TLA+ module TwoPhase.
 * The network is a growing set: a message that was sent stays, and may be received again, late, or never.
 *
 * What to look at: `components`. Every element of `managers[]` is a component of its own, and so is every message.
 * An action then touches three components or so, and the engine needs to run its recipe a dozen times only, however
 * many millions of transitions there are.
 */
import * as v from 'valibot'
import { action, always, defineModel, reachable, transition } from '../checker/index.ts'

interface State {
  managers: ('working' | 'prepared' | 'committed' | 'aborted')[]
  coordinator: {
    decision: 'none' | 'commit' | 'abort'
    /** From which managers the coordinator has heard that they are prepared. */
    prepared: boolean[]
  }
  /** The messages that were ever sent. */
  sent: {
    prepared: boolean[]
    commit: boolean
    abort: boolean
  }
}

export const twoPhaseCommit = defineModel({
  name: 'two-phase-commit',
  summary: 'A coordinator and its managers agree on whether a transaction commits.',
  config: v.object({
    /** How many managers take part. */
    managers: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 3),
  }),
  build({ managers }) {
    const everyManager = Array.from({ length: managers }, (_, manager) => manager)
    const lane = (manager: number) => `manager-${manager}`
    const initial: State = {
      managers: everyManager.map(() => 'working'),
      coordinator: { decision: 'none', prepared: everyManager.map(() => false) },
      sent: { prepared: everyManager.map(() => false), commit: false, abort: false },
    }

    return {
      initial,
      components: [
        'managers[]',
        'coordinator.decision',
        'coordinator.prepared[]',
        'sent.prepared[]',
        'sent.commit',
        'sent.abort',
      ],
      actions: [
        action('Prepare', { manager: everyManager }, (state: State, { manager }, step) => {
          step.when('the manager is working', state.managers[manager] === 'working')
          state.managers[manager] = 'prepared'
          state.sent.prepared[manager] = true
          step.emit({ kind: 'sent', lane: lane(manager), peer: 'coordinator', message: 'prepared' })
        }),
        action('AbortAlone', { manager: everyManager }, (state: State, { manager }, step) => {
          step.when('the manager is working', state.managers[manager] === 'working')
          state.managers[manager] = 'aborted'
          step.emit({ kind: 'note', lane: lane(manager), text: 'aborts without being asked' })
        }),
        action('ReceivePrepared', { manager: everyManager }, (state: State, { manager }, step) => {
          step.when('nothing is decided', state.coordinator.decision === 'none')
          step.when('the manager has said that it is prepared', state.sent.prepared[manager] === true)
          state.coordinator.prepared[manager] = true
          step.emit({ kind: 'delivered', lane: 'coordinator', peer: lane(manager), message: 'prepared' })
        }),
        action('DecideCommit', {}, (state: State, _, step) => {
          step.when('nothing is decided', state.coordinator.decision === 'none')
          step.when('every manager is prepared', state.coordinator.prepared.every(Boolean))
          state.coordinator.decision = 'commit'
          state.sent.commit = true
          for (const manager of everyManager)
            step.emit({ kind: 'sent', lane: 'coordinator', peer: lane(manager), message: 'commit' })
        }),
        action('DecideAbort', {}, (state: State, _, step) => {
          step.when('nothing is decided', state.coordinator.decision === 'none')
          state.coordinator.decision = 'abort'
          state.sent.abort = true
          for (const manager of everyManager)
            step.emit({ kind: 'sent', lane: 'coordinator', peer: lane(manager), message: 'abort' })
        }),
        action('ReceiveCommit', { manager: everyManager }, (state: State, { manager }, step) => {
          step.when('the coordinator has said commit', state.sent.commit)
          state.managers[manager] = 'committed'
          step.emit({ kind: 'delivered', lane: lane(manager), peer: 'coordinator', message: 'commit' })
        }),
        action('ReceiveAbort', { manager: everyManager }, (state: State, { manager }, step) => {
          step.when('the coordinator has said abort', state.sent.abort)
          state.managers[manager] = 'aborted'
          step.emit({ kind: 'delivered', lane: lane(manager), peer: 'coordinator', message: 'abort' })
        }),
      ],
      properties: [
        always('consistent', (state: State) => {
          return !(state.managers.includes('committed') && state.managers.includes('aborted'))
        }),
        transition('a decision is final', (before: State, after: State, claim) => {
          for (const manager of everyManager) {
            const [old, now] = [before.managers[manager], after.managers[manager]]
            claim.that(lane(manager), old === now || old === 'working' || old === 'prepared', { old, now })
          }
        }),
        reachable('all committed', (state: State) =>
          state.managers.every((manager) => manager === 'committed'),
        ),
        reachable('all aborted', (state: State) => state.managers.every((manager) => manager === 'aborted')),
      ],
      symmetry: [
        {
          sort: 'manager',
          members: everyManager,
          keys: ['managers[manager]', 'coordinator.prepared[manager]', 'sent.prepared[manager]'],
          arguments: ['manager'],
        },
      ],
      lanes: [
        { id: 'coordinator', label: 'coordinator', group: 'coordinator' },
        ...everyManager.map((manager) => ({
          id: lane(manager),
          label: `manager ${manager}`,
          group: 'managers',
        })),
      ],
    }
  },
})
