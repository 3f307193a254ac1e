import { describe, expect, it } from 'vitest'
import { readCommitted, readUncommitted } from '../../../spec/protocol/consumer.ts'
import { presets, presetsWith, rulesOf } from '../protocol/rules.ts'
import { Behaviour } from './behaviour.ts'
import {
  add,
  added,
  addFirst,
  advance,
  appendVerified,
  askAndAppend,
  begin,
  commitOffsets,
  complete,
  decide,
  getEpoch,
  handleOffsets,
  handleProduce,
  live,
  mark,
  offsets,
  output,
  produceFirst,
  replicateLog,
  workOfFirstTransaction,
} from './steps.ts'

describe.each(presetsWith(({ clientVersion }) => clientVersion === 1))(
  '%s: a committed transaction',
  (preset) => {
    it('is what the coordinator, the leaders and the client see, stage by stage', () => {
      const run = new Behaviour({ preset })
      run.take(...getEpoch())
      expect([run.coordinator, run.record, run.reply()]).toEqual([
        'Empty(0){} last -1',
        'Empty(0){}',
        'NONE (0)',
      ])

      run.take(...begin())
      expect([run.client(), run.group]).toEqual([
        'running, adding partitions, epoch 0',
        'generation 1, committed 0',
      ])
      run.take(...add())
      expect([run.record, run.client()]).toEqual(['Ongoing(0){0}', 'running, sending, epoch 0'])

      run.take(handleProduce(), ...askAndAppend(preset, output))
      expect([run.leader(output), run.reply({ partition: output })]).toEqual([
        'epoch 0 [0] open 0 coordinator -1',
        'none',
      ])
      run.take(advance(output))
      expect(run.reply({ partition: output })).toBe('NONE')

      run.take(...add())
      expect(run.record).toBe('Ongoing(0){0,1}')
      run.take(handleOffsets(), ...askAndAppend(preset, offsets))
      expect([run.leader(offsets), run.group]).toEqual([
        'epoch 0 [] open 0 coordinator -1',
        'generation 1, committed 0, pending 1',
      ])

      run.take(advance(offsets), ...decide())
      expect([run.record, run.coordinator, run.reply()]).toEqual([
        'PrepareCommit(0){0,1}',
        'PrepareCommit(0){0,1} last -1 -> CompleteCommit',
        'NONE',
      ])

      expect(run.client()).toBe('running, adding partitions, epoch 0')
      expect(run.blockedBy(['HandleAddPartitions', live()])).toBe('no transition is pending')

      run.take(...mark(output))
      expect([run.leader(output), run.coordinator]).toEqual([
        'epoch 0 [0] closed coordinator 0',
        'PrepareCommit(0){1} last -1 -> CompleteCommit',
      ])
      run.take(...mark(offsets), replicateLog)
      expect([run.record, run.coordinator, run.group]).toEqual([
        'CompleteCommit(0){}',
        'CompleteCommit(0){} last -1',
        'generation 1, committed 1',
      ])

      run.take(...add(), handleProduce(), ...askAndAppend(preset, output))
      expect([run.record, run.leader(output)]).toEqual([
        'Ongoing(0){0}',
        'epoch 0 [0,1] open 2 coordinator 0',
      ])
      expect(run.log(output)).toEqual(['#0(0)', 'commit(0) by 0', '#1(0)'])
    })
  },
)

describe.each(presetsWith(({ clientVersion }) => clientVersion === 2))(
  '%s: a committed transaction',
  (preset) => {
    it('is what the coordinator, the leaders and the client see, stage by stage', () => {
      const run = new Behaviour({ preset })
      run.take(...getEpoch(), ...begin())
      expect([run.record, run.client()]).toEqual(['Empty(0){}', 'running, sending, epoch 0'])

      run.take(handleProduce(), ['VerifyPartition', { partition: output }])
      expect([run.record, run.coordinator]).toEqual(['Empty(0){}', 'Empty(0){} last -1 -> Ongoing'])
      expect(run.blockedBy(appendVerified(output))).toBe('a verified request waits for its append')
      run.take(replicateLog, appendVerified(output), advance(output))
      expect([run.record, run.leader(output)]).toEqual(['Ongoing(0){0}', 'epoch 0 [0] open 0 coordinator -1'])

      run.take(handleOffsets(), ...askAndAppend(preset, offsets))
      expect([run.record, run.group]).toEqual(['Ongoing(0){0,1}', 'generation 1, committed 0, pending 1'])

      run.take(advance(offsets), ...decide())
      expect([run.record, run.coordinator, run.reply()]).toEqual([
        'PrepareCommit(1){0,1}',
        'PrepareCommit(1){0,1} last 0 -> CompleteCommit',
        'NONE (1)',
      ])

      run.take(...mark(output))
      expect([run.client(), run.leader(output)]).toEqual([
        'running, sending, epoch 1',
        'epoch 1 [] closed coordinator 0',
      ])
      run.take(...mark(offsets), replicateLog)
      expect([run.record, run.group]).toEqual(['CompleteCommit(1){}', 'generation 1, committed 1'])

      run.take(...produceFirst(preset))
      expect([run.record, run.leader(output)]).toEqual(['Ongoing(1){0}', 'epoch 1 [0] open 2 coordinator 0'])
      expect(run.log(output)).toEqual(['#0(0)', 'commit(1) by 0', '#0(1)'])
    })

    it('lets the first batch of the next transaction wait while the markers of the last one are written', () => {
      const run = new Behaviour({ preset })
      run.take(...workOfFirstTransaction(preset), ...decide(), handleProduce())
      expect(run.blockedBy(['VerifyPartition', { partition: output }])).toBe('no transition is pending')
      run.take(...complete)
      expect(run.state.verification[output]).toMatchObject([{ guard: 'current', phase: 'to be verified' }])
      run.take(...added(output), appendVerified(output))
      expect(run.log(output)).toEqual(['#0(0)', 'commit(1) by 0', '#0(1)'])
    })
  },
)

describe.each(presets)('%s: a committed transaction', (preset) => {
  it('is seen by read_committed when its marker is replicated', () => {
    const run = new Behaviour({ preset })
    const seen = () => {
      const partition = run.state.partition[output]!
      return [readUncommitted(partition), readCommitted(rulesOf(preset), partition)].map(
        (records) => records.length,
      )
    }
    run.take(...workOfFirstTransaction(preset), ...decide())
    expect(seen()).toEqual([1, 0])
    run.take(['AppendMarker', { partition: output }])
    expect(seen()).toEqual([1, 0])
    run.take(advance(output))
    expect(seen()).toEqual([1, 1])
  })

  it('is the end where there is one input', () => {
    const run = new Behaviour({ preset, inputs: 1 })
    run.take(...workOfFirstTransaction(preset), ...decide(), ...complete)
    expect([run.client(), run.group]).toEqual(['finished', 'generation 1, committed 1'])
  })

  it('does not depend on which of batch and offsets comes first', () => {
    const batchFirst = new Behaviour({ preset }).take(...workOfFirstTransaction(preset))
    const start = [...getEpoch(), ...begin(), ...addFirst(preset)]
    const offsetsFirst = new Behaviour({ preset }).take(
      ...start,
      ...commitOffsets(preset),
      ...produceFirst(preset),
    )
    expect(offsetsFirst.state).toEqual(batchFirst.state)
  })
})
