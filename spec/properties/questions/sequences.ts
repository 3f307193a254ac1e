/** Sequence numbers: which batches are recognised, which are refused, and what their client does then. */
import { alwaysForEach, type Property, reachable, type Taken, transition } from '../../../checker/model.ts'
import { batchName } from '../../ghost.ts'
import { onTheWire } from '../../protocol/network.ts'
import { duplicateOf, entryOf } from '../../protocol/partition-leader.ts'
import type { Protocol } from '../../protocol/protocol.ts'
import { outputsOf, partitionAt } from '../../protocol/topology.ts'
import type {
  Connection,
  KafkaState,
  Partition,
  ProduceRequest,
  ProducerEntry,
  Request,
} from '../../state.ts'
import { isData } from '../logs.ts'
import { touchedPartitions } from '../touched.ts'

export const sequenceQuestions = (protocol: Protocol): Property<KafkaState>[] => [
  originalOffset(protocol),
  oldIsRecognised(protocol),
  nothingSkips(protocol),
  unknownBeginsAtZero(protocol),
  noneNumberedTwice(protocol),
  waitsForEarlier,
  closed,
]

const originalOffset = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'a batch that is recognised is answered with its original offset',
    outputsOf(protocol),
    (state: KafkaState, partition, claim) => {
      const leader = partitionAt(state, partition)
      const records = leader.log.map((record) => (isData(record) ? batchName(record, partition) : ''))
      const answers = arriving(state, partition).flatMap((batch) => {
        const offset = duplicateOf(protocol, entryOf(leader, batch.producerId), batch)
        return offset < 0 ? [] : [{ offset, original: records.indexOf(batchName(batch, partition)) }]
      })
      claim.given('a batch that arrives is recognised', answers.length > 0)
      for (const { offset, original } of answers)
        claim.that('the answer is where it is', offset === original, { partition, offset, original })
    },
    {
      summary:
        'What a partition takes for a repetition is one, and the answer is the offset of the first copy.',
      sources: ['ProducerStateEntry.findDuplicateBatch', 'UnifiedLog.append'],
    },
  )

const oldIsRecognised = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'a batch at or below the last sequence is recognised',
    outputsOf(protocol),
    (state: KafkaState, partition, claim) => {
      const leader = partitionAt(state, partition)
      const old = arriving(state, partition).filter(
        (batch) => batch.sequence <= lastSequence(entryOf(leader, batch.producerId), batch),
      )
      claim.given('such a batch arrives', old.length > 0)
      for (const batch of old) {
        const offset = duplicateOf(protocol, entryOf(leader, batch.producerId), batch)
        claim.that('the partition remembers it', offset >= 0, { partition, sequence: batch.sequence })
      }
    },
    {
      summary: 'A partition takes each batch for a repetition whose sequence it is past.',
      sources: ['ProducerStateEntry.findDuplicateBatch', 'ProducerAppendInfo.checkSequence'],
    },
  )

const nothingSkips = (protocol: Protocol): Property<KafkaState> =>
  transition(
    'nothing is written that skips a sequence of a producer that is known',
    (before: KafkaState, after: KafkaState, claim, taken: Taken) => {
      const touched = outputsTouched(protocol, taken)
      const skips = touched.some((partition) =>
        sent(before, partition).some((batch) => isSkipping(partitionAt(before, partition), batch)),
      )
      claim.given('a batch that skips one is sent', skips)
      for (const partition of touched) {
        const from = partitionAt(before, partition)
        for (const record of newRecords(from, partitionAt(after, partition))) {
          const { sequence } = record
          claim.that('it follows the last one', !isSkipping(from, record), { partition, sequence })
        }
      }
    },
    {
      summary: 'A batch that does not follow the last one of a known producer is not appended.',
      sources: ['ProducerAppendInfo.checkSequence', 'KIP-98'],
    },
  )

const unknownBeginsAtZero = (protocol: Protocol): Property<KafkaState> =>
  transition(
    'a producer that is not known begins with sequence 0',
    (before: KafkaState, after: KafkaState, claim, taken: Taken) => {
      const first = outputsTouched(protocol, taken).flatMap((partition) => {
        const from = partitionAt(before, partition)
        return newRecords(from, partitionAt(after, partition)).filter(
          ({ producerId }) => producerId >= 0 && entryOf(from, producerId) === null,
        )
      })
      claim.given('a batch of such a producer is written', first.length > 0)
      for (const { sequence } of first) claim.that('it is its first', sequence === 0, { sequence })
    },
    {
      summary: 'Of a producer that a partition does not know, or has forgotten, it takes only sequence 0.',
      sources: ['ProducerAppendInfo.checkSequence', 'KIP-360', 'KAFKA-18654'],
    },
  )

const noneNumberedTwice = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'no batch is in the log under two sequences',
    outputsOf(protocol),
    (state: KafkaState, partition, claim) => {
      const numbers = new Map<string, string>()
      for (const record of partitionAt(state, partition).log.filter(isData)) {
        const { producerId, producerEpoch, sequence } = record
        const name = batchName(record, partition)
        const number = `${producerId} ${producerEpoch} ${sequence}`
        const first = numbers.get(name) ?? number
        claim.that('it has the sequence of its first copy', number === first, { name, first, number })
        numbers.set(name, number)
      }
    },
    {
      summary: 'What a client numbers anew is not in the log already, deleted or not.',
      sources: ['ProducerBatch.resetProducerState', 'KAFKA-5793', 'KAFKA-7190'],
    },
  )

const waitsForEarlier: Property<KafkaState> = reachable(
  'a batch is sent again after an earlier one',
  ({ connection }: KafkaState) => connection.some(({ partition }) => partition.some(holdsBack)),
  {
    summary: 'A batch that came too early waits until the one before it is answered.',
    sources: ['RecordAccumulator.shouldStopDrainBatchesForPartition', 'KAFKA-5494'],
  },
)

const closed: Property<KafkaState> = reachable(
  'a producer is closed by an error',
  ({ instance }: KafkaState) => instance.some(({ status }) => status === 'closed'),
  { summary: 'An error was fatal to a producer.', sources: ['TransactionManager.transitionToFatalError'] },
)

const withSequence = (requests: readonly Request[]): ProduceRequest[] =>
  (requests as ProduceRequest[]).filter(({ sequence }) => sequence >= 0)

/** The batches that a partition has not yet begun with. */
const arriving = ({ connection }: KafkaState, partition: number): ProduceRequest[] =>
  connection.flatMap((connections) => {
    const one = connections.partition[partition] as Connection
    return withSequence([...onTheWire(one), ...one.late.flat()])
  })

/** Those and the ones that it works on. */
const sent = ({ connection }: KafkaState, partition: number): ProduceRequest[] =>
  connection.flatMap((connections) => {
    const { requests, late } = connections.partition[partition] as Connection
    return withSequence([...requests, ...late.flat()])
  })

const outputsTouched = (protocol: Protocol, taken: Taken): number[] =>
  touchedPartitions(protocol, taken).filter((partition) => outputsOf(protocol).includes(partition))

type Numbered = Pick<ProduceRequest, 'producerId' | 'producerEpoch' | 'sequence'>

/** The partition knows the producer, and the batch does not come next. */
function isSkipping(leader: Partition, batch: Numbered): boolean {
  const entry = entryOf(leader, batch.producerId)
  return entry !== null && batch.sequence > lastSequence(entry, batch) + 1
}

/** The last sequence at the epoch of a batch, -1 if there is none. */
const lastSequence = (
  entry: ProducerEntry | null,
  { producerEpoch }: Pick<ProduceRequest, 'producerEpoch'>,
): number => (entry?.producerEpoch === producerEpoch ? entry.batches : []).at(-1)?.sequence ?? -1

const newRecords = (before: Partition, after: Partition) => after.log.slice(before.log.length).filter(isData)

const holdsBack = ({ requests, unsent }: Connection): boolean =>
  unsent.some(
    (batch) =>
      batch.kind === 'Produce' &&
      batch.sequence >= 0 &&
      requests.some((other) => other.kind === 'Produce' && other.sequence < batch.sequence),
  )
