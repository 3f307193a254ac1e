import { describe, expect, it } from 'vitest'
import type { PresetName } from '../../../spec/presets.ts'
import {
  completed,
  completion,
  endTransaction,
  loaded,
  prepared,
} from '../../../spec/protocol/transaction-coordinator.ts'
import type { CoordinatorEntry, Result, TransactionState } from '../../../spec/state.ts'
import { current, endRequest, entryIn, pendingEntry, shown, states } from './coordinator-notation.ts'
import { combinations, expectOnlyGuardedCasesDiffer, presets, rulesOf } from './rules.ts'

const end = (preset: PresetName, entry: CoordinatorEntry | null, epoch: number, result: Result) =>
  shown(endTransaction(rulesOf(preset), entry, endRequest(epoch, result)))

interface Row {
  state: TransactionState
  epoch: number
  commit: string
  abort: string
}

const fenced = { commit: 'PRODUCER_FENCED', abort: 'PRODUCER_FENCED' }
const invalid = 'INVALID_TXN_STATE'

function expectRows(preset: PresetName, rows: readonly Row[]): void {
  for (const { row, result } of combinations({ row: rows, result: ['commit', 'abort'] as const })) {
    it(`${row.state}(${current}), epoch ${row.epoch}, ${result}: ${row[result]}`, () => {
      expect(end(preset, entryIn(row.state), row.epoch, result)).toBe(row[result])
    })
  }
}

describe('EndTxn before transaction.version 2', () => {
  expectRows('kafka-3.9', [
    {
      state: 'Ongoing',
      epoch: current,
      commit: 'PrepareCommit(5){0,2} last 4 -> NONE',
      abort: 'PrepareAbort(5){0,2} last 4 -> NONE',
    },
    { state: 'PrepareCommit', epoch: current, commit: 'wait', abort: invalid },
    { state: 'PrepareAbort', epoch: current, commit: invalid, abort: 'wait' },
    { state: 'CompleteCommit', epoch: current, commit: 'NONE', abort: invalid },
    { state: 'CompleteAbort', epoch: current, commit: invalid, abort: 'NONE' },
    { state: 'Empty', epoch: current, commit: invalid, abort: invalid },
    ...combinations({ state: states, epoch: [current - 1, current + 1] }).map((row) => ({
      ...row,
      ...fenced,
    })),
  ])

  it('looks at the epoch before it looks at what is pending', () => {
    for (const { state, result } of combinations({ state: states, result: ['commit', 'abort'] as const })) {
      expect(end('kafka-3.9', pendingEntry(state), current, result)).toBe('wait')
      expect(end('kafka-3.9', pendingEntry(state), current - 1, result)).toBe('PRODUCER_FENCED')
      expect(end('kafka-3.9', pendingEntry(state), current + 1, result)).toBe('PRODUCER_FENCED')
    }
  })
})

describe('EndTxn with transaction.version 2', () => {
  /** The epoch of a request that is a repetition: the one before the epoch that its first copy led to. */
  const repeated = current - 1
  expectRows('kafka-4.4', [
    {
      state: 'Ongoing',
      epoch: current,
      commit: 'PrepareCommit(6){0,2} last 5 -> NONE (6)',
      abort: 'PrepareAbort(6){0,2} last 5 -> NONE (6)',
    },
    { state: 'Ongoing', epoch: repeated, ...fenced },
    { state: 'PrepareCommit', epoch: current, ...fenced },
    { state: 'PrepareCommit', epoch: repeated, commit: 'wait', abort: invalid },
    { state: 'PrepareAbort', epoch: current, ...fenced },
    { state: 'PrepareAbort', epoch: repeated, commit: invalid, abort: 'wait' },
    { state: 'CompleteCommit', epoch: repeated, commit: 'NONE (5)', abort: invalid },
    {
      state: 'CompleteCommit',
      epoch: current,
      commit: invalid,
      abort: 'PrepareAbort(6){} last 5 -> NONE (6)',
    },
    { state: 'CompleteAbort', epoch: repeated, commit: invalid, abort: 'NONE (5)' },
    {
      state: 'CompleteAbort',
      epoch: current,
      commit: invalid,
      abort: 'PrepareAbort(6){} last 5 -> NONE (6)',
    },
    { state: 'Empty', epoch: current, commit: invalid, abort: 'PrepareAbort(6){} last 5 -> NONE (6)' },
    { state: 'Empty', epoch: repeated, ...fenced },
    ...combinations({ state: states, epoch: [current - 2, current + 1] }).map((row) => ({
      ...row,
      ...fenced,
    })),
  ])

  it('looks at what is pending before it looks at the epoch (KAFKA-18464)', () => {
    const epochs = [current - 2, repeated, current, current + 1]
    for (const { state, epoch, result } of combinations({
      state: states,
      epoch: epochs,
      result: ['commit', 'abort'] as const,
    })) {
      expect(end('kafka-4.4', pendingEntry(state), epoch, result)).toBe('wait')
    }
  })

  it("an abort without a transaction is nobody's decision about one", () => {
    const decision = endTransaction(
      rulesOf('kafka-4.4'),
      entryIn('CompleteCommit'),
      endRequest(current, 'abort'),
    )
    expect(decision).toMatchObject({ record: { transaction: '' } })
  })

  it('answers a commit after the abort by timeout as the version says (KAFKA-20785)', () => {
    const rules = rulesOf('kafka-4.4')
    const later = { ...rules, flags: { ...rules.flags, lateCommitReply: 'PRODUCER_FENCED' as const } }
    const late = endRequest(repeated, 'commit')
    expect(shown(endTransaction(later, entryIn('CompleteAbort'), late))).toBe('PRODUCER_FENCED')
    expect(shown(endTransaction(later, entryIn('CompleteAbort'), endRequest(current, 'commit')))).toBe(
      invalid,
    )
  })
})

describe('EndTxn of an unknown transactional.id', () => {
  it.each(presets)('%s', (preset) => {
    expect(end(preset, null, current, 'commit')).toBe('INVALID_PRODUCER_ID_MAPPING')
    expect(end(preset, null, current, 'abort')).toBe('INVALID_PRODUCER_ID_MAPPING')
  })
})

describe('without a defence, EndTxn', () => {
  const cases = combinations({
    state: states,
    pending: [true, false],
    epoch: [current - 2, current - 1, current, current + 1],
    result: ['commit', 'abort'] as const,
  })
  type Case = (typeof cases)[number]
  const decide = (rules: ReturnType<typeof rulesOf>) => (one: Case) =>
    endTransaction(
      rules,
      one.pending ? pendingEntry(one.state) : entryIn(one.state),
      endRequest(one.epoch, one.result),
    )
  const without = ['coordinator epoch check'] as const

  it('kafka-3.9: is carried out for every epoch', () => {
    expectOnlyGuardedCasesDiffer({
      cases,
      on: decide(rulesOf('kafka-3.9')),
      off: decide(rulesOf('kafka-3.9', { without })),
      guarded: ({ epoch }) => epoch !== current,
    })
  })

  it('kafka-4.4: is carried out for every epoch that the state does not allow', () => {
    const allowed = ({ state, epoch }: Case) =>
      (epoch === current && state !== 'PrepareCommit' && state !== 'PrepareAbort') ||
      (epoch === current - 1 && state !== 'Ongoing' && state !== 'Empty')
    const off = decide(rulesOf('kafka-4.4', { without }))
    const isFenced = (one: Case) => shown(decide(rulesOf('kafka-4.4'))(one)) === 'PRODUCER_FENCED'
    expect(cases.filter(isFenced)).toEqual(cases.filter((one) => !one.pending && !allowed(one)))
    expectOnlyGuardedCasesDiffer({ cases, on: decide(rulesOf('kafka-4.4')), off, guarded: isFenced })
  })

  it('kafka-4.4: ends a transaction at its own epoch where no end raises it, and knows repetitions by the state', () => {
    const rules = rulesOf('kafka-4.4', { without: ['epoch bump at every end'] })
    const decisions = states.map((state) => [
      state,
      shown(endTransaction(rules, entryIn(state), endRequest(current, 'commit'))),
      shown(endTransaction(rules, entryIn(state), endRequest(current - 1, 'commit'))),
    ])
    expect(decisions).toEqual([
      ['Empty', invalid, 'PRODUCER_FENCED'],
      ['Ongoing', 'PrepareCommit(5){0,2} last 5 -> NONE (5)', 'PRODUCER_FENCED'],
      ['PrepareCommit', 'wait', 'PRODUCER_FENCED'],
      ['PrepareAbort', invalid, 'PRODUCER_FENCED'],
      ['CompleteCommit', 'NONE (5)', 'PRODUCER_FENCED'],
      ['CompleteAbort', invalid, 'PRODUCER_FENCED'],
    ])
  })
})

describe('what follows a decision', () => {
  it('names the states of a decision', () => {
    expect([prepared('commit'), prepared('abort')]).toEqual(['PrepareCommit', 'PrepareAbort'])
    expect([completed('PrepareCommit'), completed('PrepareAbort')]).toEqual([
      'CompleteCommit',
      'CompleteAbort',
    ])
  })

  it('completes at the epoch of the decision, without participants', () => {
    expect(completion(entryIn('PrepareCommit'))).toEqual({
      producerEpoch: current,
      state: 'CompleteCommit',
      partitions: [],
      transaction: '',
    })
  })

  it('is read back by the next coordinator without what was only in memory', () => {
    expect(loaded(pendingEntry('PrepareAbort'))).toEqual(
      entryIn('PrepareAbort', { lastProducerEpoch: -1, pendingState: 'none' }),
    )
  })
})
