/** What the lines of a dump say: one observation for each thing that a tool of Kafka printed. */

/** Where something stands; lines are counted from 1, per file. */
export interface Place {
  readonly file: string
  readonly line: number
}

export type Decision = 'COMMIT' | 'ABORT'

/** A file that a tool began to dump, or a command whose output follows: what comes next belongs to it. */
export interface Heading {
  readonly kind: 'heading'
  readonly place: Place
  /** `topic-0`, where a path or the options of a command name it. */
  readonly partition?: string
  /** From the name of the file, or the line `Starting offset`. */
  readonly startOffset?: number
  readonly path?: string
}

/** The first offset of the log file that is dumped. */
export interface StartOffset {
  readonly kind: 'start offset'
  readonly place: Place
  readonly startOffset: number
}

/** Lines were left out here, by whoever made the paste. */
export interface Omission {
  readonly kind: 'omission'
  readonly place: Place
}

/**
 * A batch of a log, or a single record of the formats before 2.3 that print no batches. A field that is absent was not
 * printed: it is unknown, not empty.
 */
export interface Batch {
  readonly kind: 'batch'
  readonly place: Place
  /** A record of a deep dump without batches: it has no border that could be compared. */
  readonly single: boolean
  readonly baseOffset: number
  readonly lastOffset: number
  readonly count?: number
  readonly producerId?: number
  readonly producerEpoch?: number
  /** -1: no sequence. */
  readonly baseSequence?: number
  readonly lastSequence?: number
  readonly leaderEpoch?: number
  readonly transactional?: boolean
  readonly control?: boolean
  /** Of a control batch whose record was printed; `unknown` is a type that the tool did not know. */
  readonly marker?: Decision | 'unknown'
  readonly coordinatorEpoch?: number
  /** Milliseconds since 1970. */
  readonly timestamp?: number
  readonly valid?: boolean
  /** Bytes, in the file. */
  readonly position?: number
  readonly size?: number
  /** How many of its records were printed below it. */
  readonly printed?: number
  /** A record of the batch whose offset or sequence does not fit into it. */
  readonly stray?: { readonly place: Place; readonly found: string }
}

/** A record of the coordinator about a transactional.id, from whichever tool. */
export interface TransactionRecord {
  readonly kind: 'transaction'
  readonly place: Place
  /** Offset in the log; the console consumer prints none. */
  readonly offset?: number
  readonly transactionalId: string
  /** Absent: a tombstone, the id has expired. */
  readonly value?: TransactionValue
  /** When it was appended, in milliseconds since 1970. */
  readonly timestamp?: number
}

export interface TransactionValue {
  readonly producerId: number
  readonly producerEpoch: number
  readonly state: string
  /** Names such as `topic-0`. */
  readonly partitions: readonly string[]
  readonly timeoutMs?: number
  readonly lastUpdate?: number
  /** -1: none has begun. */
  readonly start?: number
  readonly nextProducerId?: number
}

/** A record of a group about how far it has read. */
export interface OffsetRecord {
  readonly kind: 'offset'
  readonly place: Place
  readonly recordOffset: number
  readonly group: string
  readonly partition: string
  /** Absent: a tombstone. */
  readonly offset?: number
}

/** What a partition knows of a producer, as a snapshot file holds it. */
export interface ProducerSnapshot {
  readonly kind: 'snapshot'
  readonly place: Place
  readonly producerId: number
  readonly producerEpoch: number
  readonly coordinatorEpoch?: number
  readonly lastSequence?: number
  readonly lastOffset?: number
  /** -1: none is open. */
  readonly openOffset?: number
}

/** An aborted transaction, as the transaction index holds it and a read_committed fetch returns it. */
export interface AbortedTransaction {
  readonly kind: 'aborted'
  readonly place: Place
  readonly producerId: number
  readonly firstOffset: number
  readonly lastOffset: number
  readonly lastStableOffset: number
}

/** A row of kafka-transactions.sh, with the columns that its header names. */
export interface TransactionsRow {
  readonly kind: 'row'
  readonly place: Place
  readonly command: 'list' | 'describe' | 'describe-producers' | 'find-hanging'
  readonly cells: Readonly<Record<string, string>>
}

/** The tool found bytes that are no batch. */
export interface InvalidBytes {
  readonly kind: 'invalid bytes'
  readonly place: Place
  readonly bytes: number
}

/** A line that is no part of a dump (`foreign`), or that is one and cannot be read (`damaged`). */
export interface Unread {
  readonly kind: 'unread'
  readonly place: Place
  readonly damaged: boolean
  readonly text: string
  readonly why: string
}

export type Observation =
  | Heading
  | StartOffset
  | Omission
  | Batch
  | TransactionRecord
  | OffsetRecord
  | ProducerSnapshot
  | AbortedTransaction
  | TransactionsRow
  | InvalidBytes
  | Unread
