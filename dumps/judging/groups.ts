/** What groups have committed, as readers of __consumer_offsets are answered. */
import type { Batch, Decision, OffsetRecord } from '../observation.ts'
import type { Location } from './finding.ts'

export interface CommittedOffset {
  readonly group: string
  readonly partition: string
  /** Absent: nothing is committed. */
  readonly offset?: number
  readonly at?: Location
  /** Offsets of transactions that are open: whoever asks for a stable offset has to wait. */
  readonly pending: readonly number[]
}

interface Entry {
  readonly group: string
  readonly partition: string
  committed?: { readonly offset: number; readonly recordOffset: number; readonly at: Location }
}

interface Pending {
  readonly key: string
  readonly record: OffsetRecord
  readonly at: Location
}

const entriesMax = 100_000

/** OffsetMetadataManager: a fold over the records, with those of a transaction put aside until its marker. */
export class Groups {
  private readonly entries = new Map<string, Entry>()
  private readonly pending = new Map<number, Pending[]>()

  /** @param batch the one that the record is in */
  record(record: OffsetRecord, batch: Batch | undefined, at: Location): void {
    const key = JSON.stringify([record.group, record.partition])
    if (!this.entries.has(key)) {
      if (this.entries.size >= entriesMax) return
      this.entries.set(key, { group: record.group, partition: record.partition })
    }
    const { producerId = -1, transactional = false } = batch ?? {}
    if (transactional && producerId >= 0) {
      const pending = this.pending.get(producerId)
      if (pending === undefined) this.pending.set(producerId, [{ key, record, at }])
      else pending.push({ key, record, at })
    } else this.commit({ key, record, at })
  }

  /** OffsetMetadataManager.replayEndTransactionMarker. */
  ended(producerId: number, decision: Decision | 'unknown'): void {
    const pending = this.pending.get(producerId) ?? []
    this.pending.delete(producerId)
    if (decision === 'COMMIT') for (const one of pending) this.commit(one)
  }

  get offsets(): CommittedOffset[] {
    const waiting = [...this.pending.values()].flat()
    return [...this.entries].map(([key, { group, partition, committed }]) => ({
      group,
      partition,
      ...(committed === undefined ? {} : { offset: committed.offset, at: committed.at }),
      pending: waiting.flatMap((one) =>
        one.key === key && one.record.offset !== undefined ? [one.record.offset] : [],
      ),
    }))
  }

  /** The later record wins, whichever marker came first. */
  private commit({ key, record, at }: Pending): void {
    const entry = this.entries.get(key)
    if (entry === undefined || (entry.committed?.recordOffset ?? -1) > record.recordOffset) return
    if (record.offset === undefined) delete entry.committed
    else entry.committed = { offset: record.offset, recordOffset: record.recordOffset, at }
  }
}
