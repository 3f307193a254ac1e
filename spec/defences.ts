/**
 * Every protective rule by name: what it is for, where it stands in Kafka, and where its removal shows.
 *
 * Kafka defends in depth: a rule whose removal alone breaks nothing names the rules that cover it
 * (`exercisedBy.together`), and they fall together.
 */
import type { Defence, Exercise } from './catalogue.ts'
import type { KafkaConfig } from './config.ts'
import { flagsOf } from './protocol/protocol.ts'

const versionOne = (config: KafkaConfig) => flagsOf(config).clientVersion === 1
const versionTwo = (config: KafkaConfig) => flagsOf(config).clientVersion === 2
const asks = (config: KafkaConfig) => versionTwo(config) || flagsOf(config).verification !== 'off'
const groupFences = (config: KafkaConfig) => flagsOf(config).groupFencing
const requiresStable = (config: KafkaConfig) => flagsOf(config).requireStable
const verifies = (config: KafkaConfig) => versionOne(config) && asks(config)
const clientRaises = (config: KafkaConfig) => flagsOf(config).clientEpochBump

const visible = 'aborted and open records stay invisible'
const atomic = 'output and offset are atomic'
const fencedWrites = 'fenced sessions write nothing visible'
const fencedEnds = 'fenced sessions end no transaction'
const markers = 'markers follow the decision'
const order = 'batches are in order, none twice'
const hanging = 'open transactions are known to the coordinator'

interface Rule {
  readonly summary: string
  readonly sources: readonly string[]
  readonly appliesTo?: (config: KafkaConfig) => boolean
  readonly exercisedBy: Exercise
}

const rules = {
  'partition epoch check': {
    summary: 'A partition refuses batches of an older epoch than it has seen.',
    sources: ['ProducerAppendInfo.checkProducerEpoch', 'KIP-98', 'KAFKA-18042'],
    exercisedBy: { scenario: 'zombie', preset: 'kafka-3.9', property: fencedWrites },
  },
  'coordinator epoch check': {
    summary: 'The transaction coordinator refuses requests whose epoch is not the current one.',
    sources: [
      'TransactionCoordinator.handleAddPartitionsToTransaction',
      'TransactionCoordinator.endTransaction',
      'KIP-98',
    ],
    exercisedBy: { scenario: 'zombie', preset: 'kafka-4.4', property: fencedEnds },
  },
  'sequence check': {
    summary:
      'A partition appends a batch only if its sequence follows the last one: a later batch does not overtake a refused one.',
    sources: ['ProducerAppendInfo.checkSequence', 'KIP-98', 'KAFKA-5494'],
    exercisedBy: { scenario: 'pipelined-batches', preset: 'kafka-4.4', property: order },
  },
  'duplicate check': {
    summary: 'A batch that is already in the log is answered with its old offset and not appended again.',
    sources: ['ProducerStateEntry.findDuplicateBatch', 'KIP-98'],
    exercisedBy: {
      scenario: 'lost-reply',
      preset: 'kafka-4.4',
      property: order,
      together: ['sequence check'],
    },
  },
  'partition verification': {
    summary: 'A partition asks the coordinator whether it takes part before it begins a transaction.',
    sources: ['KIP-890', 'AddPartitionsToTxnManager', 'KAFKA-14402'],
    appliesTo: verifies,
    exercisedBy: { scenario: 'given-up-batch', preset: 'kafka-3.9', property: hanging },
  },
  'verification guard': {
    summary: 'A batch whose verification is older than a marker or another append is refused.',
    sources: ['VerificationStateEntry', 'UnifiedLog.analyzeAndValidateProducerState', 'KAFKA-14884'],
    appliesTo: asks,
    exercisedBy: { scenario: 'given-up-batch', preset: 'kafka-3.9', property: hanging },
  },
  'abort of the old transaction': {
    summary: 'A new session begins only after the open transaction of the last one is aborted.',
    sources: ['TransactionCoordinator.prepareInitProducerIdTransit', 'KIP-98'],
    exercisedBy: { scenario: 'crash-and-restart', preset: 'kafka-4.4', property: hanging },
  },
  'epoch bump at initialisation': {
    summary: 'Every session gets an epoch of its own, so that earlier ones can be told apart.',
    sources: ['TransactionMetadata.prepareIncrementProducerEpoch', 'KIP-98'],
    exercisedBy: { scenario: 'zombie', preset: 'kafka-4.4', property: fencedWrites },
  },
  'epoch bump at fencing abort': {
    summary:
      'The abort on behalf of a new session raises the epoch, so that the old session cannot go on before the new one has its own.',
    sources: ['TransactionMetadata.prepareFenceProducerEpoch', 'KAFKA-5231'],
    exercisedBy: { scenario: 'zombie', preset: 'kafka-4.4', property: atomic },
  },
  'epoch bump at timeout': {
    summary:
      'The abort after a timeout raises the epoch, so that the slow session cannot go on in the aborted transaction.',
    sources: ['TransactionCoordinator.abortTimedOutTransactions', 'KIP-588', 'KAFKA-19367'],
    exercisedBy: { scenario: 'transaction-timeout', preset: 'kafka-4.4', property: atomic },
  },
  'epoch bump at every end': {
    summary:
      'Every end of a transaction raises the epoch: a late request of one transaction cannot reach the next.',
    sources: ['KIP-890', 'TransactionMetadata.prepareAbortOrCommit'],
    appliesTo: versionTwo,
    exercisedBy: { scenario: 'late-request', preset: 'kafka-4.4', property: atomic },
  },
  'epoch bump after an error': {
    summary:
      'A client raises its epoch after it gave up a batch: the late batch cannot join its next transaction.',
    sources: ['KIP-360', 'TransactionManager.epochBumpRequired'],
    appliesTo: clientRaises,
    exercisedBy: { scenario: 'given-up-batch-flushed', preset: 'kafka-3.9', property: visible },
  },
  'durable decision': {
    summary: 'A decision is answered and carried out only when its record is below the high watermark.',
    sources: ['TransactionStateManager.appendTransactionToLog', 'KIP-98'],
    exercisedBy: { scenario: 'coordinator-failover', preset: 'kafka-4.4', property: markers },
  },
  'markers before complete': {
    summary: 'The next transaction may begin only when every participant has the marker of the last one.',
    sources: ['TransactionMarkerChannelManager.writeTxnCompletion', 'KIP-98'],
    exercisedBy: { scenario: 'no-faults', preset: 'kafka-4.4', property: visible },
  },
  'marker epoch check': {
    summary: 'A late marker of an earlier transaction does not end a later one.',
    sources: ['ProducerAppendInfo.checkProducerEpoch', 'KIP-1228', 'KAFKA-19446', 'KAFKA-19999'],
    exercisedBy: { scenario: 'late-marker', preset: 'kafka-4.4', property: visible },
  },
  'marker coordinator epoch check': {
    summary: 'A late marker of an earlier coordinator does not end a transaction of its successor.',
    sources: ['ProducerAppendInfo.checkCoordinatorEpoch', 'KIP-98'],
    exercisedBy: { scenario: 'coordinator-failover', preset: 'kafka-3.9', property: visible },
  },
  'last stable offset': {
    summary: 'A read_committed reader gets nothing from the first undecided record on.',
    sources: ['UnifiedLog.lastStableOffset', 'KIP-98'],
    exercisedBy: { scenario: 'no-faults', preset: 'kafka-4.4', property: visible },
  },
  'aborted records filter': {
    summary: 'A read_committed reader skips the records of aborted transactions.',
    sources: ['CompletedFetch.nextFetchedRecord', 'TransactionIndex.collectAbortedTxns', 'KIP-98'],
    exercisedBy: { scenario: 'application-abort', preset: 'kafka-4.4', property: visible },
  },
  'require stable offsets': {
    summary: 'A new owner does not read a committed offset that an open transaction may still change.',
    sources: ['OffsetFetchRequest requireStable', 'KIP-447'],
    appliesTo: requiresStable,
    exercisedBy: { scenario: 'fetch-before-init', preset: 'kafka-4.4', property: atomic },
  },
  'generation check': {
    summary: 'An owner that has lost its partition to another commits no offset any more.',
    sources: ['ClassicGroup.validateOffsetCommit', 'KIP-447'],
    appliesTo: groupFences,
    exercisedBy: { scenario: 'fetch-before-init', preset: 'kafka-4.4', property: atomic },
  },
  'offsets inside the transaction': {
    summary: 'The application commits the offset of an input in the transaction of its output.',
    sources: ['KafkaProducer.sendOffsetsToTransaction', 'KIP-98'],
    exercisedBy: { scenario: 'crash-and-restart', preset: 'kafka-4.4', property: atomic },
  },
  'rewind after abort': {
    summary: 'The application goes back to the committed offset after an abort.',
    sources: ['Kafka documentation, Design: Using Transactions', 'KafkaConsumer.seek'],
    exercisedBy: { scenario: 'application-abort', preset: 'kafka-4.4', property: atomic },
  },
} as const satisfies Record<string, Rule>

export type DefenceName = keyof typeof rules

export const defences: readonly Defence<KafkaConfig>[] = Object.entries(rules).map(([name, rule]) => ({
  name,
  ...(rule as Rule),
}))
