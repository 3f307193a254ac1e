/** The lock that is given up between the preparation of an abort by the coordinator and the abort itself. */
import { describe, expect, it } from 'vitest'
import type { PresetName } from '../../../spec/presets.ts'
import { presets, presetsWith } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import {
  abortTimedOut,
  addFirst,
  begin,
  commitOffsets,
  complete,
  getEpoch,
  live,
  produceFirst,
  replicateLog,
  workOfFirstTransaction,
} from './steps.ts'

const abortForFence: NamedStep = ['AbortForFence', { id: 0 }]
const endTxn: NamedStep = ['HandleEndTxn', live()]
const challenge: readonly NamedStep[] = [
  ['Pause', { client: 0 }],
  ['Start', { client: 1 }],
  ['HandleInitProducerId', live(1)],
  ['Resume', { client: 0 }],
]

const config = { instances: 2, pauses: 1, applicationAborts: 1, fenceWindow: true }
const committing = (preset: PresetName) =>
  new Behaviour({ preset, ...config }).take(...workOfFirstTransaction(preset), ...challenge)

/** The application has decided to abort, and all that it sent is answered. */
function aborting(preset: PresetName): Behaviour {
  const run = new Behaviour({ preset, ...config }).take(...getEpoch(), ...begin(), ...addFirst(preset))
  run.take(...commitOffsets(preset), ['AbandonTransaction', { client: 0 }], ...produceFirst(preset))
  return run.take(...challenge)
}

describe.each(presets)('%s: between the preparation and the abort after a timeout', (preset) => {
  const timedOut = (run: Behaviour) => run.take(abortTimedOut)
  const timeouts = { transactionTimeouts: 1, applicationAborts: 1, fenceWindow: true }

  it('nothing has changed but what is pending', () => {
    const run = timedOut(new Behaviour({ preset, ...timeouts }).take(...workOfFirstTransaction(preset)))
    expect(run.coordinator).toBe('Ongoing(0){0,1} last -1 -> PrepareEpochFence')
    run.take(abortForFence, replicateLog)
    expect(run.record).toBe(preset === 'kafka-4.1' ? 'PrepareAbort(2){0,1}' : 'PrepareAbort(1){0,1}')
  })

  it('a commit fails, and the abort follows', () => {
    const run = timedOut(new Behaviour({ preset, ...timeouts }).take(...workOfFirstTransaction(preset)))
    run.take(endTxn)
    expect([run.reply(), run.client()]).toEqual(['UNKNOWN_SERVER_ERROR', 'closed'])
    expect(run.take(abortForFence, replicateLog, ...complete).record).toMatch(/^CompleteAbort/)
  })

  it('an abort by the client takes its place, and the client goes on', () => {
    const run = new Behaviour({ preset, ...timeouts }).take(...getEpoch(), ...begin(), ...addFirst(preset))
    run.take(...commitOffsets(preset), ['AbandonTransaction', { client: 0 }], ...produceFirst(preset))
    timedOut(run).take(endTxn, replicateLog, ...complete)
    const epoch = presetsWith(({ clientVersion }) => clientVersion === 2).includes(preset) ? 1 : 0
    expect([run.record, run.client()]).toEqual([
      `CompleteAbort(${epoch}){}`,
      `running, fetching, epoch ${epoch}`,
    ])
  })
})

describe.each(presets)('%s: between the preparation and the abort for a new session', (preset) => {
  it('nothing has changed but what is pending, and nobody is answered', () => {
    const run = committing(preset)
    expect([run.coordinator, run.reply({ client: 1 })]).toEqual([
      'Ongoing(0){0,1} last -1 -> PrepareEpochFence',
      'none',
    ])
    expect(run.blockedBy(['HandleInitProducerId', live(1)])).toBe('no transition is pending')
    run.take(abortForFence, replicateLog)
    expect(run.record).toBe(preset === 'kafka-4.1' ? 'PrepareAbort(2){0,1}' : 'PrepareAbort(1){0,1}')
  })

  it('a commit fails, and the abort follows', () => {
    const run = committing(preset).take(endTxn)
    expect([run.reply(), run.client()]).toEqual(['UNKNOWN_SERVER_ERROR', 'closed'])
    run.take(abortForFence, replicateLog, ...complete)
    expect(run.record).toMatch(/^CompleteAbort/)
    expect(run.group).toBe('generation 1, committed 0')
  })

  it('an abort by the client takes its place', () => {
    const run = aborting(preset).take(endTxn)
    expect(run.blockedBy(abortForFence)).toBe('an abort by the coordinator is prepared')
    run.take(replicateLog)
    const two = presetsWith(({ clientVersion }) => clientVersion === 2).includes(preset)
    expect([run.record, run.reply()]).toEqual(
      two ? ['PrepareAbort(1){0,1}', 'NONE (1)'] : ['PrepareAbort(0){0,1}', 'NONE'],
    )
    run.take(...complete, ['HandleInitProducerId', live(1)], replicateLog)
    expect(run.reply({ client: 1 })).toBe(two ? 'NONE (2)' : 'NONE (1)')
  })
})
