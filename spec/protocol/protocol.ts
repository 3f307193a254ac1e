/** What every rule of the protocol depends on: the version, the active defences and the topology. */
import type { Defences } from '../../checker/model.ts'
import type { KafkaConfig } from '../config.ts'
import type { DefenceName } from '../defences.ts'
import { type Flags, presetFlags } from '../presets.ts'

export interface Protocol {
  readonly config: KafkaConfig
  readonly flags: Flags
  /** Whether a protective rule is active. */
  readonly protects: (defence: DefenceName) => boolean
  /** Output partitions are 0 .. outputPartitions - 1; the group's partition of __consumer_offsets comes after them. */
  readonly offsetsPartition: number
}

export function protocolOf(config: KafkaConfig, defences: Defences): Protocol {
  return {
    config,
    flags: flagsOf(config),
    protects: (defence) => defences.has(defence),
    offsetsPartition: config.outputPartitions,
  }
}

/** The flags of the preset, with those of the configuration in their place. */
export const flagsOf = ({ preset, flags }: Pick<KafkaConfig, 'preset' | 'flags'>): Flags => ({
  ...presetFlags[preset],
  ...(flags as Partial<Flags>),
})

/** How many transactional.ids there are. */
export function transactionalIdCount({
  transactionalIds,
  instances,
  restarts,
  producer,
}: KafkaConfig): number {
  if (producer !== 'transactional') return 0
  if (transactionalIds === 'shared') return 1
  return transactionalIds === 'own' ? instances : instances + restarts
}

/** The transactional.id of a session, as its position; -1 for a producer without one. */
export function transactionalIdOf({ config }: Protocol, client: number, session: number): number {
  if (config.producer !== 'transactional') return -1
  if (config.transactionalIds === 'shared') return 0
  return config.transactionalIds === 'own' ? client : session - 1
}
