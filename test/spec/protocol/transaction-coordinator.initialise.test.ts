import { describe, expect, it } from 'vitest'
import type { KafkaConfig } from '../../../spec/config.ts'
import type { PresetName } from '../../../spec/presets.ts'
import { isPrepared } from '../../../spec/protocol/transaction-coordinator/decision.ts'
import { loaded, newEntry } from '../../../spec/protocol/transaction-coordinator/entry.ts'
import {
  freshIdentity,
  initProducerId,
} from '../../../spec/protocol/transaction-coordinator/initialisation.ts'
import type { CoordinatorEntry, InitProducerIdRequest } from '../../../spec/state.ts'
import {
  current,
  entryIn,
  fresh,
  initRequest,
  last,
  other,
  pendingEntry,
  producer,
  shown,
  states,
  takeFresh,
} from './coordinator-notation.ts'
import { combinations, expectOnlyGuardedCasesDiffer, presets, rulesOf } from './rules.ts'

const finished = ['Empty', 'CompleteCommit', 'CompleteAbort'] as const

const init = (
  preset: PresetName,
  entry: CoordinatorEntry,
  request: InitProducerIdRequest,
  config: Partial<KafkaConfig> = {},
) => shown(initProducerId(rulesOf(preset, { config }), entry, request, takeFresh))

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
      expect(init(preset, entryIn(state), initRequest(row.expected))).toBe(row.decision)
    })
  }

  it.each(presets)(
    '%s: a transactional.id that was never seen gets epoch 0, whatever is expected',
    (preset) => {
      const begins = 'Empty(0){} last -1 -> NONE (0)'
      expect(init(preset, newEntry(producer), initRequest(-1))).toBe(begins)
      expect(init(preset, newEntry(producer), initRequest(3))).toBe(begins)
      expect(init(preset, newEntry(producer), initRequest(3, other))).toBe(begins)
    },
  )

  it.each(presets)('%s: a repeated request is no longer recognised by the next coordinator', (preset) => {
    const successor = loaded(rulesOf(preset), entryIn('Empty'))
    expect(init(preset, successor, initRequest(last))).toBe('PRODUCER_FENCED')
  })

  it('is recognised by the next coordinator where the last epoch is durable (KAFKA-20357)', () => {
    const flags = { durableLastEpoch: true }
    const successor = loaded(rulesOf('kafka-4.4-tv1', { config: { flags } }), entryIn('Empty'))
    expect(init('kafka-4.4-tv1', successor, initRequest(last))).toBe('Empty(5){} last 4 -> NONE (5)')
  })

  it('a producer without a transactional.id gets a producer id of its own', () => {
    expect(freshIdentity(takeFresh)).toEqual({ producerId: fresh, producerEpoch: 0 })
  })
})

describe("InitProducerId that expects somebody else's producer id", () => {
  for (const { preset, state } of combinations({ preset: presets, state: states })) {
    it(`${preset}, ${state}: PRODUCER_FENCED, whatever the epoch`, () => {
      for (const epoch of [current, last, 0]) {
        expect(init(preset, entryIn(state), initRequest(epoch, other))).toBe('PRODUCER_FENCED')
      }
    })
  }

  it.each(presets)('%s: what is pending is looked at before', (preset) => {
    expect(init(preset, pendingEntry('Empty'), initRequest(current, other))).toBe('wait')
  })
})

describe('InitProducerId with epochs that are used up', () => {
  const config = { maxEpoch: 6 }
  /** Of an entry at epoch 5, one below the largest; before it the epoch was 4. */
  const rows = [
    { expected: -1, decision: 'Empty(7:0){} last -1 -> NONE (7:0)' },
    { expected: current, decision: 'Empty(7:0){} last 5 -> NONE (7:0)' },
    { expected: last, decision: 'UNKNOWN_SERVER_ERROR' },
    { expected: current + 1, decision: 'UNKNOWN_SERVER_ERROR' },
  ]
  for (const { preset, state, row } of combinations({ preset: presets, state: finished, row: rows })) {
    it(`${preset}, ${state}, expected epoch ${row.expected}: ${row.decision}`, () => {
      expect(init(preset, entryIn(state), initRequest(row.expected), config)).toBe(row.decision)
    })
  }

  it.each(presets)('%s: one epoch before, they are not', (preset) => {
    const entry = entryIn('Empty', { producerEpoch: 4, lastProducerEpoch: 3 })
    expect(init(preset, entry, initRequest(-1), config)).toBe('Empty(5){} last -1 -> NONE (5)')
  })

  /** After the rotation: producer id 7 at epoch 0, before it producer id 0 at epoch 5. */
  const rotated = entryIn('Empty', { producerId: fresh, producerEpoch: 0, lastProducerEpoch: 5 })
  it.each(presets)('%s: a repeated request with the previous producer id is recognised', (preset) => {
    expect(init(preset, rotated, initRequest(5), config)).toBe('Empty(7:0){} last 5 -> NONE (7:0)')
    expect(init(preset, rotated, initRequest(4), config)).toBe('PRODUCER_FENCED')
    expect(init(preset, rotated, initRequest(5, other), config)).toBe('PRODUCER_FENCED')
  })

  it.each(presets)('%s: the previous producer id counts only where its epochs were used up', (preset) => {
    // Epoch 0 is the current one of the new producer id.
    expect(init(preset, rotated, initRequest(0), config)).toBe('PRODUCER_FENCED')
  })

  it.each(presets)('%s: at the largest epoch, to which a fence leads, they are used up too', (preset) => {
    const fenced = entryIn('CompleteAbort', { producerEpoch: 6, lastProducerEpoch: -1 })
    expect(init(preset, fenced, initRequest(-1), config)).toBe('Empty(7:0){} last -1 -> NONE (7:0)')
    expect(init(preset, fenced, initRequest(6), config)).toBe('Empty(7:0){} last 6 -> NONE (7:0)')
    expect(init(preset, fenced, initRequest(current), config)).toBe('UNKNOWN_SERVER_ERROR')
  })

  it.each(presets)('%s: not by the next coordinator: the last epoch is not durable', (preset) => {
    const successor = loaded(rulesOf(preset), rotated)
    expect(init(preset, successor, initRequest(5), config)).toBe('PRODUCER_FENCED')
  })
})

describe('InitProducerId where a transaction is not complete', () => {
  const expectations = [-1, current, last, last - 1, current + 1]

  it.each(presets)('%s: waits for whatever is pending, before anything else', (preset) => {
    for (const { state, expected } of combinations({ state: states, expected: expectations })) {
      expect(init(preset, pendingEntry(state), initRequest(expected))).toBe('wait')
    }
  })

  it.each(presets)('%s: waits for the end of a decided transaction', (preset) => {
    const decided = states.filter(isPrepared)
    for (const { state, expected } of combinations({ state: decided, expected: expectations })) {
      expect(init(preset, entryIn(state), initRequest(expected))).toBe('wait')
    }
  })

  /** The epoch that is expected is not looked at: even an old one aborts the open transaction. */
  const aborts = {
    early: 'PrepareAbort(6){0,2} last -1, memory 6 -> wait',
    double: 'PrepareAbort(7){0,2} last 6, memory 6 -> wait',
    single: 'PrepareAbort(6){0,2} last 5, memory 5 -> wait',
  }
  for (const { preset, expected } of combinations({ preset: presets, expected: expectations })) {
    it(`${preset}: aborts an open transaction, expected epoch ${expected}`, () => {
      const { fenceBump } = rulesOf(preset).flags
      expect(init(preset, entryIn('Ongoing'), initRequest(expected))).toBe(aborts[fenceBump])
    })
  }
})

describe('without a defence, InitProducerId', () => {
  const cases = combinations({
    state: states,
    pending: [true, false],
    expected: [-1, current, last, last - 1],
  })
  type Case = (typeof cases)[number]
  const decide = (rules: ReturnType<typeof rulesOf>) => (one: Case) => {
    const entry = one.pending ? pendingEntry(one.state) : entryIn(one.state)
    return shown(initProducerId(rules, entry, initRequest(one.expected), takeFresh))
  }
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
