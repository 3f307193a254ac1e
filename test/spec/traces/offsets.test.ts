import { describe, expect, it } from 'vitest'
import type { DefenceName } from '../../../spec/defences.ts'
import { type StandardPreset, standardPresets } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import {
  add,
  added,
  appendVerified,
  complete,
  decide,
  live,
  offsets,
  output,
  produceFirst,
  replicateLog,
  timeOut,
  verified,
} from './steps.ts'

const fetch = (client: number): NamedStep => ['FetchOffsets', { client }]
const question: Record<StandardPreset, readonly NamedStep[]> = {
  'kafka-3.9': verified(offsets),
  'kafka-4.4': added(offsets),
}

/** Two instances that read the offset before they initialise; the first has its offset commit on the wire. */
function committing(preset: StandardPreset, without: readonly DefenceName[] = []): Behaviour {
  const run = new Behaviour(
    { preset, instances: 2, pauses: 1, transactionTimeouts: 1, fetchOffsets: 'before init' },
    without,
  )
  run.take(['Start', { client: 0 }], ['JoinGroup', { client: 0 }], fetch(0))
  run.take(['HandleInitProducerId', live()], replicateLog)
  run.take(...(preset === 'kafka-3.9' ? [...add()] : []), ...produceFirst(preset))
  return run.take(...(preset === 'kafka-3.9' ? [...add()] : []))
}

const append = (preset: StandardPreset): readonly NamedStep[] => [
  ['HandleOffsetCommit', live()],
  ...question[preset],
  appendVerified(offsets),
]
const takeOver: readonly NamedStep[] = [
  ['Pause', { client: 0 }],
  ['Start', { client: 1 }],
  ['JoinGroup', { client: 1 }],
]

describe.each(standardPresets)('%s: the committed offset', (preset) => {
  it('is not given to the new owner while the transaction of the old one is open', () => {
    const run = committing(preset).take(...append(preset), ...takeOver)
    expect([run.group, run.blockedBy(fetch(1))]).toEqual([
      'generation 2, committed 0, pending 1',
      'the offset is stable',
    ])
  })

  it('is given when the marker of the commit is written, not when it is decided', () => {
    const run = committing(preset).take(...append(preset), ['AdvanceHighWatermark', { partition: offsets }])
    run.take(...takeOver, ...decide())
    expect(run.blockedBy(fetch(1))).toBe('the offset is stable')
    run.take(...complete, fetch(1))
    expect(run.state.instance[1]).toMatchObject({ position: 1, phase: 'initialising' })
  })

  it('is the old one when the transaction is aborted', () => {
    const run = committing(preset).take(...append(preset), ...takeOver, ...timeOut, ...complete, fetch(1))
    expect(run.state.instance[1]).toMatchObject({ position: 0, phase: 'initialising' })
  })

  it('is given at once without the rule of stable offsets', () => {
    const run = committing(preset, ['require stable offsets']).take(...append(preset), ...takeOver, fetch(1))
    expect(run.state.instance[1]).toMatchObject({ position: 0 })
  })
})

describe.each(standardPresets)('%s: an offset commit of the old generation', (preset) => {
  const late = (without: readonly DefenceName[] = []) =>
    committing(preset, without).take(...takeOver, fetch(1), ...append(preset))

  it('is refused, and the old owner aborts and stops', () => {
    const run = late()
    expect([run.reply({ partition: offsets }), run.group]).toEqual([
      'UNKNOWN_MEMBER_ID',
      'generation 2, committed 0',
    ])
    expect(run.record).toBe('Ongoing(0){0,1}')
    run.take(['Resume', { client: 0 }], ['ReceiveReply', { client: 0, broker: offsets }])
    expect(run.state.connection[0]!.coordinator.requests).toMatchObject([{ kind: 'EndTxn', result: 'abort' }])
    expect(run.state.instance[0]).toMatchObject({ epochBumpRequired: false, revoked: true })
    run.take(...decide(), ...complete)
    const marker = preset === 'kafka-3.9' ? 'abort(0) by 0' : 'abort(1) by 0'
    expect([run.client(), run.log(output), run.log(offsets)]).toEqual(['closed', ['#0(0)', marker], [marker]])
  })

  it('is pending without the checks of members and generations', () => {
    expect(late(['generation check', 'member check']).group).toBe('generation 2, committed 0, pending 1')
  })
})
