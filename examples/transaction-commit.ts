/**
 * Transaction commit: what two-phase commit has to achieve, said without messages and without a coordinator.
 *
 * After "Consensus on transaction commit" by Jim Gray and Leslie Lamport (2006) and their TLA+ module TCommit.
 *
 * What to look at: `properTermination`. A manager that has decided does nothing any more, so the model runs into
 * states without successors. They are deadlocks unless the model says that this is how it is meant to end.
 */
import * as v from 'valibot'
import { action, always, defineModel, reachable } from '../checker/index.ts'

interface State {
  managers: ('working' | 'prepared' | 'committed' | 'aborted')[]
}

export const transactionCommit = defineModel({
  name: 'transaction-commit',
  summary: 'Managers commit together or not at all; the specification that two-phase commit implements.',
  config: v.object({
    /** How many managers take part. */
    managers: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 3),
  }),
  build({ managers }) {
    const everyManager = Array.from({ length: managers }, (_, manager) => manager)
    const initial: State = { managers: everyManager.map(() => 'working') }

    return {
      initial,
      components: ['managers[]'],
      actions: [
        action('Prepare', { manager: everyManager }, (state: State, { manager }, step) => {
          step.when('the manager is working', state.managers[manager] === 'working')
          state.managers[manager] = 'prepared'
        }),
        action('Commit', { manager: everyManager }, (state: State, { manager }, step) => {
          step.when('the manager is prepared', state.managers[manager] === 'prepared')
          const ready = state.managers.every((other) => other === 'prepared' || other === 'committed')
          step.when('every manager is prepared or has committed', ready)
          state.managers[manager] = 'committed'
        }),
        action('Abort', { manager: everyManager }, (state: State, { manager }, step) => {
          const own = state.managers[manager]
          step.when('the manager has not decided', own === 'working' || own === 'prepared')
          step.when('no manager has committed', !state.managers.includes('committed'))
          state.managers[manager] = 'aborted'
        }),
      ],
      properties: [
        always('consistent', (state: State) => {
          return !(state.managers.includes('committed') && state.managers.includes('aborted'))
        }),
        reachable('all committed', (state: State) =>
          state.managers.every((manager) => manager === 'committed'),
        ),
        reachable('all aborted', (state: State) => state.managers.every((manager) => manager === 'aborted')),
      ],
      properTermination: (state: State) =>
        state.managers.every((manager) => manager === 'committed' || manager === 'aborted'),
    }
  },
})
