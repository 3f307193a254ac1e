import { describe, expect, it } from 'vitest'
import type { KafkaConfig } from '../../../spec/config.ts'
import type { PresetName } from '../../../spec/presets.ts'
import { endTransaction } from '../../../spec/protocol/transaction-coordinator/end.ts'
import type { CoordinatorEntry, EndTxnRequest, TransactionState } from '../../../spec/state.ts'
import {
  current,
  endRequest,
  entryIn,
  other,
  pendingEntry,
  shown,
  states,
  takeFresh,
} from './coordinator-notation.ts'
import { combinations, expectOnlyGuardedCasesDiffer, presets, presetsWith, rulesOf } from './rules.ts'

const results = ['commit', 'abort'] as const
const versionOne = presetsWith(({ clientVersion }) => clientVersion === 1)
const versionTwo = presetsWith(({ clientVersion }) => clientVersion === 2)

const end = (
  preset: PresetName,
  entry: CoordinatorEntry | null,
  request: EndTxnRequest,
  config: Partial<KafkaConfig> = {},
) => shown(endTransaction(rulesOf(preset, { config }), entry, request, takeFresh))

interface Row {
  state: TransactionState
  epoch: number
  commit: string
  abort: string
}

const fenced = { commit: 'PRODUCER_FENCED', abort: 'PRODUCER_FENCED' }
const invalid = 'INVALID_TXN_STATE'

function expectRows(preset: PresetName, rows: readonly Row[]): void {
  for (const { row, result } of combinations({ row: rows, result: results })) {
    it(`${preset}, ${row.state}(${current}), epoch ${row.epoch}, ${result}: ${row[result]}`, () => {
      expect(end(preset, entryIn(row.state), endRequest(row.epoch, result))).toBe(row[result])
    })
  }
}

describe.each(versionOne)('EndTxn before transaction.version 2', (preset) => {
  expectRows(preset, [
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

  it(`${preset}: looks at the epoch before it looks at what is pending`, () => {
    for (const { state, result } of combinations({ state: states, result: results })) {
      expect(end(preset, pendingEntry(state), endRequest(current, result))).toBe('wait')
      expect(end(preset, pendingEntry(state), endRequest(current - 1, result))).toBe('PRODUCER_FENCED')
      expect(end(preset, pendingEntry(state), endRequest(current + 1, result))).toBe('PRODUCER_FENCED')
    }
  })

  it(`${preset}: its markers are of version 1, whatever the cluster's version`, () => {
    for (const serverVersion of [1, 2] as const) {
      const rules = rulesOf(preset, { config: { flags: { serverVersion } } })
      const entry = entryIn('Ongoing', { transactionVersion: 2 })
      expect(endTransaction(rules, entry, endRequest(current, 'commit'), takeFresh)).toMatchObject({
        record: { transactionVersion: 1, producerId: 0, previousProducerId: 0 },
      })
    }
  })

  it(`${preset}: takes no producer id at the largest epoch: the next session gets one`, () => {
    const config = { maxEpoch: 6 }
    expect(end(preset, entryIn('Ongoing'), endRequest(current, 'commit'), config)).toBe(
      'PrepareCommit(5){0,2} last 4 -> NONE',
    )
  })
})

describe.each(versionTwo)('EndTxn with transaction.version 2', (preset) => {
  /** The epoch of a request that is a repetition: the one before the epoch that its first copy led to. */
  const repeated = current - 1
  const late = preset === 'kafka-4.1' ? 'PRODUCER_FENCED' : invalid
  const emptyAbort = 'PrepareAbort(6){} last 5 -> NONE (6)'
  expectRows(preset, [
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
    { state: 'CompleteCommit', epoch: current, commit: invalid, abort: emptyAbort },
    { state: 'CompleteAbort', epoch: repeated, commit: late, abort: 'NONE (5)' },
    { state: 'CompleteAbort', epoch: current, commit: invalid, abort: emptyAbort },
    { state: 'Empty', epoch: current, commit: invalid, abort: emptyAbort },
    { state: 'Empty', epoch: repeated, ...fenced },
    ...combinations({ state: states, epoch: [current - 2, current + 1] }).map((row) => ({
      ...row,
      ...fenced,
    })),
  ])

  it(`${preset}: looks at what is pending before it looks at identity (KAFKA-18464)`, () => {
    const epochs = [current - 2, repeated, current, current + 1]
    for (const { state, epoch, result } of combinations({ state: states, epoch: epochs, result: results })) {
      expect(end(preset, pendingEntry(state), endRequest(epoch, result))).toBe('wait')
      expect(end(preset, pendingEntry(state), endRequest(epoch, result, other))).toBe('wait')
    }
  })

  it(`${preset}: an abort without a transaction is nobody's decision about one`, () => {
    const request = endRequest(current, 'abort')
    expect(endTransaction(rulesOf(preset), entryIn('CompleteCommit'), request, takeFresh)).toMatchObject({
      record: { transaction: '', transactionVersion: 2 },
    })
  })

  it(`${preset}: at the largest epoch the client goes on with the next producer id`, () => {
    const config = { maxEpoch: 6 }
    expect(end(preset, entryIn('Ongoing'), endRequest(current, 'commit'), config)).toBe(
      'PrepareCommit(6 then 7){0,2} last 5 -> NONE (7:0)',
    )
    expect(end(preset, entryIn('Empty'), endRequest(current, 'abort'), config)).toBe(
      'PrepareAbort(6 then 7){} last 5 -> NONE (7:0)',
    )
    expect(end(preset, entryIn('Ongoing'), endRequest(current, 'commit'), { maxEpoch: 5 })).toBe(
      'UNKNOWN_SERVER_ERROR',
    )
  })

  /** After that end: producer id 7 at epoch 0, before it producer id 0, which ended at epoch 5. */
  const after = { producerId: 7, previousProducerId: 0, producerEpoch: 0, lastProducerEpoch: 5 }
  const overflow = [
    { state: 'CompleteCommit', epoch: 5, commit: 'NONE (7:0)', abort: invalid },
    { state: 'CompleteAbort', epoch: 5, commit: late, abort: 'NONE (7:0)' },
    { state: 'Empty', epoch: 5, ...fenced },
    { state: 'Ongoing', epoch: 5, ...fenced },
    { state: 'CompleteCommit', epoch: 4, commit: 'INVALID_PRODUCER_ID_MAPPING' },
    { state: 'CompleteCommit', epoch: 6, commit: 'INVALID_PRODUCER_ID_MAPPING' },
  ] as const
  for (const { row, result } of combinations({ row: overflow, result: results })) {
    const expected = 'abort' in row ? row[result] : row.commit
    it(`${preset}, ${row.state}(7:0), repeated with the old producer id at ${row.epoch}, ${result}: ${expected}`, () => {
      const entry = entryIn(row.state, after)
      expect(end(preset, entry, endRequest(row.epoch, result), { maxEpoch: 6 })).toBe(expected)
    })
  }
})

describe.each(versionTwo)('EndTxn with a producer id that is not the previous one', (preset) => {
  const rows = [
    { of: 'a third producer id', entry: { producerId: 7, previousProducerId: 0 }, producerId: other },
    { of: 'the current one as well', entry: { producerId: 7, previousProducerId: 7 }, producerId: 0 },
  ]
  it.each(rows)(`${preset}: $of is no repetition of the last epoch`, ({ entry, producerId }) => {
    const after = entryIn('CompleteCommit', { ...entry, producerEpoch: 0, lastProducerEpoch: 5 })
    for (const result of results) {
      expect(end(preset, after, endRequest(5, result, producerId), { maxEpoch: 6 })).toBe(
        'INVALID_PRODUCER_ID_MAPPING',
      )
    }
  })

  it(`${preset}: the epoch after a rotation is no repetition, once transactions have raised it`, () => {
    const later = entryIn('CompleteCommit', { producerId: 7, previousProducerId: 0, producerEpoch: 1 })
    expect(end(preset, later, endRequest(5, 'commit'), { maxEpoch: 6 })).toBe('INVALID_PRODUCER_ID_MAPPING')
  })
})

describe('EndTxn after the abort by timeout', () => {
  it('is answered as the version says (KAFKA-20785)', () => {
    const flags = { lateCommitReply: 'PRODUCER_FENCED' } as const
    const answer = (epoch: number) =>
      end('kafka-4.4', entryIn('CompleteAbort'), endRequest(epoch, 'commit'), { flags })
    expect([answer(current - 1), answer(current)]).toEqual(['PRODUCER_FENCED', invalid])
  })
})

describe('EndTxn of an unknown transactional.id or with an unknown producer id', () => {
  it.each(presets)('%s', (preset) => {
    for (const result of results) {
      expect(end(preset, null, endRequest(current, result))).toBe('INVALID_PRODUCER_ID_MAPPING')
      for (const state of states) {
        expect(end(preset, entryIn(state), endRequest(current, result, other))).toBe(
          'INVALID_PRODUCER_ID_MAPPING',
        )
      }
    }
  })
})

describe('EndTxn between the preparation of an abort for a new session and that abort', () => {
  const entry = entryIn('Ongoing', { pendingState: 'PrepareEpochFence' })
  const aborts: Record<string, string> = {
    'kafka-4.1': 'PrepareAbort(6){0,2} last 5 -> NONE (6)',
    'kafka-4.4': 'PrepareAbort(6){0,2} last 5 -> NONE (6)',
  }
  it.each(presets)('%s: an abort takes its place, a commit fails', (preset) => {
    expect(end(preset, entry, endRequest(current, 'abort'))).toBe(
      aborts[preset] ?? 'PrepareAbort(5){0,2} last -1 -> NONE',
    )
    expect(end(preset, entry, endRequest(current, 'commit'))).toBe('UNKNOWN_SERVER_ERROR')
    expect(end(preset, entry, endRequest(current - 1, 'abort'))).toBe('PRODUCER_FENCED')
  })

  it('takes a producer id at the largest epoch only since KAFKA-20090', () => {
    const abort = (preset: PresetName) => end(preset, entry, endRequest(current, 'abort'), { maxEpoch: 6 })
    expect(abort('kafka-4.1')).toBe('PrepareAbort(6){0,2} last 5 -> NONE (6)')
    expect(abort('kafka-4.4')).toBe('PrepareAbort(6 then 7){0,2} last 5 -> NONE (7:0)')
  })
})

describe('without a defence, EndTxn', () => {
  const cases = combinations({
    state: states,
    pending: [true, false],
    epoch: [current - 2, current - 1, current, current + 1],
    result: results,
  })
  type Case = (typeof cases)[number]
  const decide = (rules: ReturnType<typeof rulesOf>) => (one: Case) => {
    const entry = one.pending ? pendingEntry(one.state) : entryIn(one.state)
    return shown(endTransaction(rules, entry, endRequest(one.epoch, one.result), takeFresh))
  }
  const without = ['coordinator epoch check'] as const

  it.each(versionOne)('%s: is carried out for every epoch', (preset) => {
    expectOnlyGuardedCasesDiffer({
      cases,
      on: decide(rulesOf(preset)),
      off: decide(rulesOf(preset, { without })),
      guarded: ({ epoch }) => epoch !== current,
    })
  })

  it('kafka-4.4: is carried out for every epoch that the state does not allow', () => {
    const allowed = ({ state, epoch }: Case) =>
      (epoch === current && state !== 'PrepareCommit' && state !== 'PrepareAbort') ||
      (epoch === current - 1 && state !== 'Ongoing' && state !== 'Empty')
    const on = decide(rulesOf('kafka-4.4'))
    const off = decide(rulesOf('kafka-4.4', { without }))
    const isFenced = (one: Case) => on(one) === 'PRODUCER_FENCED'
    expect(cases.filter(isFenced)).toEqual(cases.filter((one) => !one.pending && !allowed(one)))
    expectOnlyGuardedCasesDiffer({ cases, on, off, guarded: isFenced })
  })

  it.each(versionTwo)('%s: ends a transaction at its own epoch where no end raises it', (preset) => {
    const rules = rulesOf(preset, { without: ['epoch bump at every end'], config: { maxEpoch: 6 } })
    const decisions = states.map((state) => [
      state,
      shown(endTransaction(rules, entryIn(state), endRequest(current, 'commit'), takeFresh)),
      shown(endTransaction(rules, entryIn(state), endRequest(current - 1, 'commit'), takeFresh)),
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

  it("is decided in the version of the request, not of the cluster's", () => {
    const config = { flags: { clientVersion: 1 } } as const
    expect(end('kafka-4.4', entryIn('Ongoing'), endRequest(current, 'commit'), config)).toBe(
      'PrepareCommit(5){0,2} last 4 -> NONE',
    )
  })
})
