/** Requests of one transaction that reach the next one, where both have one epoch. */
import { describe, expect, it } from 'vitest'
import { readCommitted } from '../../../spec/protocol/consumer.ts'
import { rulesOf } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import {
  add,
  added,
  advance,
  appendVerified,
  begin,
  commitOffsets,
  complete,
  crash,
  decide,
  getEpoch,
  handleProduce,
  late,
  live,
  mark,
  offsets,
  output,
  produceFirst,
  replicateLog,
  verified,
  workOfFirstTransaction,
} from './steps.ts'

const preset = 'kafka-3.9'
const expire: NamedStep = ['ExpireBatch', { client: 0, partition: output }]
/** The request is in time, so that the connection stays; the batch has waited too long before it was sent. */
const expireOnOpenConnection: NamedStep = [
  'ExpireBatch',
  { client: 0, partition: output },
  { 'its connection': 'stays open' },
]
const lateProduce: NamedStep = ['HandleProduce', { client: 0, partition: output, copy: 'late' }]
const fetch: NamedStep = ['FetchOffsets', { client: 0 }]

/** What a read_committed reader of the output gets: input and transaction of each record. */
const visible = ({ state }: Behaviour) =>
  readCommitted(rulesOf(preset), state.partition[output]!).map(({ record }) =>
    record.kind === 'data' ? `input ${record.input} of ${record.transaction}` : 'an offset',
  )

describe('kafka-3.9: a batch that is given up after the offsets are acknowledged (KIP-890)', () => {
  const givenUp = (config: object = {}) => {
    const run = new Behaviour({ preset, deliveryTimeouts: 1, ...config }).take(...getEpoch(), ...begin())
    return run.take(...add(), ...commitOffsets(preset), expireOnOpenConnection)
  }
  const aborted = (config: object = {}) => givenUp(config).take(...decide(), ...complete)
  const lose: NamedStep = ['LoseRequest', { client: 0, broker: output }]

  it('aborts the transaction, and the epoch is not raised: commitTransaction was called already', () => {
    const run = givenUp()
    expect(run.client()).toBe('running, ending, epoch 0')
    expect(run.state.instance[0]).toMatchObject({ result: 'abort', epochBumpRequired: false })
    expect(run.state.connection[0]!.partition[output]!.requests).toMatchObject([
      { kind: 'Produce', sequence: 0, givenUp: true },
    ])
    run.take(...decide(), ...complete)
    expect([run.record, run.client()]).toEqual(['CompleteAbort(0){}', 'running, fetching, epoch 0'])
    expect(run.log(output)).toEqual(['abort(0) by 0'])
  })

  it('joins the next transaction, and is committed with it', () => {
    const run = aborted().take(fetch, ...add(), handleProduce(), ...verified(output), appendVerified(output))
    run.take(advance(output))
    expect([run.record, run.log(output)]).toEqual(['Ongoing(0){0}', ['abort(0) by 0', '#0(0)']])
    // The batch of the transaction itself follows it in sequence: nobody has gone back to 0.
    run.take(handleProduce(), advance(output), ...commitOffsets(preset), ...decide(), ...complete)
    expect([run.record, run.group]).toEqual(['CompleteCommit(0){}', 'generation 1, committed 1'])
    expect(run.log(output)).toEqual(['abort(0) by 0', '#0(0)', '#1(0)', 'commit(0) by 0'])
    expect(visible(run)).toEqual(['input 0 of s1.1', 'input 0 of s1.2'])
    expect(run.state.ghost.decisions).toEqual({ 's1.1': 'abort', 's1.2': 'commit' })
  })

  it('leaves a gap if it does not come: the next batch is repeated until it is given up too', () => {
    const run = aborted({ lostRequests: 1, deliveryTimeouts: 2 })
    run.take(fetch, ...add(), lose, handleProduce(), ...verified(output), appendVerified(output))
    expect([run.reply({ partition: output }), run.log(output)]).toEqual([
      'OUT_OF_ORDER_SEQUENCE_NUMBER',
      ['abort(0) by 0'],
    ])
    expect(run.state.instance[0]).toMatchObject({ result: 'commit', unacknowledged: [1] })
    run.take(expire)
    expect(run.state.instance[0]).toMatchObject({ result: 'abort', epochBumpRequired: true })
  })

  it('finds a raised epoch where the application flushes before it calls commitTransaction', () => {
    const run = givenUp({ flushBeforeCommit: true }).take(...decide(), ...complete)
    expect(run.client()).toBe('running, raising the epoch, epoch 0')
    run.take(['HandleInitProducerId', live()], replicateLog, fetch, ...add())
    run.take(handleProduce(), ...verified(output))
    expect([run.record, run.log(output)]).toEqual(['Ongoing(1){0}', ['abort(0) by 0']])
    expect(run.state.verification[output]).toEqual([])
  })
})

describe('kafka-3.9: a late EndTxn(commit) that ends the next transaction half-way', () => {
  /** The second transaction has its batch in the output and has not sent its offsets. */
  const halfWay = () => {
    const run = new Behaviour({ preset, lateRequests: 1, crashes: 1, restarts: 1 })
    run.take(...workOfFirstTransaction(preset), ['DelayRequest', { client: 0, broker: 'coordinator' }])
    run.take(...decide(), ...complete, ...add(), ...produceFirst(preset))
    return run.take(['HandleEndTxn', late()], replicateLog, ...mark(output), replicateLog)
  }

  it('commits the output without the offset', () => {
    const run = halfWay()
    expect([run.record, run.group, run.reply()]).toEqual([
      'CompleteCommit(0){}',
      'generation 1, committed 1',
      'none',
    ])
    expect(visible(run)).toEqual(['input 0 of s1.1', 'input 1 of s1.2'])
    expect(run.state.ghost).toMatchObject({
      decisions: { 's1.1': 'commit', 's1.2': 'commit' },
      told: { 's1.1': 'commit' },
    })
  })

  it('lets the rest of it go on in a transaction of its own, which is nameless', () => {
    const run = halfWay().take(...add())
    expect([run.record, run.client()]).toEqual(['Ongoing(0){1}', 'running, sending, epoch 0'])
    expect(run.state.transactionLog[0]!.committed).toMatchObject({ transaction: '' })
    run.take(['HandleOffsetCommit', live()], ...verified(offsets), appendVerified(offsets), advance(offsets))
    run.take(...decide(), ...mark(offsets), replicateLog)
    expect([run.client(), run.group]).toEqual(['finished', 'generation 1, committed 2'])
    expect(run.state.ghost.told).toEqual({ 's1.1': 'commit', 's1.2': 'commit' })
  })

  it('refuses offsets that are under way, and the client aborts what is committed, which is fatal', () => {
    const run = new Behaviour({ preset, lateRequests: 1 }).take(...workOfFirstTransaction(preset))
    run.take(['DelayRequest', { client: 0, broker: 'coordinator' }], ...decide(), ...complete)
    run.take(...add(), ...produceFirst(preset), ...add(), ['HandleEndTxn', late()], replicateLog, ...complete)
    run.take(['HandleOffsetCommit', live()], ...verified(offsets))
    expect([run.reply({ partition: offsets }), run.client()]).toEqual([
      'TRANSACTION_ABORTABLE',
      'running, ending, epoch 0',
    ])
    expect(run.state.instance[0]).toMatchObject({ result: 'abort', epochBumpRequired: false })
    run.take(['HandleEndTxn', live()])
    expect([run.reply(), run.client(), run.group]).toEqual([
      'INVALID_TXN_STATE',
      'closed',
      'generation 1, committed 1',
    ])
    expect(visible(run)).toEqual(['input 0 of s1.1', 'input 1 of s1.2'])
  })

  it('has the input processed twice if the instance crashes then', () => {
    const run = halfWay().take(crash(), ...getEpoch(), ...begin())
    expect(run.state.instance[0]).toMatchObject({ position: 1, producerEpoch: 1 })
    run.take(...add(), ...produceFirst(preset), ...commitOffsets(preset), ...decide(), ...complete)
    expect(visible(run)).toEqual(['input 0 of s1.1', 'input 1 of s1.2', 'input 1 of s2.1'])
  })
})

describe('a transaction that a late request of a decided one opens', () => {
  const names = ({ state }: Behaviour) => [
    state.coordinator[0]!.entry?.transaction,
    state.transactionLog[0]!.committed?.transaction,
  ]

  it('kafka-3.9: is nameless until its own client adds a partition that is in it already', () => {
    const run = new Behaviour({ preset, lateRequests: 1 }).take(...getEpoch(), ...begin())
    run.take(['DelayRequest', { client: 0, broker: 'coordinator' }], ...add(), ...produceFirst(preset))
    run.take(...commitOffsets(preset), ...decide(), ...complete)
    run.take(['HandleAddPartitions', late()], replicateLog)
    expect([run.record, ...names(run)]).toEqual(['Ongoing(0){0}', '', ''])
    run.take(['HandleAddPartitions', live()])
    expect([run.reply(), run.record, ...names(run)]).toEqual(['NONE', 'Ongoing(0){0}', 's1.2', 's1.2'])
  })

  it('kafka-4.4: likewise, where no end raises the epoch', () => {
    const config = { preset: 'kafka-4.4', deliveryTimeouts: 1 } as const
    const run = new Behaviour(config, ['epoch bump at every end']).take(...getEpoch(), ...begin())
    run.take(expire, ...commitOffsets('kafka-4.4'), ...decide(), ...mark(offsets), replicateLog, fetch)
    run.take(lateProduce, ...added(output))
    expect([run.record, ...names(run)]).toEqual(['Ongoing(0){0}', '', ''])
    run.take(handleProduce(), ...verified(output))
    expect([run.record, ...names(run)]).toEqual(['Ongoing(0){0}', 's1.2', 's1.2'])
  })
})
