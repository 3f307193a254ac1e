/** A marker that a partition refuses: its coordinator sends no more of them, and the transaction is never complete. */
import { describe, expect, it } from 'vitest'
import type { PresetName } from '../../../spec/presets.ts'
import { presetsWith } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import { abortTimedOut, advance, decide, failOver, offsets, output, workOfFirstTransaction } from './steps.ts'

const last = (partition: number, marker: number): NamedStep => ['AppendMarker', { partition }, { marker }]

/**
 * The abort by timeout is carried out by a coordinator that read it above the high watermark, up to its marker in one partition.
 * It is lost with the next move, and the client commits.
 */
const committedAfterLostAbort = (preset: PresetName) =>
  new Behaviour({ preset, coordinatorFailovers: 3, transactionTimeouts: 1, faults: 4 })
    .take(...workOfFirstTransaction(preset), abortTimedOut, failOver('kept'))
    .take(['AppendMarker', { partition: output }], advance(output), failOver('lost'), ...decide())

const waits = (run: Behaviour) => /\{(.*)\}/.exec(run.coordinator)?.[1]

describe.each(presetsWith(({ fenceBump }) => fenceBump !== 'single'))(
  '%s: a marker of a lower epoch than that of a lost abort (INVALID_PRODUCER_EPOCH)',
  (preset) => {
    it('is refused, and no answer of a partition counts from then on (KAFKA-19999)', () => {
      const run = committedAfterLostAbort(preset)
      expect(run.state.coordinator[0]!.markersForgotten).toBe(false)
      run.take(['AppendMarker', { partition: output }])
      expect(run.log(output)).toHaveLength(2)
      expect(run.state.coordinator[0]!.markersForgotten).toBe(true)
      expect(run.state.markers[output]).toEqual([])
      run.take(last(offsets, 1), advance(offsets))
      expect([waits(run), run.coordinator.split(' -> ')[1]]).toEqual(['0,1', 'CompleteCommit'])
    })

    it('is sent again by the next coordinator only', () => {
      const run = committedAfterLostAbort(preset).take(['AppendMarker', { partition: output }])
      run.take(last(offsets, 1), advance(offsets), failOver())
      expect(run.state.coordinator[0]!.markersForgotten).toBe(false)
      expect(run.state.markers[output]).toMatchObject([{ coordinatorEpoch: 3, result: 'commit' }])
    })
  },
)

describe('kafka-4.4: a marker of the same epoch as that of a lost abort', () => {
  it('is appended, as nothing is open', () => {
    const run = committedAfterLostAbort('kafka-4.4').take(['AppendMarker', { partition: output }])
    expect(run.log(output)).toEqual(['#0(0)', 'abort(1) by 1', 'commit(1) by 2'])
    expect(run.take(advance(output)).state.coordinator[0]!.markersForgotten).toBe(false)
    expect(waits(run)).toBe('1')
  })
})
