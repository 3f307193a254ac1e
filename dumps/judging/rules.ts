/** What can be wrong with what is dumped: how bad it is, why the protocol forbids it, and where that is read. */

/**
 * - critical: a guarantee is broken for somebody who reads
 * - error: no broker that keeps to the protocol writes this
 * - warning: the protocol allows it, and somebody should look
 */
export type Severity = 'critical' | 'error' | 'warning'

export interface Rule {
  readonly severity: Severity
  readonly because: string
  readonly sources: readonly string[]
}

export const rules = {
  'duplicate batch': {
    severity: 'critical',
    because:
      'a leader knows the last 5 batches of each producer, and answers a copy of one of them without appending it',
    sources: [
      'ProducerStateEntry.findDuplicateBatch',
      'UnifiedLog.analyzeAndValidateProducerState',
      'KIP-98',
    ],
  },
  'repeated sequence': {
    severity: 'critical',
    because: 'within an epoch a batch is appended only if its sequence is the next one',
    sources: ['ProducerAppendInfo.checkSequence', 'KIP-98'],
  },
  'sequence gap': {
    severity: 'critical',
    because:
      'a batch is appended only if its sequence follows the last one, or is 0 in a new epoch: what is missing between was never written, or is lost',
    sources: ['ProducerAppendInfo.checkSequence', 'KIP-98'],
  },
  'first sequence is not 0': {
    severity: 'warning',
    because:
      'a producer numbers the batches of a partition from 0; a leader that does not know the producer accepts any sequence, so that what came before can be lost without an error',
    sources: ['ProducerAppendInfo.checkSequence', 'KIP-360'],
  },
  'data of an older epoch': {
    severity: 'critical',
    because: 'once a partition has seen an epoch of a producer it refuses all that has an older one',
    sources: ['ProducerAppendInfo.checkProducerEpoch', 'KIP-98'],
  },
  'data after its own abort marker': {
    severity: 'critical',
    because:
      'the transaction has ended: a batch of it that arrives later stays open, or becomes part of the next transaction',
    sources: ['ProducerAppendInfo.checkProducerEpoch', 'ReplicaManager.handleProduceAppend', 'KIP-890'],
  },
  'data outside the open transaction': {
    severity: 'error',
    because: 'a producer that has a transaction open in a partition cannot write outside of it',
    sources: ['ProducerAppendInfo.appendDataBatch'],
  },
  'transaction of two epochs': {
    severity: 'critical',
    because:
      'a new epoch begins when the transaction of the old one has ended everywhere; what was left open is decided together with the new transaction',
    sources: ['TransactionCoordinator.handleInitProducerId', 'ProducerAppendInfo.appendDataBatch', 'KIP-890'],
  },
  'commit of an older epoch': {
    severity: 'critical',
    because:
      'a transaction is committed at the epoch of its data, or at the next one with transaction.version 2',
    sources: ['TransactionCoordinator.endTransaction', 'TransactionMetadata.prepareAbortOrCommit', 'KIP-890'],
  },
  'marker of an older epoch': {
    severity: 'error',
    because: 'a partition refuses a marker of an epoch below the one that it has seen',
    sources: ['ProducerAppendInfo.checkProducerEpoch', 'ProducerAppendInfo.appendEndTxnMarker'],
  },
  'marker of an older coordinator': {
    severity: 'error',
    because:
      'a partition refuses a marker of a coordinator epoch below the one that it has seen for the producer',
    sources: ['ProducerAppendInfo.checkCoordinatorEpoch'],
  },
  'commit here, abort there': {
    severity: 'critical',
    because: 'a transaction is decided once, and its decision holds in all of its partitions',
    sources: [
      'TransactionCoordinator.endTransaction',
      'TransactionMarkerChannelManager.addTxnMarkersToSend',
      'KIP-98',
    ],
  },
  'marker against the decision': {
    severity: 'critical',
    because: 'markers carry what the coordinator has written down as its decision, and nothing else',
    sources: ['TransactionMarkerChannelManager.addTxnMarkersToSend', 'KIP-98'],
  },
  'marker that nobody decided': {
    severity: 'warning',
    because:
      'a marker follows a decision of the coordinator; without one it comes from an operator who aborts by hand (kafka-transactions.sh abort)',
    sources: ['TransactionsCommand.AbortTransactionCommand', 'KIP-664'],
  },
  'missing marker': {
    severity: 'critical',
    because: 'a coordinator completes a transaction only when every partition has acknowledged its marker',
    sources: ['TransactionMarkerRequestCompletionHandler', 'TransactionMetadata.prepareComplete'],
  },
  'hanging transaction': {
    severity: 'critical',
    because:
      'no marker will come, as the coordinator has nothing open for it: readers with read_committed wait here for ever',
    sources: ['UnifiedLog.lastStableOffset', 'KIP-664', 'KIP-890'],
  },
  'late transaction': {
    severity: 'warning',
    because:
      'it is open for longer than the largest timeout that brokers allow by default, and five minutes more',
    sources: ['ProducerStateManager.hasLateTransaction', 'KIP-664'],
  },
  'reported as hanging': {
    severity: 'warning',
    because:
      'kafka-transactions.sh has compared the partition with the coordinator, and found no transaction for it',
    sources: ['TransactionsCommand.FindHangingTransactionsCommand', 'KIP-664'],
  },
  'illegal transition': {
    severity: 'error',
    because: 'a coordinator goes from one state of a transaction only to the states that may follow it',
    sources: ['TransactionState.validPreviousStates', 'TransactionMetadata.completeTransitionTo'],
  },
  'decided and not completed': {
    severity: 'warning',
    because:
      'between the decision and its completion a transactional.id can do nothing, and readers wait for the markers',
    sources: ['TransactionMarkerChannelManager', 'KAFKA-19999'],
  },
  'offsets without output': {
    severity: 'critical',
    because:
      'a partition is part of a transaction because something was to be written there, and a commit waits for it',
    sources: ['KafkaProducer.commitTransaction', 'TransactionManager', 'KIP-98'],
  },
  'output without offsets': {
    severity: 'critical',
    because:
      'offsets are part of a transaction because they were to be committed with it: without them its input is processed again',
    sources: ['KafkaProducer.sendOffsetsToTransaction', 'KIP-98'],
  },
  'aborted transaction not in the index': {
    severity: 'critical',
    because: 'readers with read_committed skip what the transaction index lists, and would be given this',
    sources: ['ProducerStateManager.completeTxn', 'TransactionIndex.collectAbortedTxns'],
  },
  'index entry without an aborted transaction': {
    severity: 'critical',
    because: 'readers with read_committed skip what the transaction index lists',
    sources: ['ProducerStateManager.completeTxn', 'TransactionIndex.collectAbortedTxns'],
  },
  'snapshot against the log': {
    severity: 'error',
    because: 'what a partition knows of its producers follows from its log',
    sources: ['ProducerStateManager.takeSnapshot', 'UnifiedLog.rebuildProducerState'],
  },
  'offsets out of order': {
    severity: 'error',
    because: 'a leader numbers records in the order in which it appends them',
    sources: ['UnifiedLog.append', 'LogValidator.validateMessagesAndAssignOffsets'],
  },
  'leader epoch goes back': {
    severity: 'error',
    because: 'each leader has a larger epoch than the one before, and writes it into its batches',
    sources: ['LeaderEpochFileCache.assign', 'KIP-101'],
  },
  'batch against itself': {
    severity: 'error',
    because: 'a batch numbers its records one by one, by offset and by sequence',
    sources: ['DefaultRecordBatch.lastSequence', 'DefaultRecordBatch.lastOffset'],
  },
  'invalid batch': {
    severity: 'error',
    because: 'its checksum is that of other bytes',
    sources: ['DefaultRecordBatch.ensureValid'],
  },
} as const satisfies Record<string, Rule>

export type RuleName = keyof typeof rules

/** Why a question cannot be answered, as the dump does not say what it depends on. */
export const doubts = {
  'nothing to judge': 'there is no log and no record of a coordinator among what was read',
  'the log begins later': 'what a producer did before the first line is not known',
  'offsets are missing':
    'lines or segments are missing, or the topic is compacted: what stood there is not known',
  'lines were left out': 'the dump says itself that it is not whole',
  'no epochs':
    'the format prints no epochs of producers (Kafka 0.11, deep): whether a sequence begins again is not known',
  'no decisions': 'the format does not say whether a marker commits or aborts: dump with --deep-iteration',
  'no control batches': 'the format does not tell markers from offset commits: dump with --deep-iteration',
  'a heading is missing':
    'the offsets begin again at the beginning of a file: whose log that is does not stand there',
  'records without their batch': 'who has written them stands in a line that is not there',
  'damaged lines': 'what they said is not known',
  'records may be missing':
    'nothing that is printed says whether there is a record between these two: the console consumer prints no offsets, and a dump without --deep-iteration and --print-data-log no records',
  'the end is not known': 'bytes at the end of the file are no batch: it was being written, or is damaged',
  'the coordinator stops earlier': 'what the coordinator knows is older than the transaction',
  'the partition stops earlier':
    'the log of the partition ends before the coordinator had its answer: a marker may have come after it was dumped',
  'the coordinator is not dumped': 'whether a marker will come is known to the coordinator alone',
  'cannot be matched':
    'the decisions of the coordinator and the markers of the partition differ in number, and either may be incomplete',
  'too many to remember': 'more was to be remembered than memory is set aside for',
  'the producer may be forgotten':
    'the log has lost its beginning; a leader of an older version forgets a producer together with its records',
} as const satisfies Record<string, string>

export type DoubtName = keyof typeof doubts
