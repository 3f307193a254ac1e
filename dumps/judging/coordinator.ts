/** What the coordinator has written about each transactional.id, followed record by record. */
import type { Decision, TransactionRecord, TransactionValue } from '../observation.ts'
import { type Memory, objection } from './coordinator-memory.ts'
import type { Ledger, Location } from './finding.ts'

/** A decision and the partitions that it is about. */
export interface Decided {
  readonly decision: Decision
  readonly transactionalId: string
  /** That of the markers. */
  readonly producerId: number
  readonly producerEpoch: number
  readonly partitions: readonly string[]
  readonly at: Location
  readonly source: RecordSource
  /** Whether the coordinator has written that all markers are there. */
  completed: boolean
  /** When. */
  completedAt?: number
  /** Whether all decisions at this epoch are known, from its first one on. */
  readonly fromTheBeginning: boolean
}

/** What is known last. */
export interface IdState {
  readonly transactionalId: string
  /** What the coordinator may remember: the last record, or what came before one that was reported as failed. */
  memories: (Memory | 'unknown')[]
  last: Location
  value?: TransactionValue
  timestamp?: number
  /** Of the log that the last record stands in. */
  source: RecordSource
  decided?: Decided
  /** The epoch of which all decisions are known. */
  known?: { readonly producerId: number; readonly fromEpoch: number }
}

/** The log that a record stands in, as far as it matters here. */
export interface RecordSource {
  /** Whether it prints offsets. */
  readonly hasOffsets: boolean
  /** Whether every offset since 0 is there. */
  readonly isWhole: () => boolean
  readonly hasLossAfter: (offset: number) => boolean
  /** When its last record was written. */
  readonly lastTimestamp: () => number | undefined
}

/** Markers take no longer while brokers live. */
const stuckMs = 10 * 60_000

const idsMax = 200_000
const producersMax = 1_000_000
const decisionsMax = 300_000

export class Coordinator {
  readonly ids = new Map<string, IdState>()
  readonly decisions: Decided[] = []
  private readonly byProducer = new Map<number, IdState>()
  private readonly ledger: Ledger

  constructor(ledger: Ledger) {
    this.ledger = ledger
  }

  record(record: TransactionRecord, at: Location, source: RecordSource): void {
    const { transactionalId, value, timestamp, offset } = record
    const known = this.ids.get(transactionalId)
    if (known === undefined && this.ids.size >= idsMax) {
      return this.ledger.doubt('too many to remember', `more than ${idsMax} transactional.ids`, at)
    }
    const isFresh = known === undefined
    const first = source.hasOffsets && source.isWhole() ? ('absent' as const) : ('unknown' as const)
    const state: IdState = known ?? { transactionalId, memories: [first], last: at, source }
    const next: Memory = value ?? 'absent'
    const isExplained = this.explain(state, next, at, source)
    // Where records may be missing, so may decisions.
    if (!isExplained || !source.hasOffsets || source.hasLossAfter(state.last.offset ?? -1)) delete state.known
    else this.knowEpoch(state, value, isFresh)
    state.source = source
    const when = timestamp ?? latestOf(value)
    this.follow(state, value, at, when)
    state.last = { ...at, ...(offset === undefined ? {} : { offset }) }
    if (value === undefined) delete state.value
    else state.value = value
    if (when !== undefined) state.timestamp = when
    this.ids.set(transactionalId, state)
    if (value !== undefined && this.byProducer.size < producersMax)
      this.byProducer.set(value.producerId, state)
  }

  /** The transactional.id that has, or had, a producer id. */
  idOf(producerId: number): IdState | undefined {
    return this.byProducer.get(producerId)
  }

  /** Decided and not completed, long before what is dumped ends. */
  judgeEnd(): void {
    for (const { transactionalId, value, last, timestamp, source } of this.ids.values()) {
      if (value?.state !== 'PrepareCommit' && value?.state !== 'PrepareAbort') continue
      const ageMs = (source.lastTimestamp() ?? 0) - (timestamp ?? Number.POSITIVE_INFINITY)
      if (ageMs < stuckMs) continue
      const { producerId, producerEpoch, state } = value
      const found = `${nameOf(transactionalId)}: ${state} is its last record, ${Math.floor(ageMs / 60_000)} minutes before the end of its log`
      this.ledger.find('decided and not completed', found, last, {
        producer: { producerId, producerEpoch, transactionalId },
      })
    }
  }

  /** Whether some memory explains the record; a memory stays possible if the write may have been reported as failed. */
  private explain(state: IdState, next: Memory, at: Location, source: RecordSource): boolean {
    const { memories, last } = state
    const allowed = memories.filter((memory) => memory === 'unknown' || objection(memory, next) === undefined)
    const newest = memories[0]
    if (allowed.length === 0) this.object(state, newest as Memory, next, at, source)
    else if (newest !== undefined && !allowed.includes(newest)) {
      const { transactionalId } = state
      const found =
        `${nameOf(transactionalId)}: ${stateOf(next)} can follow only if the record before it was reported as failed, ` +
        'though it is in the log'
      this.ledger.note(found, at)
    }
    const failed = allowed.filter((memory) => memory !== 'unknown').slice(0, 3)
    state.memories = [next, ...failed]
    state.last = last
    return allowed.length > 0
  }

  private object(state: IdState, before: Memory, next: Memory, at: Location, source: RecordSource): void {
    const { transactionalId, last, value } = state
    const why = objection(before, next) ?? ''
    const found = `${nameOf(transactionalId)}: ${why}`
    if (!source.hasOffsets && !isSameTransaction(before, next)) {
      return this.ledger.doubt('records may be missing', found, at)
    }
    if (source.hasOffsets && source.hasLossAfter(last.offset ?? -1)) {
      return this.ledger.doubt('offsets are missing', found, at)
    }
    const { producerId, producerEpoch } =
      next === 'absent' ? (value ?? { producerId: -1, producerEpoch: -1 }) : next
    this.ledger.find('illegal transition', found, at, {
      related: value === undefined ? [] : [last],
      producer: { transactionalId, producerId, producerEpoch },
    })
  }

  /** All decisions at an epoch are known if its beginning is: a producer begins with Empty. */
  private knowEpoch(state: IdState, value: TransactionValue | undefined, isFresh: boolean): void {
    if (value?.state === 'Empty') {
      const continues = state.known?.producerId === value.producerId
      state.known = {
        producerId: value.producerId,
        fromEpoch: continues ? (state.known?.fromEpoch ?? value.producerEpoch) : value.producerEpoch,
      }
    } else if (isFresh) delete state.known
  }

  private follow(
    state: IdState,
    value: TransactionValue | undefined,
    at: Location,
    timestamp?: number,
  ): void {
    const { decided } = state
    if (value === undefined) return
    if (value.state === 'CompleteCommit' || value.state === 'CompleteAbort') {
      const decision = value.state === 'CompleteCommit' ? 'COMMIT' : 'ABORT'
      if (decided === undefined || decided.completed || decided.decision !== decision) return
      decided.completed = true
      if (timestamp !== undefined) decided.completedAt = timestamp
    } else if (value.state === 'PrepareCommit' || value.state === 'PrepareAbort')
      this.decide(state, value, at)
    else delete state.decided
  }

  private decide(state: IdState, value: TransactionValue, at: Location): void {
    const { known, decided } = state
    const { producerId, producerEpoch, partitions } = value
    const decision = value.state === 'PrepareCommit' ? 'COMMIT' : 'ABORT'
    // Written once more after a failure: still one decision.
    if (decided !== undefined && !decided.completed && decided.producerEpoch === producerEpoch) {
      if (decided.decision === decision && decided.producerId === producerId) return
    }
    const fromTheBeginning =
      known !== undefined && known.producerId === producerId && producerEpoch >= known.fromEpoch
    const one: Decided = {
      decision,
      transactionalId: state.transactionalId,
      producerId,
      producerEpoch,
      partitions,
      at,
      source: state.source,
      completed: false,
      fromTheBeginning,
    }
    state.decided = one
    if (this.decisions.length < decisionsMax) this.decisions.push(one)
    else this.ledger.doubt('too many to remember', `more than ${decisionsMax} decisions`, at)
  }
}

/** A record may be written long after the update that it tells of: a completion, when all markers are there. */
const latestOf = (value: TransactionValue | undefined): number | undefined =>
  value?.lastUpdate === undefined ? undefined : value.lastUpdate + completionMs
const completionMs = 60_000

/** The console consumer prints when a transaction has begun: equal times within one id are one transaction. */
function isSameTransaction(before: Memory, next: Memory): boolean {
  if (before === 'absent' || next === 'absent') return false
  return (
    before.start !== undefined &&
    before.start > 0 &&
    before.start === next.start &&
    before.producerId === next.producerId
  )
}

const stateOf = (memory: Memory): string => (memory === 'absent' ? 'its expiry' : memory.state)

export const nameOf = (transactionalId: string): string =>
  `transactional.id ${JSON.stringify(transactionalId)}`
