/** Runs of producers as a cluster that keeps to the protocol would write them down, at random. */
import fc from 'fast-check'
import { data, dump, type Entry, type Format, marker, transaction } from './generate.ts'

const partitions = ['orders-0', 'payments-0', '__consumer_offsets-0'] as const
const coordinatorLog = '__transaction_state-0'

interface Step {
  /** Batches of each partition. */
  readonly batches: readonly number[]
  readonly end: 'COMMIT' | 'ABORT' | 'fence'
  readonly restart: boolean
}

const steps: fc.Arbitrary<Step> = fc.record({
  batches: fc.array(fc.nat(2), { minLength: 3, maxLength: 3 }),
  end: fc.constantFrom('COMMIT', 'ABORT', 'fence'),
  restart: fc.boolean(),
})

/** One transactional.id that goes through the steps; `version` is its transaction.version. */
class Writer {
  readonly logs: Record<string, Entry[]> = { [coordinatorLog]: [] }
  private clock = 1_700_000_000_000
  private epoch = 0
  private readonly producerId: number
  private readonly version: number
  private sequences = new Map<string, number>()

  constructor(producerId: number, version: number) {
    this.producerId = producerId
    this.version = version
    for (const partition of partitions) this.logs[partition] = []
    this.tell('Empty')
  }

  take({ batches, end, restart }: Step): void {
    const used = partitions.filter((_, index) => (batches[index] ?? 0) > 0)
    if (used.length > 0) {
      for (const [index, partition] of used.entries()) {
        this.tell('Ongoing', used.slice(0, index + 1))
        for (let batch = 0; batch < (batches[partitions.indexOf(partition)] ?? 0); batch += 1)
          this.write(partition)
      }
      this.end(end, used)
    }
    if (restart || end === 'fence') {
      this.raise()
      this.tell('Empty')
    }
  }

  private end(end: Step['end'], used: readonly string[]): void {
    if (end === 'fence' || this.version === 2) this.raise()
    const decision = end === 'COMMIT' ? 'COMMIT' : 'ABORT'
    const name = end === 'COMMIT' ? 'Commit' : 'Abort'
    this.tell(`Prepare${name}`, used)
    for (const partition of used) this.add(partition, marker(this.producerId, this.epoch, decision))
    this.tell(`Complete${name}`)
  }

  private raise(): void {
    this.epoch += 1
    this.sequences = new Map()
  }

  private write(partition: string): void {
    const isOffsets = partition === '__consumer_offsets-0'
    const sequence = isOffsets ? -1 : (this.sequences.get(partition) ?? 0)
    const records = isOffsets ? 1 : 1 + (sequence % 2)
    this.sequences.set(partition, sequence + records)
    const contents = isOffsets
      ? [`key: offset_commit::group=g,partition=in-0 payload: offset=${this.clock % 1000}`]
      : undefined
    this.add(
      partition,
      data(this.producerId, this.epoch, sequence, {
        records,
        ...(contents === undefined ? {} : { contents }),
      }),
    )
  }

  private tell(state: string, used: readonly string[] = []): void {
    const id = `app-${this.producerId}`
    const record = transaction(id, this.producerId, this.epoch, state, used, this.clock)
    this.add(coordinatorLog, record)
  }

  private add(log: string, entry: Entry): void {
    this.clock += 7
    this.logs[log]?.push({ ...entry, timestamp: this.clock })
  }
}

export interface Run {
  /** By the name of the file. */
  readonly dumps: (format: Format) => Record<string, string>
}

const runOf = (writers: readonly Writer[]): Run => ({
  dumps: (format) =>
    Object.fromEntries(
      [...partitions, coordinatorLog].map((name) => {
        const entries = writers.flatMap(({ logs }) => logs[name] ?? [])
        // Appended by whoever came first.
        entries.sort((one, other) => (one.timestamp ?? 0) - (other.timestamp ?? 0))
        return [`${name}.txt`, dump(name, entries, format)]
      }),
    ),
})

export const random = {
  /** Two producers whose transactions overlap. */
  runs: fc
    .tuple(
      fc.constantFrom(1, 2),
      fc.array(steps, { minLength: 1, maxLength: 5 }),
      fc.array(steps, { maxLength: 3 }),
    )
    .map(([version, one, other]) => {
      const writers = [new Writer(7, version), new Writer(8, version)]
      for (const step of one) writers[0]?.take(step)
      for (const step of other) writers[1]?.take(step)
      return runOf(writers)
    }),
}
