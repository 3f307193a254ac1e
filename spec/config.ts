/** The configuration of the Kafka model: version, application, bounds and budgets of faults. */
import * as v from 'valibot'
import { clientNames, completed } from './clients.ts'
import { presetFlags, presetNames } from './presets.ts'
import type { Budget } from './state.ts'

const count = (low: number, high: number, initial: number) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(low), v.maxValue(high)), initial)
const budget = () => count(0, 9, 0)
const choice = <const Options extends readonly [string, ...string[]]>(...options: Options) =>
  v.optional(v.picklist(options), options[0] as Options[number])
/** What is not given is a question of the client, or else of the application. */
const byClient = <const Options extends readonly [string, ...string[]]>(...options: Options) =>
  v.optional(v.picklist(options), () => undefined)
const toggle = () => v.optional(v.boolean(), false)

/** Flags of the version, each to be replaced by any value that some version has, or that a change proposes. */
const flags = {
  clientVersion: v.picklist([1, 2]),
  serverVersion: v.picklist([1, 2]),
  verification: v.picklist(['off', 'epochBlind', 'epochAware']),
  verifyOffsets: v.boolean(),
  earlyEpochCheck: v.boolean(),
  guardSurvivesMarker: v.boolean(),
  markerCheck: v.picklist(['ge', 'strict']),
  fenceBump: v.picklist(['early', 'double', 'single']),
  pendingCheckFirst: v.boolean(),
  durableProducerIds: v.boolean(),
  durableLastEpoch: v.boolean(),
  loadsUpTo: v.picklist(['log end', 'high watermark']),
  clientEpochBump: v.boolean(),
  mappingIsFatal: v.boolean(),
  groupFencing: v.boolean(),
  memberEpochCheck: v.picklist(['none', 'exact', 'since assignment']),
  requireStable: v.boolean(),
  staleEpochError: v.picklist(['PRODUCER_FENCED', 'INVALID_PRODUCER_EPOCH']),
  stateDiesWithRecords: v.boolean(),
  knowsAbortable: v.boolean(),
  sequenceZeroRule: v.boolean(),
  lateCommitReply: v.picklist(['INVALID_TXN_STATE', 'PRODUCER_FENCED']),
}

/** Budgets, one for each kind of fault. */
const faultBudgets = {
  crashes: budget(),
  restarts: budget(),
  pauses: budget(),
  callTimeouts: budget(),
  deliveryTimeouts: budget(),
  applicationAborts: budget(),
  lostRequests: budget(),
  lostReplies: budget(),
  lateRequests: budget(),
  lateMarkers: budget(),
  failedMarkers: budget(),
  coordinatorFailovers: budget(),
  staleCoordinators: budget(),
  failedAppends: budget(),
  transactionTimeouts: budget(),
  idExpirations: budget(),
  refusedBatches: budget(),
  leaderChanges: budget(),
  snapshotReloads: budget(),
  uncleanElections: budget(),
  producerExpirations: budget(),
  deletedRecords: budget(),
  adminAborts: budget(),
  rebalances: budget(),
  autoCommits: budget(),
  missingPermissions: budget(),
}

export type FaultName = keyof typeof faultBudgets
export const faultNames = Object.keys(faultBudgets) as FaultName[]

/** Faults that may end a session. */
const stopping = [
  'crashes',
  'pauses',
  'callTimeouts',
  'transactionTimeouts',
  'rebalances',
  'missingPermissions',
] as const

export const configSchema = v.pipe(
  v.strictObject({
    preset: v.optional(v.picklist(presetNames), 'kafka-4.4'),
    flags: v.optional(v.partial(v.strictObject(flags)), {}),
    client: v.optional(v.picklist(clientNames)),
    application: choice('read-process-write', 'produce'),
    producer: byClient('transactional', 'idempotent', 'plain'),
    acks: choice('all', '1', '0'),
    instances: count(1, 3, 2),
    offsetCommits: choice('in the transaction', 'after the output', 'before the output'),
    transactionTimeout: choice('allowed', 'above the maximum'),
    transactionalIds: choice('shared', 'own', 'fresh'),
    inputs: count(1, 4, 2),
    inputsPerTransaction: count(1, 4, 1),
    outputPartitions: count(1, 3, 2),
    partitioning: choice('all partitions', 'one partition', 'another partition at each retry'),
    addedPartitions: choice('all', 'all but the last'),
    attempts: count(1, 9, 3),
    recordsPerOutput: count(1, 6, 1),
    maxInFlight: count(1, 6, 1),
    sequences: choice(
      'one for each batch',
      'one for two sends',
      'from 0 again',
      'of given-up batches again',
      'all anew at each epoch',
    ),
    sequenceErrors: choice('as in the version', 'the producer is closed', 'the sequence is reset'),
    rememberedBatches: count(1, 5, 5),
    ignoredMarkerReply: choice(
      'none',
      'NONE',
      'KAFKA_STORAGE_ERROR',
      'NOT_LEADER_OR_FOLLOWER',
      'REQUEST_TIMED_OUT',
    ),
    maxEpoch: count(2, 32_767, 32_767),
    fetchOffsets: byClient('after init', 'before init'),
    nextEpoch: choice('names its identity', 'names nothing'),
    afterAbort: choice('committed offset', 'same inputs'),
    groupProtocol: choice('classic', 'consumer'),
    groupMetadata: byClient('owner', 'group id only'),
    isolation: byClient('read_committed', 'read_uncommitted'),
    staticMembers: toggle(),
    survivors: count(0, 9, 1),
    flushBeforeCommit: toggle(),
    onCommitTimeout: choice(
      'new producer, offsets read again',
      'commit again',
      'abort',
      'abort by force',
      'new producer, assume committed',
      'new producer, assume aborted',
    ),
    twoPhaseCommit: toggle(),
    fenceWindow: toggle(),
    liveness: v.optional(v.boolean()),
    faults: count(0, 99, 99),
    ...faultBudgets,
  }),
  v.transform(completed),
  v.check(
    ({ restarts, faults, ...budgets }) =>
      restarts === 0 || (faults > 0 && stopping.some((name) => budgets[name] > 0)),
    `restarts without a fault that could stop an instance (${stopping.join(', ')})`,
  ),
  v.check(
    ({ attempts, inputs, inputsPerTransaction }) => attempts * inputsPerTransaction >= inputs,
    'fewer attempts than inputs: no session could process them all',
  ),
  v.check(
    ({ application, producer, offsetCommits }) =>
      application === 'produce' ||
      (producer === 'transactional') === (offsetCommits === 'in the transaction'),
    "offsetCommits 'in the transaction' without a transactional producer, or elsewhere with one",
  ),
  v.check(
    ({ sequences, producer }) => sequences === 'one for each batch' || producer === 'idempotent',
    'defective sequences with a producer that is not idempotent: the defects are of such clients',
  ),
  v.check(
    ({ sequenceErrors, producer }) => sequenceErrors === 'as in the version' || producer !== 'plain',
    'sequenceErrors with a plain producer, which has no sequences',
  ),
  v.check(
    ({ partitioning, application, producer }) =>
      partitioning === 'all partitions' || (application === 'produce' && producer !== 'transactional'),
    "partitioning with transactions or offsets, which go to all partitions: only for the application 'produce' without them",
  ),
  v.check(
    ({ partitioning, maxInFlight, outputPartitions }) =>
      partitioning !== 'another partition at each retry' || (maxInFlight === 1 && outputPartitions > 1),
    "partitioning 'another partition at each retry' with more than one batch in flight, or without another partition",
  ),
  v.check(({ preset, flags, addedPartitions, outputPartitions }) => {
    const { clientVersion } = { ...presetFlags[preset], ...flags }
    return addedPartitions === 'all' || (clientVersion === 1 && outputPartitions > 1)
  }, 'addedPartitions with one partition, or with clients of transaction.version 2, for which the leaders add them'),
  v.check(
    ({ acks, producer }) => acks === 'all' || producer === 'plain',
    "acks below 'all' with an idempotent producer, which Kafka refuses (KIP-679)",
  ),
  v.check(({ preset, flags }) => {
    const { clientVersion, serverVersion } = { ...presetFlags[preset], ...flags }
    return clientVersion <= serverVersion
  }, 'clients of transaction.version 2 on a cluster of version 1: they would fall back to version 1'),
  v.check(
    ({ preset, flags, groupProtocol }) =>
      groupProtocol === 'classic' || { ...presetFlags[preset], ...flags }.memberEpochCheck !== 'none',
    "groupProtocol 'consumer' in a version that has no such groups (KIP-848)",
  ),
  v.check(
    ({ preset, staticMembers }) => !staticMembers || preset !== 'kafka-1.1',
    'staticMembers in a version that has no group.instance.id (KIP-345)',
  ),
  v.check(
    ({ preset, twoPhaseCommit }) => !twoPhaseCommit || preset.startsWith('kafka-4.'),
    'twoPhaseCommit in a version that does not know it (KIP-939)',
  ),
  v.check(
    ({ producer, twoPhaseCommit }) => !twoPhaseCommit || producer === 'transactional',
    'twoPhaseCommit with a producer that is not transactional',
  ),
)

export type KafkaConfig = v.InferOutput<typeof configSchema>

/** The faults left at the start. */
export function initialBudget(config: KafkaConfig): Budget {
  const budgets = Object.fromEntries(faultNames.map((name) => [name, config[name]]))
  return { total: config.faults, ...budgets } as Budget
}
