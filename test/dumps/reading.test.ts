import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DumpReader, eachLine, type Observation } from '../../dumps/index.ts'
import { bodyLines, data, dump, type Format, formats, marker, tells, transaction } from './generate.ts'

function read(text: string) {
  const seen: Observation[] = []
  const reader = new DumpReader('a.txt', (observation) => seen.push(observation))
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  for (const [index, line] of lines.entries()) reader.line(index + 1, line.replace(/\r$/, ''))
  reader.end()
  const { read: readLines, empty, foreign, damaged } = reader.counts
  expect(readLines + empty + foreign + damaged, 'lines accounted for').toBe(lines.length)
  return { seen, counts: reader.counts }
}

const of = <K extends Observation['kind']>(seen: readonly Observation[], kind: K) =>
  seen.filter((one): one is Extract<Observation, { kind: K }> => one.kind === kind)

const log = [data(7, 0, 0, { records: 2 }), marker(7, 0, 'COMMIT', { coordinatorEpoch: 3 }), data(7, 0, 2)]

describe('a log, as each version prints it', () => {
  it.each(formats)('%s: all that the format tells', (format) => {
    const { seen, counts } = read(dump('orders-0', log, format))
    expect(counts).toMatchObject({ foreign: 0, damaged: 0, empty: 0 })
    expect(of(seen, 'heading')).toMatchObject([{ partition: 'orders-0', startOffset: 0 }])
    const batches = of(seen, 'batch')
    const told = tells(format)
    const epoch = told.epochs ? { producerEpoch: 0 } : {}
    const sequences = batches.filter(({ baseSequence = -1 }) => baseSequence >= 0)
    expect(sequences.map(({ baseSequence, lastSequence }) => [baseSequence, lastSequence])).toEqual(
      told.batches
        ? [
            [0, 1],
            [2, 2],
          ]
        : [
            [0, 0],
            [1, 1],
            [2, 2],
          ],
    )
    const closing = batches.find(({ baseSequence }) => baseSequence === -1)
    expect(closing).toMatchObject({
      producerId: 7,
      baseOffset: 2,
      transactional: true,
      ...epoch,
      ...(told.decisions ? { marker: 'COMMIT', coordinatorEpoch: 3 } : {}),
      ...(told.control ? { control: true } : {}),
    })
    if (!told.epochs) expect(closing).not.toHaveProperty('producerEpoch')
    if (!told.decisions) expect(closing).not.toHaveProperty('marker')
  })

  it.each<[string, Format, (line: string, index: number) => string]>([
    ['line numbers', '3.3', (line, index) => `${index + 1}: ${line}`],
    ['numbers of cat -n', '2.8', (line, index) => `${String(index + 1).padStart(6)}\t${line}`],
    ['quote marks', '2.3', (line) => `> ${line}`],
    ['file names of grep', '3.2', (line, index) => `dumps/broker-1.txt:${index + 1}:${line}`],
    ['names of containers', '3.3', (line) => `kafka-1  | ${line}`],
    ['colours', '3.3', (line) => `\u001b[32m${line}\u001b[0m`],
    ['carriage returns', '1.0 deep', (line) => `${line}\r`],
    ['times', '3.0', (line) => `[2024-01-01 10:00:00,123] ${line}`],
  ])('with %s before or behind each line', (_, format, decorate) => {
    const text = dump('orders-0', log, format)
    const decorated = text.trimEnd().split('\n').map(decorate).join('\n')
    expect(read(decorated).seen).toEqual(read(text).seen)
  })

  it.each<[Format, number]>([
    ['3.3', 80],
    ['2.3', 60],
    ['2.8', 120],
    ['1.0 deep', 100],
    ['3.0', 41],
  ])('%s, wrapped at %i columns', (format, columns) => {
    const text = dump('orders-0', log, format)
    const wrapped = text.split('\n').flatMap((line) => line.match(new RegExp(`.{1,${columns}}`, 'g')) ?? [''])
    const facts = ({ seen }: ReturnType<typeof read>) =>
      seen.map((one) => ({ ...one, place: { file: '', line: 0 } }))
    expect(facts(read(wrapped.join('\n')))).toEqual(facts(read(text)))
  })

  it.each([80, 93, 100, 101, 120, 137])('records of the coordinator, wrapped at %i columns', (columns) => {
    const text = dump(
      '__transaction_state-4',
      [transaction('my-id', 9, 3, 'Ongoing', ['a-0', 'b-12'])],
      '3.3',
    )
    const wrapped = text.split('\n').flatMap((line) => line.match(new RegExp(`.{1,${columns}}`, 'g')) ?? [''])
    const { seen, counts } = read(wrapped.join('\n'))
    expect(counts).toMatchObject({ foreign: 0, damaged: 0 })
    expect(of(seen, 'transaction')).toMatchObject([{ value: { partitions: ['a-0', 'b-12'] } }])
  })

  it('with lines of others between, which are named', () => {
    const [batch = '', record = '', ...more] = bodyLines(log, '3.3')
    const { seen, counts } = read(
      [batch, 'ERROR something else happened', record, '', '...', ...more].join('\n'),
    )
    expect(counts).toEqual({ read: 7, empty: 2, foreign: 1, damaged: 0 })
    expect(of(seen, 'unread')).toMatchObject([
      { place: { line: 2 }, damaged: false, text: 'ERROR something else happened' },
    ])
    expect(of(seen, 'omission')).toHaveLength(1)
    expect(of(seen, 'batch')).toHaveLength(3)
  })

  it('a damaged line is named, and the rest is read', () => {
    const lines = bodyLines(log, '3.3')
    const broken = lines.map((line, index) =>
      index === 0 ? line.replace('producerId: 7', 'producerId: seven') : line,
    )
    const { seen, counts } = read(broken.join('\n'))
    expect(counts.damaged).toBe(1)
    expect(of(seen, 'unread')).toMatchObject([
      { place: { line: 1 }, damaged: true, why: "producerId cannot be 'seven'" },
    ])
  })
})

describe('a payload', () => {
  it('that looks like a batch is no batch', () => {
    const forged = bodyLines([data(666, 9, 5)], '3.3')[0] ?? ''
    const [batch = '', record = ''] = bodyLines([data(7, 0, 0)], '3.3')
    const size = 'first'.length + 1 + forged.length
    const hostile = record
      .replace(/valueSize: \d+/, `valueSize: ${size}`)
      .replace(/payload: .*/, `payload: first\n${forged}`)
    const { seen, counts } = read(
      `${batch}\n${hostile}\n${bodyLines([data(7, 0, 0), data(7, 0, 1)], '3.3')
        .slice(2)
        .join('\n')}`,
    )
    expect(of(seen, 'batch').map(({ producerId }) => producerId)).toEqual([7, 7])
    expect(counts).toMatchObject({ foreign: 0, damaged: 0 })
  })

  it('of a client that looks like a record of the coordinator is none', () => {
    const forged = transaction('victim', 1, 1, 'PrepareCommit')
    const { seen } = read(dump('orders-0', [data(7, 0, 0, forged)], '3.3'))
    expect(of(seen, 'transaction')).toEqual([])
  })

  it('that a reader has cut does not take the next batch with it', () => {
    const lines = bodyLines([data(7, 0, 0), data(7, 0, 1)], '3.3')
    const cut = lines.map((line) => line.replace(/valueSize: \d+/, 'valueSize: 100000'))
    expect(of(read(cut.join('\n')).seen, 'batch')).toHaveLength(2)
  })
})

const id = 'trans (1), producerId=5, x'
const formatted = (state: string) =>
  `${id}::TransactionMetadata(transactionalId=${id}, producerId=9, producerEpoch=3, txnTimeoutMs=60000, state=${state}, ` +
  'pendingState=None, topicPartitions=HashSet(a-0, b-12), txnStartTimestamp=10, txnLastUpdateTimestamp=20)'

describe('the coordinator', () => {
  it.each<[string, string, object]>([
    [
      'text',
      formatted('Ongoing'),
      {
        producerId: 9,
        producerEpoch: 3,
        state: 'Ongoing',
        partitions: ['a-0', 'b-12'],
        start: 10,
        lastUpdate: 20,
        timeoutMs: 60000,
      },
    ],
    [
      'JSON',
      `{"key":{"version":0,"data":{"transactionalId":${JSON.stringify(id)}}},"value":{"version":1,"data":{"producerId":9,"producerEpoch":3,` +
        '"transactionTimeoutMs":60000,"transactionStatus":4,"transactionPartitions":[{"topic":"a","partitionIds":[0,2]}],' +
        '"transactionLastUpdateTimestampMs":20,"transactionStartTimestampMs":10}}}',
      {
        producerId: 9,
        producerEpoch: 3,
        state: 'CompleteCommit',
        partitions: ['a-0', 'a-2'],
        start: 10,
        lastUpdate: 20,
        timeoutMs: 60000,
      },
    ],
    ['later JSON', `{"key":{"type":0,"data":{"transactionalId":${JSON.stringify(id)}}},"value":null}`, {}],
    ['text, expired', `${id}::NULL`, {}],
  ])('as the console consumer prints it: %s', (_, line, value) => {
    const { seen } = read(line)
    expect(seen).toMatchObject([
      { kind: 'transaction', transactionalId: id, ...(Object.keys(value).length > 0 ? { value } : {}) },
    ])
    if (Object.keys(value).length === 0) expect(seen[0]).not.toHaveProperty('value')
  })

  it('as its log is dumped', () => {
    const expired = { contents: [`key: transaction_metadata::transactionalId=${id} payload: <DELETE>`] }
    const entries = [transaction(id, 9, 3, 'Ongoing', ['a-0', 'b-12'], 77), expired]
    const { seen, counts } = read(dump('__transaction_state-4', entries, '2.3'))
    expect(counts).toMatchObject({ foreign: 0, damaged: 0 })
    expect(of(seen, 'transaction')).toMatchObject([
      {
        transactionalId: id,
        offset: 0,
        timestamp: 77,
        value: { state: 'Ongoing', partitions: ['a-0', 'b-12'] },
      },
      { transactionalId: id, offset: 1 },
    ])
  })

  it('as kafka-transactions.sh prints it', () => {
    const { seen, counts } = read(
      [
        '$ kafka-transactions.sh --bootstrap-server b:9092 describe-producers --topic orders --partition 3',
        'ProducerId\tProducerEpoch\tLatestCoordinatorEpoch\tLastSequence\tLastTimestamp\tCurrentTransactionStartOffset',
        '6000      \t0            \t-1                    \t2           \t1789880852483\tNone                         ',
        '',
        'CoordinatorId  TransactionalId  ProducerId  ProducerEpoch  TransactionState  TransactionTimeoutMs  CurrentTransactionStartTimeMs  TransactionDurationMs  TopicPartitions',
        '1              my id            5000        1              CompleteCommit    60000                 None                           None                   ',
        '',
        'TransactionalId  Coordinator  ProducerId  TransactionState',
        'a                0            5000        Ongoing',
        '',
        'Topic  Partition  ProducerId  ProducerEpoch  StartOffset  LastTimestamp  Duration(s)',
        'orders 3          5000        1              42           1789880852483  4000',
      ].join('\n'),
    )
    expect(counts).toEqual({ read: 8, empty: 4, foreign: 0, damaged: 0 })
    expect(of(seen, 'heading')).toMatchObject([{ partition: 'orders-3' }])
    expect(of(seen, 'row')).toMatchObject([
      { command: 'describe-producers', cells: { ProducerId: '6000', LastSequence: '2' } },
      { command: 'describe', cells: { TransactionalId: 'my id', TransactionState: 'CompleteCommit' } },
      { command: 'list', cells: { TransactionalId: 'a', ProducerId: '5000' } },
      { command: 'find-hanging', cells: { Topic: 'orders', StartOffset: '42' } },
    ])
  })
})

describe('other files', () => {
  it.each([
    [
      'producerId: 5 producerEpoch: 1 lastSequence: 9 lastOffset: 20 offsetDelta: 0 lastTimestamp: 77 coordinatorEpoch: 2 currentTxnFirstOffset: Some(18)',
      18,
      9,
    ],
    [
      'producerId: 5 producerEpoch: 1 coordinatorEpoch: 2 currentTxnFirstOffset: None cachedMetadata: Queue(BatchMetadata(firstSeq=0))',
      -1,
      undefined,
    ],
    [
      'producerId: 5 producerEpoch: 1 coordinatorEpoch: 2 currentTxnFirstOffset: Some(18) firstSequence: 9 lastSequence: 9 lastOffset: 20 offsetDelta: 0 timestamp: 77',
      18,
      9,
    ],
    [
      'producerId: 5 producerEpoch: 1 coordinatorEpoch: 2 currentTxnFirstOffset: OptionalLong[18] lastTimestamp: 70 firstSequence: 9 lastSequence: 9 lastOffset: 20 offsetDelta: 0 timestamp: 77',
      18,
      9,
    ],
    [
      'producerId: 5 producerEpoch: 1 coordinatorEpoch: 2 currentTxnFirstOffset: OptionalLong.empty lastTimestamp: 70',
      -1,
      undefined,
    ],
  ])('a producer snapshot: %s', (line, openOffset, lastSequence) => {
    const { seen, counts } = read(`Dumping /d/a-0/00000000000000000021.snapshot\n${line}`)
    expect(counts).toMatchObject({ read: 2, foreign: 0 })
    const [snapshot] = of(seen, 'snapshot')
    expect(snapshot).toMatchObject({ producerId: 5, producerEpoch: 1, coordinatorEpoch: 2, openOffset })
    expect(snapshot?.lastSequence).toBe(lastSequence)
  })

  it('a transaction index', () => {
    const { seen } = read('version: 0 producerId: 5 firstOffset: 10 lastOffset: 20 lastStableOffset: 21')
    expect(seen).toMatchObject([
      { kind: 'aborted', producerId: 5, firstOffset: 10, lastOffset: 20, lastStableOffset: 21 },
    ])
  })

  it.each<[string, string, object]>([
    ['text', 'key: offset_commit::group=g,partition=in-put-0 payload: offset=17', { offset: 17 }],
    [
      'JSON',
      'key: {"type":"1","data":{"group":"g","topic":"in-put","partition":0}} payload: {"version":"3","data":{"offset":17,"leaderEpoch":-1,"metadata":"","commitTimestamp":7}}',
      { offset: 17 },
    ],
    ['text, expired', 'key: offset_commit::group=g,partition=in-put-0 payload: <DELETE>', {}],
  ])('offsets of a group: %s', (_, content, rest) => {
    const { seen } = read(dump('__consumer_offsets-3', [data(7, 0, -1, { contents: [content] })], '3.3'))
    expect(of(seen, 'offset')).toMatchObject([
      { group: 'g', partition: 'in-put-0', recordOffset: 0, ...rest },
    ])
  })
})

describe('lines', () => {
  it('are the same however the text is cut into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string()), async (pieces) => {
        const seen: string[] = []
        await eachLine(pieces, (number, text) => seen.push(`${number} ${text}`))
        const text = pieces.join('')
        const expected = text.split('\n').map((line, index) => `${index + 1} ${line.replace(/\r$/, '')}`)
        if (text === '' || text.endsWith('\n')) expected.pop()
        expect(seen).toEqual(expected)
      }),
    )
  })

  it('are cut where they never end', async () => {
    const seen: number[][] = []
    const endless = Array.from({ length: 40 }, () => 'x'.repeat(100_000))
    await eachLine(endless, (_, text, cut) => seen.push([text.length, cut]))
    expect(seen).toEqual([[1 << 20, 4_000_000 - (1 << 20)]])
  })
})
