/** Defences of a partition leader against transactions that the coordinator does not know, and against markers that come late. */
import { hanging, verifiedStart, visible } from '../guarantees.ts'
import { flagsOf } from '../protocol/protocol.ts'
import { asks, type Rule, verifies } from './rule.ts'

export const verificationRules = {
  'partition verification': {
    summary: 'A partition asks the coordinator whether it takes part before it begins a transaction.',
    sources: ['KIP-890', 'AddPartitionsToTxnManager', 'KAFKA-14402'],
    appliesTo: verifies,
    exercisedBy: { scenario: 'given-up-batch', preset: 'kafka-3.9', property: verifiedStart },
  },
  'verification guard': {
    summary: 'A batch whose verification is older than a marker or another append is refused.',
    sources: ['VerificationStateEntry', 'UnifiedLog.analyzeAndValidateProducerState', 'KAFKA-14884'],
    appliesTo: asks,
    exercisedBy: { scenario: 'given-up-batch', preset: 'kafka-3.9', property: verifiedStart },
  },
  'open transaction counts only at its own epoch': {
    summary:
      'A batch of a later epoch is verified although a transaction of its producer is open in the partition: that one is an earlier one, whose marker is still to come.',
    sources: ['UnifiedLog.hasOngoingTransaction', 'KAFKA-18575'],
    appliesTo: (config) => flagsOf(config).verification !== 'epochBlind',
    exercisedBy: { scenario: 'no-faults', preset: 'kafka-4.1', property: visible },
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
  'marker acknowledged after replication': {
    summary:
      'The coordinator hears of a marker only when the high watermark covers it, so that no election reopens a transaction that counts as complete.',
    sources: ['KafkaApis.handleWriteTxnMarkersRequest', 'KIP-98'],
    exercisedBy: { scenario: 'leader-change', preset: 'kafka-4.4', property: hanging },
  },
} as const satisfies Record<string, Rule>
