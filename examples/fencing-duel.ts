/**
 * A duel: two sessions of one transactional.id, each restarted at once when it is fenced. Each new session raises the
 * epoch and so fences the other one, which is started anew and raises the epoch. Nothing wrong is ever written, and
 * nothing is ever done.
 *
 * What to look at: the `quotient`. Epochs grow without end, so that no state would ever come back. But nobody asks how
 * large an epoch is, only which is the newest. So they are renamed by their order after each step; a few dozen states
 * are left, and the duel is a loop among them. And the fairness: each step of the duel is taken again and again, so that weak
 * fairness rules nothing out. What helps is that a session is quick enough at least now and then (strong fairness of
 * Write and Commit), or that the loser is not started again.
 */
import * as v from 'valibot'
import { action, defineModel, eventually, reachable, transition } from '../checker/index.ts'

interface Session {
  phase: 'down' | 'ready' | 'in transaction'
  /** 0 before the first. */
  epoch: number
  starts: number
}
interface State {
  coordinator: { epoch: number }
  sessions: Session[]
  done: { committed: boolean }
}

/** Gives epochs the smallest numbers that keep their order. */
function renameEpochs({ coordinator, sessions }: State): void {
  const epochs = [0, coordinator.epoch, ...sessions.map(({ epoch }) => epoch)]
  const inOrder = [...new Set(epochs)].sort((one, other) => one - other)
  coordinator.epoch = inOrder.indexOf(coordinator.epoch)
  for (const session of sessions) session.epoch = inOrder.indexOf(session.epoch)
}

export const fencingDuel = defineModel({
  name: 'fencing-duel',
  summary:
    'Two sessions of one transactional.id fence each other, and are started again when they are fenced.',
  config: v.object({
    /** Whether a session that was fenced is started again. */
    restart: v.optional(v.boolean(), true),
    /** Strong: of Write and Commit, and weak of all else. */
    fairness: v.optional(v.picklist(['weak', 'strong']), 'weak'),
    /** Whether epochs are renamed; if not, there is no end of states. */
    renameEpochs: v.optional(v.boolean(), true),
  }),
  build({ restart, fairness, renameEpochs: renames }) {
    const both = { session: [0, 1] }
    const isNewest = ({ coordinator }: State, { epoch }: Session) => epoch === coordinator.epoch
    const fresh = (): Session => ({ phase: 'down', epoch: 0, starts: 0 })
    const initial: State = {
      coordinator: { epoch: 0 },
      sessions: [fresh(), fresh()],
      done: { committed: false },
    }
    const every = { weak: ['Start', 'Write', 'Commit', 'LearnThatFenced'] }

    return {
      initial,
      components: ['coordinator', 'sessions[]', 'done'],
      ...(renames ? { quotient: renameEpochs } : {}),
      actions: [
        action('Start', both, ({ coordinator, sessions }: State, { session }, step) => {
          const one = sessions[session]!
          step.when('it is down', one.phase === 'down')
          step.when('it may be started', restart || one.starts === 0)
          coordinator.epoch += 1
          one.starts = 1
          one.epoch = coordinator.epoch
          one.phase = 'ready'
        }),
        action('Write', both, (state: State, { session }, step) => {
          const one = state.sessions[session]!
          step.when('it is ready', one.phase === 'ready')
          step.when('its epoch is the newest', isNewest(state, one))
          one.phase = 'in transaction'
        }),
        action('Commit', both, (state: State, { session }, step) => {
          const one = state.sessions[session]!
          step.when('it is in a transaction', one.phase === 'in transaction')
          step.when('its epoch is the newest', isNewest(state, one))
          one.phase = 'ready'
          state.done.committed = true
        }),
        action('LearnThatFenced', both, (state: State, { session }, step) => {
          const one = state.sessions[session]!
          step.when('it is at work', one.phase !== 'down')
          step.when('another one has a newer epoch', !isNewest(state, one))
          one.phase = 'down'
          one.epoch = 0
        }),
      ],
      properties: [
        eventually('some session completes a transaction', ({ done }: State) => done.committed, {
          fairness: fairness === 'weak' ? every : { ...every, strong: ['Write', 'Commit'] },
        }),
        transition('only the newest session commits', (before: State, _after, claim, { action, args }) => {
          claim.given('a transaction is committed', action === 'Commit')
          claim.that('its epoch is the newest', isNewest(before, before.sessions[args.session as number]!))
        }),
        reachable('a session is fenced', (state: State) =>
          state.sessions.some((session) => session.phase !== 'down' && !isNewest(state, session)),
        ),
      ],
    }
  },
})
