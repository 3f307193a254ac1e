/** Producer epochs that are used up: the largest is 2 here, and a producer id is replaced from 1 on. */
import { describe, expect, it } from 'vitest'
import type { PresetName } from '../../../spec/presets.ts'
import { presetsWith } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import {
  abortTimedOut,
  complete,
  crash,
  decide,
  failOver,
  getEpoch,
  handleOffsets,
  handleProduce,
  live,
  mark,
  offsets,
  output,
  question,
  replicateLog,
  replyLost,
  timeOut,
  workOfFirstTransaction,
} from './steps.ts'

const versionOne = presetsWith(({ clientVersion }) => clientVersion === 1)
const versionTwo = presetsWith(({ clientVersion }) => clientVersion === 2)
const maxEpoch = 2

/** The batch and the offsets of the next transaction are in. */
const nextWork = (preset: PresetName): NamedStep[] => [
  handleProduce(),
  ...question(preset, output),
  ['AppendVerified', { partition: output }],
  ['AdvanceHighWatermark', { partition: output }],
  handleOffsets(),
  ...question(preset, offsets),
  ['AppendVerified', { partition: offsets }],
  ['AdvanceHighWatermark', { partition: offsets }],
]

/** Its second transaction, at epoch 1, is about to end. */
function beforeLastEnd(preset: PresetName, config = {}): Behaviour {
  const run = new Behaviour({ preset, maxEpoch, inputs: 3, ...config })
  return run.take(...workOfFirstTransaction(preset), ...decide(), ...complete, ...nextWork(preset))
}

describe.each(versionTwo)('%s: the last epoch of a producer id', (preset) => {
  it('ends with markers of the old producer id, and the client goes on with the next', () => {
    const run = beforeLastEnd(preset).take(...decide())
    expect([run.record, run.reply()]).toEqual(['PrepareCommit(2 then 1){0,1}', 'NONE (1:0)'])
    run.take(...complete)
    expect([run.record, run.coordinator]).toEqual(['CompleteCommit(1:0){}', 'CompleteCommit(1:0){} last 1'])
    expect(run.log(output).at(-1)).toBe('commit(2) by 0')
    run.take(...nextWork(preset), ...decide())
    expect([run.record, run.reply()]).toEqual(['PrepareCommit(1:1){0,1}', 'NONE (1:1)'])
  })

  it('a repeated EndTxn is recognised by the previous producer id', () => {
    const run = beforeLastEnd(preset, { lostReplies: 1 })
    run.take(['HandleEndTxn', live()], replyLost(replicateLog), ...complete)
    expect(run.state.connection[0]!.coordinator.requests).toMatchObject([{ producerId: 0, producerEpoch: 1 }])
    run.take(['HandleEndTxn', live()])
    expect([run.reply(), run.client()]).toEqual(['NONE (1:0)', 'running, sending, epoch 1:0'])
  })
})

describe('a coordinator that moves before the next producer id takes over', () => {
  const moved = (preset: PresetName, config = {}) =>
    beforeLastEnd(preset, { coordinatorFailovers: 1, ...config }).take(...decide(), failOver(), [
      ['AppendMarker', { partition: output }, { marker: 1 }],
      ['AppendMarker', { partition: offsets }, { marker: 1 }],
      ['AdvanceHighWatermark', { partition: output }],
      ['AdvanceHighWatermark', { partition: offsets }],
      replicateLog,
    ])

  it('kafka-4.4 knows it from the log (KAFKA-20310)', () => {
    const run = moved('kafka-4.4')
    expect(run.record).toBe('CompleteCommit(1:0){}')
    run.take(handleProduce(), ...question('kafka-4.4', output))
    expect(run.record).toBe('Ongoing(1:0){0}')
  })

  it('kafka-4.1 has lost it: the client is refused with the producer id that it was given', () => {
    const run = moved('kafka-4.1')
    expect(run.record).toBe('CompleteCommit(2){}')
    run.take(handleProduce(), ['VerifyPartition', { partition: output }])
    expect(run.reply({ partition: output })).toBe('INVALID_PRODUCER_ID_MAPPING')
    expect(run.client()).toBe('closed')
  })
})

describe('the abort of a transaction at the last epoch', () => {
  const atLast = (preset: PresetName) => beforeLastEnd(preset, { transactionTimeouts: 2, inputs: 2 })

  it('kafka-4.4: another producer id takes over (KAFKA-20090)', () => {
    const run = atLast('kafka-4.4').take(...timeOut)
    expect(run.record).toBe('PrepareAbort(2 then 1){0,1}')
    run.take(...complete)
    expect([run.record, run.log(output).at(-1)]).toEqual(['CompleteAbort(1:0){}', 'abort(2) by 0'])
    run.take(['HandleEndTxn', live()])
    expect(run.reply()).toBe('INVALID_TXN_STATE')
  })

  it('kafka-4.1: fails each time, and the transaction stays open', () => {
    const run = atLast('kafka-4.1').take(abortTimedOut)
    expect([run.record, run.coordinator]).toEqual(['Ongoing(1){0,1}', 'Ongoing(2){0,1} last -1'])
    run.take(abortTimedOut)
    expect([run.record, run.coordinator]).toEqual(['Ongoing(1){0,1}', 'Ongoing(2){0,1} last -1'])
    run.take(['HandleEndTxn', live()])
    expect([run.reply(), run.client()]).toEqual(['PRODUCER_FENCED', 'closed'])
  })

  it('kafka-4.1: a new session gets UNKNOWN_SERVER_ERROR for ever', () => {
    const run = beforeLastEnd('kafka-4.1', { crashes: 1, restarts: 2 })
    for (const leave of [[crash()], []]) {
      run.take(...leave, ['Start', { client: 0 }], ['HandleInitProducerId', live()])
      expect([run.reply(), run.client()]).toEqual(['UNKNOWN_SERVER_ERROR', 'closed'])
      expect(run.coordinator).toBe('Ongoing(2){0,1} last -1')
    }
  })
})

describe.each(versionOne)('%s: a session at the last epoch', (preset) => {
  it('is followed by one with another producer id', () => {
    const run = new Behaviour({ preset, maxEpoch, crashes: 2, restarts: 2 })
    run.take(...getEpoch(), crash(), ...getEpoch())
    expect([run.record, run.reply()]).toEqual(['Empty(1){}', 'NONE (1)'])
    run.take(crash(), ...getEpoch())
    expect([run.record, run.reply()]).toEqual(['Empty(1:0){}', 'NONE (1:0)'])
  })

  it('has its transaction aborted at the largest epoch', () => {
    const run = new Behaviour({ preset, maxEpoch, crashes: 2, restarts: 2 })
    run.take(...getEpoch(), crash(), ...workOfFirstTransaction(preset), crash())
    run.take(['Start', { client: 0 }], ['HandleInitProducerId', live()], replicateLog)
    expect(run.record).toBe('PrepareAbort(2){0,1}')
    run.take(...mark(output), ...mark(offsets), replicateLog, ['HandleInitProducerId', live()], replicateLog)
    expect([run.record, run.reply()]).toEqual(['Empty(1:0){}', 'NONE (1:0)'])
  })
})
