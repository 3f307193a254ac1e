/** The rules that dumps are judged by are those of the model: each is asked the same, and both agree. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RuleName, Validator } from '../../dumps/index.ts'
import { type Memory, objection } from '../../dumps/judging/coordinator-memory.ts'
import { withEntry } from '../../spec/protocol/partition-leader/entries.ts'
import { emptyPartition, validateBatch, validateMarker } from '../../spec/protocol/partition-leader.ts'
import type { Decision } from '../../spec/protocol/transaction-coordinator/decision.ts'
import { endTransaction } from '../../spec/protocol/transaction-coordinator/end.ts'
import { canExpire, completion, newEntry } from '../../spec/protocol/transaction-coordinator/entry.ts'
import { canTimeOut, fence } from '../../spec/protocol/transaction-coordinator/fence.ts'
import { initProducerId } from '../../spec/protocol/transaction-coordinator/initialisation.ts'
import { addPartitions } from '../../spec/protocol/transaction-coordinator/participants.ts'
import type { CoordinatorEntry, Partition, TransactionRecord } from '../../spec/state.ts'
import {
  addRequest,
  endRequest,
  entryIn,
  initRequest,
  states,
  takeFresh,
} from '../spec/protocol/coordinator-notation.ts'
import { marker as markerRequest, produce } from '../spec/protocol/leader-notation.ts'
import { presets, rulesOf } from '../spec/protocol/rules.ts'
import { data, dump, type Entry, marker } from './generate.ts'

interface Attempt {
  readonly producerId: number
  readonly producerEpoch: number
  readonly sequence: number
  readonly transactional: boolean
  readonly end?: { readonly decision: 'COMMIT' | 'ABORT'; readonly coordinatorEpoch: number }
}

const attempts: fc.Arbitrary<Attempt[]> = fc.array(
  fc.record(
    {
      producerId: fc.constantFrom(0, 1),
      producerEpoch: fc.nat(2),
      sequence: fc.nat(3),
      transactional: fc.boolean(),
      end: fc.record({ decision: fc.constantFrom('COMMIT', 'ABORT'), coordinatorEpoch: fc.nat(2) }),
    },
    { requiredKeys: ['producerId', 'producerEpoch', 'sequence', 'transactional'] },
  ),
  { maxLength: 30 },
)

/** What a leader would do: the partition afterwards, or undefined if it appends nothing. */
function appended(
  partition: Partition,
  attempt: Attempt,
  rules: ReturnType<typeof rulesOf>,
): Partition | undefined {
  const { producerId, producerEpoch, sequence, transactional, end } = attempt
  const outcome =
    end === undefined
      ? validateBatch(
          rules,
          partition,
          produce(producerEpoch, sequence, { producerId, transactional }),
          'current',
        )
      : validateMarker(
          rules,
          partition,
          markerRequest(producerEpoch, {
            producerId,
            coordinatorEpoch: end.coordinatorEpoch,
            transactionVersion: 0,
          }),
        )
  if (outcome.kind !== 'append' || outcome.producer === null) return undefined
  const log = [...partition.log, ...new Array(1).fill(null)]
  return { ...partition, log, producers: withEntry(partition.producers, outcome.producer) }
}

const entryOf = ({ producerId, producerEpoch, sequence, transactional, end }: Attempt): Entry =>
  end === undefined
    ? data(producerId, producerEpoch, sequence, { transactional })
    : marker(producerId, producerEpoch, end.decision, { coordinatorEpoch: end.coordinatorEpoch })

/** What a leader appends, and what should not be there all the same. */
const allowed: readonly RuleName[] = ['transaction of two epochs', 'commit of an older epoch']

/** Whether the last entry of the log is one that no leader appends. */
function isRefused(entries: readonly Entry[], harmless: readonly RuleName[]): boolean {
  const validator = new Validator()
  const reader = validator.reader('a.txt')
  for (const [index, line] of dump('orders-0', entries).trimEnd().split('\n').entries())
    reader.line(index + 1, line)
  reader.end()
  const { findings } = validator.finish()
  return findings.some(({ rule, at }) => at.offset === entries.length - 1 && !harmless.includes(rule))
}

describe('a partition leader of the model', () => {
  it.each(presets)('%s: appends a batch or a marker exactly if nothing is found wrong with it', (preset) => {
    const rules = rulesOf(preset)
    // Until KIP-360 a producer that is not known had to begin with 0.
    const harmless: readonly RuleName[] = rules.flags.stateDiesWithRecords
      ? allowed
      : [...allowed, 'first sequence is not 0']
    let refusals = 0
    fc.assert(
      fc.property(attempts, (all) => {
        let partition = emptyPartition()
        const log: Entry[] = []
        for (const attempt of all) {
          const next = appended(partition, attempt, rules)
          const entry = entryOf(attempt)
          expect(isRefused([...log, entry], harmless)).toBe(next === undefined)
          if (next === undefined) refusals += 1
          else {
            partition = next
            log.push(entry)
          }
        }
      }),
      { numRuns: 40 },
    )
    expect(refusals).toBeGreaterThan(50)
  })
})

const memoryOf = ({ state, producerId, producerEpoch, partitions }: TransactionRecord): Memory =>
  state === 'Dead' || producerEpoch < 0
    ? 'absent'
    : { producerId, producerEpoch, state, partitions: partitions.map((partition) => `orders-${partition}`) }

/** Everything that a coordinator with this entry may write, asked by anybody. */
function writtenFrom(entry: CoordinatorEntry, rules: ReturnType<typeof rulesOf>): TransactionRecord[] {
  const epochs = [-1, 0, 1].map((step) => entry.producerEpoch + step)
  const decisions: Decision[] = [
    ...epochs.map((epoch) => initProducerId(rules, entry, initRequest(epoch), takeFresh)),
    initProducerId(rules, entry, initRequest(-1), takeFresh),
    ...epochs
      .filter((epoch) => epoch >= 0)
      .flatMap((epoch) => [
        addPartitions(rules, entry, addRequest(epoch, [0])),
        addPartitions(rules, entry, addRequest(epoch, [1, 2])),
        endTransaction(rules, entry, endRequest(epoch, 'commit'), takeFresh),
        endTransaction(rules, entry, endRequest(epoch, 'abort'), takeFresh),
      ]),
    ...(canTimeOut(entry) ? [fence(rules, entry, true, takeFresh)] : []),
  ]
  const isPrepared = entry.state === 'PrepareCommit' || entry.state === 'PrepareAbort'
  const written = decisions.flatMap((one) =>
    one.kind === 'write' || one.kind === 'fence' ? [one.record] : [],
  )
  return isPrepared ? [...written, completion(entry)] : written
}

describe('a coordinator of the model', () => {
  it.each(presets)('%s: writes nothing that is called illegal', (preset) => {
    const rules = rulesOf(preset)
    const entries = [0, 5, 32_765, 32_766, 32_767].flatMap((producerEpoch) =>
      states.map((state) => entryIn(state, { producerEpoch })),
    )
    // Where the epochs are used up, the next producer id is known with the decision.
    const last = (['PrepareCommit', 'PrepareAbort'] as const).map((state) =>
      entryIn(state, { producerEpoch: 32_767, nextProducerId: 7 }),
    )
    let count = 0
    for (const entry of [newEntry(0), ...entries, ...last]) {
      for (const record of writtenFrom(entry, rules)) {
        count += 1
        const why = objection(memoryOf(entry), memoryOf(record))
        expect({ entry, record, why }).toEqual({ entry, record, why: undefined })
      }
      const expiry = objection(memoryOf(entry), 'absent') === undefined
      expect(expiry, entry.state).toBe(canExpire(entry))
    }
    expect(count).toBeGreaterThan(60)
  })
})
