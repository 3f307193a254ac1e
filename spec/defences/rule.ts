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
