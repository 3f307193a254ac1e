import { describe, expect, it } from 'vitest'
import { standardPresets } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import {
  add,
  advance,
  appendVerified,
  begin,
  complete,
  decide,
  failOver,
  getEpoch,
  handleProduce,
  live,
  mark,
  offsets,
  output,
  replicateLog,
  workOfFirstTransaction,
} from './steps.ts'

/** Of two markers that are on their way, the one that was sent first or second. */
const appendMarker = (partition: number, marker: number): NamedStep => [
  'AppendMarker',
  { partition },
  { marker },
]

describe.each(standardPresets)('%s: a coordinator that moves after the decision', (preset) => {
  const epoch = preset === 'kafka-3.9' ? 0 : 1
  const moved = () => {
    const run = new Behaviour({ preset, coordinatorFailovers: 1 }).take(
      ...workOfFirstTransaction(preset),
      ...decide(),
    )
    return run.take(...mark(output), failOver())
  }

  it('forgets which markers were acknowledged and sends all of them again under its own epoch', () => {
    const run = moved()
    expect(run.coordinator).toBe(`PrepareCommit(${epoch}){0,1} last -1 -> CompleteCommit`)
    expect(run.state.coordinator[0]!.coordinatorEpoch).toBe(1)
    run.take(...mark(output), appendMarker(offsets, 1), advance(offsets), replicateLog)
    expect([run.record, run.group]).toEqual([`CompleteCommit(${epoch}){}`, 'generation 1, committed 1'])
    expect(run.log(output)).toEqual(['#0(0)', `commit(${epoch}) by 0`, `commit(${epoch}) by 1`])
  })

  it('refuses the marker of the former one that comes after its own', () => {
    const run = moved().take(appendMarker(offsets, 1), ['AppendMarker', { partition: offsets }])
    expect(run.log(offsets)).toEqual(['offset 1', `commit(${epoch}) by 1`])
    expect(run.state.coordinator[0]!.markersForgotten).toBe(false)
    run.take(advance(offsets), ...mark(output), replicateLog)
    expect(run.record).toBe(`CompleteCommit(${epoch}){}`)
  })

  it('takes the marker of the former one that comes before its own, and does not count it', () => {
    const run = moved().take(appendMarker(offsets, 0), advance(offsets))
    expect([run.group, run.log(offsets)]).toEqual([
      'generation 1, committed 1',
      ['offset 1', `commit(${epoch}) by 0`],
    ])
    expect(run.coordinator).toContain('{0,1}')
    run.take(...complete)
    expect(run.record).toBe(`CompleteCommit(${epoch}){}`)
  })
})

describe.each(standardPresets)('%s: a coordinator that moves before the decision is replicated', (preset) => {
  const waiting = () => {
    const run = new Behaviour({ preset, coordinatorFailovers: 1 }).take(...workOfFirstTransaction(preset))
    return run.take(['HandleEndTxn', live()])
  }

  it('knows nothing of it if the record is lost: the repeated request decides', () => {
    const run = waiting().take(failOver('lost'))
    expect([run.coordinator, run.reply()]).toEqual(['Ongoing(0){0,1} last -1', 'none'])
    run.take(...decide())
    expect(run.reply()).toBe(preset === 'kafka-3.9' ? 'NONE' : 'NONE (1)')
  })

  it('carries it out if the record is kept: the repeated request waits, then is recognised', () => {
    const run = waiting().take(failOver('kept'))
    expect(run.coordinator).toContain('-> CompleteCommit')
    expect(run.blockedBy(['HandleEndTxn', live()])).toBe('no transition is pending')
    run.take(...complete, ['HandleEndTxn', live()])
    expect(run.reply()).toBe(preset === 'kafka-3.9' ? 'NONE' : 'NONE (1)')
    expect(run.state.instance[0]).toMatchObject({ transaction: 2, position: 1 })
  })
})

describe('a coordinator that moves while a partition is added', () => {
  it.each(['lost', 'kept'] as const)('kafka-4.4: the leader asks again, the record being %s', (fate) => {
    const run = new Behaviour({ preset: 'kafka-4.4', coordinatorFailovers: 1 }).take(
      ...getEpoch(),
      ...begin(),
    )
    run.take(handleProduce(), ['VerifyPartition', { partition: output }], failOver(fate))
    expect(run.state.verification[output]).toMatchObject([{ phase: 'to be verified', guard: 'current' }])
    run.take(['VerifyPartition', { partition: output }], ...(fate === 'lost' ? [replicateLog] : []))
    run.take(appendVerified(output))
    expect([run.record, run.log(output)]).toEqual(['Ongoing(0){0}', ['#0(0)']])
  })

  it.each(['lost', 'kept'] as const)('kafka-3.9: the client asks again, the record being %s', (fate) => {
    const run = new Behaviour({ preset: 'kafka-3.9', coordinatorFailovers: 1 }).take(
      ...getEpoch(),
      ...begin(),
    )
    run.take(['HandleAddPartitions', live()], failOver(fate))
    run.take(...(fate === 'lost' ? add() : [['HandleAddPartitions', live()] as const]))
    expect([run.record, run.reply()]).toEqual(['Ongoing(0){0}', 'NONE'])
  })

  it.each(['lost', 'kept'] as const)(
    'a new session asks again for its epoch, the record being %s',
    (fate) => {
      const run = new Behaviour({ preset: 'kafka-4.4', coordinatorFailovers: 1 })
      run.take(['Start', { client: 0 }], ['HandleInitProducerId', live()], failOver(fate))
      expect(run.coordinator).toBe(fate === 'lost' ? 'unknown' : 'Empty(0){} last -1')
      run.take(['HandleInitProducerId', live()], replicateLog)
      // The producer id of the first attempt was known to nobody but the former coordinator: it is wasted.
      expect(run.reply()).toBe(fate === 'lost' ? 'NONE (1:0)' : 'NONE (1)')
    },
  )
})

describe('without a defence', () => {
  it.each(standardPresets)(
    '%s: a decision that is not durable is answered, carried out and lost',
    (preset) => {
      const run = new Behaviour({ preset, coordinatorFailovers: 1 }, ['durable decision'])
      run.take(...workOfFirstTransaction(preset), ['HandleEndTxn', live()])
      expect(run.reply()).toBe(preset === 'kafka-3.9' ? 'NONE' : 'NONE (1)')
      run.take(['AppendMarker', { partition: output }], failOver('lost'))
      expect([run.coordinator, run.log(output).length]).toEqual(['Ongoing(0){0,1} last -1', 2])
    },
  )

  it.each(standardPresets)('%s: the last word is written before the markers', (preset) => {
    const run = new Behaviour({ preset }, ['markers before complete']).take(...workOfFirstTransaction(preset))
    run.take(...decide(), replicateLog)
    expect(run.record).toContain('CompleteCommit')
    expect(run.state.markers.map((markers) => markers.length)).toEqual([1, 1])
  })

  it('a marker of the former coordinator ends the transaction of its successor', () => {
    const run = new Behaviour({ preset: 'kafka-3.9', coordinatorFailovers: 1 }, [
      'marker coordinator epoch check',
    ])
    run.take(...workOfFirstTransaction('kafka-3.9'), ...decide(), failOver())
    run.take(appendMarker(output, 1), advance(output))
    run.take(appendMarker(offsets, 1), advance(offsets), replicateLog)
    run.take(...add(), handleProduce(), ['VerifyPartition', { partition: output }], appendVerified(output))
    expect(run.leader(output)).toContain('open')
    run.take(['AppendMarker', { partition: output }])
    expect([run.leader(output), run.record]).toEqual(['epoch 0 [0,1] closed coordinator 0', 'Ongoing(0){0}'])
  })
})
