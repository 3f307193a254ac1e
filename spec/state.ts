/**
 * The state of the Kafka model: what each participant knows, what the logs hold and what the network carries.
 *
 * Fields under the heading "ghost" are bookkeeping of the model: no rule of the protocol reads them, only
 * properties do (`test/spec/ghosts.test.ts` holds the rules to that).
 */

import type { FaultName } from './config.ts'
import type { PartitionRequest, ProduceRequest, Reply, Request, Result } from './messages.ts'

export * from './messages.ts'

/** One client and one broker. At most one request is worked on at a time, in the order of sending. */
export interface Connection {
  requests: Request[]
  replies: Reply[]
  /**
   * Connections that have since been closed, with what was sent on them: still executed, late and in order; the
   * replies go nowhere.
   */
  late: Request[][]
  /** Waiting in the client to be sent (again). */
  unsent: ProduceRequest[]
}

export type Phase =
  | 'initialising'
  | 'joining'
  | 'fetching'
  | 'adding partitions'
  | 'sending'
  | 'prepared' // KIP-939, until an external store has decided
  | 'ending'
  | 'committing offsets' // only with offsets outside the transaction
  | 'raising the epoch' // KIP-360, after an abort
  | 'none'

/** One instance of the application with its producer. */
export interface Instance {
  status: 'not started' | 'running' | 'paused' | 'crashed' | 'closed' | 'finished'
  phase: Phase
  /** Ghost: number of its session, 0 if it has none. */
  session: number
  /** Position of its transactional.id, -1 without one. */
  transactionalId: number
  producerId: number
  producerEpoch: number
  /** As what member of the group, and in which generation, it was given the input partition; -1 before that. */
  memberId: number
  generation: number
  /** Only of static members (KIP-345). */
  groupInstanceId?: string
  /** The input that it processes. */
  position: number
  /** The input that the next session goes on with, where it does not ask what is committed. */
  goesOnAt?: number
  /** Inputs of the transaction that are processed already: outputs sent, offset commit answered. */
  processed: number
  /** How many transactions the session has begun. */
  transaction: number
  result: Result
  /** Next sequence number, per output partition. */
  nextSequence: number[]
  /** The highest sequence that was acknowledged, per output partition, -1 before the first (TxnPartitionEntry). */
  lastAcknowledged: number[]
  /** Batches not yet acknowledged, per output partition. */
  unacknowledged: number[]
  /** Per output partition, whether a batch was given up that had been sent twice: it may be in the log or not. */
  unresolved: boolean[]
  /** The transactional offset commit is not yet acknowledged. */
  offsetsPending: boolean
  /** The producer raises its epoch after the abort (TransactionManager.epochBumpRequired). */
  epochBumpRequired: boolean
  /** That it must be raised was found when the abort had been called: the abort succeeds, and nothing raises it. */
  bumpTooLate: boolean
  /** The coordinator does not know its producer id: no EndTxn ends the transaction, a new identity does (KIP-360). */
  mappingLost: boolean
  /** It has lost its input partition to another owner and stops after the abort. */
  revoked: boolean
}

export type TransactionState =
  | 'Empty'
  | 'Ongoing'
  | 'PrepareCommit'
  | 'PrepareAbort'
  | 'CompleteCommit'
  | 'CompleteAbort'
  /** Expired: the record is a tombstone. */
  | 'Dead'

/** A record of __transaction_state (TransactionLogValue). */
export interface TransactionRecord {
  producerId: number
  /** The producer id before the last transition. Durable only where the version has it so (KAFKA-20310). */
  previousProducerId: number
  /** The producer id that takes over when the transaction is complete, -1 if the same goes on (KIP-890). */
  nextProducerId: number
  producerEpoch: number
  /**
   * The epoch before the last change, to recognise a repeated InitProducerId; -1 if unknown. Durable only where the
   * version has it so (KAFKA-20357).
   */
  lastProducerEpoch: number
  state: TransactionState
  /** txnTimeoutMs is the largest integer: of a producer with external two-phase commits (KIP-939). Absent elsewhere. */
  neverTimesOut?: true
  /** transaction.version of the request or of the coordinator's own abort that led to it (clientTransactionVersion). */
  transactionVersion: 1 | 2
  /** Participants, in ascending order. */
  partitions: number[]
  /** Ghost: the transaction it speaks of. */
  transaction: string
}

/** What the coordinator keeps in memory of the transactional.id (TransactionMetadata). */
export interface CoordinatorEntry extends TransactionRecord {
  /** Target of the append or of the marker job that is under way. Never durable. */
  pendingState: TransactionState | 'PrepareEpochFence' | 'none'
  /** The epoch was raised in memory by a fence whose append failed (hasFailedEpochFence). Never durable. */
  failedEpochFence: boolean
}

/** Who is answered when the pending append is below the high watermark. */
export type AnswerTo =
  | { to: 'client'; client: number; request: string; producerId: number; producerEpoch: number }
  | { to: 'partition'; partition: number }
  /** The abort on behalf of a new session or after a timeout: the new session has to ask again. */
  | { to: 'fence' }
  | { to: 'nobody' }

/** The coordinator of one transactional.id. */
export interface Coordinator {
  /** Leader epoch of the partition of __transaction_state: rises with each failover. */
  coordinatorEpoch: number
  entry: CoordinatorEntry | null
  answer: AnswerTo
  /** A marker was refused for good: the job is forgotten and nothing completes the transaction any more. */
  markersForgotten: boolean
  former: FormerCoordinator | null
}

/** A coordinator that does not know yet that it was replaced. */
export interface FormerCoordinator {
  /** What it has in memory. */
  entry: CoordinatorEntry | null
  /** Clients and partitions that its successor has not yet answered: they still ask it. */
  clients: number[]
  partitions: number[]
}

/** The records of one transactional.id in __transaction_state. */
export interface TransactionLog {
  /** Last record below the high watermark. */
  committed: TransactionRecord | null
  /** Appended before `tail`, reported as failed, and in the log all the same: a later record supersedes it. */
  reportedFailed: TransactionRecord | null
  /** Appended, not yet replicated: may be lost or kept by a failover. */
  tail: TransactionRecord | null
  /** The coordinator acts on the tail already: it was read by a failover, or the rule that makes it wait is off. */
  tailInEffect: boolean
}

export interface DataRecord {
  kind: 'data'
  producerId: number
  producerEpoch: number
  transactional: boolean
  sequence: number
  input: number
  part: number
  /** Ghost. */
  session: number
  transaction: string
  /** Ghost: a later session of the same transactional.id had its epoch when this was appended. */
  fenced: boolean
}
export interface OffsetRecord {
  kind: 'offset'
  producerId: number
  producerEpoch: number
  offset: number
  /** Of the owner that committed it, whether the request named it or not. */
  generation: number
  transactional: boolean
  session: number
  transaction: string
  fenced: boolean
}
export interface MarkerRecord {
  kind: 'marker'
  producerId: number
  producerEpoch: number
  result: Result
  coordinatorEpoch: number
  /** Ghost: the transaction that the coordinator decided. */
  transaction: string
}
export type LogRecord = DataRecord | OffsetRecord | MarkerRecord

/** What a partition remembers of a producer (ProducerStateEntry). */
export interface ProducerEntry {
  producerId: number
  producerEpoch: number
  /** Of the last marker, -1 before the first. */
  coordinatorEpoch: number
  /** The remembered batches, oldest first. */
  batches: { sequence: number; offset: number }[]
  /** Offset of the first record of the open transaction, -1 if none is open (currentTxnFirstOffset). */
  openOffset: number
}

/** VerificationStateEntry: made when a verification begins, cleared by an append or a marker. */
export interface VerificationGuard {
  producerId: number
  producerEpoch: number
  lowestSequence: number
}

/** A request whose reply waits until the high watermark covers its record. */
export type AwaitingReplication =
  | { client: number; request: string }
  | { markerOf: number; transactionalId: number }

export interface Partition {
  log: LogRecord[]
  /** Records below it are deleted. */
  logStart: number
  highWatermark: number
  /** Rises with each change of the leader. */
  leaderEpoch: number
  /** In ascending order of their ids, as are the guards. */
  producers: ProducerEntry[]
  guards: VerificationGuard[]
  awaiting: AwaitingReplication[]
}

/** A request between verification (phase A) and append (phase B): ReplicaManager.handleProduceAppend. */
export interface Verification {
  request: PartitionRequest
  client: number
  late: boolean
  /** Whether the partition's guard is still the one that this request was given. */
  guard: 'current' | 'cleared'
  phase: 'to be verified' | 'being added' | 'verified'
}

/** WriteTxnMarkers for one partition. */
export interface Marker {
  /** Whose coordinator sent it; -1 if an administrator did. */
  transactionalId: number
  producerId: number
  producerEpoch: number
  result: Result
  coordinatorEpoch: number
  /** Of the transaction that it ends: with 2 the strict rule of epochs applies. 0 from an administrator. */
  transactionVersion: 0 | 1 | 2
  transaction: string
  /** Sent on a connection that has since been closed: its reply goes nowhere. */
  late: boolean
}
/** The group's offsets of the one input partition (OffsetMetadataManager). */
export interface Group {
  generation: number
  /** Ids of the members, the owner of the input partition last. A member's id is the generation in which it joined. */
  members: number[]
  /**
   * Only with static members, which all have one group.instance.id: who has it, -1 if nobody (ClassicGroup.staticMembers), and
   * the last id that was given to a member. A replacement begins no generation, so its id has to be another one.
   */
  staticMember?: { memberId: number; newest: number }
  committed: number
  /** Offset of the record that says so, -1 before the first. */
  committedAt: number
  /** Of open transactions, in ascending order of producer ids. */
  pending: PendingOffset[]
}

/** An offset that a transaction will commit; `at` is the offset of its record. */
export interface PendingOffset {
  producerId: number
  offset: number
  at: number
}

/** What is left of each fault, and of all together. */
export type Budget = { [Fault in FaultName | 'total']: number }

export interface Ghost {
  sessions: number
  /** Per transactional.id, the session that got its epoch last, 0 if none. */
  newestSession: number[]
  /** First durable decision of each transaction; 'contradicted' if a later one differs. */
  decisions: { [transaction: string]: Result | 'contradicted' }
  /** What the client was told of each transaction that it ended. */
  told: { [transaction: string]: Result }
  /** What the external store decided of transactions that were prepared; empty without such a store (KIP-939). */
  external: { [transaction: string]: Result }
  /** Whether a session was closed because another one had got its epoch since. */
  fenced: boolean
  /** Whether a late InitProducerId was executed that claims the transactional.id for a session that hears nothing of it. */
  claimedForNobody: boolean
  /** Whether a producer was told that it is fenced or unknown although no other session, timeout or expiry did it. */
  fencedWithoutRival: boolean
  /** Batches that were acknowledged, with their partition; kept only where records can be lost (`remembersBatches`). */
  acknowledged: { [batch: string]: number }
}

export interface KafkaState {
  instance: Instance[]
  /** Per instance. `partition` holds the output partitions and, last, the group's partition of __consumer_offsets. */
  connection: { coordinator: Connection; partition: Connection[] }[]
  /** The next producer id that a coordinator hands out (ProducerIdManager). */
  nextProducerId: number
  /** Per transactional.id, as is the transaction log. */
  coordinator: Coordinator[]
  transactionLog: TransactionLog[]
  /** WriteTxnMarkers on their way, per partition. */
  markers: Marker[][]
  partition: Partition[]
  verification: Verification[][]
  group: Group
  budget: Budget
  ghost: Ghost
}
