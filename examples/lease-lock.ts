/**
 * A lock with a lease: what is left of mutual exclusion when the holder may sleep through the end of its lease.
 *
 * The story is well known from Martin Kleppmann, "How to do distributed locking" (2016): a client pauses, its lease
 * ends, another one gets the lock, and then the first one wakes up and writes. docs/guide.md arrives at this file.
 *
 * What to look at: `defences`. The storage refuses a write under an older lease than it has seen. That rule has a
 * name, so that it can be switched off (`--without 'fencing token'`), and the shortest story of what it is for comes
 * out. Kafka's producer epochs are such tokens.
 */
import * as v from 'valibot'
import { action, defineModel, reachable, transition } from '../checker/index.ts'

interface State {
  lock: {
    holder: number | null
    /** How many leases were granted; the number of the newest one. */
    granted: number
  }
  /** The lease under which each worker believes to hold the lock; 0 is none. */
  workers: number[]
  storage: {
    /** The lease under which the last write was made. */
    lease: number
  }
}

export const leaseLock = defineModel({
  name: 'lease-lock',
  summary: 'Two workers write to a storage under a lock whose lease may end unnoticed.',
  config: v.object({
    /** How many leases are granted in a run: a bound that makes the model finite. */
    leases: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 3),
  }),
  defences: [
    {
      name: 'fencing token',
      summary: 'The storage refuses a write under an older lease than it has seen.',
      sources: ['Martin Kleppmann, "How to do distributed locking" (2016)'],
    },
  ],
  build({ leases }, { defences }) {
    const everyWorker = [0, 1]
    const initial: State = { lock: { holder: null, granted: 0 }, workers: [0, 0], storage: { lease: 0 } }
    const lane = (worker: number) => `worker-${worker}`

    return {
      initial,
      components: ['lock', 'workers[]', 'storage'],
      actions: [
        action('Acquire', { worker: everyWorker }, ({ lock, workers }: State, { worker }, step) => {
          step.when('the lock is free', lock.holder === null)
          step.when('leases are left', lock.granted < leases)
          lock.holder = worker
          lock.granted += 1
          workers[worker] = lock.granted
          step.emit({ kind: 'note', lane: lane(worker), text: `gets the lock with lease ${lock.granted}` })
        }),
        action('Expire', {}, ({ lock }: State, _, step) => {
          step.when('the lock is held', lock.holder !== null)
          lock.holder = null
          step.emit({ kind: 'note', lane: 'lock', text: `lease ${lock.granted} ends` })
        }),
        action('Write', { worker: everyWorker }, ({ workers, storage }: State, { worker }, step) => {
          const lease = workers[worker]!
          step.when('the worker believes to hold the lock', lease > 0)
          const fate = step.choose('request', ['arrives', 'is lost'])
          const request = { lane: lane(worker), peer: 'storage', message: 'write', fields: { lease } }
          step.emit({ kind: fate === 'arrives' ? 'sent' : 'lost', ...request })
          if (fate === 'is lost') return
          if (defences.has('fencing token') && lease < storage.lease) workers[worker] = 0
          else storage.lease = lease
        }),
        action('Release', { worker: everyWorker }, ({ lock, workers }: State, { worker }, step) => {
          step.when('the worker believes to hold the lock', workers[worker]! > 0)
          workers[worker] = 0
          if (lock.holder === worker) lock.holder = null
        }),
      ],
      properties: [
        transition('no write under an older lease', ({ storage }: State, after: State, claim, { action }) => {
          claim.given('something is written', action === 'Write')
          const leases = { before: storage.lease, after: after.storage.lease }
          claim.that('the lease is not older than the last one', leases.after >= leases.before, leases)
        }),
        reachable('two workers believe to hold the lock', ({ workers }: State) => {
          return workers.every((lease) => lease > 0)
        }),
      ],
      properTermination: ({ lock, workers }: State) =>
        lock.granted === leases && workers.every((lease) => lease === 0),
      lanes: [
        { id: 'lock', label: 'lock service', group: 'services' },
        { id: 'storage', label: 'storage', group: 'services' },
        ...everyWorker.map((worker) => ({ id: lane(worker), label: `worker ${worker}`, group: 'workers' })),
      ],
    }
  },
})
