/** What every parameter of the configuration is for. */
import * as v from 'valibot'
import { allowedBy, schemaOf } from './allowed.ts'
import type { ParameterInfo } from './catalogue.ts'
import { configSchema, type KafkaConfig } from './config.ts'
import { flags } from './flags.ts'

type Described = readonly [summary: string, source: string, ...sources: string[]]

const described: Record<keyof KafkaConfig, Described> = {
  preset: ['version of the protocol', 'KIP-584', 'KIP-1022'],
  flags: [
    'flags of the version to replace, by name: what if one rule were that of another version?',
    'KIP-584',
    'KIP-1022',
  ],
  client: [
    'the client whose defaults are taken where nothing else is said: producer (where the application needs no transactions), isolation, fetchOffsets and groupMetadata',
    'enable.idempotence',
    'isolation.level',
  ],
  application: [
    "'read-process-write': inputs, outputs and offsets in transactions; 'produce': every input is a record to send",
    'KafkaProducer',
  ],
  producer: ['transactional, idempotent or plain', 'enable.idempotence', 'KIP-679'],
  offsetCommits: [
    "of the application 'read-process-write': 'in the transaction'; without transactions 'after the output', when every send has succeeded, or 'before the output', when the commit was accepted",
    'KafkaProducer.sendOffsetsToTransaction',
    'KafkaConsumer.commitSync',
  ],
  transactionTimeout: [
    'whether the transaction timeout that the producers ask for is one that the brokers allow',
    'transaction.timeout.ms',
    'transaction.max.timeout.ms',
  ],
  acks: ["'all': replicated, '1': appended, '0': sent; a batch counts as acknowledged then", 'acks'],
  instances: ['instances of the application', 'KIP-98'],
  transactionalIds: [
    "'shared' by all instances, one of its 'own' for each instance, or a 'fresh' one for each session",
    'transactional.id',
    'KIP-447',
  ],
  inputs: ['records of the input partition', 'KIP-98'],
  inputsPerTransaction: [
    'inputs processed in one transaction, each with an offset commit of its own',
    'KafkaProducer.sendOffsetsToTransaction',
  ],
  outputPartitions: ['partitions that every input writes to', 'KIP-98'],
  partitioning: [
    "where an output goes: to 'all partitions', or to 'one partition', the next one for each input; 'another partition at each retry' is a defect that a client had",
    'Partitioner',
    'ruby-kafka #956',
  ],
  addedPartitions: [
    "which partitions a client of transaction.version 1 adds to its transactions; 'all but the last', to which it writes all the same, is a defect",
    'KIP-890',
    'TransactionManager.maybeAddPartition',
  ],
  attempts: ['transactions that a session begins before it gives up', 'KafkaProducer.beginTransaction'],
  recordsPerOutput: [
    'records that an input writes to each output partition, one batch each',
    'KafkaProducer.send',
  ],
  maxInFlight: ['batches in flight per connection', 'max.in.flight.requests.per.connection'],
  sequences: [
    "how an idempotent client numbers its batches; all but 'one for each batch' are defects that clients had: the records of an input take one number, each input starts from 0, a batch that was given up leaves its number to the next, or a new epoch numbers the batches in flight to all partitions anew",
    'KIP-98',
    'KafkaJS #598',
    'librdkafka 1.9.0',
    'franz-go #1217',
    'librdkafka #4953',
  ],
  sequenceErrors: [
    "what a client does that is told OUT_OF_ORDER_SEQUENCE_NUMBER or UNKNOWN_PRODUCER_ID of a batch that it does not just send again: what its version does, or 'the producer is closed', or, for an unknown producer, 'the sequence is reset' whatever was deleted",
    'TransactionManager.canRetry',
    'KAFKA-5793',
    'KAFKA-7190',
  ],
  rememberedBatches: ['batches that a partition remembers per producer', 'ProducerStateEntry'],
  ignoredMarkerReply: [
    "an answer to a marker of which the coordinator makes nothing, which is a defect: neither is the partition done ('NONE' is success) nor is the marker sent again",
    'KAFKA-9749',
    'TransactionMarkerRequestCompletionHandler.onComplete',
  ],
  maxEpoch: [
    'largest producer epoch; from one below it on the producer id is replaced',
    'TransactionMetadata.isEpochExhausted',
  ],
  fetchOffsets: ['whether the committed offset is read after initTransactions or before it', 'KIP-447'],
  nextEpoch: [
    "what a producer that asks for its next epoch after an error says of itself: it 'names its identity', or 'names nothing', so that the coordinator takes it for a new session",
    'KIP-360',
    'InitProducerIdRequest',
  ],
  afterAbort: [
    "where the application goes on when its transaction was aborted: at the 'committed offset', which it reads again, or with the 'same inputs', which it has in memory",
    'KafkaConsumer.seek',
    'Spring Kafka, DefaultAfterRollbackProcessor',
  ],
  groupProtocol: [
    'protocol of the consumer group: classic, or consumer (KIP-848)',
    'ConsumerGroup',
    'KIP-848',
  ],
  groupMetadata: [
    "what sendOffsetsToTransaction names: the 'owner' with its generation, or the 'group id only'",
    'ConsumerGroupMetadata',
    'KIP-447',
  ],
  isolation: [
    "who the readers are whose records are judged: 'read_committed', or 'read_uncommitted', who get open and aborted ones as well",
    'isolation.level',
    'CompletedFetch.nextFetchedRecord',
  ],
  staticMembers: [
    'all instances have one group.instance.id: in a classic group each takes the place of the one before it, in the same generation',
    'group.instance.id',
    'KIP-345',
    'ClassicGroup.replaceStaticMember',
  ],
  survivors: [
    'requests on the wire that may still be executed when their client has crashed or closed',
    'Selector',
  ],
  flushBeforeCommit: [
    'whether the application waits for all acknowledgements before it calls commitTransaction',
    'KafkaProducer.flush',
  ],
  onCommitTimeout: [
    "what the application does when commitTransaction times out; 'abort' is refused by the client, which is closed then, and 'abort by force' is what one does that does not refuse it",
    'KafkaProducer.commitTransaction',
    'TransactionManager.throwIfPendingState',
  ],
  twoPhaseCommit: [
    'whether an external store decides the transactions: each is prepared first, and none times out (the brokers allow it)',
    'KIP-939',
    'KafkaProducer.prepareTransaction',
    'transaction.two.phase.commit.enable',
  ],
  fenceWindow: [
    'whether a request may come between the preparation of an abort by the coordinator (for a new session, or after a timeout) and the abort',
    'TransactionCoordinator.endTransaction',
  ],
  liveness: [
    'whether what must happen at last is judged as well, which keeps every step of the search in memory',
    'L. Lamport, Proving the Correctness of Multiprocess Programs',
  ],
  faults: [
    'faults in one behaviour, of all kinds together',
    'D. Jackson, Software Abstractions: small scopes',
  ],
  crashes: [
    'instances that crash: all client state is lost, requests on the wire may still arrive',
    'KIP-98',
    'Selector',
  ],
  restarts: ['starts of an instance beyond its first', 'KIP-98', 'KafkaProducer.initTransactions'],
  pauses: [
    'instances that stop for any time and go on as if nothing had happened (zombies)',
    'KIP-98',
    'KIP-447',
  ],
  callTimeouts: [
    'calls of initTransactions, commitTransaction or abortTransaction that time out, whereupon the producer is closed (for commits see onCommitTimeout)',
    'max.block.ms',
    'TransactionManager.handleCachedTransactionRequestResult',
  ],
  deliveryTimeouts: [
    'batches given up by the client although their request is on the wire',
    'delivery.timeout.ms',
    'Sender',
  ],
  applicationAborts: ['transactions that the application aborts of its own accord', 'KafkaProducer'],
  lostRequests: ['requests lost with their connection; the client sends them again', 'NetworkClient'],
  lostReplies: ['replies lost with their connection; the client sends the request again', 'NetworkClient'],
  lateRequests: [
    'connections that are closed although what was sent on them is executed, in order, at any later time',
    'Selector',
  ],
  lateMarkers: [
    'markers that outlive their connection and are written a second time, at any later time',
    'TransactionMarkerChannelManager',
  ],
  failedMarkers: [
    'markers that a leader answers with an error, written or not, although it leads',
    'KafkaApis.handleWriteTxnMarkersRequest',
    'KAFKA-9749',
  ],
  coordinatorFailovers: ['moves of a transaction coordinator', 'TransactionCoordinator.onElection'],
  staleCoordinators: [
    'former coordinators that go on answering from memory until they learn that they were replaced',
    'TransactionStateManager.getAndMaybeAddTransactionState',
  ],
  failedAppends: [
    'appends to the transaction log that are reported as failed, whether the record was written or not',
    'TransactionStateManager.appendTransactionToLog',
  ],
  transactionTimeouts: [
    'transactions aborted by timeout',
    'transaction.timeout.ms',
    'TransactionCoordinator.abortTimedOutTransactions',
  ],
  idExpirations: [
    'transactional.ids that expire',
    'transactional.id.expiration.ms',
    'TransactionStateManager.removeExpiredTransactionalIds',
  ],
  refusedBatches: [
    'batches refused with NOT_ENOUGH_REPLICAS when they were about to be appended',
    'Partition.appendRecordsToLeader',
  ],
  leaderChanges: [
    'clean elections of another partition leader; records not yet replicated are lost or kept',
    'Partition.makeLeader',
  ],
  snapshotReloads: [
    'new leaders that have read their producer state from a snapshot, which keeps one batch per producer',
    'ProducerStateManager.truncateAndReload',
  ],
  uncleanElections: ['elections of a leader that lacks replicated records', 'unclean.leader.election.enable'],
  producerExpirations: [
    'producers without an open transaction that a partition forgets',
    'producer.id.expiration.ms',
    'ProducerStateManager.removeExpiredProducers',
  ],
  deletedRecords: [
    'deletions of all stable records of a partition (retention)',
    'UnifiedLog.maybeIncrementLogStartOffset',
  ],
  adminAborts: [
    'open transactions of a partition that an administrator aborts there',
    'AbortTransactionHandler',
    'KIP-664',
  ],
  rebalances: [
    'changes of the group while its members live: another takes the input partition over or joins without getting it, a session times out, a former owner takes it back',
    'KIP-447',
    'ClassicGroup',
    'KIP-848',
  ],
  autoCommits: [
    'offsets that the consumer commits by itself in the middle of a transaction, outside of it',
    'enable.auto.commit',
    'ConsumerCoordinator.maybeAutoCommitOffsetsAsync',
  ],
  missingPermissions: [
    'requests whose sender is not, or no longer, allowed to use its transactional.id or to write to a topic; the next one may be allowed again',
    'KafkaApis',
    'TransactionalIdAuthorizationException',
    'TopicAuthorizationException',
  ],
}

const initial = v.parse(configSchema, {})

/** The flags of the version as parameters of their own: `--set flags.NAME=VALUE`. */
const flagParameters: readonly ParameterInfo[] = flags.map(({ name, ...about }) => ({
  name: `flags.${name}`,
  default: 'as in the preset',
  ...about,
}))

const ownParameters: readonly ParameterInfo[] = Object.entries(described).map(
  ([name, [summary, ...sources]]) => {
    const value = initial[name as keyof KafkaConfig]
    const schema = schemaOf(configSchema, name)
    const allowed = schema === undefined ? undefined : allowedBy(schema)
    return {
      name,
      default: typeof value === 'object' || name === 'client' ? 'none' : (value ?? false),
      summary,
      sources,
      ...(allowed === undefined ? {} : { allowed }),
    }
  },
)

export const parameters: readonly ParameterInfo[] = ownParameters.flatMap((parameter) =>
  parameter.name === 'flags' ? [parameter, ...flagParameters] : [parameter],
)
