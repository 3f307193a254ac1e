import { describe, expect, it } from 'vitest'
import { lastStableOffset, transactionsOf } from '../../../spec/protocol/partition-leader.ts'
import type { LogRecord } from '../../../spec/state.ts'
import { data, markerRecord, offsetRecord, partitionOf } from './leader-notation.ts'

/** A log in letters: d data, o a transactional and p a plain offset commit, C and A the markers. */
function logOf(letters: string): LogRecord[] {
  const records: Record<string, () => LogRecord> = {
    d: () => data(),
    o: () => offsetRecord(true),
    p: () => offsetRecord(false),
    C: () => markerRecord('commit'),
    A: () => markerRecord('abort'),
  }
  return [...letters].map((letter) => {
    const make = records[letter]
    if (make === undefined) throw new Error(`no record is written '${letter}'`)
    return make()
  })
}

describe('the transactions of a log', () => {
  const rows = [
    { log: '', transactions: [] },
    { log: 'C', transactions: [] },
    { log: 'd', transactions: ['0..'] },
    { log: 'dC', transactions: ['0..1'] },
    { log: 'ddA', transactions: ['0..2 aborted'] },
    { log: 'ddCddA', transactions: ['0..2', '3..5 aborted'] },
    { log: 'dCCAd', transactions: ['0..1', '4..'] },
    { log: 'AdA', transactions: ['1..2 aborted'] },
    { log: 'poC', transactions: ['1..2'] },
    { log: 'ppC', transactions: [] },
  ]
  it.each(rows)("'$log'", ({ log, transactions }) => {
    const found = transactionsOf(logOf(log)).map(
      ({ firstOffset, markerOffset, aborted }) =>
        `${firstOffset}..${markerOffset < 0 ? '' : markerOffset}${aborted ? ' aborted' : ''}`,
    )
    expect(found).toEqual(transactions)
  })
})

describe('the last stable offset', () => {
  const rows = [
    { log: '', highWatermark: 0, lastStable: 0, why: 'nothing is there' },
    { log: 'd', highWatermark: 1, lastStable: 0, why: 'the transaction is open' },
    { log: 'ddC', highWatermark: 3, lastStable: 3, why: 'the marker is replicated' },
    { log: 'ddC', highWatermark: 2, lastStable: 0, why: 'the marker is not replicated' },
    { log: 'ddC', highWatermark: 0, lastStable: 0, why: 'nothing is replicated' },
    { log: 'dCd', highWatermark: 3, lastStable: 2, why: 'the second transaction is open' },
    { log: 'dCdC', highWatermark: 3, lastStable: 2, why: 'the second marker is not replicated' },
    { log: 'dCd', highWatermark: 1, lastStable: 0, why: 'the first marker is not replicated' },
    { log: 'dAdC', highWatermark: 4, lastStable: 4, why: 'all is decided' },
    {
      log: 'pp',
      highWatermark: 1,
      lastStable: 1,
      why: 'what is not transactional is stable when replicated',
    },
    {
      log: 'ppd',
      highWatermark: 2,
      lastStable: 2,
      why: 'an open transaction above the high watermark does not matter',
    },
  ]
  it.each(rows)("'$log' up to $highWatermark: $lastStable, as $why", ({ log, highWatermark, lastStable }) => {
    expect(lastStableOffset(partitionOf(logOf(log), highWatermark))).toBe(lastStable)
  })
})
