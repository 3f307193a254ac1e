/**
 * kafka-4.4: a client whose transaction was aborted for a new producer recovers with the next epoch, as after a
 * timeout, and may begin again before the new producer is served.
 */
import { describe, expect, it } from 'vitest'
import { readCommitted } from '../../../spec/protocol/consumer.ts'
import { rulesOf } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import {
  added,
  appendVerified,
  begin,
  commitOffsets,
  decide,
  getEpoch,
  handleProduce,
  live,
  mark,
  offsets,
  output,
  produceFirst,
  replicateLog,
} from './steps.ts'

const preset = 'kafka-4.4'
const verify: NamedStep = ['VerifyPartition', { partition: output }]
const initialise: NamedStep = ['HandleInitProducerId', live(1)]

/** Instance 1 has its request on the wire, instance 0 has its offsets in the open transaction and its batch on the wire. */
function duel(): Behaviour {
  const run = new Behaviour({ preset, instances: 2, pauses: 1 })
  run.take(...getEpoch(), ...begin(), ...commitOffsets(preset))
  run.take(['Pause', { client: 0 }], ['Start', { client: 1 }], ['Resume', { client: 0 }])
  return run
}

/** The open transaction is aborted for instance 1, and instance 0 learns of it from the partition leader. */
function firstRound(): Behaviour {
  const run = duel().take(initialise, replicateLog, ...mark(offsets), replicateLog)
  return run.take(handleProduce(), verify)
}

/** Instance 0 has begun again before instance 1 asks again. */
function secondTransaction(): Behaviour {
  const run = firstRound().take(['HandleEndTxn', live()], ['FetchOffsets', { client: 0 }])
  return run.take(...produceFirst(preset))
}

describe('kafka-4.4: two instances that fight for one transactional.id', () => {
  it("the new one's InitProducerId aborts the open transaction of the old one", () => {
    const run = firstRound()
    expect([run.record, run.reply({ client: 1 })]).toEqual(['CompleteAbort(1){}', 'none'])
    expect([run.reply({ partition: output }), run.client()]).toEqual([
      'INVALID_PRODUCER_EPOCH',
      'running, ending, epoch 0',
    ])
  })

  it("the old one's EndTxn(abort) with the old epoch is answered with the new epoch", () => {
    const run = firstRound()
    expect(run.state.connection[0]!.coordinator.requests).toMatchObject([
      { kind: 'EndTxn', result: 'abort', producerEpoch: 0 },
    ])
    run.take(['HandleEndTxn', live()])
    expect([run.reply(), run.record, run.client()]).toEqual([
      'NONE (1)',
      'CompleteAbort(1){}',
      'running, fetching, epoch 1',
    ])
  })

  it('the old one begins another transaction, and the new one has to abort that too', () => {
    const run = secondTransaction()
    expect([run.record, run.coordinator]).toEqual(['Ongoing(1){0}', 'Ongoing(1){0} last 0'])
    run.take(initialise, replicateLog)
    expect([run.record, run.reply({ client: 1 })]).toEqual(['PrepareAbort(2){0}', 'none'])
    run.take(...mark(output), replicateLog, initialise, replicateLog)
    expect([run.record, run.reply({ client: 1 })]).toEqual(['Empty(3){}', 'NONE (3)'])
  })

  it('once the new one has its epoch, the old one is fenced and has left nothing visible', () => {
    const run = secondTransaction().take(initialise, replicateLog, ...mark(output), replicateLog)
    run.take(initialise, replicateLog, ['HandleOffsetCommit', live()])
    run.take(['VerifyPartition', { partition: offsets }])
    expect([run.reply({ partition: offsets }), run.client()]).toEqual(['INVALID_PRODUCER_EPOCH', 'closed'])
    expect(run.log(output)).toEqual(['#0(1)', 'abort(2) by 0'])
    expect(readCommitted(rulesOf(preset), run.state.partition[output]!)).toEqual([])
    run.take(['JoinGroup', { client: 1 }], ['FetchOffsets', { client: 1 }], handleProduce(1))
    run.take(...added(output), appendVerified(output))
    expect([run.record, run.log(output).at(-1)]).toEqual(['Ongoing(3){0}', '#0(3)'])
  })

  it('the old one may win a round and commit, and the new one then starts after it', () => {
    const run = secondTransaction().take(...commitOffsets(preset), ...decide())
    run.take(...mark(output), ...mark(offsets), replicateLog, initialise, replicateLog)
    expect([run.record, run.reply({ client: 1 })]).toEqual(['Empty(3){}', 'NONE (3)'])
    expect(run.group).toBe('generation 1, committed 1')
    expect(readCommitted(rulesOf(preset), run.state.partition[output]!)).toHaveLength(1)
  })
})
