/** Loss and duplicates, whatever producer and application. */
import { always, alwaysForEach, type Property, reachable } from '../../../checker/model.ts'
import { readBy, type Seen } from '../../protocol/consumer.ts'
import type { Protocol } from '../../protocol/protocol.ts'
import { outputsOf, partitionAt } from '../../protocol/topology.ts'
import type { KafkaState } from '../../state.ts'
import { isStill } from '../still.ts'

export const deliveryQuestions = (protocol: Protocol): Property<KafkaState>[] => [
  noInputLost(protocol),
  noOutputTwice(protocol),
  inOrderOfSending(protocol),
  someAndOthersNot(protocol),
  ...(protocol.config.partitioning === 'all partitions' ? [] : [noneInTwoPartitions(protocol)]),
]

/** What a record was made from. */
const madeFrom = ({ record }: Seen): string =>
  record.kind === 'data' ? `${record.input}.${record.part}` : ''

const madeFromAll = (protocol: Protocol, state: KafkaState, partition: number): string[] =>
  readBy(protocol, partitionAt(state, partition)).map(madeFrom)

/** Where an output has to be: in each partition, or in any of them. */
const partitionsOfOutputs = (protocol: Protocol): number[][] =>
  protocol.config.partitioning === 'all partitions'
    ? outputsOf(protocol).map((partition) => [partition])
    : [outputsOf(protocol)]

/** How many inputs the application takes to be done with. */
const countDone = ({ config }: Protocol, { instance, group }: KafkaState): number => {
  if (config.application === 'read-process-write') return group.committed
  return instance.some(({ status }) => status === 'finished') ? config.inputs : 0
}

const noInputLost = (protocol: Protocol): Property<KafkaState> =>
  always(
    'no input is lost',
    (state: KafkaState, claim) => {
      claim.given('nothing is on its way', isStill(state))
      const done = countDone(protocol, state)
      claim.given('an input is done with', done > 0)
      for (const partitions of partitionsOfOutputs(protocol)) {
        const made = new Set(partitions.flatMap((partition) => madeFromAll(protocol, state, partition)))
        for (let input = 0; input < done; input += 1)
          claim.that('what was made of it can be read', made.has(`${input}.0`), { input, partitions })
      }
    },
    {
      summary:
        'Of every input that the application takes to be done with, the output can be read by a read_committed reader.',
      sources: ['Kafka documentation, Design: Message Delivery Semantics'],
    },
  )

const noOutputTwice = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'no output is there twice',
    outputsOf(protocol),
    (state: KafkaState, partition, claim) => {
      const made = madeFromAll(protocol, state, partition)
      const repeated = made.find((name, index) => made.indexOf(name) < index) ?? 'none'
      claim.that('what was made of an input is read once', repeated === 'none', { partition, repeated })
    },
    {
      summary: 'No read_committed reader gets two records that were made of the same input.',
      sources: ['Kafka documentation, Design: Message Delivery Semantics', 'KIP-98'],
    },
  )

const noneInTwoPartitions = (protocol: Protocol): Property<KafkaState> =>
  always(
    'no output is in two partitions',
    (state: KafkaState, claim) => {
      const made = outputsOf(protocol).flatMap((partition) => [
        ...new Set(madeFromAll(protocol, state, partition)),
      ])
      const repeated = made.find((name, index) => made.indexOf(name) < index) ?? 'none'
      claim.that('what was made of an input is in one partition', repeated === 'none', { repeated })
    },
    {
      summary: 'What was made of an input is read in one partition, where each output goes to one.',
      sources: ['Partitioner', 'KIP-98'],
    },
  )

const inOrderOfSending = (protocol: Protocol): Property<KafkaState> =>
  alwaysForEach(
    'records are in the order of sending',
    outputsOf(protocol),
    (state: KafkaState, partition, claim) => {
      const sent = partitionAt(state, partition).log.flatMap((record) =>
        record.kind === 'data'
          ? [{ session: record.session, place: [record.input, record.part] as const }]
          : [],
      )
      sent.forEach(({ session, place: [input, part] }, index) => {
        const [lastInput, lastPart] = sent[index - 1]?.place ?? [-1, -1]
        if (sent[index - 1]?.session !== session) return
        const follows = input > lastInput || (input === lastInput && part >= lastPart)
        claim.that('none comes after a later one of its session', follows, { partition, input, part })
      })
    },
    {
      summary: 'What a session sends to a partition stands there in the order of sending, repetitions aside.',
      sources: ['max.in.flight.requests.per.connection', 'KIP-679'],
    },
  )

const someAndOthersNot = (protocol: Protocol): Property<KafkaState> =>
  reachable(
    'an output is in one partition and not in another, and nobody is at work',
    (state: KafkaState) => {
      const inputs = outputsOf(protocol).map((partition) => madeFromAll(protocol, state, partition))
      const all = new Set(inputs.flat())
      return (
        isStill(state) &&
        state.instance.every(({ status }) => status === 'crashed') &&
        inputs.some((made) => new Set(made).size < all.size)
      )
    },
    { summary: 'Batches to several partitions are written one by one.', sources: ['KIP-98'] },
  )
