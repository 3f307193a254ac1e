import { describe, expect, it } from 'vitest'
import type { RuleName } from '../../dumps/index.ts'
import { data, dump, type Entry, type Format, formats, marker, tells, transaction } from './generate.ts'
import { broken, doubted, judge } from './judged.ts'

const t = 1_700_000_000_000
const commit = (content: string): Entry => ({ contents: [content], baseSequence: -1 })
const offsetOf = (offset: number) =>
  `key: {"type":"1","data":{"group":"g","topic":"in","partition":0}} payload: {"version":"3","data":{"offset":${offset}}}`
const both = ['orders-0', '__consumer_offsets-0']

/** Three transactions of one producer before transaction.version 2: committed, aborted by its client, committed. */
const versionOne = {
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
const versionTwo = {
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

type Logs = Readonly<Record<string, readonly Entry[]>>

const dumps = (logs: Logs, format: Format = '3.3') =>
  Object.fromEntries(
    Object.entries(logs).map(([name, entries]) => [`${name}.txt`, dump(name, entries, format)]),
  )

const judged = (logs: Logs) => judge(dumps(logs))

describe('a log that is as the protocol has it', () => {
  it.each([
    ['before transaction.version 2', versionOne],
    ['with transaction.version 2', versionTwo],
  ])('is explained: %s', (_, logs) => {
    const result = judged(logs)
    expect(result.findings).toEqual([])
    expect(result.doubts).toEqual([])
    expect(result.outcome).toBe('explained')
  })

  it.each(formats)('is never accused in the format of %s', (format) => {
    for (const logs of [versionOne, versionTwo]) {
      const { '__transaction_state-0': _, ...clients } = logs as Logs
      const result = judge(dumps(clients, format))
      expect(result.findings).toEqual([])
      const told = tells(format)
      expect(result.outcome).toBe(told.epochs && told.decisions ? 'explained' : 'inconclusive')
    }
  })

  it('is told as both kinds of readers see it', () => {
    const open = [...versionOne['orders-0'], data(8, 0, 0), data(-1, -1, -1, { transactional: false })]
    const [log] = judged({ 'orders-0': open }).logs
    expect(log).toMatchObject({
      lastStableOffset: 8,
      transactions: { committed: 2, aborted: 1, open: 1 },
      readers: { uncommitted: 7, committed: 4, aborted: 1, waiting: 2 },
    })
  })

  it('tells what a group has committed, and what waits for its marker', () => {
    const offsets = [...versionOne['__consumer_offsets-0'].slice(0, 4), data(7, 0, -1, commit(offsetOf(9)))]
    const { offsets: committed } = judged({ '__consumer_offsets-0': offsets })
    expect(committed).toMatchObject([{ group: 'g', partition: 'in-0', offset: 2, pending: [9] }])
  })
})

/** The log with one entry changed, left out or added. */
const changed = (logs: Logs, name: string, change: (entries: Entry[]) => void): Logs => {
  const entries = [...(logs[name] ?? [])]
  change(entries)
  return { ...logs, [name]: entries }
}
const set = (index: number, fields: Entry) => (entries: Entry[]) => {
  entries[index] = { ...entries[index], ...fields }
}
const insert = (index: number, entry: Entry) => (entries: Entry[]) => void entries.splice(index, 0, entry)
const remove = (index: number) => (entries: Entry[]) => void entries.splice(index, 1)

describe('a planted fault is found', () => {
  it.each<[string, Logs, RuleName[]]>([
    [
      'a batch twice',
      changed(versionOne, 'orders-0', insert(1, data(7, 0, 0, { records: 2 }))),
      ['duplicate batch'],
    ],
    [
      'a batch that overlaps',
      changed(versionOne, 'orders-0', insert(1, data(7, 0, 1))),
      ['repeated sequence'],
    ],
    [
      'a sequence skipped',
      changed(versionOne, 'orders-0', set(2, { baseSequence: 5 })),
      ['sequence gap', 'repeated sequence'],
    ],
    [
      'an epoch that begins with 1',
      changed(versionTwo, 'orders-0', set(2, { baseSequence: 1 })),
      ['sequence gap'],
    ],
    ['a producer that begins with 3', { 'orders-0': [data(7, 0, 3)] }, ['first sequence is not 0']],
    ['an old epoch', { 'orders-0': [data(7, 1, 0), data(7, 0, 0)] }, ['data of an older epoch']],
    [
      'an old epoch, after a commit',
      changed(versionTwo, 'orders-0', insert(2, data(7, 0, 2))),
      ['data of an older epoch', 'transaction of two epochs'],
    ],
    [
      'data after its own abort',
      { 'orders-0': [data(7, 0, 0), marker(7, 1, 'ABORT'), data(7, 0, 1)] },
      ['data after its own abort marker'],
    ],
    [
      'a batch outside of its transaction',
      { 'orders-0': [data(7, 0, 0), data(7, 0, 1, { transactional: false })] },
      ['data outside the open transaction'],
    ],
    [
      'a transaction of two epochs',
      { 'orders-0': [data(7, 0, 0), data(7, 1, 0)] },
      ['transaction of two epochs'],
    ],
    [
      'a commit two epochs later',
      { 'orders-0': [data(7, 0, 0), marker(7, 2, 'COMMIT')] },
      ['commit of an older epoch'],
    ],
    [
      'a marker of an older epoch',
      { 'orders-0': [data(7, 3, 0), marker(7, 2, 'COMMIT')] },
      ['marker of an older epoch'],
    ],
    [
      'a marker of an older coordinator',
      {
        'orders-0': [
          data(7, 0, 0),
          marker(7, 0, 'COMMIT', { coordinatorEpoch: 3 }),
          data(7, 0, 1),
          marker(7, 0, 'COMMIT', { coordinatorEpoch: 2 }),
        ],
      },
      ['marker of an older coordinator'],
    ],
    [
      'a marker flipped, with another partition',
      changed(versionTwo, 'payments-0', set(1, { marker: 'ABORT' })),
      ['commit here, abort there'],
    ],
    [
      'a marker flipped, with the coordinator',
      changed(versionOne, 'orders-0', set(1, { marker: 'ABORT' })),
      ['marker against the decision'],
    ],
    [
      'a marker taken out, with the coordinator',
      changed(versionOne, 'orders-0', remove(5)),
      ['missing marker', 'hanging transaction'],
    ],
    [
      'a decision flipped',
      changed(
        versionOne,
        '__transaction_state-0',
        set(4, transaction('app', 7, 0, 'CompleteAbort', [], t + 35)),
      ),
      ['illegal transition'],
    ],
    ['a decision taken out', changed(versionOne, '__transaction_state-0', remove(3)), ['illegal transition']],
    [
      'an epoch of the coordinator raised',
      changed(versionOne, '__transaction_state-0', set(2, transaction('app', 7, 1, 'Ongoing', both, t + 15))),
      ['illegal transition'],
    ],
    [
      'a partition forgotten',
      changed(
        versionOne,
        '__transaction_state-0',
        set(3, transaction('app', 7, 0, 'PrepareCommit', ['__consumer_offsets-0'], t + 30)),
      ),
      ['illegal transition'],
    ],
    [
      'a state that is never written',
      changed(
        versionOne,
        '__transaction_state-0',
        set(6, transaction('app', 7, 1, 'PrepareEpochFence', both, t + 70)),
      ),
      ['illegal transition'],
    ],
    [
      'late data after an abort',
      {
        'orders-0': [
          ...versionOne['orders-0'].slice(0, 4),
          data(7, 0, 3, { timestamp: t + 65 }),
          ...versionOne['orders-0'].slice(6),
        ],
        '__transaction_state-0': versionOne['__transaction_state-0'].slice(0, 8),
      },
      ['data after its own abort marker'],
    ],
    ['output that is not there', changed(versionOne, 'orders-0', remove(4)), ['offsets without output']],
    [
      'offsets that are not there',
      changed(versionOne, '__consumer_offsets-0', remove(4)),
      ['output without offsets'],
    ],
    [
      'a marker that nobody decided',
      changed(
        versionOne,
        'payments-0',
        (entries) =>
          void entries.push(
            data(7, 0, 0, { timestamp: t + 51 }),
            marker(7, 0, 'ABORT', { timestamp: t + 73 }),
          ),
      ),
      ['marker that nobody decided'],
    ],
    [
      'offsets swapped',
      { 'orders-0': [data(7, 0, 0), data(7, 0, 2, { skip: 1 }), data(7, 0, 1, { skip: -2 })] },
      ['offsets out of order'],
    ],
    [
      'a leader epoch that goes back',
      { 'orders-0': [data(7, 0, 0, { leaderEpoch: 4 }), data(7, 0, 1, { leaderEpoch: 3 })] },
      ['leader epoch goes back'],
    ],
    [
      'a transaction that is open for an hour',
      {
        'orders-0': [
          data(7, 0, 0, { timestamp: t }),
          data(8, 0, 0, { transactional: false, timestamp: t + 3_600_000 }),
        ],
      },
      ['late transaction'],
    ],
    [
      'a decision that is not completed for an hour',
      {
        '__transaction_state-0': [
          ...versionOne['__transaction_state-0'].slice(0, 4),
          transaction('other', 8, 0, 'Empty', [], t + 3_600_000),
        ],
      },
      ['decided and not completed'],
    ],
  ])('%s', (_, logs, expected) => {
    const result = judged(logs)
    expect(broken(result)).toEqual(expected)
    expect(result.outcome).toBe('findings')
    for (const { at } of result.findings)
      expect(at).toMatchObject({
        file: expect.any(String),
        line: expect.any(Number),
        log: expect.any(String),
      })
  })

  it('with the producer to blame, where it stands, and with what it collides', () => {
    const [finding] = judged(
      changed(versionOne, 'orders-0', insert(1, data(7, 0, 0, { records: 2 }))),
    ).findings
    expect(finding).toEqual({
      rule: 'duplicate batch',
      severity: 'critical',
      found: 'sequences 0 to 1 of epoch 0 are at offset 0 already',
      at: { file: 'orders-0.txt', line: 6, log: 'orders-0', offset: 2 },
      related: [{ file: 'orders-0.txt', line: 3, log: 'orders-0', offset: 0 }],
      producer: { producerId: 7, producerEpoch: 0, transactionalId: 'app' },
    })
  })
})

describe('what a dump does not say', () => {
  it.each<[string, Logs, string]>([
    [
      'is not claimed of a log that begins later',
      { 'orders-0': [data(7, 0, 5, { skip: 40 }), marker(7, 0, 'COMMIT')] },
      'the log begins later',
    ],
    [
      'is not claimed across a hole',
      { 'orders-0': [data(7, 0, 0), data(7, 0, 5, { skip: 3 })] },
      'offsets are missing',
    ],
    [
      'is not claimed of a coordinator that has a hole',
      changed(versionOne, '__transaction_state-0', (entries) => {
        entries[3] = transaction('app', 7, 0, 'CompleteCommit', [], t + 35)
        entries[3] = { ...entries[3], lost: 1 }
        entries.splice(4, 1)
      }),
      'offsets are missing',
    ],
    [
      'is not claimed where the coordinator was dumped before',
      { ...versionOne, 'orders-0': [...versionOne['orders-0'], data(7, 0, 4, { timestamp: t + 600 })] },
      'the coordinator stops earlier',
    ],
    [
      'is not claimed where the partition was dumped before',
      changed(versionOne, 'orders-0', (entries) => void entries.splice(5, 2)),
      'the partition stops earlier',
    ],
  ])('%s', (_, logs, doubt) => {
    const result = judged(logs)
    expect(result.findings).toEqual([])
    expect(doubted(result)).toContain(doubt)
    expect(result.outcome).toBe('inconclusive')
  })

  it('is not claimed of the console consumer, unless it is about one transaction', () => {
    const line = (state: string, start: number) =>
      `app::TransactionMetadata(transactionalId=app, producerId=7, producerEpoch=0, txnTimeoutMs=60000, state=${state}, ` +
      `pendingState=None, topicPartitions=Set(${state.startsWith('Complete') ? '' : 'a-0'}), txnStartTimestamp=${start}, txnLastUpdateTimestamp=${t})`
    const apart = judge({ 'a.txt': [line('PrepareCommit', 1), line('CompleteAbort', 2)].join('\n') })
    expect(apart.outcome).toBe('inconclusive')
    const same = judge({ 'a.txt': [line('PrepareCommit', 1), line('CompleteAbort', 1)].join('\n') })
    expect(broken(same)).toEqual(['illegal transition'])
  })

  it('compaction takes nothing from what is known of a coordinator', () => {
    const compacted = changed(versionOne, '__transaction_state-0', (entries) => {
      entries.splice(0, 7, { ...(entries[7] as Entry), skip: 7 })
      entries.splice(1, 1)
    })
    const late = changed(
      compacted,
      'orders-0',
      (entries) =>
        void entries.splice(
          4,
          3,
          data(7, 0, 3, { timestamp: t + 65 }),
          data(-1, -1, -1, { transactional: false, timestamp: t + 500 }),
        ),
    )
    const result = judged({
      'orders-0': late['orders-0'] ?? [],
      '__transaction_state-0': (compacted['__transaction_state-0'] ?? []).slice(0, 1),
    })
    expect(broken(result)).toEqual(['hanging transaction'])
  })

  it('a write that was reported as failed explains a record, and is named', () => {
    const logs = {
      '__transaction_state-0': [
        transaction('app', 7, 0, 'Empty', [], t),
        transaction('app', 7, 0, 'Ongoing', ['orders-0'], t + 1),
        transaction('app', 7, 0, 'PrepareCommit', ['orders-0'], t + 2),
        transaction('app', 7, 1, 'PrepareAbort', ['orders-0'], t + 3),
        transaction('app', 7, 1, 'CompleteAbort', [], t + 4),
      ],
    }
    const { outcome, notes } = judged(logs)
    expect(outcome).toBe('explained')
    expect(notes).toMatchObject([{ at: { offset: 3 } }])
  })

  it('a producer that was idle for a day may begin anew', () => {
    const day = 86_400_000
    const { findings } = judged({
      'orders-0': [
        data(7, 0, 4, { timestamp: t, baseSequence: 0 }),
        marker(7, 0, 'COMMIT', { timestamp: t }),
        data(7, 0, 9, { timestamp: t + day }),
      ],
    })
    expect(findings).toEqual([])
  })
})
