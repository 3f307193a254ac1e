import { describe, expect, it } from 'vitest'
import { type StandardPreset, standardPresets } from '../protocol/rules.ts'
import { Behaviour } from './behaviour.ts'
import {
  add,
  begin,
  complete,
  crash,
  decide,
  getEpoch,
  handleProduce,
  live,
  output,
  produceFirst,
  replicateLog,
  verified,
  workOfFirstTransaction,
} from './steps.ts'

/** Instance 0 has a transaction open in both partitions and is silent; instance 1 has asked for an epoch. */
function takenOver(preset: StandardPreset): Behaviour {
  const run = new Behaviour({ preset, instances: 2, pauses: 1 })
  run.take(...workOfFirstTransaction(preset), ['Pause', { client: 0 }], ['Start', { client: 1 }])
  return run.take(['HandleInitProducerId', live(1)])
}

describe('a second instance that initialises while a transaction is open', () => {
  const memory = {
    'kafka-3.9': 'Ongoing(1){0,1} last -1 -> PrepareAbort',
    'kafka-4.4': 'Ongoing(0){0,1} last -1 -> PrepareAbort',
  }
  it.each(standardPresets)('%s: waits for the abort at epoch 1 and gets epoch 2', (preset) => {
    const run = takenOver(preset)
    expect([run.coordinator, run.reply({ client: 1 })]).toEqual([memory[preset], 'none'])
    expect(run.blockedBy(['HandleInitProducerId', live(1)])).toBe('no transition is pending')
    run.take(replicateLog)
    expect(run.record).toBe('PrepareAbort(1){0,1}')
    expect(run.blockedBy(['HandleInitProducerId', live(1)])).toBe('no transition is pending')
    run.take(...complete)
    expect([run.record, run.leader(output)]).toEqual([
      'CompleteAbort(1){}',
      'epoch 1 [] closed coordinator 0',
    ])
    run.take(['HandleInitProducerId', live(1)], replicateLog)
    expect([run.record, run.reply({ client: 1 })]).toEqual(['Empty(2){}', 'NONE (2)'])
  })

  it.each(standardPresets)('%s: ends the first one, which ends nothing any more', (preset) => {
    const run = takenOver(preset).take(
      replicateLog,
      ...complete,
      ['HandleInitProducerId', live(1)],
      replicateLog,
    )
    run.take(['Resume', { client: 0 }], ['HandleEndTxn', live(0)])
    expect([run.reply(), run.record]).toEqual(['PRODUCER_FENCED', 'Empty(2){}'])
    expect(run.client()).toBe('closed')
  })

  it.each(standardPresets)('%s: the last one served owns the id, whoever began later', (preset) => {
    const run = new Behaviour({ preset, instances: 2, pauses: 1 })
    run.take(['Start', { client: 0 }], ['Pause', { client: 0 }], ...getEpoch(1), ['Resume', { client: 0 }])
    expect(run.client(1)).toBe('running, joining, epoch 0')
    run.take(['HandleInitProducerId', live(0)], replicateLog)
    expect([run.reply({ client: 0 }), run.client(0)]).toEqual(['NONE (1)', 'running, joining, epoch 1'])
    expect(run.state.ghost.newestSession).toEqual([1])
  })
})

describe('a session after a committed transaction', () => {
  const rows = [
    { preset: 'kafka-3.9', complete: 'CompleteCommit(0){}', empty: 'Empty(1){}', reply: 'NONE (1)' },
    { preset: 'kafka-4.4', complete: 'CompleteCommit(1){}', empty: 'Empty(2){}', reply: 'NONE (2)' },
  ] as const
  it.each(rows)('$preset: $complete, $empty', ({ preset, complete: before, empty, reply }) => {
    const run = new Behaviour({ preset, crashes: 1, restarts: 1 })
    run.take(...workOfFirstTransaction(preset), ...decide(), crash(), ...complete)
    expect(run.record).toBe(before)
    run.take(...getEpoch())
    expect([run.record, run.reply()]).toEqual([empty, reply])
    run.take(...begin())
    expect(run.state.instance[0]).toMatchObject({ position: 1, session: 2, transaction: 1 })
  })

  it.each(standardPresets)(
    '%s: starts with sequence 0, which the partition accepts as the epoch is new',
    (preset) => {
      const run = new Behaviour({ preset, crashes: 1, restarts: 1 })
      run.take(...workOfFirstTransaction(preset), ...decide(), crash(), ...complete)
      run.take(...getEpoch(), ...begin(), ...(preset === 'kafka-3.9' ? [...add()] : []))
      run.take(...produceFirst(preset))
      expect(run.log(output).at(-1)).toBe(preset === 'kafka-3.9' ? '#0(1)' : '#0(2)')
    },
  )
})

describe('what a crashed instance has sent', () => {
  it('arrives late and is answered to nobody, InitProducerId too', () => {
    const run = new Behaviour({ preset: 'kafka-4.4', crashes: 1, restarts: 1 })
    run.take(['Start', { client: 0 }], crash(0, 'InitProducerId of s1 to coordinator'), ...getEpoch())
    expect(run.reply()).toBe('NONE (0)')
    run.take(['HandleInitProducerId', { client: 0, copy: 'late' }], replicateLog)
    expect([run.record, run.reply(), run.client()]).toEqual([
      'Empty(1){}',
      'none',
      'running, joining, epoch 0',
    ])
  })

  it('aborts the open transaction of the session that follows, whatever epoch it expects', () => {
    const run = new Behaviour({ preset: 'kafka-3.9', crashes: 1, restarts: 1 })
    run.take(['Start', { client: 0 }], crash(0, 'InitProducerId of s1 to coordinator'))
    run.take(...getEpoch(), ...begin(), ...add())
    run.take(['HandleInitProducerId', { client: 0, copy: 'late' }], replicateLog)
    expect(run.record).toBe('PrepareAbort(1){0}')
    expect(run.state.connection[0]!.coordinator.late).toEqual([])
    run.take(handleProduce(), ...verified(output))
    expect(run.reply({ partition: output })).toBe('INVALID_PRODUCER_EPOCH')
  })
})
