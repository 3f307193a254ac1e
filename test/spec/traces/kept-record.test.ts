/** A failover that keeps a record which was not yet replicated: the new coordinator acts on it, a later one may lose it. */
import { describe, expect, it } from 'vitest'
import type { DefenceName } from '../../../spec/defences.ts'
import { standardPresets } from '../protocol/rules.ts'
import { Behaviour, type NamedStep } from './behaviour.ts'
import {
  advance,
  begin,
  complete,
  decide,
  failOver,
  getEpoch,
  handleProduce,
  late,
  live,
  mark,
  offsets,
  output,
  replicateLog,
  workOfFirstTransaction,
} from './steps.ts'

const none = { 'kafka-3.9': 'NONE', 'kafka-4.4': 'NONE (1)' }
const appendMarker = (partition: number, marker: number): NamedStep => [
  'AppendMarker',
  { partition },
  { marker },
]

describe.each(standardPresets)('%s: a decision that the first of two failovers keeps', (preset) => {
  const epoch = preset === 'kafka-3.9' ? 0 : 1
  const kept = () => {
    const run = new Behaviour({ preset, coordinatorFailovers: 2 }).take(...workOfFirstTransaction(preset))
    return run.take(['HandleEndTxn', live()], failOver('kept'))
  }

  it('is acted on, and is not yet replicated', () => {
    const run = kept()
    expect([run.coordinator, run.record]).toEqual([
      `PrepareCommit(${epoch}){0,1} last -1 -> CompleteCommit`,
      'Ongoing(0){0,1}',
    ])
    expect(run.state.transactionLog[0]!).toMatchObject({
      tail: { state: 'PrepareCommit' },
      tailInEffect: true,
    })
    expect(run.state.markers.map((markers) => markers.length)).toEqual([1, 1])
    expect(run.state.ghost.decisions).toEqual({ 's1.1': 'commit' })
  })

  it('sends its markers once, whether it is replicated before them or after them', () => {
    const before = kept().take(replicateLog)
    expect(before.record).toBe(`PrepareCommit(${epoch}){0,1}`)
    expect(before.state.markers.map((markers) => markers.length)).toEqual([1, 1])
    before.take(...complete)
    const after = kept().take(...mark(output), ...mark(offsets))
    expect([after.record, after.coordinator]).toEqual([
      'Ongoing(0){0,1}',
      `PrepareCommit(${epoch}){} last -1 -> CompleteCommit`,
    ])
    after.take(replicateLog, replicateLog)
    expect(before.record).toBe(`CompleteCommit(${epoch}){}`)
    expect(after.state).toEqual(before.state)
  })

  it('may be lost by the second one, with its markers in the log', () => {
    const run = kept().take(['AppendMarker', { partition: output }], failOver('lost'))
    expect([run.coordinator, run.record]).toEqual(['Ongoing(0){0,1} last -1', 'Ongoing(0){0,1}'])
    expect(run.log(output)).toEqual(['#0(0)', `commit(${epoch}) by 1`])
    expect(run.state.transactionLog[0]!).toMatchObject({ tail: null, tailInEffect: false })
    expect(run.take(...decide()).reply()).toBe(none[preset])
  })

  it('stands when the second one keeps it too, which nothing can follow', () => {
    const run = kept().take(failOver('kept'))
    expect([run.coordinator, run.record]).toEqual([
      `PrepareCommit(${epoch}){0,1} last -1 -> CompleteCommit`,
      `PrepareCommit(${epoch}){0,1}`,
    ])
    expect(run.state.transactionLog[0]!).toMatchObject({ tail: null, tailInEffect: false })
    // The marker of the coordinator between is under way as well.
    run.take(appendMarker(output, 1), advance(output), appendMarker(offsets, 1), advance(offsets))
    expect(run.take(replicateLog).record).toBe(`CompleteCommit(${epoch}){}`)
  })
})

describe('a partition that was added in a record that a failover keeps', () => {
  it('kafka-4.4: is known at once, and no other record is appended before it is replicated', () => {
    const run = new Behaviour({ preset: 'kafka-4.4', coordinatorFailovers: 2 }).take(
      ...getEpoch(),
      ...begin(),
    )
    run.take(handleProduce(), ['VerifyPartition', { partition: output }], failOver('kept'))
    expect([run.coordinator, run.record]).toEqual(['Ongoing(0){0} last -1', 'Empty(0){}'])
    run.take(['VerifyPartition', { partition: output }], ['HandleOffsetCommit', live()])
    expect(run.state.verification[output]).toMatchObject([{ phase: 'verified' }])
    expect(run.blockedBy(['VerifyPartition', { partition: offsets }])).toBe(
      'the last record of the transaction log is replicated',
    )
    run.take(replicateLog, ['VerifyPartition', { partition: offsets }], replicateLog)
    expect(run.record).toBe('Ongoing(0){0,1}')
  })
})

describe.each(standardPresets)('%s: late requests to a coordinator that moves', (preset) => {
  const moved = (coordinatorFailovers: number) => {
    const run = new Behaviour({ preset, coordinatorFailovers, lateRequests: 1 })
    run.take(...workOfFirstTransaction(preset), ['DelayRequest', { client: 0, broker: 'coordinator' }])
    return run.take(failOver())
  }

  it('may still reach it if it can move back', () => {
    const run = moved(2).take(['HandleEndTxn', late()], replicateLog)
    expect([run.record.split('(')[0], run.reply()]).toEqual(['PrepareCommit', 'none'])
  })

  it('are executed by nobody after its last move, and the copy that is sent again is', () => {
    const run = moved(1)
    expect(run.blockedBy(['HandleEndTxn', late()])).toBe('a late request of this kind is under way')
    expect(run.take(...decide()).reply()).toBe(none[preset])
  })
})

describe.each(standardPresets)('%s: without durable decisions', (preset) => {
  const without: readonly DefenceName[] = ['durable decision']
  const decided = () =>
    new Behaviour({ preset }, without).take(...workOfFirstTransaction(preset), ['HandleEndTxn', live()])

  it('a decision is in effect before it is replicated, and once', () => {
    const run = decided()
    expect([run.reply(), run.record]).toEqual([none[preset], 'Ongoing(0){0,1}'])
    expect(run.state.transactionLog[0]!.tailInEffect).toBe(true)
    run.take(replicateLog)
    expect(run.state.markers.map((markers) => markers.length)).toEqual([1, 1])
    expect([run.record.split('(')[0], run.state.transactionLog[0]!.tailInEffect]).toEqual([
      'PrepareCommit',
      false,
    ])
  })

  it('the last word still follows the decision in the log', () => {
    const early = decided().take(...mark(output), ...mark(offsets), replicateLog, replicateLog)
    const usual = decided().take(replicateLog, ...complete)
    expect(early.record).toMatch(/^CompleteCommit/)
    expect(early.state).toEqual(usual.state)
  })
})
