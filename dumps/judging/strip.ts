/** The batches of a log that are shown in a picture of it: its first and its last ones. */
import type { Batch } from '../observation.ts'

export type Shown = Pick<
  Batch,
  | 'baseOffset'
  | 'lastOffset'
  | 'producerId'
  | 'producerEpoch'
  | 'baseSequence'
  | 'lastSequence'
  | 'marker'
  | 'control'
  | 'transactional'
  | 'place'
>

const firstMax = 150
const lastMax = 150

export class Strip {
  readonly first: Shown[] = []
  private readonly ring: Shown[] = []
  private next = 0
  /** All batches. */
  total = 0

  add(batch: Shown): void {
    this.total += 1
    if (this.first.length < firstMax) this.first.push(batch)
    else {
      this.ring[this.next] = batch
      this.next = (this.next + 1) % lastMax
    }
  }

  /** In the order of the log. */
  get last(): Shown[] {
    return this.ring.length < lastMax
      ? [...this.ring]
      : [...this.ring.slice(this.next), ...this.ring.slice(0, this.next)]
  }

  /** Batches between the first and the last ones. */
  get hidden(): number {
    return this.total - this.first.length - this.ring.length
  }
}
