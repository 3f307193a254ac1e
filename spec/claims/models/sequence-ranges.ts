/**
 * A partition and its memory of one idempotent producer, by ranges of sequences: the client sends its records again in
 * batches that are cut otherwise than the first time.
 */
import * as v from 'valibot'
import { action, always, defineModel } from '../../../checker/model.ts'

const config = v.strictObject({
  /** Whether the records go in the batches of the first time when they are sent again. */
  retry: v.picklist(['in the same batches', 'cut otherwise']),
  /** Records, which are sent in one batch the first time. */
  records: v.optional(v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(5)), 2),
})

/** The first and the last sequence of a batch. */
interface Range {
  first: number
  last: number
}

interface State {
  wire: { batches: Range[]; sends: number }
  partition: { log: number[]; remembered: Range[]; refused: Range[] }
}

export const recognisedByRange = 'a batch whose sequences are in the log is recognised'
export const onceInTheLog = 'no sequence is in the log twice'

export const sequenceRanges = defineModel<v.InferOutput<typeof config>, State>({
  name: 'sequence-ranges',
  summary:
    'batches of several records that are sent again, at a partition that remembers ranges of sequences',
  config,
  build: ({ retry, records }) => ({
    initial: {
      wire: { batches: [{ first: 0, last: records - 1 }], sends: 1 },
      partition: { log: [], remembered: [], refused: [] },
    },
    components: ['wire', 'partition'],
    lanes: [
      { id: 'client', label: 'client', group: 'client' },
      { id: 'partition', label: 'partition', group: 'partition' },
    ],
    actions: [
      action('HandleBatch', {}, ({ wire, partition }: State, _, step) => {
        const [batch] = wire.batches
        step.when('a batch arrives', batch !== undefined)
        if (batch === undefined) return
        wire.batches.shift()
        const text = handle(partition, { ...batch })
        step.emit({
          kind: 'note',
          lane: 'partition',
          text: `sequences ${batch.first} to ${batch.last}: ${text}`,
        })
      }),

      action('SendAgain', {}, ({ wire }: State, _, step) => {
        step.when('the reply is lost, for once', wire.batches.length === 0 && wire.sends === 1)
        wire.sends += 1
        const middle = retry === 'cut otherwise' ? step.choose('cut after', cuts(records)) : records - 1
        wire.batches = [
          { first: 0, last: middle },
          { first: middle + 1, last: records - 1 },
        ].filter(({ first, last }) => first <= last)
        step.emit({ kind: 'lost', lane: 'partition', peer: 'client', message: 'Produce reply' })
      }),
    ],
    properties: [
      always(
        recognisedByRange,
        ({ wire, partition }: State, claim) => {
          claim.given('batches were sent again and have arrived', wire.sends > 1 && wire.batches.length === 0)
          const [first] = partition.refused
          claim.that('none of them is refused', first === undefined, { first: first?.first ?? -1 })
        },
        {
          summary: 'A partition takes a batch for a repetition if it has all of its sequences.',
          sources: ['ProducerStateEntry.findDuplicateBatch'],
        },
      ),
      always(
        onceInTheLog,
        ({ partition: { log } }: State, claim) => {
          claim.given('there is a log', log.length > 0)
          claim.that('each is there once', new Set(log).size === log.length)
        },
        {
          summary: 'However it is cut, nothing is appended again.',
          sources: ['ProducerAppendInfo.checkSequence'],
        },
      ),
    ],
  }),
})

const cuts = (records: number): number[] => Array.from({ length: records - 1 }, (_, index) => index)

/** A repetition has exactly the range of a remembered batch; any other has to follow the last one. */
function handle(partition: State['partition'], { first, last }: Range): string {
  if (partition.remembered.some((range) => range.first === first && range.last === last)) return 'a duplicate'
  if (first !== (partition.remembered.at(-1)?.last ?? -1) + 1) {
    partition.refused.push({ first, last })
    return 'OUT_OF_ORDER_SEQUENCE_NUMBER'
  }
  partition.remembered.push({ first, last })
  for (let sequence = first; sequence <= last; sequence += 1) partition.log.push(sequence)
  return 'appended'
}
