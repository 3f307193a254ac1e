/** Hand-made states, and what a single property says of them. */
import type { Choice, Claim, Plain, Property, Taken } from '../../../checker/model.ts'
import { prepare } from '../../../checker/prepare.ts'
import { kafka } from '../../../spec/index.ts'
import { replayed } from '../../../spec/protocol/group-coordinator.ts'
import { producersOf } from '../../../spec/protocol/partition-leader.ts'
import { newEntry } from '../../../spec/protocol/transaction-coordinator/entry.ts'
import type {
  CoordinatorEntry,
  DataRecord,
  KafkaState,
  LogRecord,
  MarkerRecord,
  OffsetRecord,
  Partition,
  Result,
  TransactionRecord,
} from '../../../spec/state.ts'
import { rulesOf } from '../protocol/rules.ts'

/** One output partition, 0, and the group's, 1. */
export const output = 0
export const offsets = 1

export type Configuration = { readonly [parameter: string]: Plain }
const small: Configuration = { outputPartitions: 1, instances: 2 }

/** The records of transaction `transaction`: 's1.2' is the second of session 1. */
export const data = (transaction: string, changes: Partial<DataRecord> = {}): DataRecord => ({
  kind: 'data',
  producerId: 0,
  producerEpoch: 0,
  transactional: true,
  sequence: 0,
  input: 0,
  part: 0,
  session: Number(transaction.slice(1, transaction.indexOf('.'))),
  transaction,
  fenced: false,
  ...changes,
})

export const offset = (transaction: string, changes: Partial<OffsetRecord> = {}): OffsetRecord => {
  const { session, producerId, producerEpoch, fenced } = data(transaction)
  const written = { kind: 'offset', producerId, producerEpoch, session, fenced, transaction } as const
  return { ...written, offset: 1, generation: 1, transactional: true, ...changes }
}

export const marker = (
  result: Result,
  transaction: string,
  changes: Partial<MarkerRecord> = {},
): MarkerRecord => ({
  kind: 'marker',
  producerId: 0,
  producerEpoch: 1,
  result,
  coordinatorEpoch: 0,
  transaction,
  ...changes,
})

export const record = (changes: Partial<TransactionRecord> = {}): TransactionRecord => {
  const { pendingState: _pending, failedEpochFence: _failed, ...fresh } = newEntry(0)
  return { ...fresh, producerEpoch: 0, ...changes }
}

export const entry = (changes: Partial<CoordinatorEntry> = {}): CoordinatorEntry => ({
  ...newEntry(0),
  producerEpoch: 0,
  ...changes,
})

export type Change = (state: KafkaState) => void

const at = ({ partition }: KafkaState, index: number) => partition[index] as Partition

/** Writes a log, with all that follows from it: producers, group offsets, high watermark. */
export const log =
  (partition: number, ...records: LogRecord[]): Change =>
  (state) => {
    const producers = producersOf(rulesOf('kafka-4.4'), records)
    Object.assign(at(state, partition), { log: records, highWatermark: records.length, producers })
    if (partition === offsets) Object.assign(state.group, replayed(records))
  }

export const partition =
  (index: number, changes: Partial<Partition>): Change =>
  (state) => {
    Object.assign(at(state, index), changes)
  }

export const decided =
  (outcomes: KafkaState['ghost']['decisions']): Change =>
  ({ ghost }) => {
    ghost.decisions = outcomes
  }
export const told =
  (outcomes: KafkaState['ghost']['told']): Change =>
  ({ ghost }) => {
    ghost.told = outcomes
  }
/** What the coordinator has in memory, and in its log. */
export const coordinator =
  (memory: CoordinatorEntry | null, durable: Partial<KafkaState['transactionLog'][number]> = {}): Change =>
  (state) => {
    Object.assign(state.coordinator[0] as object, { entry: memory })
    Object.assign(state.transactionLog[0] as object, durable)
  }

export interface Case {
  readonly preset?: string
  readonly config?: Configuration
  /** The state; of a transition property, the one after it. */
  readonly changes: readonly Change[]
  /** Of a transition property: the state before, and the step. */
  readonly before?: readonly Change[]
  readonly taken?: Partial<Taken> & { readonly choices?: readonly Choice[] }
}

/** A promise or a question of the model under a configuration, and its states as they are made from the first one. */
function asked(name: string, config: Configuration) {
  const { body } = prepare(kafka, { ...small, ...config })
  const all = [...body.properties, ...(body.questions ?? [])] as Property<KafkaState>[]
  const stateOf = (made: readonly Change[]) => {
    const state = structuredClone(body.initial) as KafkaState
    for (const change of made) change(state)
    return state
  }
  return { property: all.find((one) => one.name === name), stateOf }
}

/** 'holds', 'not given', or the first false part; of what is to be reached 'witness' or 'no witness'. */
export function verdict(
  name: string,
  { preset = 'kafka-4.4', config, changes, before, taken }: Case,
): string {
  const { property, stateOf } = asked(name, { ...config, preset })
  if (property === undefined) return 'not promised'
  if ('to' in property) throw new Error(`${name} is no promise about a state or a step`)
  if (property.kind === 'reachable') return property.holds(stateOf(changes)) ? 'witness' : 'no witness'
  if (property.kind === 'transition') {
    const step = { action: 'Step', args: {}, choices: [], ...taken }
    return judged((claim) => property.holds(stateOf(before ?? []), stateOf(changes), claim, step))
  }
  for (const one of property.each ?? [null]) {
    const said = judged((claim) => property.holds(stateOf(changes), claim, one))
    if (said !== 'holds') return said
  }
  return 'holds'
}

function judged(judge: (claim: Claim) => unknown): string {
  const said: string[] = []
  const settle = (what: string) => {
    said.push(what)
    throw new Error(what)
  }
  try {
    judge({
      given: (_, condition) => (condition ? undefined : settle('not given')),
      that: (part, condition) => (condition ? undefined : settle(part)),
    })
  } catch (error) {
    if (said.length === 0) throw error
  }
  return said[0] ?? 'holds'
}
