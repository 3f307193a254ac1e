/** Versions of the protocol as vectors of flags. */
import type { PresetInfo } from './catalogue.ts'

export interface Flags {
  /**
   * transaction.version. 1: the client adds partitions, consecutive transactions share an epoch (KIP-98). 2: the
   * partition leader adds them, every end raises the epoch (KIP-890 part 2).
   */
  readonly transactionVersion: 1 | 2
  /**
   * When a batch needs no verification: 'epochBlind' if a transaction of the producer is open, whatever its epoch;
   * 'epochAware' only if it is open at the batch's epoch (UnifiedLog.maybeStartTransactionVerification).
   */
  readonly openTransactionTest: 'epochBlind' | 'epochAware'
  /** A stale epoch is refused before the guard is compared (KAFKA-19690), and before verification (KAFKA-18042). */
  readonly earlyEpochCheck: boolean
  /** A guard of the next transaction is kept when the marker of the last one arrives (KAFKA-18654). */
  readonly guardSurvivesMarker: boolean
  /** 'ge': marker epoch >= entry epoch. 'strict': greater, but for an idempotent retry (KIP-1228, KAFKA-19999). */
  readonly markerCheck: 'ge' | 'strict'
  /** CONCURRENT_TRANSACTIONS is answered before identity is checked (KAFKA-18464, KAFKA-18660). */
  readonly pendingCheckFirst: boolean
  /** The Java client raises its epoch after an abortable error, unless it is already completing (KIP-360). */
  readonly clientEpochBump: boolean
  /** An empty producer entry accepts only sequence 0 (ProducerAppendInfo.checkSequence, KAFKA-18654). */
  readonly sequenceZeroRule: boolean
  /** What an EndTxn(commit) gets after the abort of its timed-out transaction (KAFKA-20785). */
  readonly lateCommitReply: 'INVALID_TXN_STATE' | 'PRODUCER_FENCED'
}

export const presetFlags = {
  'kafka-3.9': {
    transactionVersion: 1,
    openTransactionTest: 'epochBlind',
    earlyEpochCheck: false,
    guardSurvivesMarker: false,
    markerCheck: 'ge',
    pendingCheckFirst: false,
    clientEpochBump: true,
    sequenceZeroRule: false,
    lateCommitReply: 'PRODUCER_FENCED',
  },
  'kafka-4.4': {
    transactionVersion: 2,
    openTransactionTest: 'epochAware',
    earlyEpochCheck: true,
    guardSurvivesMarker: true,
    markerCheck: 'strict',
    pendingCheckFirst: true,
    clientEpochBump: false,
    sequenceZeroRule: true,
    lateCommitReply: 'INVALID_TXN_STATE',
  },
} as const satisfies Record<string, Flags>

export type PresetName = keyof typeof presetFlags

export const presetNames = Object.keys(presetFlags) as PresetName[]

export const presets: readonly PresetInfo[] = [
  {
    name: 'kafka-3.9',
    summary: 'transaction.version 1 with verification of partitions (KIP-890 part 1)',
    sources: ['KIP-98', 'KIP-360', 'KIP-447', 'KIP-890'],
  },
  {
    name: 'kafka-4.4',
    summary: 'transaction.version 2: the epoch rises with every transaction, leaders add the partitions',
    sources: ['KIP-890', 'KIP-1228', 'KAFKA-19367', 'KAFKA-19690'],
  },
]
