/** Another replica leads a partition: what it has, what it remembers, and what is sent to it again. */
import { describe, expect, it } from 'vitest'
import type { KafkaConfig } from '../../../spec/config.ts'
import type { PresetName } from '../../../spec/presets.ts'
import { presets, presetsWith } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import {
  addFirst,
  advance,
  appendVerified,
  askAndAppend,
  begin,
  clientAdds,
  complete,
  decide,
  getEpoch,
  handleProduce,
  mark,
  offsets,
  output,
  produceFirst,
  question,
  replicateLog,
  verified,
  workOfFirstTransaction,
} from './steps.ts'

const end = 'the log of the new leader ends at'
const known = 'the new leader knows the high watermark'

const change = (partition: number, choices: Record<string, number> = {}): NamedStep => [
  'ChangeLeader',
  { partition },
  choices,
]

const sending = (preset: PresetName, config: Partial<KafkaConfig> = {}) =>
  new Behaviour({ preset, leaderChanges: 2, ...config }).take(...getEpoch(), ...begin(), ...addFirst(preset))

/** The first batch is in the log, and not replicated. */
const appendFirst = (preset: PresetName): readonly NamedStep[] => [
  handleProduce(),
  ...askAndAppend(preset, output),
]

const onTheWire = ({ state }: Behaviour) =>
  state.connection[0]!.partition[output]!.requests.map(({ executing }) => executing)
const markersTo = ({ state }: Behaviour, partition: number) => state.markers[partition]!.length

describe.each(presets)('%s: a batch that is not replicated when the leader changes', (preset) => {
  it('may be lost: nothing is remembered of it, and it is sent again', () => {
    const run = sending(preset).take(...appendFirst(preset))
    expect(run.options(change(output))).toEqual({ [end]: [0, 1] })
    run.take(change(output, { [end]: 0 }))
    expect([run.log(output), run.leader(output), onTheWire(run)]).toEqual([[], 'unknown', [false]])
    expect(run.state.partition[output]).toMatchObject({ leaderEpoch: 1, guards: [], awaiting: [] })
    const again = clientAdds(preset)
      ? askAndAppend(preset, output)
      : [...verified(output), appendVerified(output)]
    run.take(handleProduce(), ...again, advance(output))
    expect([run.reply({ partition: output }), run.log(output)]).toEqual(['NONE', ['#0(0)']])
  })

  it('may be kept: the copy that is sent again is a duplicate of it, answered when it is replicated', () => {
    const run = sending(preset).take(...appendFirst(preset), change(output, { [end]: 1 }), handleProduce())
    expect([run.reply({ partition: output }), run.leader(output)]).toEqual([
      'none',
      'epoch 0 [0] open 0 coordinator -1',
    ])
    run.take(advance(output))
    expect([run.reply({ partition: output }), run.log(output)]).toEqual(['NONE', ['#0(0)']])
  })
})

describe.each(presets)('%s: what is replicated when the leader changes', (preset) => {
  it('stays, but the new leader may not know yet that it is', () => {
    const run = sending(preset, { leaderChanges: 1 }).take(...produceFirst(preset))
    expect(run.options(change(output))).toEqual({ [known]: [1, 0] })
    run.take(change(output, { [known]: 0 }))
    expect([run.log(output), run.state.partition[output]!.highWatermark]).toEqual([['#0(0)'], 0])
    expect(run.take(advance(output)).state.partition[output]!.highWatermark).toBe(1)
  })

  it('is not taken for lost by a later election', () => {
    const run = sending(preset).take(...produceFirst(preset))
    expect(run.options(change(output))).toEqual({})
  })
})

describe.each(presetsWith(({ verification }) => verification !== 'off'))(
  '%s: a batch between its verification and its append',
  (preset) => {
    it('begins anew at the new leader', () => {
      const run = sending(preset).take(handleProduce(), ...question(preset, output), change(output))
      expect(run.state.verification[output]).toEqual([])
      expect([onTheWire(run), run.state.partition[output]!.guards]).toEqual([[false], []])
      run.take(handleProduce(), ...verified(output), appendVerified(output), advance(output))
      expect(run.log(output)).toEqual(['#0(0)'])
    })

    it('is nobody to be answered by the coordinator that was asked for it', () => {
      const run = sending(preset, { lateRequests: 1 }).take(['DelayRequest', { client: 0, broker: output }])
      run.take(['HandleProduce', { client: 0, partition: output, copy: 'late' }], change(output))
      expect(run.blockedBy(['VerifyPartition', { partition: output }])).toBe('a leader asks the coordinator')
      expect(onTheWire(run)).toEqual([false])
    })
  },
)

describe.each(presets)('%s: a marker that is not replicated when the leader changes', (preset) => {
  const epoch = clientAdds(preset) ? 0 : 1
  const marked = () => {
    const run = new Behaviour({ preset, leaderChanges: 2 }).take(
      ...workOfFirstTransaction(preset),
      ...decide(),
    )
    return run.take(['AppendMarker', { partition: output }])
  }

  it('is sent again by its coordinator if it is lost, and the transaction is open until then', () => {
    const run = marked().take(change(output, { [end]: 1 }))
    expect([run.log(output), markersTo(run, output)]).toEqual([['#0(0)'], 1])
    expect(run.leader(output)).toBe('epoch 0 [0] open 0 coordinator -1')
    expect(run.take(...complete).record).toBe(`CompleteCommit(${epoch}){}`)
    expect(run.log(output)).toEqual(['#0(0)', `commit(${epoch}) by 0`])
  })

  it('is sent again if it is kept, and stands twice in the log', () => {
    const run = marked().take(change(output, { [end]: 2 }), ...complete)
    expect(run.record).toBe(`CompleteCommit(${epoch}){}`)
    expect(run.log(output)).toEqual(['#0(0)', `commit(${epoch}) by 0`, `commit(${epoch}) by 0`])
  })

  it('of the group: what it committed is pending again', () => {
    const run = marked().take(['AppendMarker', { partition: offsets }])
    expect(run.group).toBe('generation 1, committed 1')
    run.take(change(offsets, { [end]: 1 }))
    expect([run.group, markersTo(run, offsets)]).toEqual(['generation 1, committed 0, pending 1', 1])
    run.take(advance(output), ...mark(offsets), replicateLog)
    expect([run.group, run.record]).toEqual(['generation 1, committed 1', `CompleteCommit(${epoch}){}`])
  })

  it('is not waited for once it is replicated', () => {
    const run = marked().take(advance(output), change(output))
    expect([markersTo(run, output), run.coordinator.includes('{1}')]).toEqual([0, true])
  })
})

describe.each(presets)('%s: what comes late over a closed connection to the old leader', (preset) => {
  it('is refused there: no request and no marker', () => {
    const run = sending(preset, { lateRequests: 1, lateMarkers: 1 }).take([
      'DelayRequest',
      { client: 0, broker: output },
    ])
    run.take(change(output))
    expect(run.blockedBy(['HandleProduce', { client: 0, partition: output, copy: 'late' }])).toBe(
      'a late request of this kind is under way',
    )
    const other = new Behaviour({ preset, leaderChanges: 1, lateMarkers: 1 }).take(
      ...workOfFirstTransaction(preset),
      ...decide(),
      ['DelayMarker', { partition: output }],
    )
    expect(markersTo(other, output)).toBe(2)
    expect(markersTo(other.take(change(output, { [known]: 1 })), output)).toBe(1)
  })
})
