/** Versions of the protocol as vectors of flags. */
import type { PresetInfo } from './catalogue.ts'

export interface Flags {
  /**
   * transaction.version as the clients know it: it decides which requests they send. 1: the client adds partitions,
   * consecutive transactions share an epoch (KIP-98). 2: the partition leader adds them, every end raises the epoch
   * (KIP-890 part 2). With 2 at the brokers and 1 at the clients the clients are old.
   */
  readonly clientVersion: 1 | 2
  /** transaction.version of the cluster: it decides how the coordinator itself aborts (transactionVersionLevel). */
  readonly serverVersion: 1 | 2
  /**
   * Whether a leader asks the coordinator before a transaction begins in its partition. 'epochBlind': not if a
   * transaction of the producer is open, whatever its epoch. 'epochAware': not if one is open at the batch's epoch, and
   * older batches are refused at once (UnifiedLog.maybeStartTransactionVerification, KAFKA-18042). 'off': it never asks.
   */
  readonly verification: 'off' | 'epochBlind' | 'epochAware'
  /** Transactional offset commits are verified too (KAFKA-14402 for the group's partition). */
  readonly verifyOffsets: boolean
  /** At the append a stale epoch is refused before the guard is compared (KAFKA-19690). */
  readonly earlyEpochCheck: boolean
  /** A guard of the next transaction is kept when the marker of the last one arrives (KAFKA-18654). */
  readonly guardSurvivesMarker: boolean
  /** 'ge': marker epoch >= entry epoch. 'strict': greater, but for an idempotent retry (KIP-1228, KAFKA-19999). */
  readonly markerCheck: 'ge' | 'strict'
  /**
   * How far the abort on behalf of a new session or after a timeout raises the epoch: 'early' by one, in memory before
   * the write; 'double' so and by one more in the record; 'single' by one, with the write (KAFKA-19367).
   */
  readonly fenceBump: 'early' | 'double' | 'single'
  /** CONCURRENT_TRANSACTIONS is answered before identity is checked (KAFKA-18464, KAFKA-18660). */
  readonly pendingCheckFirst: boolean
  /** Previous and next producer id are durable (KAFKA-20310). */
  readonly durableProducerIds: boolean
  /** The epoch before the last one is durable: a repeated InitProducerId is known after a failover (KAFKA-20357). */
  readonly durableLastEpoch: boolean
  /** How far a new coordinator reads its log (TransactionStateManager.loadTransactionMetadata). */
  readonly loadsUpTo: 'log end' | 'high watermark'
  /** The Java client raises its epoch after an abortable error, unless it is already completing (KIP-360). */
  readonly clientEpochBump: boolean
  /** INVALID_PRODUCER_ID_MAPPING is fatal to a producer, else abortable (KAFKA-18019). */
  readonly mappingIsFatal: boolean
  /** An offset commit names the generation of its owner, and an old one is refused (KIP-447). */
  readonly groupFencing: boolean
  /**
   * How a consumer group (KIP-848) validates a transactional offset commit. 'exact': the member's epoch must be the current
   * one, and without a name nobody commits to a group that has members; 'since assignment': an older epoch will do if
   * the partition has been the member's since then, and so will no name (KIP-1251); 'none': no such groups yet.
   */
  readonly memberEpochCheck: 'none' | 'exact' | 'since assignment'
  /** A new owner asks for offsets that no open transaction can change (KIP-447). */
  readonly requireStable: boolean
  /** What a partition answers to an old epoch: PRODUCER_FENCED, which is fatal, until KIP-588. */
  readonly staleEpochError: 'PRODUCER_FENCED' | 'INVALID_PRODUCER_EPOCH'
  /** A partition forgets a producer when the last of its records is deleted (KIP-360 ended that). */
  readonly stateDiesWithRecords: boolean
  /**
   * Clients know TRANSACTION_ABORTABLE (Produce version 11, KIP-890); others get INVALID_TXN_STATE from a leader whose
   * partition is not in the transaction.
   */
  readonly knowsAbortable: boolean
  /** An empty producer entry accepts only sequence 0 (ProducerAppendInfo.checkSequence, KAFKA-18654). */
  readonly sequenceZeroRule: boolean
  /** What an EndTxn(commit) gets after the abort of its timed-out transaction (KAFKA-20785). */
  readonly lateCommitReply: 'INVALID_TXN_STATE' | 'PRODUCER_FENCED'
}

const kafka11: Flags = {
  clientVersion: 1,
  serverVersion: 1,
  verification: 'off',
  verifyOffsets: false,
  earlyEpochCheck: false,
  guardSurvivesMarker: false,
  markerCheck: 'ge',
  fenceBump: 'early',
  pendingCheckFirst: false,
  durableProducerIds: false,
  durableLastEpoch: false,
  loadsUpTo: 'log end',
  clientEpochBump: false,
  mappingIsFatal: false,
  groupFencing: false,
  memberEpochCheck: 'none',
  requireStable: false,
  staleEpochError: 'PRODUCER_FENCED',
  stateDiesWithRecords: true,
  knowsAbortable: false,
  sequenceZeroRule: false,
  lateCommitReply: 'PRODUCER_FENCED',
}
const kafka25: Flags = {
  ...kafka11,
  clientEpochBump: true,
  groupFencing: true,
  requireStable: true,
  stateDiesWithRecords: false,
}
const kafka36: Flags = { ...kafka25, verification: 'epochBlind', staleEpochError: 'INVALID_PRODUCER_EPOCH' }
const kafka39: Flags = { ...kafka36, verifyOffsets: true, knowsAbortable: true, memberEpochCheck: 'exact' }
const kafka44OnVersionOne: Flags = {
  ...kafka39,
  verification: 'epochAware',
  earlyEpochCheck: true,
  pendingCheckFirst: true,
  durableProducerIds: true,
  mappingIsFatal: true,
  memberEpochCheck: 'since assignment',
}
const kafka41: Flags = {
  ...kafka39,
  clientVersion: 2,
  serverVersion: 2,
  verification: 'epochAware',
  guardSurvivesMarker: true,
  fenceBump: 'double',
  pendingCheckFirst: true,
  clientEpochBump: false,
  mappingIsFatal: true,
  sequenceZeroRule: true,
}
const kafka44: Flags = {
  ...kafka41,
  earlyEpochCheck: true,
  markerCheck: 'strict',
  fenceBump: 'single',
  durableProducerIds: true,
  memberEpochCheck: 'since assignment',
  lateCommitReply: 'INVALID_TXN_STATE',
}

export const presetFlags = {
  'kafka-1.1': kafka11,
  'kafka-2.5': kafka25,
  'kafka-3.6': kafka36,
  'kafka-3.9': kafka39,
  'kafka-4.1': kafka41,
  'kafka-4.4': kafka44,
  'kafka-4.4-tv1': kafka44OnVersionOne,
} as const satisfies Record<string, Flags>

export type PresetName = keyof typeof presetFlags

export const presetNames = Object.keys(presetFlags) as PresetName[]

const described: Record<PresetName, Omit<PresetInfo, 'name' | 'flags'>> = {
  'kafka-1.1': {
    summary:
      'the first design: no verification, no fencing by the group, producer state dies with its records',
    sources: ['KIP-98'],
  },
  'kafka-2.5': {
    summary: 'clients raise their epoch after errors, the group fences old owners, offsets are stable',
    sources: ['KIP-360', 'KIP-447'],
  },
  'kafka-3.6': {
    summary:
      'partitions verify with the coordinator before a transaction begins in them; offset commits do not',
    sources: ['KIP-890', 'KIP-588'],
  },
  'kafka-3.9': {
    summary: 'transaction.version 1 with verification of partitions and offset commits (KIP-890 part 1)',
    sources: ['KIP-98', 'KIP-360', 'KIP-447', 'KIP-890'],
  },
  'kafka-4.1': {
    summary: 'transaction.version 2 as first released: an abort by the coordinator raises the epoch twice',
    sources: ['KIP-890', 'KAFKA-18654', 'KAFKA-18660'],
  },
  'kafka-4.4': {
    summary: 'transaction.version 2: the epoch rises with every transaction, leaders add the partitions',
    sources: ['KIP-890', 'KIP-1228', 'KAFKA-19367', 'KAFKA-19690'],
  },
  'kafka-4.4-tv1': {
    summary: 'brokers and clients of 4.4 on transaction.version 1',
    sources: ['KIP-890', 'KAFKA-19690', 'KAFKA-20310'],
  },
}

export const presets: readonly PresetInfo[] = presetNames.map((name) => ({
  name,
  ...described[name],
  flags: { ...presetFlags[name] },
}))
