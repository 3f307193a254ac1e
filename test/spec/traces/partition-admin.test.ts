/** An administrator ends a transaction in one partition, behind the back of its coordinator (KIP-664). */
import { describe, expect, it } from 'vitest'
import { presets } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import {
  advance,
  clientAdds,
  complete,
  decide,
  failOver,
  getEpoch,
  offsets,
  output,
  workOfFirstTransaction,
} from './steps.ts'

const abort = (partition: number): NamedStep => ['AbortByAdmin', { partition }]
const appendMarker = (partition: number): NamedStep => ['AppendMarker', { partition }]

describe.each(presets)("%s: an administrator's ABORT", (preset) => {
  const epoch = clientAdds(preset) ? 0 : 1
  const open = (config: object = {}) =>
    new Behaviour({ preset, adminAborts: 1, ...config }).take(...workOfFirstTransaction(preset))

  it('needs an open transaction', () => {
    const run = new Behaviour({ preset, adminAborts: 1 }).take(...getEpoch())
    expect(run.blockedBy(abort(output))).toBe('a transaction is open in the partition')
  })

  it('carries what the leader knows of the producer, and no transaction.version', () => {
    const run = open().take(abort(output))
    expect(run.state.markers[output]).toEqual([
      {
        transactionalId: -1,
        producerId: 0,
        producerEpoch: 0,
        result: 'abort',
        coordinatorEpoch: 0,
        transactionVersion: 0,
        transaction: '',
        late: false,
      },
    ])
  })

  it('ends the transaction in that partition, with its own epoch, and tells nobody', () => {
    const run = open()
    const { coordinator } = run
    run.take(abort(output), appendMarker(output), advance(output))
    expect(run.log(output)).toEqual(['#0(0)', 'abort(0) by 0'])
    expect(run.leader(output)).toBe('epoch 0 [0] closed coordinator 0')
    expect([run.coordinator, run.state.partition[output]!.awaiting]).toEqual([coordinator, []])
  })

  it('leaves the commit to the other partitions: half of the transaction is committed', () => {
    const run = open().take(abort(output), appendMarker(output), advance(output), ...decide(), ...complete)
    expect(run.record).toBe(`CompleteCommit(${epoch}){}`)
    expect(run.log(output)).toEqual(['#0(0)', 'abort(0) by 0', `commit(${epoch}) by 0`])
    expect(run.group).toBe('generation 1, committed 1')
  })

  it("in the group's partition drops the pending offset", () => {
    const run = open().take(abort(offsets), appendMarker(offsets))
    expect(run.group).toBe('generation 1, committed 0')
  })

  it('comes too late for the marker of a successor: it is refused, and nobody is told', () => {
    const run = open({ coordinatorFailovers: 1 }).take(abort(output), failOver(), ...decide())
    run.take(['AppendMarker', { partition: output }, { marker: 1 }], appendMarker(output))
    expect(run.log(output)).toEqual(['#0(0)', `commit(${epoch}) by 1`])
    expect(run.take(advance(output)).coordinator).toContain('{1}')
  })
})
