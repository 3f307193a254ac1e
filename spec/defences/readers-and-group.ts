/** Defences of readers, of the consumer group and of the application. */

import type { KafkaConfig } from '../config.ts'
import { atomic, visible } from '../guarantees.ts'
import { flagsOf } from '../protocol/protocol.ts'
import type { Rule } from './rule.ts'

const groupFences = (config: KafkaConfig) => flagsOf(config).groupFencing

export const readerRules = {
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
    appliesTo: (config) => flagsOf(config).requireStable,
    exercisedBy: { scenario: 'own-ids-rebalance', preset: 'kafka-4.4', property: 'a fetched offset stands' },
  },
  'generation check': {
    summary: 'An owner that has lost its partition to another commits no offset any more.',
    sources: ['ClassicGroup.validateOffsetCommit', 'KIP-447'],
    appliesTo: groupFences,
    exercisedBy: {
      scenario: 'own-ids-rebalance',
      preset: 'kafka-4.4',
      property: 'no earlier owner replaces an offset of a later one',
    },
  },
  'member check': {
    summary: 'An owner that the group has removed commits no offset any more.',
    sources: ['ClassicGroup.validateOffsetCommit', 'KIP-447'],
    appliesTo: groupFences,
    exercisedBy: {
      scenario: 'own-ids-zombie',
      preset: 'kafka-4.4',
      property: 'no earlier owner replaces an offset of a later one',
      together: ['generation check'],
    },
  },
  'offsets wait for the marker': {
    summary:
      'An offset that is committed in a transaction counts only when the marker of that transaction is there.',
    sources: ['OffsetMetadataManager.replay', 'KIP-98'],
    exercisedBy: { scenario: 'application-abort', preset: 'kafka-4.4', property: atomic },
  },
  'aborted offsets are dropped': {
    summary: 'The offsets of an aborted transaction never count.',
    sources: ['OffsetMetadataManager.replayEndTransactionMarker', 'KIP-98'],
    exercisedBy: { scenario: 'application-abort', preset: 'kafka-4.4', property: atomic },
  },
  'later offset record stands': {
    summary:
      'Of two commits of an offset that of the later record counts, even if its transaction ends later.',
    sources: ['OffsetMetadataManager.replayEndTransactionMarker'],
    exercisedBy: {
      scenario: 'auto-commit',
      preset: 'kafka-4.4',
      property: 'the committed offset never goes back',
    },
  },
  'offsets from the log': {
    summary: 'A new leader of the partition of the group reads committed and pending offsets from its log.',
    sources: ['CoordinatorLoaderImpl', 'OffsetMetadataManager.replay'],
    exercisedBy: { scenario: 'leader-change', preset: 'kafka-4.4', property: atomic },
  },
  'batches answered before the end': {
    summary: 'The client sends EndTxn only when every batch of the transaction is answered.',
    sources: ['TransactionManager.nextRequest', 'RecordAccumulator.flushInProgress'],
    exercisedBy: { scenario: 'no-faults', preset: 'kafka-4.4', property: atomic },
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
