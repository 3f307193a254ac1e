/** What the claims on fencing are about. */
import { kafka } from '../../model.ts'
import type { PresetName } from '../../presets.ts'
import { anyModel, type ClaimCase } from '../claim.ts'

export const model = anyModel(kafka)

export const lost = 'no input is lost'
export const twice = 'no output is there twice'
export const endsNothing = 'fenced sessions end no transaction'
export const appendsNothing = 'replaced sessions append nothing'
export const startsAfter = 'a session starts when the transactions before it are finished'
export const getPast = 'readers get past every transaction'

/** The first session stops for a while, and a second one of the same transactional.id takes over. */
export const zombie = { outputPartitions: 1, inputs: 1, attempts: 2, pauses: 1 }
/** The same without a group. */
export const producing = { ...zombie, application: 'produce' }
/** Each instance has a transactional.id of its own, and both are alive. */
export const ownIds = { ...zombie, transactionalIds: 'own', pauses: 0, rebalances: 1 }
/** Each start has a new one. */
export const freshIds = {
  transactionalIds: 'fresh',
  instances: 1,
  inputs: 1,
  outputPartitions: 1,
  crashes: 1,
  restarts: 1,
  transactionTimeouts: 1,
}

/** Without generation and stable offsets, which came with KIP-447, nothing keeps the old owner's work apart. */
export function byGroup(
  preset: PresetName,
  config: ClaimCase['config'],
  shows: readonly string[],
): ClaimCase {
  const unfenced = preset === 'kafka-1.1'
  return {
    name: preset,
    model,
    preset,
    config,
    expected: { [twice]: unfenced ? 'violated' : 'proved' },
    ...(unfenced ? { shows: { [twice]: shows } } : {}),
  }
}

/** The old owner commits although another one has its input. */
export const bothCommit = ['StartBeside(client: 1)', 'marker commit', 'marker commit']
export const takeover = ['Crash(client: 0)', 'Start(client: 0)', 'marker commit', 'marker commit']
