import { describe, expect, it } from 'vitest'
import { type StandardPreset, standardPresets } from '../protocol/rules.ts'
import { Behaviour } from './behaviour.ts'
import {
  abortTimedOut,
  add,
  added,
  appendVerified,
  begin,
  commitOffsets,
  complete,
  getEpoch,
  handleProduce,
  live,
  mark,
  offsets,
  output,
  produceFirst,
  replicateLog,
  timeOut,
  verified,
  workOfFirstTransaction,
} from './steps.ts'

const first: Record<StandardPreset, typeof verified> = { 'kafka-3.9': verified, 'kafka-4.4': added }

/** One batch and the offsets are in, the second batch of the transaction is on the wire. */
function withSecondBatchOnTheWire(preset: StandardPreset): Behaviour {
  const run = new Behaviour({ preset, transactionTimeouts: 1, recordsPerOutput: 2 })
  run.take(...getEpoch(), ...begin(), ...(preset === 'kafka-3.9' ? [...add()] : []))
  run.take(...produceFirst(preset), ...commitOffsets(preset))
  return run
}

describe('a transaction that times out', () => {
  it.each(standardPresets)('%s: is aborted at the next epoch', (preset) => {
    const run = withSecondBatchOnTheWire(preset).take(...timeOut)
    expect(run.record).toBe('PrepareAbort(1){0,1}')
    run.take(...complete)
    expect([run.record, run.leader(output), run.leader(offsets), run.group]).toEqual([
      'CompleteAbort(1){}',
      'epoch 1 [] closed coordinator 0',
      'epoch 1 [] closed coordinator 0',
      'generation 1, committed 0',
    ])
  })

  it('holds the raised epoch in memory at once before transaction.version 2, after the write with it', () => {
    const memory = (preset: StandardPreset) =>
      withSecondBatchOnTheWire(preset).take(abortTimedOut).coordinator
    expect(memory('kafka-3.9')).toBe('Ongoing(1){0,1} last -1 -> PrepareAbort')
    expect(memory('kafka-4.4')).toBe('Ongoing(0){0,1} last -1 -> PrepareAbort')
  })

  it.each(standardPresets)(
    '%s: does not begin again for the open transaction, nor without budget',
    (preset) => {
      const run = withSecondBatchOnTheWire(preset).take(abortTimedOut)
      expect(run.blockedBy(abortTimedOut)).toBe('budget of transactionTimeouts is left')
      const idle = new Behaviour({ preset, transactionTimeouts: 1 }).take(...getEpoch())
      expect(idle.blockedBy(abortTimedOut)).toBe('a transaction is open and nothing is pending')
    },
  )
})

describe('what the old client gets after the abort', () => {
  /** How its next batch is answered, and what becomes of it when it aborts. */
  const rows = [
    { preset: 'kafka-3.9', steps: verified(output), endTxn: 'PRODUCER_FENCED', client: 'closed' },
    { preset: 'kafka-4.4', steps: [], endTxn: 'NONE (1)', client: 'running, fetching, epoch 1' },
  ] as const
  it.each(rows)('$preset: Produce, then EndTxn(abort): $endTxn', ({ preset, steps, endTxn, client }) => {
    const run = withSecondBatchOnTheWire(preset).take(...timeOut, ...complete)
    run.take(handleProduce(), ...steps)
    expect(run.reply({ partition: output })).toBe('INVALID_PRODUCER_EPOCH')
    expect(run.client()).toBe('running, ending, epoch 0')
    run.take(['HandleEndTxn', live()])
    expect([run.record, run.reply()]).toEqual(['CompleteAbort(1){}', endTxn])
    expect(run.client()).toBe(client)
    expect(run.log(output)).toEqual(['#0(0)', 'abort(1) by 0'])
  })

  const commits = [
    { preset: 'kafka-3.9', endTxn: 'PRODUCER_FENCED' },
    { preset: 'kafka-4.4', endTxn: 'INVALID_TXN_STATE' },
  ] as const
  it.each(commits)('$preset: EndTxn(commit): $endTxn, which is fatal', ({ preset, endTxn }) => {
    const run = new Behaviour({ preset, transactionTimeouts: 1 }).take(...workOfFirstTransaction(preset))
    run.take(...timeOut, ...complete, ['HandleEndTxn', live()])
    expect([run.reply(), run.record]).toEqual([endTxn, 'CompleteAbort(1){}'])
    expect(run.client()).toBe('closed')
    expect(run.group).toBe('generation 1, committed 0')
  })

  it('kafka-3.9 is fenced before the abort is durable, kafka-4.4 waits for it', () => {
    const early = (preset: StandardPreset) =>
      new Behaviour({ preset, transactionTimeouts: 1 }).take(...workOfFirstTransaction(preset), abortTimedOut)
    expect(early('kafka-3.9').take(['HandleEndTxn', live()]).reply()).toBe('PRODUCER_FENCED')
    expect(early('kafka-4.4').blockedBy(['HandleEndTxn', live()])).toBe('no transition is pending')
  })

  const between = [
    { preset: 'kafka-3.9', error: 'INVALID_TXN_STATE' },
    { preset: 'kafka-4.4', error: 'INVALID_PRODUCER_EPOCH' },
  ] as const
  it.each(between)(
    '$preset: a batch verified before the marker and appended after it: $error',
    ({ preset, error }) => {
      const run = new Behaviour({ preset, transactionTimeouts: 1 }).take(...getEpoch(), ...begin())
      run.take(...(preset === 'kafka-3.9' ? [...add()] : []))
      run.take(handleProduce(), ...first[preset](output), ...timeOut, ...mark(output), replicateLog)
      expect(run.record).toBe('CompleteAbort(1){}')
      expect(run.take(appendVerified(output)).reply({ partition: output })).toBe(error)
      expect(run.log(output)).toEqual(['abort(1) by 0'])
    },
  )
})

describe('without a defence', () => {
  it.each(standardPresets)('%s: the timeout leaves the slow session its epoch', (preset) => {
    const run = new Behaviour({ preset, transactionTimeouts: 1 }, ['epoch bump at timeout'])
    run.take(...workOfFirstTransaction(preset), ...timeOut, ...complete)
    expect(run.record).toBe('CompleteAbort(0){}')
  })

  it.each(standardPresets)('%s: the verified batch is appended after the marker, and hangs', (preset) => {
    const without = ['verification guard', 'partition epoch check'] as const
    const run = new Behaviour({ preset, transactionTimeouts: 1 }, without).take(...getEpoch(), ...begin())
    run.take(...(preset === 'kafka-3.9' ? [...add()] : []))
    run.take(handleProduce(), ...first[preset](output), ...timeOut, ...mark(output), replicateLog)
    run.take(appendVerified(output))
    expect([run.record, run.log(output)]).toEqual(['CompleteAbort(1){}', ['abort(1) by 0', '#0(0)']])
  })
})
