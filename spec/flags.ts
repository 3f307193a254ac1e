/**
 * Where versions of the protocol differ: what each flag means and who says so. Which version has which value stands in
 * presets.ts; a configuration may put another value in its place (`flags`).
 */
import { allowedBy, schemaOf } from './allowed.ts'
import type { FlagInfo } from './catalogue.ts'
import { configSchema } from './config.ts'
import type { Flags } from './presets.ts'

type Described = readonly [summary: string, source: string, ...sources: string[]]

const described: Record<keyof Flags, Described> = {
  clientVersion: [
    'transaction.version of the clients. 1: they add partitions, transactions share an epoch; 2: leaders add partitions, every end raises the epoch',
    'KIP-98',
    'KIP-890',
    'TransactionManager.maybeUpdateTransactionV2Enabled',
  ],
  serverVersion: [
    'transaction.version of the cluster: how the coordinator aborts by itself',
    'KIP-890',
    'TransactionStateManager.transactionVersionLevel',
  ],
  verification: [
    "when a leader asks the coordinator before a transaction begins in its partition. 'off': never; 'epochBlind': unless the producer has one open there; 'epochAware': unless it has one open at the batch's epoch, and an older batch is refused at once",
    'KIP-890',
    'UnifiedLog.maybeStartTransactionVerification',
    'KAFKA-18042',
  ],
  verifyOffsets: ['transactional offset commits are verified too', 'KIP-890', 'KAFKA-14402'],
  earlyEpochCheck: ['at the append a stale epoch is refused before the guard is compared', 'KAFKA-19690'],
  guardSurvivesMarker: [
    'the guard of the next transaction is kept when the marker of the last one arrives',
    'UnifiedLog.updateProducers',
    'KAFKA-18654',
  ],
  markerCheck: [
    "epoch that a marker must have. 'ge': at least the partition's; 'strict': greater, unless nothing is open",
    'ProducerAppendInfo.checkProducerEpoch',
    'KIP-1228',
    'KAFKA-19446',
    'KAFKA-19999',
  ],
  fenceBump: [
    "how an abort by the coordinator raises the epoch. 'early': by one, in memory before the write; 'double': so, and by one more in the record; 'single': by one, with the write",
    'TransactionMetadata.prepareFenceProducerEpoch',
    'KAFKA-19367',
  ],
  pendingCheckFirst: [
    'CONCURRENT_TRANSACTIONS is answered before the identity is checked',
    'KAFKA-18464',
    'KAFKA-18660',
  ],
  durableProducerIds: [
    'the previous and the next producer id are in the transaction log',
    'TransactionLogValue',
    'KAFKA-20310',
  ],
  durableLastEpoch: [
    'the epoch before the last one is in the transaction log: a repeated InitProducerId is known after a failover',
    'KAFKA-20357',
  ],
  loadsUpTo: ['how far a new coordinator reads its log', 'TransactionStateManager.loadTransactionMetadata'],
  clientEpochBump: [
    'the Java client raises its epoch after an abortable error, unless it is already completing',
    'KIP-360',
    'TransactionManager.epochBumpRequired',
  ],
  mappingIsFatal: ['INVALID_PRODUCER_ID_MAPPING is fatal to a producer, else abortable', 'KAFKA-18019'],
  groupFencing: [
    'an offset commit names the generation of its owner, and an old one is refused',
    'KIP-447',
    'ClassicGroup.validateOffsetCommit',
  ],
  memberEpochCheck: [
    "what a consumer group asks of the member epoch in a transactional offset commit. 'exact': the current one; 'since assignment': one since the partition was assigned; 'none': there are no such groups",
    'ConsumerGroup.validateOffsetCommit',
    'KIP-848',
    'KIP-1251',
  ],
  requireStable: [
    'a new owner asks for offsets that no open transaction can change',
    'KIP-447',
    'OffsetFetchRequest',
  ],
  staleEpochError: [
    'what a partition answers to an old epoch; PRODUCER_FENCED is fatal, INVALID_PRODUCER_EPOCH abortable',
    'KIP-588',
    'ProducerAppendInfo.checkProducerEpoch',
  ],
  stateDiesWithRecords: [
    'a partition forgets a producer when the last of its records is deleted',
    'KIP-360',
    'ProducerStateManager.truncateHead',
  ],
  knowsAbortable: [
    'clients know TRANSACTION_ABORTABLE; others get INVALID_TXN_STATE in its place',
    'KIP-890',
    'AddPartitionsToTxnManager',
  ],
  sequenceZeroRule: [
    'while a verification is under way, an entry without batches accepts only sequence 0',
    'ProducerAppendInfo.checkSequence',
    'KAFKA-18654',
  ],
  lateCommitReply: [
    'what EndTxn(commit) gets after the transaction was aborted by timeout',
    'TransactionCoordinator.endTransaction',
    'KAFKA-20785',
  ],
}

const schemas = schemaOf(configSchema, 'flags')

export const flags: readonly FlagInfo[] = Object.entries(described).map(([name, [summary, ...sources]]) => {
  const schema = schemas === undefined ? undefined : schemaOf(schemas, name)
  const allowed = schema === undefined ? undefined : allowedBy(schema)
  return { name, summary, sources, ...(allowed === undefined ? {} : { allowed }) }
})
