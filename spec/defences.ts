/**
 * Every protective rule by name: what it is for, where it stands in Kafka, and where its removal shows.
 *
 * Kafka defends in depth: a rule whose removal alone breaks nothing names the rules that cover it
 * (`exercisedBy.together`), and they fall together.
 */
import type { Defence } from './catalogue.ts'
import type { KafkaConfig } from './config.ts'
import { epochRules } from './defences/epochs.ts'
import { leaderRules } from './defences/partition-leader.ts'
import { readerRules } from './defences/readers-and-group.ts'
import type { Rule } from './defences/rule.ts'
import { coordinatorRules } from './defences/transaction-coordinator.ts'
import { verificationRules } from './defences/verification.ts'

const rules = { ...leaderRules, ...verificationRules, ...coordinatorRules, ...epochRules, ...readerRules }

export type DefenceName = keyof typeof rules

export const defences: readonly Defence<KafkaConfig>[] = Object.entries(rules).map(([name, rule]) => ({
  name,
  ...(rule as Rule),
}))
