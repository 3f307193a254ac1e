/** Two instances with a transactional.id each, and the steps by which the input partition passes from one to the other. */
import type { KafkaConfig } from '../../../spec/config.ts'
import type { PresetName } from '../../../spec/presets.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import {
  addFirst,
  advance,
  askAndAppend,
  handleOffsets,
  live,
  offsets,
  produceFirst,
  replicateLog,
} from './steps.ts'

export const fetch = (client: number): NamedStep => ['FetchOffsets', { client }]
export const append = (preset: PresetName, client = 0): readonly NamedStep[] => [
  handleOffsets(client),
  ...askAndAppend(preset, offsets),
  advance(offsets),
]
/** The offset commit is taken up and refused. */
export const refused = (preset: PresetName, client = 0): readonly NamedStep[] =>
  append(preset, client).slice(0, -1)

/** The same steps where they write the log of another transactional.id than the first. */
export const inLogOf = (id: number, steps: readonly NamedStep[]): readonly NamedStep[] =>
  steps.map((step) => (step[0] === 'ReplicateTransactionLog' ? [step[0], { id }] : step))

export const takeOver: readonly NamedStep[] = [
  ['StartBeside', { client: 1 }],
  ['JoinGroup', { client: 1 }],
]

/** Two instances with a transactional.id each; the first has its offset commit on the wire. */
export function committing(preset: PresetName, config: Partial<KafkaConfig> = {}): Behaviour {
  const run = new Behaviour({
    preset,
    instances: 2,
    transactionalIds: 'own',
    rebalances: 1,
    transactionTimeouts: 1,
    fetchOffsets: 'before init',
    ...config,
  })
  run.take(['Start', { client: 0 }], ['JoinGroup', { client: 0 }], fetch(0))
  run.take(['HandleInitProducerId', live()], replicateLog)
  return run.take(...addFirst(preset), ...produceFirst(preset), ...addFirst(preset))
}

/** What the new owner is given, or why it has to wait. */
export const given = (run: Behaviour): number | string =>
  run.blockedBy(fetch(1)) ?? run.take(fetch(1)).state.instance[1]!.position
