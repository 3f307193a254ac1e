import { describe, expect, it } from 'vitest'
import { readBy, readCommitted, readUncommitted, type Seen } from '../../../spec/protocol/consumer.ts'
import type { LogRecord } from '../../../spec/state.ts'
import { data, markerRecord, offsetRecord, partitionOf } from './leader-notation.ts'
import { expectOnlyGuardedCasesDiffer, presets, rulesOf } from './rules.ts'

const commit = markerRecord('commit')
const abort = markerRecord('abort')
const two: LogRecord[] = [data(), data()]
const other = { producerId: 1 }
const plain = data(-1, -1, { producerId: -1, transactional: false })
const offsets = (seen: readonly Seen[]) => seen.map(({ offset }) => offset)

/** Log and high watermark, and what either reader gets. */
const rows = [
  {
    name: 'committed, then aborted',
    log: [...two, commit, ...two, abort],
    uncommitted: [0, 1, 3, 4],
    committed: [0, 1],
  },
  {
    name: 'aborted, then committed',
    log: [...two, abort, ...two, commit],
    uncommitted: [0, 1, 3, 4],
    committed: [3, 4],
  },
  { name: 'open', log: [...two], uncommitted: [0, 1], committed: [] },
  { name: 'committed, then open', log: [data(), commit, data()], uncommitted: [0, 2], committed: [0] },
  {
    name: 'the commit is not replicated',
    log: [...two, commit],
    highWatermark: 2,
    uncommitted: [0, 1],
    committed: [],
  },
  {
    name: 'the abort is not replicated',
    log: [...two, abort],
    highWatermark: 2,
    uncommitted: [0, 1],
    committed: [],
  },
  {
    name: 'half of it is replicated',
    log: [...two, commit],
    highWatermark: 1,
    uncommitted: [0],
    committed: [],
  },
  { name: 'markers without data', log: [abort, commit, data(), commit], uncommitted: [2], committed: [2] },
  {
    name: 'aborted, with plain and idempotent records between',
    log: [data(), plain, data(5, 1, { transactional: false }), abort],
    uncommitted: [0, 1, 2],
    committed: [1, 2],
  },
  {
    name: 'aborted, with a transaction of another producer between',
    log: [data(), data(5, 0, other), markerRecord('commit', other), abort],
    uncommitted: [0, 1],
    committed: [1],
  },
  {
    name: 'committed, while another producer has an open transaction',
    log: [data(), data(5, 0, other), commit, plain],
    uncommitted: [0, 1, 3],
    committed: [0],
  },
  {
    name: 'aborted, with a record of another epoch between',
    log: [data(4), data(5), abort, data(6), commit],
    uncommitted: [0, 1, 3],
    committed: [3],
  },
  { name: 'nothing', log: [], uncommitted: [], committed: [] },
]
type Row = (typeof rows)[number]
const partitionIn = ({ log, highWatermark }: Row) => partitionOf([...log], highWatermark ?? log.length)

describe.each(presets)('%s: a reader', (preset) => {
  it.each(rows)('read_uncommitted, $name: $uncommitted', (row) => {
    expect(offsets(readUncommitted(partitionIn(row)))).toEqual(row.uncommitted)
  })

  it.each(rows)('read_committed, $name: $committed', (row) => {
    expect(offsets(readCommitted(rulesOf(preset), partitionIn(row)))).toEqual(row.committed)
  })

  it('of the application is one or the other; the group reads its offsets as one of committed records', () => {
    for (const row of rows) {
      const [data, uncommitted] = [
        partitionIn(row),
        rulesOf(preset, { config: { isolation: 'read_uncommitted' } }),
      ]
      expect(offsets(readBy(rulesOf(preset), data))).toEqual(row.committed)
      expect(offsets(readBy(uncommitted, data))).toEqual(row.uncommitted)
    }
    const pending = partitionOf([offsetRecord(true)], 1)
    expect(readBy(rulesOf(preset, { config: { isolation: 'read_uncommitted' } }), pending)).toEqual([])
  })

  const read = (rules: ReturnType<typeof rulesOf>) => (row: Row) =>
    offsets(readCommitted(rules, partitionIn(row)))

  it('without the last stable offset gets undecided records', () => {
    const off = read(rulesOf(preset, { without: ['last stable offset'] }))
    const undecided = [
      'open',
      'committed, then open',
      'committed, while another producer has an open transaction',
      'the commit is not replicated',
      'half of it is replicated',
    ]
    const guarded = ({ name }: Row) => undecided.includes(name)
    expectOnlyGuardedCasesDiffer({ cases: rows, on: read(rulesOf(preset)), off, guarded })
  })

  const notHidden = ['the abort is not replicated', 'markers without data']

  it('without the filter gets aborted records', () => {
    const off = read(rulesOf(preset, { without: ['aborted records filter'] }))
    const guarded = ({ log, name }: Row) => log.includes(abort) && !notHidden.includes(name)
    expectOnlyGuardedCasesDiffer({ cases: rows, on: read(rulesOf(preset)), off, guarded })
    expect(rows.slice(0, 2).map(off)).toEqual(rows.slice(0, 2).map(({ uncommitted }) => uncommitted))
  })
})
