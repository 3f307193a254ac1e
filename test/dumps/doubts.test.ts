import { describe, expect, it } from 'vitest'
import { changed, judged, type Logs, t, versionOne } from './examples.ts'
import { data, dump, type Entry, marker, transaction } from './generate.ts'
import { broken, doubted, judge } from './judged.ts'

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

  it('is not claimed of a producer that was forgotten to save memory', () => {
    const many = Array.from({ length: 100_001 }, (_, producerId) =>
      data(producerId, 0, 0, { transactional: false }),
    )
    const again = data(0, 0, 7, { transactional: false })
    const result = judge({ 'a.txt': dump('orders-0', [...many, again], '2.1 shallow') })
    expect(result.findings).toEqual([])
    expect(doubted(result)).toContain('too many to remember')
  })
})
