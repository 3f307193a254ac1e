/** Snapshots, indexes, tables and several logs of one partition, compared with each other. */
import { describe, expect, it } from 'vitest'
import { data, dump, marker } from './generate.ts'
import { broken, doubted, judge } from './judged.ts'

const t = 1_700_000_000_000
const heading = (name: string) => `Dumping /data/orders-0/${name}`
const snapshotOf = (offset: number, ...lines: readonly string[]) =>
  [heading(`${String(offset).padStart(20, '0')}.snapshot`), ...lines].join('\n')
const producer = (epoch: number, lastSequence: number, open: string) =>
  `producerId: 7 producerEpoch: ${epoch} coordinatorEpoch: 0 currentTxnFirstOffset: ${open} lastTimestamp: ${t} ` +
  `firstSequence: ${lastSequence} lastSequence: ${lastSequence} lastOffset: 2 offsetDelta: 0 timestamp: ${t}`

const entries = [data(7, 0, 0), marker(7, 0, 'ABORT'), data(7, 0, 1)]

describe('a producer snapshot', () => {
  it.each<[string, string, string | undefined]>([
    ['as the log', producer(0, 1, 'OptionalLong[2]'), undefined],
    ['another epoch', producer(1, 1, 'OptionalLong[2]'), 'has epoch 0, and the snapshot 1'],
    ['another sequence', producer(0, 5, 'Some(2)'), 'has last sequence 1, and the snapshot 5'],
    [
      'nothing open',
      producer(0, 1, 'None'),
      'has first offset of the open transaction 2, and the snapshot -1',
    ],
    [
      'another producer',
      producer(0, 1, 'Some(2)').replace('producerId: 7', 'producerId: 8'),
      'has nothing of it',
    ],
  ])('is compared with the log: %s', (_, line, difference) => {
    const files = { 's.txt': snapshotOf(3, line), 'l.txt': dump('orders-0', entries) }
    const { findings } = judge(files)
    expect(findings.map(({ found }) => found)).toEqual(
      difference === undefined ? [] : [expect.stringContaining(difference)],
    )
  })

  it('tells what was before a log that begins later', () => {
    const late = dump('orders-0', [data(7, 0, 3), marker(7, 0, 'COMMIT')], '3.3', 40)
    const known = snapshotOf(40, producer(0, 2, 'OptionalLong[30]'))
    expect(judge({ 's.txt': known, 'l.txt': late })).toMatchObject({ outcome: 'explained', findings: [] })
    const other = snapshotOf(40, producer(0, 7, 'OptionalLong[30]'))
    expect(broken(judge({ 's.txt': other, 'l.txt': late }))).toEqual(['repeated sequence'])
    expect(doubted(judge({ 'l.txt': late }))).toEqual(['the log begins later'])
  })
})

describe('a transaction index', () => {
  const index = (...lines: readonly string[]) => [heading(`${'0'.repeat(20)}.txnindex`), ...lines].join('\n')
  const line = (first: number, last: number) =>
    `version: 0 producerId: 7 firstOffset: ${first} lastOffset: ${last} lastStableOffset: 2`

  it.each<[string, string, string[]]>([
    ['as the log', index(line(0, 1)), []],
    ['empty', index(), ['aborted transaction not in the index']],
    ['with one more', index(line(0, 1), line(2, 2)), ['index entry without an aborted transaction']],
    [
      'with another one',
      index(line(0, 2)),
      ['aborted transaction not in the index', 'index entry without an aborted transaction'],
    ],
  ])('is compared with the log: %s', (_, text, expected) => {
    const log = dump('orders-0', [
      ...entries.slice(0, 2),
      data(7, 0, 1, { records: 3 }),
      marker(7, 0, 'COMMIT'),
    ])
    expect(broken(judge({ 'i.txt': text, 'l.txt': log }))).toEqual(expected)
  })
})

describe('tables of kafka-transactions.sh', () => {
  const open = dump('orders-0', [data(7, 0, 0, { timestamp: t })])

  it('name the transactional.id, and what the coordinator says', () => {
    const table = 'TransactionalId Coordinator ProducerId TransactionState\napp 1 7 Ongoing\n'
    const result = judge({ 'l.txt': open, 't.txt': table })
    expect(result.open).toMatchObject([
      { transactionalId: 'app', coordinator: 'Ongoing, by a table', verdict: 'open', blocks: true, since: t },
    ])
    expect(result.outcome).toBe('explained')
  })

  it('do not say when they were made', () => {
    const table = 'TransactionalId Coordinator ProducerId TransactionState\napp 1 7 CompleteAbort\n'
    const result = judge({ 'l.txt': open, 't.txt': table })
    expect(result.open).toMatchObject([{ verdict: 'not known' }])
    expect(result.outcome).toBe('inconclusive')
  })

  it('report what hangs, with and without its log', () => {
    const table =
      'Topic Partition ProducerId ProducerEpoch StartOffset LastTimestamp Duration(min)\norders 0 7 0 0 1 99\nother 3 8 0 5 1 99\n'
    const result = judge({ 'l.txt': open, 't.txt': table })
    expect(result.findings).toMatchObject([
      {
        rule: 'reported as hanging',
        at: { log: 'orders-0', offset: 0 },
        related: [{ file: 't.txt', line: 2 }],
      },
      { rule: 'reported as hanging', at: { file: 't.txt', line: 3 }, producer: { producerId: 8 } },
    ])
  })
})

describe('several logs', () => {
  it('of one partition go on where the one before ends', () => {
    const result = judge({
      '1.txt': dump('orders-0', [data(7, 0, 0), data(7, 0, 1)]),
      '2.txt': dump('orders-0', [data(7, 0, 2), marker(7, 0, 'COMMIT')], '3.3', 2),
    })
    expect(result.logs).toMatchObject([{ name: 'orders-0', endOffset: 4 }])
    expect(result.outcome).toBe('explained')
  })

  it('that begin again are judged by themselves', () => {
    const text = dump('orders-0', entries)
    const result = judge({ '1.txt': text, '2.txt': text })
    expect(result.logs.map(({ name }) => name)).toEqual(['orders-0', 'orders-0 (copy 2)'])
    expect(result.findings).toEqual([])
    expect(result.notes).toMatchObject([{ found: expect.stringContaining('another replica') }])
  })

  it('are told apart even where their heading is lost', () => {
    const [one, other] = [dump('orders-0', entries), dump('orders-1', entries)]
    const result = judge({ 'a.txt': `${one}${other.split('\n').slice(2).join('\n')}` })
    expect(result.logs.map(({ name }) => name)).toEqual(['orders-0', 'unnamed log of a.txt'])
    expect(result.findings).toEqual([])
  })
})
