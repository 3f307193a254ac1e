/**
 * One partition and its replicas: how what is acknowledged comes to be on several of them. The Kafka model knows only
 * what follows from it, the high watermark.
 */
import * as v from 'valibot'
import { action, always, defineModel, eventually, type Step, transition } from '../../../checker/model.ts'

const count = (low: number, high: number, initial: number) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(low), v.maxValue(high)), initial)

const config = v.object({
  acks: v.picklist(['all', '1']),
  replicas: count(2, 3, 3),
  minInSync: count(1, 3, 2),
  records: count(1, 3, 2),
  failures: count(0, 5, 1),
  /** Who fails: any replica, or never the first one, which leads. */
  failing: v.optional(v.picklist(['any', 'followers']), 'any'),
  /** Whether a replica that failed comes back, with the log that it had. */
  comesBack: v.optional(v.boolean(), true),
})

interface Replica {
  log: number[]
  alive: boolean
  inSync: boolean
}
interface State {
  replica: Replica[]
  /** The replica that leads, -1 while none does. */
  leader: number
  /** Records acknowledged to the producer, which sends one after the other. */
  acknowledged: number
  failures: number
}

export const acknowledgedStays = 'the leader has what was acknowledged'
export const noneWhileTooFew = 'nothing is acknowledged while too few replicas are in sync'
export const everyRecord = 'every record is acknowledged in the end'

const broker = (index: number): string => `replica-${index}`

export const replication = defineModel<v.InferOutput<typeof config>, State>({
  name: 'replication',
  summary: 'a partition with its replicas, its in-sync set and clean elections',
  config,
  build: ({ acks, replicas, minInSync, records, failures, failing, comesBack }) => {
    const all = Array.from({ length: replicas }, (_, index) => index)
    const inSync = ({ replica }: State) => replica.filter((one) => one.inSync)
    const enough = (state: State) => inSync(state).length >= minInSync
    const leading = ({ replica, leader }: State) => replica[leader]
    const at = ({ replica }: State, index: number) => replica[index] as Replica

    return {
      initial: {
        replica: all.map(() => ({ log: [], alive: true, inSync: true })),
        leader: 0,
        acknowledged: 0,
        failures,
      },
      components: ['replica[]', 'leader', 'acknowledged', 'failures'],
      lanes: [
        { id: 'producer', label: 'producer', group: 'producer' },
        ...all.map((index) => ({ id: broker(index), label: broker(index), group: 'replicas' })),
      ],
      actions: [
        action('Append', {}, (state: State, _, step) => {
          const leader = leading(state)
          step.when('a replica leads', leader !== undefined)
          const record = state.acknowledged
          const { log } = leader as Replica
          step.when('a record is left', record < records)
          step.when('the leader does not have it yet', !log.includes(record))
          // Else NOT_ENOUGH_REPLICAS, and the producer sends it again.
          step.when('enough replicas are in sync', acks === '1' || enough(state))
          log.push(record)
          const lane = broker(state.leader)
          step.emit({ kind: 'appended', lane, message: `record ${record}` })
          if (acks === '1') acknowledge(state, step)
        }),

        action('Acknowledge', {}, (state: State, _, step) => {
          step.when('the producer waits for the replicas', acks === 'all')
          step.when('a replica leads', leading(state) !== undefined)
          const record = state.acknowledged
          const has = inSync(state).every(({ log }) => log.includes(record))
          step.when('a record is left', record < records)
          step.when('all replicas in sync have it', has)
          // Else NOT_ENOUGH_REPLICAS_AFTER_APPEND.
          step.when('enough replicas are in sync', enough(state))
          acknowledge(state, step)
        }),

        action('Fetch', { replica: all }, (state: State, { replica }, step) => {
          const leader = leading(state)
          const follower = at(state, replica)
          step.when('a replica leads', leader !== undefined)
          step.when('it follows', follower.alive && replica !== state.leader)
          const { log } = leader as Replica
          const same = log.findIndex((record, index) => follower.log[index] !== record)
          const agreed = same < 0 ? log.length : same
          step.when('it lacks something', agreed < log.length || agreed < follower.log.length)
          follower.log = log.slice(0, agreed + 1)
          const text = `its log ends at ${follower.log.length}`
          step.emit({ kind: 'note', lane: broker(replica), text })
        }),

        action('Shrink', { replica: all }, (state: State, { replica }, step) => {
          const leader = leading(state)
          const follower = at(state, replica)
          step.when('a replica leads', leader !== undefined)
          step.when('another is in sync', follower.inSync && replica !== state.leader)
          const behind = !follower.alive || follower.log.length < (leader as Replica).log.length
          step.when('it does not follow', behind)
          follower.inSync = false
          step.emit({ kind: 'note', lane: broker(state.leader), text: `${broker(replica)} is not in sync` })
        }),

        action('Expand', { replica: all }, (state: State, { replica }, step) => {
          const leader = leading(state)
          const follower = at(state, replica)
          step.when('a replica leads', leader !== undefined)
          step.when('it follows', follower.alive && !follower.inSync)
          step.when('it has all', follower.log.join() === (leader as Replica).log.join())
          follower.inSync = true
          step.emit({ kind: 'note', lane: broker(state.leader), text: `${broker(replica)} is in sync` })
        }),

        action(
          'Fail',
          { replica: failing === 'any' ? all : all.slice(1) },
          (state: State, { replica }, step) => {
            step.when('failures are left', state.failures > 0)
            const victim = at(state, replica)
            step.when('it is alive', victim.alive)
            state.failures -= 1
            victim.alive = false
            if (state.leader === replica) state.leader = -1
            step.emit({ kind: 'crashed', lane: broker(replica) })
          },
        ),

        action('Elect', { replica: all }, (state: State, { replica }, step) => {
          step.when('none leads', state.leader < 0)
          const candidate = at(state, replica)
          step.when('it is alive and in sync', candidate.alive && candidate.inSync)
          state.leader = replica
          step.emit({
            kind: 'note',
            lane: broker(replica),
            text: `leads: its log ends at ${candidate.log.length}`,
          })
        }),

        action('ComeBack', { replica: all }, (state: State, { replica }, step) => {
          step.when('replicas come back', comesBack)
          const failed = at(state, replica)
          step.when('it has failed', !failed.alive)
          failed.alive = true
          step.emit({ kind: 'started', lane: broker(replica) })
        }),
      ],
      properties: [
        always(
          acknowledgedStays,
          (state: State, claim) => {
            const leader = leading(state)
            claim.given(
              'a replica leads and something is acknowledged',
              leader !== undefined && state.acknowledged > 0,
            )
            const missing = Array.from({ length: state.acknowledged }, (_, record) => record).filter(
              (record) => !leader?.log.includes(record),
            )
            claim.that('it is in its log', missing.length === 0, { missing })
          },
          { summary: 'Whoever leads has all that was acknowledged to the producer.' },
        ),
        transition(
          noneWhileTooFew,
          (before: State, after: State, claim) => {
            claim.given('too few replicas are in sync', !enough(before))
            claim.that('no record is acknowledged', after.acknowledged === before.acknowledged)
          },
          { summary: 'Below min.insync.replicas nothing is acknowledged.' },
        ),
        eventually(everyRecord, ({ acknowledged }: State) => acknowledged >= records, {
          summary: 'The producer comes to its end.',
          fairness: {
            weak: ['Append', 'Acknowledge', 'Fetch', 'ComeBack', 'Elect', 'Expand', 'Shrink'],
          },
        }),
      ],
    }
  },
})

function acknowledge(state: State, step: Step): void {
  const lane = broker(state.leader)
  step.emit({ kind: 'sent', lane, peer: 'producer', message: `record ${state.acknowledged} acknowledged` })
  state.acknowledged += 1
}
