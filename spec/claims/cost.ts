/** What transactions cost: numbers, counted on the shortest way to the end of all work. */
import type { Trace } from '../../checker/trace.ts'
import { coordinatorLane } from '../lanes.ts'
import { kafka } from '../model.ts'
import { anyModel, type Claim } from './claim.ts'

const model = anyModel(kafka)
const done = 'all work is done'
const thrownAway = 'all work is done, and a whole transaction was thrown away'
const inputs = 4

/** What was done on the way, all told. */
export interface Work {
  readonly records: number
  readonly markers: number
  /** Records of the transaction log. */
  readonly transactionLogWrites: number
  /** Requests that the coordinator answers, of clients and of partition leaders. */
  readonly coordinatorRequests: number
}

/** Counted on the events of a trace of the Kafka model. */
export function workIn({ steps }: Trace): Work {
  const events = steps.flatMap((step) => step.events)
  const appended = events.filter(({ kind }) => kind === 'appended')
  return {
    records: appended.filter(({ message }) => message === 'data').length,
    markers: appended.filter(({ message }) => message?.startsWith('marker')).length,
    // A record of that log is told twice: when it is appended and when it is replicated.
    transactionLogWrites: appended.filter(
      ({ lane, text }) => lane === coordinatorLane && text?.startsWith('appended'),
    ).length,
    coordinatorRequests: events.filter(({ kind, lane }) => kind === 'delivered' && lane === coordinatorLane)
      .length,
  }
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

/** In a sentence. */
export const workText = ({ records, markers, transactionLogWrites, coordinatorRequests }: Work): string =>
  [
    counted(records, 'record', 'records'),
    counted(markers, 'marker', 'markers'),
    counted(transactionLogWrites, 'write to the transaction log', 'writes to the transaction log'),
    counted(coordinatorRequests, 'request to the coordinator', 'requests to the coordinator'),
  ].join(', ')

/** With at most two decimals. */
const each = (count: number, records: number) => Number((count / records).toFixed(2))

const perRecord = ({ records, markers, transactionLogWrites, coordinatorRequests }: Work): string =>
  [markers, transactionLogWrites, coordinatorRequests].map((count) => each(count, records)).join(', ')

interface Size {
  readonly partitions: number
  readonly inputsPerTransaction: number
  readonly work: Work
}

const work = (records: number, markers: number, writes: number, requests: number): Work => ({
  records,
  markers,
  transactionLogWrites: writes,
  coordinatorRequests: requests,
})

/** Four inputs, each a record in every partition; the initialisation is one write and one request of these. */
const sizes: readonly Size[] = [
  { partitions: 1, inputsPerTransaction: 1, work: work(4, 4, 13, 9) },
  { partitions: 1, inputsPerTransaction: 2, work: work(4, 2, 7, 5) },
  { partitions: 1, inputsPerTransaction: 4, work: work(4, 1, 4, 3) },
  { partitions: 2, inputsPerTransaction: 1, work: work(8, 8, 17, 13) },
  { partitions: 2, inputsPerTransaction: 2, work: work(8, 4, 9, 7) },
  { partitions: 2, inputsPerTransaction: 4, work: work(8, 2, 5, 4) },
  { partitions: 3, inputsPerTransaction: 1, work: work(12, 12, 21, 17) },
  { partitions: 3, inputsPerTransaction: 2, work: work(12, 6, 11, 9) },
  { partitions: 3, inputsPerTransaction: 4, work: work(12, 3, 6, 5) },
]

/** Four inputs that are read, processed and written to one partition; the group's partition gets a marker too. */
const aborted: readonly Size[] = [
  { partitions: 1, inputsPerTransaction: 1, work: work(5, 10, 21, 16) },
  { partitions: 1, inputsPerTransaction: 2, work: work(6, 6, 13, 10) },
  { partitions: 1, inputsPerTransaction: 4, work: work(8, 4, 9, 7) },
]

const inVain = (aborted: number, { records }: Work) => `${Math.round((100 * aborted) / records)}%`

const perTransaction = (count: number) => (count === 1 ? 'a record' : `${count} records`)

export const costClaims: readonly Claim[] = [
  {
    id: 'claim-C1',
    claim:
      'what a transaction costs does not depend on how many records it has: a marker in each partition, a write to the transaction log for each partition and two more, and a request to the coordinator for each partition and one more',
    stands: 'holds',
    sources: ['KIP-98', 'KIP-890'],
    table: {
      rows: 'records of a transaction in each partition',
      columns: 'partitions',
      cells: 'markers, writes to the transaction log and requests to the coordinator, each per record',
    },
    cases: sizes.map(({ partitions, inputsPerTransaction, work }) => ({
      cell: { row: String(inputsPerTransaction), column: String(partitions), text: perRecord(work) },
      name: `a transaction for ${perTransaction(inputsPerTransaction)}, partitions: ${partitions}`,
      model,
      config: {
        application: 'produce',
        instances: 1,
        inputs,
        attempts: inputs,
        inputsPerTransaction,
        outputPartitions: partitions,
      },
      expected: { [done]: 'witnessed' },
      shows: { [done]: Array.from({ length: work.markers }, () => 'marker commit') },
      because: workText(work),
    })),
  },
  {
    id: 'claim-C2',
    claim: 'one abort throws a whole batch away: the larger the batches, the larger its share of the work',
    stands: 'holds',
    sources: ['KIP-98'],
    table: {
      rows: 'inputs of a transaction',
      columns: 'partitions',
      cells: 'share of the records that were written in vain',
    },
    cases: aborted.map(({ partitions, inputsPerTransaction, work }) => ({
      cell: {
        row: String(inputsPerTransaction),
        column: String(partitions),
        text: `${inputsPerTransaction} of ${work.records}: ${inVain(inputsPerTransaction, work)}`,
      },
      name: `a transaction for ${perTransaction(inputsPerTransaction)}`,
      model,
      config: {
        instances: 1,
        inputs,
        attempts: inputs + 1,
        inputsPerTransaction,
        outputPartitions: partitions,
        applicationAborts: 1,
      },
      expected: { [thrownAway]: 'witnessed' },
      shows: { [thrownAway]: ['the application decides to abort', 'marker abort', 'marker commit'] },
      because: `${inputsPerTransaction} of ${workText(work)}: ${inVain(inputsPerTransaction, work)} of the records were written in vain`,
    })),
  },
]
