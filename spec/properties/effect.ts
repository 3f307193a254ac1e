/** A transaction takes effect as a whole, and as its client was told. */
import { always, type Property } from '../../checker/model.ts'
import { readBy, type Seen } from '../protocol/consumer.ts'
import type { Protocol } from '../protocol/protocol.ts'
import type { KafkaState, Partition } from '../state.ts'
import { isQuiet, isWritten } from './logs.ts'

/** What a transaction has made visible. */
interface Effect {
  readonly visible: number
  /** An output or offset of one of its inputs that is not visible, '' if there is none. */
  readonly missing: string
}

/** A property of the whole of the logs: told only where no partition has anything open or unreplicated. */
function visibleIn(protocol: Protocol, partitions: readonly Partition[]): Seen[][] | undefined {
  // One after the other, as the first that is not quiet settles it.
  for (const partition of partitions) if (!isQuiet(partition)) return undefined
  return partitions.map((partition) => readBy(protocol, partition))
}

function effectOf(protocol: Protocol, visible: readonly Seen[][], transaction: string): Effect {
  const { outputPartitions, recordsPerOutput } = protocol.config
  const own = visible.map((seen) =>
    seen
      .map(({ record }) => record)
      .filter((record) => record.transactional && record.transaction === transaction),
  )
  const inputs = new Set(
    own.flat().map((record) => (record.kind === 'data' ? record.input : record.offset - 1)),
  )
  const missing: string[] = []
  for (const input of inputs) {
    for (let partition = 0; partition < outputPartitions; partition += 1) {
      const count = own[partition]?.filter(
        (record) => record.kind === 'data' && record.input === input,
      ).length
      if (count !== recordsPerOutput) missing.push(`output of input ${input} in partition ${partition}`)
    }
    const offsets = own[protocol.offsetsPartition] ?? []
    const hasOffset = offsets.some((record) => record.kind === 'offset' && record.offset === input + 1)
    if (commitsOffsets(protocol) && !hasOffset) missing.push(`offset of input ${input}`)
  }
  return { visible: own.flat().length, missing: missing[0] ?? '' }
}

const commitsOffsets = ({ config, protects }: Protocol): boolean =>
  config.application === 'read-process-write' && protects('offsets inside the transaction')

export const allOrNothing = (protocol: Protocol): Property<KafkaState> =>
  always(
    'a transaction takes effect everywhere or nowhere',
    ({ partition }: KafkaState, claim) => {
      const visible = visibleIn(protocol, partition)
      claim.given('nothing is open or unreplicated in any partition', visible !== undefined)
      const records = partition.flatMap(({ log }) => log.filter(isWritten))
      const transactions = new Set(
        records.filter(({ transactional }) => transactional).map((record) => record.transaction),
      )
      for (const transaction of transactions) {
        const { missing } = effectOf(protocol, visible as Seen[][], transaction)
        claim.that('of what it wrote all is visible, or nothing', missing === '', { transaction, missing })
      }
    },
    {
      summary:
        'Once nothing of it is open, all outputs and offsets of a transaction are visible, in all partitions, or none.',
      sources: ['KIP-98', 'KafkaProducer'],
    },
  )

export const outcomesAreSeen = (protocol: Protocol): Property<KafkaState> =>
  always(
    'reported outcomes are what readers see',
    ({ partition, ghost }: KafkaState, claim) => {
      const visible = visibleIn(protocol, partition)
      claim.given('nothing is open or unreplicated in any partition', visible !== undefined)
      for (const [transaction, told] of Object.entries(ghost.told)) {
        const effect = effectOf(protocol, visible as Seen[][], transaction)
        const values = { transaction, ...effect }
        claim.that(
          'nothing of a reported abort is visible',
          told === 'commit' || effect.visible === 0,
          values,
        )
        const whole = effect.visible > 0 && effect.missing === ''
        claim.that('all of a reported commit is visible', told === 'abort' || whole, values)
      }
    },
    {
      summary:
        'When its markers are written, all of a transaction that was reported as committed is visible, and nothing of one that was reported as aborted.',
      sources: ['KafkaProducer.commitTransaction', 'KafkaProducer.abortTransaction', 'KIP-98'],
    },
  )
