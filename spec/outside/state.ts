/** What there is in a world of programs: processes, an abstract Kafka, a database and a provider. */
import { type FaultName, faultNames, type ProgramsConfig } from './config.ts'
import type { App } from './program.ts'

export interface Message {
  readonly event: number
  /** What a receiver may recognise it by. */
  readonly id: string
  readonly key: string
  readonly poison: boolean
  /** The result of processing that it carries. */
  readonly value: number
}

/** A record of a topic. */
export interface Entry extends Message {
  status: 'open' | 'committed' | 'aborted'
  /** The transactional.id, or '' outside of transactions. */
  readonly producer: string
}

/** What a process works on: a record with its place, or a row of the outbox. */
export interface Work extends Message {
  readonly topic: string
  readonly offset: number
}

export interface Process {
  status: 'not running' | 'running'
  routine: 'onStart' | 'loop' | 'onError'
  /** The next step of its routine. */
  at: number
  /** Of the next record that it polls. */
  position: number
  work: Work | null
  /** It was found that the work is done already: what would have an effect is left out. */
  isDone: boolean
  /** Whether its client is in a transaction, as far as the client knows. */
  inTransaction: boolean
  value: number
  idempotencyKey: string
  /** Events that its local store has counted; on disk, so that it is there after a crash. */
  store: number[]
}

/** What the coordinator knows of a transactional.id. */
export interface Producer {
  /** The process with the newest epoch, or '' if the epoch was raised on behalf of nobody. */
  current: string
  isOpen: boolean
  /** The offset that the transaction commits. */
  offset: number | null
  /** The position up to which the transaction has processed. */
  covers: number
  isPrepared: boolean
  /** A commit is under way that nobody waits for. */
  lateCommit: boolean
}

export interface Group {
  committed: number
  owner: string
}

export interface Row {
  readonly event: number
  readonly id: string
  readonly key: string
}

export interface OutboxRow extends Message {
  isSent: boolean
  claimedBy: string
}

export interface Call {
  readonly event: number
  readonly key: string
}

export interface State {
  process: Record<string, Process>
  topic: Record<string, Entry[]>
  group: Record<string, Group>
  producer: Record<string, Producer>
  database: {
    rows: Row[]
    remembered: string[]
    offset: number
    outbox: OutboxRow[]
    keys: Call[]
    lock: string
  }
  provider: { executed: Call[]; late: Call[] }
  budget: Record<FaultName, number>
  /** What no process knows: how often each event was processed (three is many), and ids made so far. */
  ghost: { processed: number[]; fresh: number }
}

/** A process by its name: the application that it runs, and its transactional.id. */
export interface Placed {
  readonly name: string
  readonly app: App
  readonly producer: string
}

export const placedOf = ({ apps }: ProgramsConfig): Placed[] =>
  apps.flatMap((app) =>
    Array.from({ length: app.instances }, (_, index) => {
      const name = app.instances === 1 ? app.name : `${app.name}-${index}`
      return { name, app, producer: app.transactionalIds === 'shared' ? app.name : name }
    }),
  )

export const topicsOf = ({ apps, inputs }: ProgramsConfig): string[] => {
  const sentTo = apps.flatMap(({ onStart, loop, onError = [] }) =>
    [...onStart, ...loop, ...onError].flatMap((step) =>
      typeof step === 'object' && 'send' in step ? [step.send] : [],
    ),
  )
  const read = apps.flatMap(({ reads }) => reads ?? [])
  return [...new Set([...inputs.map(({ topic }) => topic), ...read, ...sentTo])]
}

/** Nothing but what survives a crash. */
export const newProcess = (store: readonly number[] = []): Process => ({
  status: 'not running',
  routine: 'onStart',
  at: 0,
  position: 0,
  work: null,
  isDone: false,
  inTransaction: false,
  value: 0,
  idempotencyKey: '',
  store: [...store],
})

const newProducer = (): Producer => ({
  current: '',
  isOpen: false,
  offset: null,
  covers: 0,
  isPrepared: false,
  lateCommit: false,
})

const keyed = <Value>(names: readonly string[], make: (name: string) => Value): Record<string, Value> =>
  Object.fromEntries(names.map((name) => [name, make(name)]))

/** Before anything has happened: the inputs are in their topics, nobody runs. */
export function initialState(config: ProgramsConfig): State {
  const placed = placedOf(config)
  const inputOf = (topic: string): Entry[] =>
    config.inputs
      .filter((input) => input.topic === topic)
      .map(({ event, key, poison }) => ({
        event,
        id: `e${event}`,
        key,
        poison,
        value: 0,
        status: 'committed',
        producer: '',
      }))
  return {
    process: keyed(
      placed.map(({ name }) => name),
      () => newProcess(),
    ),
    topic: keyed(topicsOf(config), inputOf),
    group: keyed(
      config.apps.map(({ name }) => name),
      () => ({ committed: 0, owner: '' }),
    ),
    producer: keyed([...new Set(placed.map(({ producer }) => producer))], newProducer),
    database: { rows: [], remembered: [], offset: 0, outbox: [], keys: [], lock: '' },
    provider: { executed: [], late: [] },
    budget: Object.fromEntries(faultNames.map((name) => [name, config[name]])) as Record<FaultName, number>,
    ghost: {
      processed: Array.from({ length: 1 + Math.max(...config.inputs.map(({ event }) => event)) }, () => 0),
      fresh: 0,
    },
  }
}
