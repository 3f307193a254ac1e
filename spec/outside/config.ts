/** The configuration of the model of applications as programs. */
import * as v from 'valibot'
import { appSchema } from './program.ts'

const budget = () => v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(3)), 0)

/** What can go wrong, and how many times in one behaviour. */
const faultBudgets = {
  /** A process ends between two steps and forgets all but what is on disk. */
  crashes: budget(),
  /** Another instance takes the input over while the owner is alive: it was slow, or stood still, and goes on. */
  rebalances: budget(),
  /** Processing throws, for a passing reason. */
  errors: budget(),
  /** The answer to a commit is missing: it was executed, or is still under way and may be lost. */
  commitTimeouts: budget(),
  /** The coordinator aborts the transaction of a process that is alive. */
  transactionTimeouts: budget(),
  /** The provider did what it was asked, and its answer is lost. */
  lostAnswers: budget(),
  /** A call is given up, and reaches the provider at any later time. */
  lateCalls: budget(),
  /** The claim of a relay that is alive ends. */
  leaseEnds: budget(),
  /** Ids that were remembered are cleaned away. */
  cleanings: budget(),
  /** Committed offsets are set back to the beginning. */
  offsetResets: budget(),
}
export type FaultName = keyof typeof faultBudgets
export const faultNames = Object.keys(faultBudgets) as FaultName[]

const inputSchema = v.strictObject({
  topic: v.optional(v.string(), 'input'),
  /** The thing that happened; two records of one event are the same thing said twice. */
  event: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** What its order is kept for. */
  key: v.optional(v.string(), 'k'),
  /** It cannot be processed. */
  poison: v.optional(v.boolean(), false),
})

export const configSchema = v.strictObject({
  apps: v.pipe(v.array(appSchema), v.minLength(1)),
  inputs: v.optional(v.array(inputSchema), [{ event: 0 }]),
  /** What is counted as the effect of an event: rows, calls that the provider executed, or records of a topic. */
  effects: v.optional(v.string(), 'output'),
  /** The crash comes before this step of the loop of the first application, or anywhere. */
  crashBefore: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))), null),
  /** sendOffsetsToTransaction names the owner with its generation, or the group only. */
  groupMetadata: v.optional(v.picklist(['owner', 'group id only']), 'owner'),
  /** Whether a transaction without a living producer is aborted after transaction.timeout.ms. */
  orphansTimeOut: v.optional(v.boolean(), true),
  /** Whether the claim of a dead relay ends. */
  claimsEnd: v.optional(v.boolean(), false),
  ...faultBudgets,
})
export type ProgramsConfig = v.InferOutput<typeof configSchema>
