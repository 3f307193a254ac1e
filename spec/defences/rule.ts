/** What is said of a defence, and which versions have it. */
import type { Exercise } from '../catalogue.ts'
import type { KafkaConfig } from '../config.ts'
import { flagsOf } from '../protocol/protocol.ts'

export interface Rule {
  readonly summary: string
  readonly sources: readonly string[]
  readonly appliesTo?: (config: KafkaConfig) => boolean
  readonly exercisedBy: Exercise
}

const versionOne = (config: KafkaConfig) => flagsOf(config).clientVersion === 1
export const versionTwo = (config: KafkaConfig) => flagsOf(config).clientVersion === 2

/** Leaders ask the coordinator before a transaction begins in their partitions. */
export const asks = (config: KafkaConfig) => versionTwo(config) || flagsOf(config).verification !== 'off'
export const verifies = (config: KafkaConfig) => versionOne(config) && asks(config)

/** Properties that fall in several places. */
export const visible = 'aborted and open records stay invisible'
export const atomic = 'output and offset are atomic'
export const fencedWrites = 'fenced sessions write nothing visible'
export const order = 'batches are in order, none twice'
export const gaps = 'sequences have no gaps'
export const hanging = 'open transactions are known to the coordinator'
export const knownStart = 'transactions begin with the knowledge of the coordinator'
export const selfFencing = 'no session is fenced without a rival'
