/**
 * One partition with several writers at a time: two transactional producers and a plain one. What readers get of it is
 * decided by the rules of the Kafka model; the Kafka model itself has one kind of producer at a time.
 */
import * as v from 'valibot'
import { action, always, defineModel, reachable } from '../../../checker/model.ts'
import { configSchema } from '../../config.ts'
import { defences } from '../../defences.ts'
import { readCommitted } from '../../protocol/consumer.ts'
import { emptyPartition } from '../../protocol/partition-leader.ts'
import { protocolOf } from '../../protocol/protocol.ts'
import type { DataRecord, Partition } from '../../state.ts'
import { readerQuestions } from './shared-log-questions.ts'

const config = v.object({
  /** Records of each transaction. */
  records: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2)), 2),
  /** Records of the plain producer. */
  plain: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(3)), 1),
  /** Whether there is a second transaction, which is aborted. */
  aborts: v.optional(v.boolean(), true),
})

const writers = ['A', 'B', 'plain'] as const
type Writer = (typeof writers)[number]
/** A commits, B aborts. */
const ends = { A: 'commit', B: 'abort' } as const

export interface SharedLogState {
  partition: Partition
  written: Record<Writer, number>
  ended: Record<keyof typeof ends, boolean>
}

export const onlyCommitted =
  'read_committed readers get plain records and those of A, and of A only after its marker'
export const inOffsetOrder = 'read_committed readers get all of it in the order of the log'
export const allOfIt =
  'two transactions and plain records are interleaved, and read_committed readers get what is due'

const record = (writer: Writer, input: number): DataRecord => ({
  kind: 'data',
  producerId: writers.indexOf(writer),
  producerEpoch: 0,
  transactional: writer !== 'plain',
  sequence: input,
  input,
  part: 0,
  session: writers.indexOf(writer),
  transaction: writer === 'plain' ? '' : writer,
  fenced: false,
})

/** The rules of readers, of the Kafka model's. */
const rules = defences.filter(
  ({ name }) => name === 'last stable offset' || name === 'aborted records filter',
)
const kafkaConfig = v.parse(configSchema, {})
const writerOf = ({ session }: { session: number }) => writers[session] as Writer

export const sharedLog = defineModel<v.InferOutput<typeof config>, SharedLogState>({
  name: 'shared-log',
  summary: 'a partition that two transactional producers and a plain one write to at the same time',
  config,
  defences: rules.map(({ name, summary, sources }) => ({ name, summary, sources })),
  build: ({ records, plain, aborts }, { defences: active }) => {
    const isRule = (name: string) => rules.some((rule) => rule.name === name)
    const protocol = protocolOf(kafkaConfig, { has: (name) => !isRule(name) || active.has(name) })
    return {
      initial: {
        partition: emptyPartition(),
        written: { A: 0, B: 0, plain: 0 },
        ended: { A: false, B: !aborts },
      },
      components: ['partition', 'written', 'ended'],
      lanes: [...writers, 'log'].map((id) => ({
        id,
        label: id,
        group: id === 'log' ? 'partition' : 'writers',
      })),
      actions: [
        action(
          'Write',
          { writer: writers },
          ({ partition, written, ended }: SharedLogState, { writer }, step) => {
            step.when('it has a record left', written[writer] < (writer === 'plain' ? plain : records))
            step.when('its transaction is open', writer === 'plain' || !ended[writer])
            const offset = partition.log.push(record(writer, written[writer])) - 1
            written[writer] += 1
            step.emit({ kind: 'appended', lane: 'log', message: `record of ${writer}`, fields: { offset } })
          },
        ),

        action(
          'End',
          { writer: ['A', 'B'] },
          ({ partition, written, ended }: SharedLogState, { writer }, step) => {
            step.when('it has written', written[writer] > 0)
            step.when('its transaction is open', !ended[writer])
            ended[writer] = true
            const offset =
              partition.log.push({
                kind: 'marker',
                producerId: writers.indexOf(writer),
                producerEpoch: 0,
                result: ends[writer],
                coordinatorEpoch: 0,
                transaction: writer,
              }) - 1
            step.emit({
              kind: 'appended',
              lane: 'log',
              message: `${ends[writer]} of ${writer}`,
              fields: { offset },
            })
          },
        ),

        action('AdvanceHighWatermark', {}, ({ partition }: SharedLogState, _, step) => {
          step.when('records are not yet replicated', partition.highWatermark < partition.log.length)
          partition.highWatermark = partition.log.length
          step.emit({ kind: 'note', lane: 'log', text: `high watermark ${partition.highWatermark}` })
        }),
      ],
      properties: [
        always(
          onlyCommitted,
          ({ partition }: SharedLogState, claim) => {
            const { log, highWatermark } = partition
            const markerOfA = log.findIndex((one) => one.kind === 'marker' && one.transaction === 'A')
            for (const { offset, record: seen } of readCommitted(protocol, partition)) {
              const writer = writerOf(seen)
              claim.that('it is not of the aborted transaction', writer !== 'B', { offset })
              const isPast = markerOfA >= 0 && markerOfA < highWatermark
              claim.that('one of A is read only after its marker', writer !== 'A' || isPast, { offset })
            }
          },
          { summary: 'An aborted transaction is never read, one that commits only when it has.' },
        ),
        always(
          inOffsetOrder,
          ({ partition, ended }: SharedLogState, claim) => {
            const { log, highWatermark } = partition
            claim.given(
              'both are decided and all is replicated',
              ended.A && ended.B && highWatermark === log.length,
            )
            const due = log.flatMap((one, offset) =>
              one.kind === 'data' && writerOf(one) !== 'B' ? [offset] : [],
            )
            const seen = readCommitted(protocol, partition).map(({ offset }) => offset)
            claim.that('what is not aborted is read, in its order', seen.join() === due.join(), { due, seen })
          },
          { summary: 'When all is decided, nothing but the aborted records is left out.' },
        ),
        reachable(
          allOfIt,
          ({ partition, ended }: SharedLogState) => {
            const { log, highWatermark } = partition
            const letters = log
              .map((one) => (one.kind === 'data' ? (writerOf(one)[0] as string) : ''))
              .join('')
            return ended.A && ended.B && highWatermark === log.length && letters.startsWith('ABpAB')
          },
          { summary: 'The interleaving happens: A, B, plain, A, B.' },
        ),
        ...readerQuestions(protocol),
      ],
    }
  },
})
