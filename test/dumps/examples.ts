/** Logs of one producer that are as the protocol has them, and ways to change them. */
import { data, dump, type Entry, type Format, marker, transaction } from './generate.ts'
import { judge } from './judged.ts'

export const t = 1_700_000_000_000
export const commit = (content: string): Entry => ({ contents: [content], baseSequence: -1 })
export const offsetOf = (offset: number) =>
  `key: {"type":"1","data":{"group":"g","topic":"in","partition":0}} payload: {"version":"3","data":{"offset":${offset}}}`
export const both = ['orders-0', '__consumer_offsets-0']

/** Three transactions of one producer before transaction.version 2: committed, aborted by its client, committed. */
export const versionOne = {
  'orders-0': [
    data(7, 0, 0, { records: 2, timestamp: t + 10 }),
    marker(7, 0, 'COMMIT', { timestamp: t + 31 }),
    data(7, 0, 2, { timestamp: t + 50 }),
    marker(7, 0, 'ABORT', { timestamp: t + 71 }),
    data(7, 0, 3, { timestamp: t + 90 }),
    marker(7, 0, 'COMMIT', { timestamp: t + 111 }),
    data(-1, -1, -1, { transactional: false, timestamp: t + 500 }),
  ],
  '__consumer_offsets-0': [
    data(7, 0, -1, { ...commit(offsetOf(2)), timestamp: t + 20 }),
    marker(7, 0, 'COMMIT', { timestamp: t + 32 }),
    data(7, 0, -1, { ...commit(offsetOf(3)), timestamp: t + 60 }),
    marker(7, 0, 'ABORT', { timestamp: t + 72 }),
    data(7, 0, -1, { ...commit(offsetOf(3)), timestamp: t + 100 }),
    marker(7, 0, 'COMMIT', { timestamp: t + 112 }),
  ],
  '__transaction_state-0': [
    transaction('app', 7, 0, 'Empty', [], t),
    transaction('app', 7, 0, 'Ongoing', ['orders-0'], t + 5),
    transaction('app', 7, 0, 'Ongoing', both, t + 15),
    transaction('app', 7, 0, 'PrepareCommit', both, t + 30),
    transaction('app', 7, 0, 'CompleteCommit', [], t + 35),
    transaction('app', 7, 0, 'Ongoing', both, t + 45),
    transaction('app', 7, 0, 'PrepareAbort', both, t + 70),
    transaction('app', 7, 0, 'CompleteAbort', [], t + 75),
    transaction('app', 7, 0, 'Ongoing', both, t + 85),
    transaction('app', 7, 0, 'PrepareCommit', both, t + 110),
    transaction('app', 7, 0, 'CompleteCommit', [], t + 115),
  ],
} satisfies Logs

/** The same with transaction.version 2: each end raises the epoch. */
export const versionTwo = {
  'orders-0': [
    data(7, 0, 0, { records: 2, timestamp: t + 10 }),
    marker(7, 1, 'COMMIT', { timestamp: t + 31 }),
    data(7, 1, 0, { timestamp: t + 50 }),
    marker(7, 2, 'ABORT', { timestamp: t + 71 }),
    data(7, 2, 0, { timestamp: t + 90 }),
    data(7, 2, 1, { timestamp: t + 91 }),
    marker(7, 3, 'COMMIT', { timestamp: t + 111 }),
  ],
  'payments-0': [
    data(7, 0, 0, { timestamp: t + 12 }),
    marker(7, 1, 'COMMIT', { timestamp: t + 32 }),
    data(7, 1, 0, { timestamp: t + 52 }),
    marker(7, 2, 'ABORT', { timestamp: t + 72 }),
    data(7, 2, 0, { timestamp: t + 92 }),
    marker(7, 3, 'COMMIT', { timestamp: t + 112 }),
  ],
} satisfies Logs

export type Logs = Readonly<Record<string, readonly Entry[]>>

export const dumps = (logs: Logs, format: Format = '3.3') =>
  Object.fromEntries(
    Object.entries(logs).map(([name, entries]) => [`${name}.txt`, dump(name, entries, format)]),
  )

export const judged = (logs: Logs) => judge(dumps(logs))

/** The log with one entry changed, left out or added. */
export const changed = (logs: Logs, name: string, change: (entries: Entry[]) => void): Logs => {
  const entries = [...(logs[name] ?? [])]
  change(entries)
  return { ...logs, [name]: entries }
}
export const set = (index: number, fields: Entry) => (entries: Entry[]) => {
  entries[index] = { ...entries[index], ...fields }
}
export const insert = (index: number, entry: Entry) => (entries: Entry[]) =>
  void entries.splice(index, 0, entry)
export const remove = (index: number) => (entries: Entry[]) => void entries.splice(index, 1)
