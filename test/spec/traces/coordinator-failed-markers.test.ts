/** A leader answers a marker with an error: the coordinator sends it again, whether it was written or not (KAFKA-9749). */
import { describe, expect, it } from 'vitest'
import { presets } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import { advance, complete, decide, mark, offsets, output, workOfFirstTransaction } from './steps.ts'

const fail = (error: string): NamedStep => [
  'FailMarker',
  { partition: output },
  { 'the leader answers': error },
]
const markersIn = (run: Behaviour) => run.log(output).filter((record) => record.startsWith('commit')).length

describe.each(presets)('%s: a marker', (preset) => {
  const decided = (config = {}) =>
    new Behaviour({ preset, failedMarkers: 1, ...config }).take(
      ...workOfFirstTransaction(preset),
      ...decide(),
    )

  it.each([
    ['KAFKA_STORAGE_ERROR', 0],
    ['NOT_LEADER_OR_FOLLOWER', 0],
    ['REQUEST_TIMED_OUT', 1],
  ])('that is answered with %s is in the log %i times, and is sent again', (error, written) => {
    const run = decided().take(fail(error))
    expect([markersIn(run), run.state.markers[output]!.length]).toEqual([written, 1])
    run.take(...complete)
    expect(run.record).toMatch(/^CompleteCommit/)
    expect(markersIn(run)).toBe(written + 1)
  })

  it('whose first copy is replicated counts only when the second one is', () => {
    const run = decided().take(fail('REQUEST_TIMED_OUT'), ...mark(offsets), advance(output))
    expect(run.record).toMatch(/^PrepareCommit/)
    expect(run.take(...mark(output), ['ReplicateTransactionLog', { id: 0 }]).record).toMatch(
      /^CompleteCommit/,
    )
  })

  it('is not sent again where the coordinator ignores the answer', () => {
    const run = decided({ ignoredMarkerReply: 'KAFKA_STORAGE_ERROR' }).take(fail('KAFKA_STORAGE_ERROR'))
    expect(run.state.markers[output]).toEqual([])
    run.take(...mark(offsets))
    expect(run.record).toMatch(/^PrepareCommit/)
  })

  it('leaves its partition undone where the coordinator ignores success', () => {
    const run = decided({ ignoredMarkerReply: 'NONE' }).take(...mark(output))
    expect(run.state.coordinator[0]!.entry!.partitions).toContain(output)
    expect(decided().take(...mark(output)).state.coordinator[0]!.entry!.partitions).not.toContain(output)
  })
})
