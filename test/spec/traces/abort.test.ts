import { describe, expect, it } from 'vitest'
import type { DefenceName } from '../../../spec/defences.ts'
import { standardPresets } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import {
  abortTimedOut,
  add,
  advance,
  appendVerified,
  begin,
  commitOffsets,
  complete,
  decide,
  failOver,
  getEpoch,
  live,
  mark,
  offsets,
  output,
  produceFirst,
  replicateLog,
  replyLost,
  verified,
  workOfFirstTransaction,
} from './steps.ts'

const expire: NamedStep = ['ExpireBatch', { client: 0, partition: output }]
const lateProduce: NamedStep = ['HandleProduce', { client: 0, partition: output, copy: 'late' }]
const init: readonly NamedStep[] = [['HandleInitProducerId', live()], replicateLog]
/** It takes effect, its reply is lost. */
const unanswered: readonly NamedStep[] = [['HandleInitProducerId', live()], replyLost(replicateLog)]

/** A batch is given up while it is on the wire, and the transaction is aborted. */
function givenUp(without: readonly DefenceName[] = []): Behaviour {
  const faults = { deliveryTimeouts: 1, lostReplies: 1, coordinatorFailovers: 1 }
  const run = new Behaviour({ preset: 'kafka-3.9', ...faults }, without).take(
    ...getEpoch(),
    ...begin(),
    ...add(),
  )
  // The answer to AddOffsetsToTxn is waited for; the offsets are not sent any more.
  return run.take(expire, ...add(), ...decide(), ...complete)
}

describe('kafka-3.9: a client that gave up a batch (KIP-360)', () => {
  it('aborts at its epoch, then raises it', () => {
    const run = givenUp()
    expect([run.record, run.client()]).toEqual(['CompleteAbort(0){}', 'running, raising the epoch, epoch 0'])
    run.take(...init)
    expect([run.coordinator, run.reply()]).toEqual(['Empty(1){} last 0', 'NONE (1)'])
    run.take(['FetchOffsets', { client: 0 }])
    expect(run.state.instance[0]).toMatchObject({
      producerEpoch: 1,
      nextSequence: [0],
      transaction: 2,
      position: 0,
    })
  })

  it('gets the same epoch again when the request is repeated', () => {
    const run = givenUp().take(...unanswered, ...init)
    expect([run.coordinator, run.reply()]).toEqual(['Empty(1){} last 0', 'NONE (1)'])
  })

  it('is fenced when the request is repeated to another coordinator', () => {
    const run = givenUp().take(...unanswered, failOver())
    run.take(['HandleInitProducerId', live()])
    expect([run.reply(), run.record]).toEqual(['PRODUCER_FENCED', 'Empty(1){}'])
    expect(run.client()).toBe('closed')
  })

  it('leaves the late batch no transaction to join', () => {
    const run = givenUp().take(...init, ['FetchOffsets', { client: 0 }], ...add())
    run.take(lateProduce, ...verified(output))
    expect([run.log(output), run.state.verification[output]]).toEqual([['abort(0) by 0'], []])
  })

  it('without the rise lets the late batch join its next transaction', () => {
    const run = givenUp(['epoch bump after an error'])
    expect(run.client()).toBe('running, fetching, epoch 0')
    run.take(
      ['FetchOffsets', { client: 0 }],
      ...add(),
      lateProduce,
      ...verified(output),
      appendVerified(output),
    )
    expect([run.record, run.log(output)]).toEqual(['Ongoing(0){0}', ['abort(0) by 0', '#0(0)']])
  })
})

describe('kafka-4.4: a client that gave up a batch', () => {
  it('has the epoch that the abort raised', () => {
    const run = new Behaviour({ preset: 'kafka-4.4', deliveryTimeouts: 1 }).take(...getEpoch(), ...begin())
    run.take(expire, ...commitOffsets('kafka-4.4'))
    run.take(...decide(), ...mark(offsets), replicateLog)
    expect([run.record, run.client()]).toEqual(['CompleteAbort(1){}', 'running, fetching, epoch 1'])
    run.take(lateProduce, ['VerifyPartition', { partition: output }])
    expect([run.state.verification[output], run.log(output)]).toEqual([[], []])
  })
})

describe.each(standardPresets)('%s: an application that aborts', (preset) => {
  const aborted = (without: readonly DefenceName[] = []) => {
    const run = new Behaviour({ preset, applicationAborts: 1 }, without).take(...getEpoch(), ...begin())
    run.take(['AbandonTransaction', { client: 0 }], ...(preset === 'kafka-3.9' ? [...add()] : []))
    if (preset === 'kafka-4.4') {
      run.take(...produceFirst(preset), ...commitOffsets(preset))
    }
    return run.take(...decide())
  }

  it('waits for what it has sent, then aborts, and reads the committed offset again', () => {
    const run = aborted()
    expect(run.client()).toMatch(/^running, fetching/)
    run.take(...mark(output), ...(preset === 'kafka-4.4' ? mark(offsets) : []), replicateLog)
    expect(run.record).toMatch(/^CompleteAbort/)
    run.take(['FetchOffsets', { client: 0 }])
    expect(run.state.instance[0]).toMatchObject({ position: 0, transaction: 2 })
  })

  it('goes on with the next input where it does not go back', () => {
    expect(aborted(['rewind after abort']).state.instance[0]).toMatchObject({ position: 1, transaction: 2 })
  })
})

describe.each(standardPresets)('%s: offsets outside the transaction', (preset) => {
  it('are committed after it, and survive nothing between', () => {
    const run = new Behaviour({ preset }, ['offsets inside the transaction']).take(...getEpoch(), ...begin())
    run.take(...(preset === 'kafka-3.9' ? [...add()] : []), ...produceFirst(preset))
    run.take(...decide(), ...mark(output), replicateLog)
    expect([run.record, run.group]).toEqual([
      preset === 'kafka-3.9' ? 'CompleteCommit(0){}' : 'CompleteCommit(1){}',
      'generation 1, committed 0',
    ])
    run.take(['HandleOffsetCommit', live()])
    expect([run.group, run.leader(offsets)]).toEqual(['generation 1, committed 1', 'unknown'])
    run.take(advance(offsets))
    expect(run.state.instance[0]).toMatchObject({ position: 1, transaction: 2 })
  })
})

describe('a client that is fenced', () => {
  it('is closed with all that it knew', () => {
    const run = new Behaviour({ preset: 'kafka-3.9', transactionTimeouts: 1 }).take(
      ...workOfFirstTransaction('kafka-3.9'),
    )
    run.take(abortTimedOut, ['HandleEndTxn', live()])
    expect(run.state.instance[0]).toMatchObject({ status: 'closed', session: 0, producerEpoch: -1 })
  })
})
