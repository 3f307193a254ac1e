import { describe, expect, it } from 'vitest'
import { newConnection } from '../../../spec/protocol/network.ts'
import { standardPresets } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import {
  add,
  added,
  advance,
  appendVerified,
  begin,
  complete,
  decide,
  getEpoch,
  handleProduce,
  late,
  live,
  mark,
  output,
  produceFirst,
  replicateLog,
  replyLost,
  verified,
  workOfFirstTransaction,
} from './steps.ts'

type Broker = 'coordinator' | typeof output
/** The request is under way on a connection that is closed: it is executed nevertheless, and sent again. */
const delay = (broker: Broker): NamedStep => ['DelayRequest', { client: 0, broker }]
const lateProduce: NamedStep = ['HandleProduce', { client: 0, partition: output, copy: 'late' }]

describe.each(standardPresets)('%s: EndTxn(commit) that is repeated', (preset) => {
  const none = preset === 'kafka-3.9' ? 'NONE' : 'NONE (1)'

  it('waits while the markers are written and is recognised after them', () => {
    const run = new Behaviour({ preset, lostReplies: 1 }).take(...workOfFirstTransaction(preset))
    run.take(['HandleEndTxn', live()], replyLost(replicateLog))
    expect([run.reply(), run.blockedBy(['HandleEndTxn', live()])]).toEqual([
      'none',
      'no transition is pending',
    ])
    run.take(...mark(output))
    expect(run.blockedBy(['HandleEndTxn', live()])).toBe('no transition is pending')
    run.take(...mark(1), replicateLog)
    const { record } = run
    run.take(['HandleEndTxn', live()])
    expect([run.reply(), run.record]).toEqual([none, record])
    expect(run.state.instance[0]).toMatchObject({ transaction: 2, position: 1 })
  })
})

describe('a late EndTxn(commit) that reaches the next transaction', () => {
  const throughFirst = (preset: 'kafka-3.9' | 'kafka-4.4') => {
    const run = new Behaviour({ preset, lateRequests: 1 }).take(...workOfFirstTransaction(preset))
    return run.take(delay('coordinator'), ...decide(), ...complete)
  }

  it('kafka-3.9: ends it, as both have one epoch', () => {
    const run = throughFirst('kafka-3.9').take(...add(), ['HandleEndTxn', late()], replicateLog)
    expect(run.record).toBe('PrepareCommit(0){0}')
  })

  it('kafka-4.4: is fenced', () => {
    const run = throughFirst('kafka-4.4').take(...produceFirst('kafka-4.4'), ['HandleEndTxn', late()])
    expect([run.record, run.coordinator]).toEqual(['Ongoing(1){0}', 'Ongoing(1){0} last 0'])
    expect(run.state.connection[0]!.coordinator.late).toEqual([])
  })
})

describe.each(standardPresets)('%s: a batch that is repeated', (preset) => {
  const sending = (config: object) => {
    const run = new Behaviour({ preset, ...config }).take(...getEpoch(), ...begin())
    return run.take(...(preset === 'kafka-3.9' ? [...add()] : []))
  }
  const question = preset === 'kafka-3.9' ? verified(output) : added(output)

  it('is a duplicate that is answered at once when the first copy is replicated', () => {
    const run = sending({ lostReplies: 1 }).take(handleProduce(), ...question, appendVerified(output))
    run.take(replyLost(advance(output)))
    expect(run.reply({ partition: output })).toBe('none')
    run.take(handleProduce())
    expect([run.reply({ partition: output }), run.log(output)]).toEqual(['NONE', ['#0(0)']])
    expect(run.state.instance[0]!.unacknowledged).toEqual([0])
  })

  it('is a duplicate that waits until the first copy is replicated', () => {
    const run = sending({ lateRequests: 1 }).take(handleProduce(), ...question, appendVerified(output))
    run.take(delay(output), handleProduce())
    expect([run.reply({ partition: output }), run.log(output)]).toEqual(['none', ['#0(0)']])
    run.take(advance(output))
    expect([run.reply({ partition: output }), run.state.connection[0]!.partition[output]]).toEqual([
      'NONE',
      newConnection(),
    ])
    expect(run.state.instance[0]!.unacknowledged).toEqual([0])
  })

  it('waits behind the first copy, which is answered to nobody', () => {
    const run = sending({ lateRequests: 1 }).take(handleProduce(), ...question, appendVerified(output))
    run.take(delay(output), advance(output))
    expect([run.reply({ partition: output }), run.log(output)]).toEqual(['none', ['#0(0)']])
    expect(run.state.connection[0]!.partition[output]).toMatchObject({
      requests: [{ kind: 'Produce', sequence: 0, executing: false }],
      late: [],
    })
    expect(run.take(handleProduce()).reply({ partition: output })).toBe('NONE')
  })

  it('is appended once when both copies were verified', () => {
    const run = sending({ lateRequests: 1 }).take(delay(output), lateProduce, ...question, handleProduce())
    run.take(['VerifyPartition', { partition: output }])
    run.take(
      ['AppendVerified', { partition: output }, { request: 0 }],
      appendVerified(output),
      advance(output),
    )
    expect([run.log(output), run.reply({ partition: output })]).toEqual([['#0(0)'], 'NONE'])
  })
})

describe('a late batch of a committed transaction', () => {
  const committed = (preset: 'kafka-3.9' | 'kafka-4.4') => {
    const run = new Behaviour({ preset, lateRequests: 1 }).take(...getEpoch(), ...begin())
    run.take(...(preset === 'kafka-3.9' ? [...add()] : []), delay(output))
    run.take(...produceFirst(preset))
    run.take(...(preset === 'kafka-3.9' ? [...add()] : []), ['HandleOffsetCommit', live()])
    run.take(...(preset === 'kafka-3.9' ? verified(1) : added(1)), appendVerified(1), advance(1))
    return run.take(...decide(), ...complete)
  }

  it('kafka-3.9: is refused by the coordinator, which has no such transaction any more', () => {
    const run = committed('kafka-3.9').take(lateProduce, ...verified(output))
    expect([run.state.verification[output], run.log(output)]).toEqual([[], ['#0(0)', 'commit(0) by 0']])
  })

  it('kafka-3.9: is a duplicate in the next transaction', () => {
    const run = committed('kafka-3.9').take(
      ...add(),
      lateProduce,
      ...verified(output),
      appendVerified(output),
    )
    expect(run.log(output)).toEqual(['#0(0)', 'commit(0) by 0'])
  })

  it('kafka-4.4: is of an old epoch', () => {
    const run = committed('kafka-4.4').take(lateProduce)
    expect([run.state.verification[output], run.log(output)]).toEqual([[], ['#0(0)', 'commit(1) by 0']])
  })
})

describe('a late marker of the same coordinator', () => {
  const delayed = (preset: 'kafka-3.9' | 'kafka-4.4') => {
    const run = new Behaviour({ preset, lateMarkers: 1 }).take(...workOfFirstTransaction(preset), ...decide())
    run.take(['DelayMarker', { partition: output }], ['AppendMarker', { partition: output }, { marker: 0 }])
    run.take(advance(output), ...mark(1), replicateLog)
    return run
  }

  it('kafka-3.9: ends the next transaction in the partition, as the epoch is the same (KAFKA-19446)', () => {
    const run = delayed('kafka-3.9').take(...add(), ...produceFirst('kafka-3.9'))
    run.take(['AppendMarker', { partition: output }])
    expect([run.record, run.log(output)]).toEqual([
      'Ongoing(0){0}',
      ['#0(0)', 'commit(0) by 0', '#1(0)', 'commit(0) by 0'],
    ])
  })

  it('kafka-4.4: is refused in the open transaction', () => {
    const run = delayed('kafka-4.4').take(...produceFirst('kafka-4.4'), [
      'AppendMarker',
      { partition: output },
    ])
    expect([run.leader(output), run.log(output)]).toEqual([
      'epoch 1 [0] open 2 coordinator 0',
      ['#0(0)', 'commit(1) by 0', '#0(1)'],
    ])
  })

  it('kafka-4.4: is written again where nothing is open', () => {
    const run = delayed('kafka-4.4').take(['AppendMarker', { partition: output }])
    expect(run.log(output)).toEqual(['#0(0)', 'commit(1) by 0', 'commit(1) by 0'])
  })
})
