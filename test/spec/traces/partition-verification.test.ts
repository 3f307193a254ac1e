/** CONCURRENT_TRANSACTIONS from the coordinator: the request is sent again, and begins a verification of its own. */
import { describe, expect, it } from 'vitest'
import { presetsWith } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import {
  add,
  added,
  advance,
  appendVerified,
  begin,
  commitOffsets,
  decide,
  getEpoch,
  handleOffsets,
  handleProduce,
  mark,
  offsets,
  output,
  replicateLog,
  workOfFirstTransaction,
} from './steps.ts'

const verify = (partition: number): NamedStep => ['VerifyPartition', { partition }]
const lateProduce: NamedStep = ['HandleProduce', { client: 0, partition: output, copy: 'late' }]
const delay: NamedStep = ['DelayRequest', { client: 0, broker: output }]
const appendMarker: NamedStep = ['AppendMarker', { partition: output }]

const guardsOf = ({ state }: Behaviour) => state.verification[output]!.map(({ guard }) => guard)
const onTheWire = ({ state }: Behaviour) =>
  state.connection[0]!.partition[output]!.requests.map(({ executing }) => executing)

const versionOne = presetsWith(
  ({ verification, clientVersion }) => verification !== 'off' && clientVersion === 1,
)
const versionTwo = presetsWith(({ clientVersion }) => clientVersion === 2)

describe.each(versionTwo)('%s: a batch whose guard is still there', (preset) => {
  it('waits while the last transaction is being completed; the marker, which has its epoch, spares the guard', () => {
    const run = new Behaviour({ preset, inputs: 2 }).take(...workOfFirstTransaction(preset), ...decide())
    run.take(handleProduce())
    expect(run.blockedBy(verify(output))).toBe('no transition is pending')
    run.take(appendMarker)
    expect([guardsOf(run), run.blockedBy(verify(output))]).toEqual([['current'], 'no transition is pending'])
    run.take(advance(output), ...mark(offsets), replicateLog, ...added(output), appendVerified(output))
    expect(run.log(output)).toEqual(['#0(0)', 'commit(1) by 0', '#0(1)'])
  })
})

describe.each(versionTwo)('%s: a batch whose guard an append has cleared', (preset) => {
  it('is sent again if the coordinator is busy, and needs no verification any more', () => {
    const run = new Behaviour({ preset, lateRequests: 1 }).take(...getEpoch(), ...begin(), delay)
    run.take(lateProduce, ...added(output), handleProduce(), appendVerified(output))
    expect([guardsOf(run), run.log(output)]).toEqual([['cleared'], ['#0(0)']])
    run.take(handleOffsets(), verify(offsets), verify(output))
    expect([run.reply({ partition: output }), guardsOf(run)]).toEqual(['CONCURRENT_TRANSACTIONS', []])
    expect(onTheWire(run)).toEqual([false])
    run.take(handleProduce(), advance(output))
    expect([run.reply({ partition: output }), run.log(output)]).toEqual(['NONE', ['#0(0)']])
  })
})

describe.each(versionOne)('%s: a late batch whose guard an append has cleared', (preset) => {
  it('is gone if the coordinator is busy: nobody sends it again', () => {
    const run = new Behaviour({ preset, lateRequests: 1 }).take(...getEpoch(), ...begin(), ...add(), delay)
    run.take(lateProduce, handleProduce(), verifyOf(1), appendVerified(output), advance(output))
    expect(guardsOf(run)).toEqual(['cleared'])
    run.take(...commitOffsets(preset), ...decide())
    run.take(verify(output))
    expect([guardsOf(run), run.log(output), run.reply({ partition: output })]).toEqual([
      [],
      ['#0(0)'],
      'none',
    ])
  })
})

/** The coordinator is asked for one of several requests. */
const verifyOf = (request: number): NamedStep => ['VerifyPartition', { partition: output }, { request }]

describe.each(versionOne)('%s: a batch that was given up and whose guard a marker has cleared', (preset) => {
  it('is answered, and its client does not send it again', () => {
    const run = new Behaviour({ preset, deliveryTimeouts: 1 }).take(...getEpoch(), ...begin(), ...add())
    run.take(handleProduce(), ...commitOffsets(preset))
    run.take(
      ['ExpireBatch', { client: 0, partition: output }, { 'its connection': 'stays open' }],
      ...decide(),
    )
    expect(run.blockedBy(verify(output))).toBe('no transaction is being completed')
    run.take(appendMarker)
    expect(guardsOf(run)).toEqual(['cleared'])
    run.take(verify(output))
    expect([run.reply({ partition: output }), onTheWire(run)]).toEqual(['NOT_ENOUGH_REPLICAS', []])
    expect(run.take(advance(output), ...mark(offsets), replicateLog).log(output)).toEqual(['abort(0) by 0'])
    expect(run.record).toBe('CompleteAbort(0){}')
  })
})
