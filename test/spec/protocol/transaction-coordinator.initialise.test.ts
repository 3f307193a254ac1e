import { describe, expect, it } from 'vitest'
import {
  canTimeOut,
  fence,
  initProducerId,
  loaded,
  newEntry,
} from '../../../spec/protocol/transaction-coordinator.ts'
import type { TransactionState } from '../../../spec/state.ts'
import { current, entryIn, initRequest, last, pendingEntry, shown, states } from './coordinator-notation.ts'
import { combinations, expectOnlyGuardedCasesDiffer, presets, rulesOf } from './rules.ts'

const isPrepared = (state: TransactionState) => state === 'PrepareCommit' || state === 'PrepareAbort'
const finished = ['Empty', 'CompleteCommit', 'CompleteAbort'] as const

describe('InitProducerId where no transaction is open', () => {
  /** expected epoch, then the decision; the entry is at epoch 5, before it at 4. */
  const rows = [
    { expected: -1, decision: 'Empty(6){} last -1 -> NONE (6)' },
    { expected: current, decision: 'Empty(6){} last 5 -> NONE (6)' },
    { expected: last, decision: 'Empty(5){} last 4 -> NONE (5)' },
    { expected: last - 1, decision: 'PRODUCER_FENCED' },
    { expected: current + 1, decision: 'PRODUCER_FENCED' },
  ]
  for (const { preset, state, row } of combinations({ preset: presets, state: finished, row: rows })) {
    it(`${preset}, ${state}, expected epoch ${row.expected}: ${row.decision}`, () => {
      expect(shown(initProducerId(rulesOf(preset), entryIn(state), initRequest(row.expected)))).toBe(
        row.decision,
      )
    })
  }

  it.each(presets)(
    '%s: a transactional.id that was never seen gets epoch 0, whatever is expected',
    (preset) => {
      expect(shown(initProducerId(rulesOf(preset), newEntry(), initRequest(-1)))).toBe(
        'Empty(0){} last -1 -> NONE (0)',
      )
      expect(shown(initProducerId(rulesOf(preset), newEntry(), initRequest(3)))).toBe(
        'Empty(0){} last -1 -> NONE (0)',
      )
    },
  )

  it.each(presets)('%s: a repeated request is no longer recognised by the next coordinator', (preset) => {
    const entry = entryIn('Empty')
    expect(shown(initProducerId(rulesOf(preset), entry, initRequest(last)))).toBe(
      'Empty(5){} last 4 -> NONE (5)',
    )
    expect(shown(initProducerId(rulesOf(preset), loaded(entry), initRequest(last)))).toBe('PRODUCER_FENCED')
  })
})

describe('InitProducerId where a transaction is not complete', () => {
  const expectations = [-1, current, last, last - 1, current + 1]

  it.each(presets)('%s: waits for whatever is pending, before anything else', (preset) => {
    for (const { state, expected } of combinations({ state: states, expected: expectations })) {
      expect(shown(initProducerId(rulesOf(preset), pendingEntry(state), initRequest(expected)))).toBe('wait')
    }
  })

  it.each(presets)('%s: waits for the end of a decided transaction', (preset) => {
    for (const { state, expected } of combinations({
      state: states.filter(isPrepared),
      expected: expectations,
    })) {
      expect(shown(initProducerId(rulesOf(preset), entryIn(state), initRequest(expected)))).toBe('wait')
    }
  })

  /** The epoch that is expected is not looked at: even an old one aborts the open transaction. */
  const aborts = {
    'kafka-3.9': 'PrepareAbort(6){0,2} last -1, memory 6 -> wait',
    'kafka-4.4': 'PrepareAbort(6){0,2} last 5, memory 5 -> wait',
  }
  for (const { preset, expected } of combinations({ preset: presets, expected: expectations })) {
    it(`${preset}: aborts an open transaction, expected epoch ${expected}`, () => {
      expect(shown(initProducerId(rulesOf(preset), entryIn('Ongoing'), initRequest(expected)))).toBe(
        aborts[preset],
      )
    })
  }
})

describe('the abort of an open transaction', () => {
  it.each(presets)(
    '%s: is for open transactions with nothing pending, when it comes from a timeout',
    (preset) => {
      const open = states.filter((state) => canTimeOut(entryIn(state)))
      expect(open).toEqual(['Ongoing'])
      expect(states.filter((state) => canTimeOut(pendingEntry(state)))).toEqual([])
      expect(canTimeOut(null)).toBe(false)
      expect(shown(fence(rulesOf(preset), entryIn('Ongoing'), true))).toBe(
        shown(initProducerId(rulesOf(preset), entryIn('Ongoing'), initRequest(-1))),
      )
    },
  )

  it('keeps the epoch in memory and in the record without the rise', () => {
    expect(shown(fence(rulesOf('kafka-3.9'), entryIn('Ongoing'), false))).toBe(
      'PrepareAbort(5){0,2} last -1, memory 5 -> wait',
    )
    expect(shown(fence(rulesOf('kafka-4.4'), entryIn('Ongoing'), false))).toBe(
      'PrepareAbort(5){0,2} last 5, memory 5 -> wait',
    )
  })

  it.each(presets)('%s: speaks of the same participants and the same transaction', (preset) => {
    const decision = fence(rulesOf(preset), entryIn('Ongoing'), true)
    expect(decision).toMatchObject({ record: { partitions: [0, 2], transaction: 's1.1' } })
  })
})

describe('without a defence, InitProducerId', () => {
  const cases = combinations({
    state: states,
    pending: [true, false],
    expected: [-1, current, last, last - 1],
  })
  type Case = (typeof cases)[number]
  const decide = (rules: ReturnType<typeof rulesOf>) => (one: Case) =>
    shown(
      initProducerId(
        rules,
        one.pending ? pendingEntry(one.state) : entryIn(one.state),
        initRequest(one.expected),
      ),
    )
  const openCase = ({ state, pending }: Case) => state === 'Ongoing' && !pending

  it.each(presets)('%s: aborts nothing', (preset) => {
    const off = decide(rulesOf(preset, { without: ['abort of the old transaction'] }))
    expectOnlyGuardedCasesDiffer({ cases, on: decide(rulesOf(preset)), off, guarded: openCase })
    expect(off({ state: 'Ongoing', pending: false, expected: -1 })).toBe('Empty(6){} last -1 -> NONE (6)')
  })

  it.each(presets)('%s: aborts without raising the epoch', (preset) => {
    const off = decide(rulesOf(preset, { without: ['epoch bump at fencing abort'] }))
    expectOnlyGuardedCasesDiffer({ cases, on: decide(rulesOf(preset)), off, guarded: openCase })
  })

  it.each(presets)('%s: gives the new session the epoch of the old one', (preset) => {
    const off = decide(rulesOf(preset, { without: ['epoch bump at initialisation'] }))
    const guarded = ({ state, pending, expected }: Case) =>
      !pending && finished.includes(state as 'Empty') && (expected === -1 || expected === current)
    expectOnlyGuardedCasesDiffer({ cases, on: decide(rulesOf(preset)), off, guarded })
    expect(off({ state: 'Empty', pending: false, expected: -1 })).toBe('Empty(5){} last -1 -> NONE (5)')
  })
})
