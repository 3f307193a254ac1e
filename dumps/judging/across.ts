/** What the partitions of a transaction say of it, compared with each other and with the coordinator. */
import type { Coordinator, Decided } from './coordinator.ts'
import { nameOf } from './coordinator.ts'
import type { Ledger } from './finding.ts'
import type { PartitionLog } from './partition-log.ts'
import type { EndOfTransaction, Producer } from './producer.ts'

interface Ended {
  readonly log: PartitionLog
  readonly end: EndOfTransaction
}

const endsMax = 200_000

/** The markers of one producer id. */
type Ends = Map<number, Ended[]>

export class Across {
  private readonly ledger: Ledger
  /** By producer id and epoch of the marker. */
  private readonly byProducer = new Map<number, Ends>()
  private count = 0

  constructor(ledger: Ledger) {
    this.ledger = ledger
  }

  readonly add = (log: PartitionLog, { producerId }: Producer, end: EndOfTransaction): void => {
    const { producerEpoch } = end
    if (producerEpoch === undefined) return
    if (this.count >= endsMax) {
      return this.ledger.doubt('too many to remember', `more than ${endsMax} ends of transactions`, end.at)
    }
    this.count += 1
    const ends = this.byProducer.get(producerId) ?? new Map<number, Ended[]>()
    const list = ends.get(producerEpoch) ?? []
    list.push({ log, end })
    ends.set(producerEpoch, list)
    this.byProducer.set(producerId, ends)
  }

  /** @param logs all logs by name; of several copies of a log only the first is compared */
  judge(coordinator: Coordinator, logs: ReadonlyMap<string, PartitionLog>): void {
    const decidedByPlace = groupDecisions(coordinator.decisions)
    for (const [producerId, ends] of this.byProducer) this.compareDecisions(producerId, ends)
    for (const decisions of decidedByPlace.values()) this.compareWithCoordinator(decisions, logs)
    this.findUndecided(coordinator, decidedByPlace)
  }

  /**
   * With transaction.version 2 each transaction has an epoch of its own: data of one epoch is committed everywhere or
   * nowhere. Such a transaction shows itself by a commit at a higher epoch than its data.
   */
  private compareDecisions(producerId: number, ends: Ends): void {
    const commits = new Map<number, Ended>()
    const all = [...ends.values()].flat()
    for (const one of all) {
      const { decision, producerEpoch = -1, ended, certain } = one.end
      if (!certain) continue
      const epoch = ended?.lastEpoch
      if (decision === 'COMMIT' && epoch !== undefined && producerEpoch === epoch + 1) commits.set(epoch, one)
    }
    for (const { log, end } of all) {
      const epoch = end.ended?.lastEpoch
      const commit = epoch === undefined ? undefined : commits.get(epoch)
      if (end.decision !== 'ABORT' || !end.certain || commit === undefined || commit.log.name === log.name)
        continue
      const found = `what epoch ${epoch} has written is aborted in ${log.name} and committed in ${commit.log.name}`
      this.ledger.find('commit here, abort there', found, end.at, {
        related: [commit.end.at],
        producer: { producerId, producerEpoch: epoch as number },
      })
    }
  }

  /** Markers of an epoch in a log, in their order. */
  markersOf(producerId: number, producerEpoch: number, log: PartitionLog): EndOfTransaction[] {
    const ends = this.byProducer.get(producerId)?.get(producerEpoch) ?? []
    return ends.filter((one) => one.log === log).map(({ end }) => end)
  }

  /** All decisions at one epoch, partition by partition, in their order. */
  private compareWithCoordinator(
    decisions: readonly Decided[],
    logs: ReadonlyMap<string, PartitionLog>,
  ): void {
    const matched = new Map<Decided, { partition: string; end: EndOfTransaction }[]>()
    for (const partition of new Set(decisions.flatMap(({ partitions }) => partitions))) {
      const log = logs.get(partition)
      if (log === undefined || !log.knowsEpochs) continue
      const here = decisions.filter(({ partitions }) => partitions.includes(partition))
      for (const [decided, end] of this.matched(here, log)) {
        matched.set(decided, [...(matched.get(decided) ?? []), { partition, end }])
      }
    }
    for (const [decided, ends] of matched) this.compareOutput(decided, ends)
  }

  private matched(
    decisions: readonly Decided[],
    log: PartitionLog,
  ): (readonly [Decided, EndOfTransaction])[] {
    const [first] = decisions
    if (first === undefined) return []
    const markers = this.markersOf(first.producerId, first.producerEpoch, log)
    const paired = pair(decisions, markers)
    if (paired === undefined) {
      this.unmatched(decisions, markers, log)
      return []
    }
    const differ = paired.filter(
      ([decided, end]) => end.decision !== 'unknown' && end.decision !== decided.decision,
    )
    // Only where both lists begin at the beginning does the order say which belong together.
    const isReliable = log.isWhole && areAll(decisions)
    if (!isReliable && differ.length > 0) {
      this.doubtMatch(decisions, markers, log)
      return []
    }
    for (const [decided, end] of differ) {
      const { producerId, producerEpoch, transactionalId, partitions } = decided
      const others = partitions.length > 1 ? `, as for ${partitions.length - 1} more` : ''
      const found = `${log.name} has ${end.decision}, and the coordinator decided ${decided.decision}${others}`
      this.ledger.find('marker against the decision', found, end.at, {
        related: [decided.at],
        producer: { producerId, producerEpoch, transactionalId },
      })
    }
    return isReliable ? paired : []
  }

  private unmatched(
    decisions: readonly Decided[],
    markers: readonly EndOfTransaction[],
    log: PartitionLog,
  ): void {
    const [only] = new Set(decisions.map(({ decision }) => decision))
    const last = decisions.at(-1) as Decided
    const { producerId, producerEpoch, transactionalId } = last
    const producer = { producerId, producerEpoch, transactionalId }
    const isUniform = decisions.every(({ decision }) => decision === only)
    const known = last.source.lastTimestamp() ?? 0
    const stranger = markers.find(
      ({ decision, timestamp = Number.POSITIVE_INFINITY }) =>
        decision !== 'unknown' && decision !== only && timestamp <= known,
    )
    if (isUniform && stranger !== undefined && areAll(decisions)) {
      const found = `${log.name} has ${stranger.decision}, and the coordinator decided ${only} each time`
      return this.ledger.find('marker against the decision', found, stranger.at, {
        related: [last.at],
        producer,
      })
    }
    const isCovered = log.holes === 0 && log.startsAtZero
    const completed = decisions.filter((one) => one.completed)
    if (isCovered && markers.length < completed.length) {
      const missing = `${log.name} has ${markers.length} of ${completed.length} markers of epoch ${producerEpoch} that the coordinator has completed`
      if ((log.lastTimestamp ?? 0) < (completed.at(-1)?.completedAt ?? Number.POSITIVE_INFINITY)) {
        return this.ledger.doubt('the partition stops earlier', missing, { ...last.at, log: log.name })
      }
      return this.ledger.find('missing marker', missing, last.at, {
        related: [log.locationAt(undefined)],
        producer,
      })
    }
    // The last decision may be on its way.
    if (isCovered && markers.length === decisions.length - 1 && !last.completed) return
    this.doubtMatch(decisions, markers, log)
  }

  private doubtMatch(
    decisions: readonly Decided[],
    markers: readonly EndOfTransaction[],
    log: PartitionLog,
  ): void {
    const { at, transactionalId, producerEpoch } = decisions.at(-1) as Decided
    const numbers = `${decisions.length} decisions, ${markers.length} markers in ${log.name}`
    this.ledger.doubt('cannot be matched', `${nameOf(transactionalId)}, epoch ${producerEpoch}: ${numbers}`, {
      ...at,
      log: log.name,
    })
  }

  /** Whether a committed transaction has its output and its offsets, where both logs are there. */
  private compareOutput(
    decided: Decided,
    ends: readonly { readonly partition: string; readonly end: EndOfTransaction }[],
  ): void {
    if (decided.decision !== 'COMMIT' || ends.some(({ end }) => !end.certain)) return
    const isOffsets = (partition: string) => partition.startsWith('__consumer_offsets-')
    const offsets = ends.filter(({ partition }) => isOffsets(partition))
    const outputs = ends.filter(({ partition }) => !isOffsets(partition))
    const { producerId, producerEpoch, transactionalId } = decided
    const producer = { producerId, producerEpoch, transactionalId }
    const isEmpty = ({ end }: { readonly end: EndOfTransaction }) => end.ended === undefined
    const [offset, output] = [offsets[0], outputs.find(isEmpty)]
    if (offset === undefined) return
    if (!isEmpty(offset) && output !== undefined) {
      const found = `offsets are committed in ${offset.partition}, and the transaction has written nothing to ${output.partition}`
      this.ledger.find('offsets without output', found, offset.end.at, {
        related: [output.end.at, decided.at],
        producer,
      })
    }
    const written = outputs.find((one) => !isEmpty(one))
    if (isEmpty(offset) && written !== undefined) {
      const found = `output is committed in ${written.partition}, and no offsets in ${offset.partition}`
      this.ledger.find('output without offsets', found, written.end.at, {
        related: [offset.end.at, decided.at],
        producer,
      })
    }
  }

  /** Markers at an epoch of which all decisions are known, and none is about the partition. */
  private findUndecided(coordinator: Coordinator, decided: ReadonlyMap<string, readonly Decided[]>): void {
    for (const { transactionalId, known, source, value } of coordinator.ids.values()) {
      if (known === undefined || !source.hasOffsets || !source.isWhole()) continue
      for (const [producerEpoch, ends] of this.byProducer.get(known.producerId) ?? []) {
        if (producerEpoch < known.fromEpoch || producerEpoch > (value?.producerEpoch ?? -1)) continue
        const decisions = decided.get(keyOf(known.producerId, producerEpoch)) ?? []
        for (const { log, end } of ends) {
          const isLater = (end.timestamp ?? Number.POSITIVE_INFINITY) > (source.lastTimestamp() ?? 0)
          const { partition } = log
          if (
            partition === undefined ||
            isLater ||
            end.ended === undefined ||
            decisions.some(({ partitions }) => partitions.includes(partition))
          )
            continue
          this.ledger.find(
            'marker that nobody decided',
            `${end.decision} in ${log.name}, and the coordinator has decided nothing about it at epoch ${producerEpoch}`,
            end.at,
            { producer: { producerId: known.producerId, producerEpoch, transactionalId } },
          )
        }
      }
    }
  }
}

/** Whether no decision of these is missing, up to the end of the log that they are in. */
const areAll = (decisions: readonly Decided[]): boolean =>
  decisions.every(
    ({ fromTheBeginning, source, at }) => fromTheBeginning && !source.hasLossAfter(at.offset ?? -1),
  )

const keyOf = (producerId: number, producerEpoch: number): string => `${producerId} ${producerEpoch}`

function groupDecisions(decisions: readonly Decided[]): Map<string, Decided[]> {
  const groups = new Map<string, Decided[]>()
  for (const one of decisions) {
    const key = keyOf(one.producerId, one.producerEpoch)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [one])
    else group.push(one)
  }
  return groups
}

/**
 * Decisions and markers in their order, if there are as many of both. A marker that repeats the one before it, with nothing
 * open, was sent again, or is of a transaction without data: it is left out where that makes the numbers equal.
 */
function pair(
  decisions: readonly Decided[],
  markers: readonly EndOfTransaction[],
): (readonly [Decided, EndOfTransaction])[] | undefined {
  const fits = (list: readonly EndOfTransaction[]) => list.length === decisions.length
  const isRepeated = (end: EndOfTransaction, index: number) =>
    index > 0 && end.ended === undefined && end.decision === markers[index - 1]?.decision
  const distinct = markers.filter((end, index) => !isRepeated(end, index))
  const chosen = [markers, distinct].find(fits)
  return chosen?.map((end, index) => [decisions[index] as Decided, end])
}
