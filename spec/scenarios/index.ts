/** The standard configurations: some for everything together, and one for each question. */
import { clientScenarios } from './clients.ts'
import { coordinatorScenarios } from './coordinator.ts'
import type { KafkaScenario } from './expecting.ts'
import { groupScenarios } from './groups.ts'
import { livenessScenarios } from './liveness.ts'
import { partitionScenarios } from './partitions.ts'
import { wholeScenarios } from './whole.ts'

export const scenarios: readonly KafkaScenario[] = [
  ...wholeScenarios,
  ...clientScenarios,
  ...coordinatorScenarios,
  ...partitionScenarios,
  ...groupScenarios,
  ...livenessScenarios,
]
