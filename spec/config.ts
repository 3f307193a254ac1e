/** The configuration of the Kafka model: version, application, bounds and budgets of faults. */
import * as v from 'valibot'
import type { ParameterInfo } from './catalogue.ts'
import { presetNames } from './presets.ts'
import type { Budget } from './state.ts'

const count = (low: number, high: number, initial: number) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(low), v.maxValue(high)), initial)
const budget = (initial = 0) => count(0, 9, initial)

export const configSchema = v.pipe(
  v.strictObject({
    preset: v.optional(v.picklist(presetNames), 'kafka-4.4'),
    instances: count(1, 3, 2),
    inputs: count(1, 4, 2),
    outputPartitions: count(1, 3, 2),
    attempts: count(1, 9, 3),
    recordsPerOutput: count(1, 3, 1),
    maxInFlight: count(1, 5, 1),
    rememberedBatches: count(1, 5, 5),
    fetchOffsets: v.optional(v.picklist(['after init', 'before init']), 'after init'),
    survivors: count(0, 9, 1),
    flushBeforeCommit: v.optional(v.boolean(), false),
    faults: count(0, 99, 99),
    crashes: budget(),
    restarts: budget(),
    pauses: budget(),
    lostRequests: budget(),
    lostReplies: budget(),
    lateRequests: budget(),
    lateMarkers: budget(),
    coordinatorFailovers: budget(),
    transactionTimeouts: budget(),
    deliveryTimeouts: budget(),
    applicationAborts: budget(),
    refusedBatches: budget(),
  }),
  v.check(
    ({ restarts, crashes, pauses, transactionTimeouts, faults }) =>
      restarts === 0 || (faults > 0 && crashes + pauses + transactionTimeouts > 0),
    'restarts without a fault that could stop an instance (crashes, pauses or transactionTimeouts)',
  ),
  v.check(
    ({ attempts, inputs }) => attempts >= inputs,
    'fewer attempts than inputs: no session could process them all',
  ),
)

export type KafkaConfig = v.InferOutput<typeof configSchema>

/** The faults left at the start. */
export function initialBudget(config: KafkaConfig): Budget {
  const { crashes, restarts, pauses, lostRequests, lostReplies, lateRequests, lateMarkers } = config
  const { coordinatorFailovers, transactionTimeouts, deliveryTimeouts, applicationAborts, refusedBatches } =
    config
  return {
    total: config.faults,
    crashes,
    restarts,
    pauses,
    lostRequests,
    lostReplies,
    lateRequests,
    lateMarkers,
    coordinatorFailovers,
    transactionTimeouts,
    deliveryTimeouts,
    applicationAborts,
    refusedBatches,
  }
}

const bound = (
  name: keyof KafkaConfig,
  initial: ParameterInfo['default'],
  summary: string,
  ...sources: string[]
) => ({
  name,
  default: initial,
  summary,
  sources,
})

export const parameters: readonly ParameterInfo[] = [
  bound('preset', 'kafka-4.4', `version of the protocol: ${presetNames.join(', ')}`),
  bound('instances', 2, 'instances of the application, all with the same transactional.id', 'KIP-98'),
  bound('inputs', 2, 'records of the input partition; each is processed in a transaction of its own'),
  bound('attempts', 3, 'transactions that a session begins before it gives up; one is needed for each input'),
  bound('outputPartitions', 2, 'partitions that every input writes to'),
  bound('recordsPerOutput', 1, 'records that an input writes to each output partition, one batch each'),
  bound('maxInFlight', 1, 'batches in flight per connection', 'max.in.flight.requests.per.connection'),
  bound('rememberedBatches', 5, 'batches that a partition remembers per producer', 'ProducerStateEntry'),
  bound(
    'fetchOffsets',
    'after init',
    'whether the committed offset is read after initTransactions or before it',
    'KIP-447',
  ),
  bound(
    'flushBeforeCommit',
    false,
    'whether the application waits for all acknowledgements before it calls commitTransaction',
    'KafkaProducer.flush',
  ),
  bound(
    'survivors',
    1,
    'requests on the wire that may still be executed when their client has crashed or closed',
    'Selector',
  ),
  bound('faults', 99, 'faults in one behaviour, of all kinds together'),
  bound(
    'crashes',
    0,
    'instances that crash: all client state is lost, requests on the wire may still arrive',
  ),
  bound('restarts', 0, 'starts of an instance beyond its first'),
  bound('pauses', 0, 'instances that stop for any time and go on as if nothing had happened (zombies)'),
  bound(
    'lostRequests',
    0,
    'requests lost with their connection; the client sends them again',
    'NetworkClient',
  ),
  bound(
    'lostReplies',
    0,
    'replies lost with their connection; the client sends the request again',
    'NetworkClient',
  ),
  bound(
    'lateRequests',
    0,
    'requests of clients that are executed although their connection was closed, at any later time',
    'Selector',
  ),
  bound('lateMarkers', 0, 'the same for WriteTxnMarkers', 'TransactionMarkerChannelManager'),
  bound(
    'coordinatorFailovers',
    0,
    'moves of the transaction coordinator',
    'TransactionCoordinator.onElection',
  ),
  bound(
    'transactionTimeouts',
    0,
    'transactions aborted by timeout',
    'TransactionCoordinator.abortTimedOutTransactions',
  ),
  bound(
    'deliveryTimeouts',
    0,
    'batches given up by the client although their request is on the wire',
    'Sender',
  ),
  bound(
    'applicationAborts',
    0,
    'transactions that the application aborts of its own accord',
    'KafkaProducer',
  ),
  bound(
    'refusedBatches',
    0,
    'batches refused with NOT_ENOUGH_REPLICAS when they were about to be appended',
    'Partition.appendRecordsToLeader',
  ),
]
