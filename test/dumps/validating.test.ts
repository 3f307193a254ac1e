import { describe, expect, it } from 'vitest'
import type { RuleName } from '../../dumps/index.ts'
import {
  both,
  changed,
  commit,
  dumps,
  insert,
  judged,
  type Logs,
  offsetOf,
  remove,
  set,
  t,
  versionOne,
  versionTwo,
} from './examples.ts'
import { data, formats, marker, tells, transaction } from './generate.ts'
import { broken, judge } from './judged.ts'

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

  it('may have markers without a transaction, which are named', () => {
    const again = changed(versionOne, 'orders-0', insert(2, marker(7, 0, 'COMMIT')))
    const { outcome, notes, logs } = judged(again)
    expect(outcome).toBe('explained')
    expect(logs[0]?.markersWithoutTransaction).toBe(1)
    expect(notes).toMatchObject([
      {
        found: expect.stringContaining('it was sent again'),
        at: { file: 'orders-0.txt', line: 8, offset: 3 },
      },
    ])
  })

  it('tells what a group has committed, and what waits for its marker', () => {
    const offsets = [...versionOne['__consumer_offsets-0'].slice(0, 4), data(7, 0, -1, commit(offsetOf(9)))]
    const { offsets: committed } = judged({ '__consumer_offsets-0': offsets })
    expect(committed).toMatchObject([{ group: 'g', partition: 'in-0', offset: 2, pending: [9] }])
  })
})

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
