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
    flags: presetFlags[config.preset],
    protects: (defence) => defences.has(defence),
    offsetsPartition: config.outputPartitions,
  }
}
