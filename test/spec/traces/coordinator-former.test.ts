/** A former coordinator that does not know yet that it was replaced. */
import { describe, expect, it } from 'vitest'
import type { PresetName } from '../../../spec/presets.ts'
import { presets, presetsWith } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import {
  addFirst,
  advance,
  appendVerified,
  begin,
  complete,
  getEpoch,
  handleOffsets,
  handleProduce,
  late,
  live,
  offsets,
  output,
  produceFirst,
  question,
  replicateLog,
  replyLost,
  workOfFirstTransaction,
} from './steps.ts'

const faults = { coordinatorFailovers: 1, staleCoordinators: 1 }
const endTxn: NamedStep = ['HandleEndTxn', live()]
const askFormer: NamedStep = ['AskFormerCoordinator', { client: 0 }]
const askFormerAbout = (partition: number): NamedStep => ['AskFormerAboutPartition', { partition }]

const replaced = (former: 'knows' | 'does not know', kept?: 'kept' | 'lost'): NamedStep => [
  'FailOver',
  { id: 0 },
  {
    'the former coordinator': former,
    ...(kept === undefined ? {} : { 'the record not yet replicated is': kept }),
  },
]

/** The offset commit has a late copy; its transaction is committed by the next coordinator. */
function committedBySuccessor(preset: PresetName): Behaviour {
  const run = new Behaviour({ preset, ...faults, lateRequests: 1 })
  run.take(...getEpoch(), ...begin(), ...addFirst(preset), ...produceFirst(preset), ...addFirst(preset))
  run.take(['DelayRequest', { client: 0, broker: offsets }], handleOffsets())
  run.take(...question(preset, offsets), appendVerified(offsets), advance(offsets))
  return run.take(endTxn, replaced('does not know', 'kept'))
}

const verifying = presetsWith(({ clientVersion, verifyOffsets }) => clientVersion === 1 && verifyOffsets)
const versionTwo = presetsWith(({ clientVersion }) => clientVersion === 2)

describe('what comes late and is verified by the former coordinator', () => {
  it.each(verifying)('%s: is appended after the end of its transaction, and hangs', (preset) => {
    const run = committedBySuccessor(preset).take(...complete)
    expect(run.record).toBe('CompleteCommit(0){}')
    run.take(['HandleOffsetCommit', late()], askFormerAbout(offsets), appendVerified(offsets))
    expect(run.log(offsets)).toEqual(['offset 1', 'commit(0) by 1', 'offset 1'])
    expect(run.leader(offsets)).toBe('epoch 0 [] open 2 coordinator 1')
  })

  it.each(verifying)('%s: is refused by the next coordinator', (preset) => {
    const run = committedBySuccessor(preset).take(...complete)
    run.take(['HandleOffsetCommit', late()], ['VerifyPartition', { partition: offsets }])
    expect(run.state.verification[offsets]).toEqual([])
    expect(run.log(offsets)).toEqual(['offset 1', 'commit(0) by 1'])
  })

  it.each(versionTwo)('%s: is refused for its epoch, which the marker has raised', (preset) => {
    const run = committedBySuccessor(preset).take(...complete)
    expect(run.record).toBe('CompleteCommit(1){}')
    run.take(['HandleOffsetCommit', late()])
    expect(run.blockedBy(askFormerAbout(offsets))).toBe('a leader asks the coordinator')
    expect(run.log(offsets)).toEqual(['offset 1', 'commit(1) by 1'])
  })
})

describe.each(presets)('%s: a former coordinator', (preset) => {
  it('answers from memory what is true already', () => {
    const run = new Behaviour({ preset, ...faults, lostReplies: 1 }).take(...workOfFirstTransaction(preset))
    run.take(endTxn, replyLost(replicateLog), ...complete, replaced('does not know'), askFormer)
    expect(run.reply()).toBe(versionTwo.includes(preset) ? 'NONE (1)' : 'NONE')
  })

  it('writes nothing, and is left alone once its successor has answered', () => {
    const run = new Behaviour({ preset, ...faults }).take(...workOfFirstTransaction(preset))
    run.take(replaced('does not know'))
    expect(run.blockedBy(askFormer)).toBe('the former coordinator can answer without a write')
    expect(run.state.coordinator[0]!.former!.clients).toEqual([0])
    run.take(endTxn, replicateLog)
    expect(run.state.coordinator[0]!.former!.clients).toEqual([])
    expect(run.state.coordinator[0]!.former!.entry!.state).toBe('Ongoing')
  })

  it('that knows is asked by nobody', () => {
    const run = new Behaviour({ preset, ...faults }).take(...workOfFirstTransaction(preset))
    run.take(replaced('knows'))
    expect(run.state.coordinator[0]!.former).toBeNull()
    expect(run.blockedBy(askFormer)).toBe('a former coordinator does not know yet')
    expect(run.state.budget.staleCoordinators).toBe(1)
  })
})

describe('a partition that was added since', () => {
  it.each(verifying)('%s: is unknown to the former coordinator', (preset) => {
    const run = new Behaviour({ preset, ...faults }).take(...getEpoch(), ...begin())
    run.take(replaced('does not know'), ...addFirst(preset), handleProduce(), askFormerAbout(output))
    expect(run.reply({ partition: output })).toMatch(/^(INVALID_TXN_STATE|TRANSACTION_ABORTABLE)$/)
    expect(run.log(output)).toEqual([])
  })
})
