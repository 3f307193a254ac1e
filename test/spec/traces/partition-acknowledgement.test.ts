/** When a batch is acknowledged: acks=all, 1 and 0, and what a change of the leader makes of it. */
import { describe, expect, it } from 'vitest'
import type { KafkaConfig } from '../../../spec/config.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import { advance, handleProduce, output } from './steps.ts'

const end = 'the log of the new leader ends at'
const change = (last: number): NamedStep => ['ChangeLeader', { partition: output }, { [end]: last }]

const sending = (acks: KafkaConfig['acks'], config: Partial<KafkaConfig> = {}) =>
  new Behaviour({ application: 'produce', producer: 'plain', acks, inputs: 1, ...config }).take([
    'Start',
    { client: 0 },
  ])

const unanswered = ({ state }: Behaviour) => state.connection[0]!.partition[output]!.requests.length

describe('a batch without a producer id', () => {
  const rows = [
    { acks: 'all', atAppend: 'none', waits: 1, replicated: 'NONE' },
    { acks: '1', atAppend: 'NONE', waits: 0, replicated: 'none' },
    { acks: '0', atAppend: 'none', waits: 0, replicated: 'none' },
  ] as const
  it.each(rows)('with acks=$acks: at its append $atAppend, when it is replicated $replicated', (row) => {
    const run = sending(row.acks).take(handleProduce())
    expect([run.reply({ partition: output }), unanswered(run)]).toEqual([row.atAppend, row.waits])
    expect(run.state.partition[output]!.producers).toEqual([])
    expect(run.take(advance(output)).reply({ partition: output })).toBe(row.replicated)
    expect(run.log(output)).toHaveLength(1)
  })

  it.each(rows)(
    'with acks=$acks: is sent again after a change of the leader only if it was not answered',
    (row) => {
      const run = sending(row.acks, { leaderChanges: 2 }).take(handleProduce(), change(0))
      expect([run.log(output), unanswered(run)]).toEqual([[], row.waits])
    },
  )

  it('with acks=all is in the log twice if the new leader has it', () => {
    const run = sending('all', { leaderChanges: 2 }).take(handleProduce(), change(1), handleProduce())
    expect(run.log(output)).toEqual(['#-1(-1)', '#-1(-1)'])
  })

  it.each(rows)('with acks=$acks: waits for enough replicas only if it is to have them', ({ acks }) => {
    const run = sending(acks, { refusedBatches: 1 })
    expect(run.possible.includes('RefuseBatch')).toBe(acks === 'all')
  })
})

describe('an idempotent batch', () => {
  it('is a duplicate when it is sent again to a new leader that has it', () => {
    const run = new Behaviour({ application: 'produce', producer: 'idempotent', inputs: 1, leaderChanges: 2 })
    run.take(['Start', { client: 0 }], ['HandleInitProducerId', { client: 0, copy: 'live' }])
    run.take(handleProduce(), change(1), handleProduce(), advance(output))
    expect([run.reply({ partition: output }), run.log(output)]).toEqual(['NONE', ['#0(0)']])
    expect(run.leader(output)).toBe('epoch 0 [0] closed coordinator -1')
  })
})
