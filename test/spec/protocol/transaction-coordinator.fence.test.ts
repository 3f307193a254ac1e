import { describe, expect, it } from 'vitest'
import type { PresetName } from '../../../spec/presets.ts'
import { completion } from '../../../spec/protocol/transaction-coordinator/entry.ts'
import { canTimeOut, fence } from '../../../spec/protocol/transaction-coordinator/fence.ts'
import { initProducerId } from '../../../spec/protocol/transaction-coordinator/initialisation.ts'
import type { CoordinatorEntry } from '../../../spec/state.ts'
import {
  current,
  entryIn,
  initRequest,
  pendingEntry,
  shown,
  states,
  takeFresh,
  written,
} from './coordinator-notation.ts'
import { combinations, presets, presetsWith, rulesOf } from './rules.ts'

const bumps = ['early', 'double', 'single'] as const
type Bump = (typeof bumps)[number]

/** A version with each way to raise the epoch. */
const presetOf: Record<Bump, PresetName> = {
  early: 'kafka-3.9',
  double: 'kafka-4.1',
  single: 'kafka-4.4',
}

const abort = (bump: Bump, changes: Partial<CoordinatorEntry> = {}, maxEpoch = 32_767) =>
  fence(rulesOf(presetOf[bump], { config: { maxEpoch } }), entryIn('Ongoing', changes), true, takeFresh)

describe('the abort of an open transaction by the coordinator', () => {
  it.each([
    ['early', presetsWith(({ serverVersion }) => serverVersion === 1)],
    ['double', ['kafka-4.1']],
    ['single', ['kafka-4.4']],
  ] as const)('raises the epoch %s in %s', (bump, expected) => {
    expect(presetsWith(({ fenceBump }) => fenceBump === bump)).toEqual(expected)
  })

  it.each(presets)(
    '%s: is for open transactions with nothing pending, when it comes from a timeout',
    (preset) => {
      const open = states.filter((state) => canTimeOut(entryIn(state)))
      expect(open).toEqual(['Ongoing'])
      expect(states.filter((state) => canTimeOut(pendingEntry(state)))).toEqual([])
      expect(canTimeOut(null)).toBe(false)
      const rules = rulesOf(preset)
      expect(shown(fence(rules, entryIn('Ongoing'), true, takeFresh))).toBe(
        shown(initProducerId(rules, entryIn('Ongoing'), initRequest(-1), takeFresh)),
      )
    },
  )

  const kept = {
    early: 'PrepareAbort(5){0,2} last -1, memory 5 -> wait',
    double: 'PrepareAbort(5){0,2} last 5, memory 5 -> wait',
    single: 'PrepareAbort(5){0,2} last 5, memory 5 -> wait',
  }
  it.each(bumps)('%s: keeps the epoch in memory and in the record without the rise', (bump) => {
    expect(shown(fence(rulesOf(presetOf[bump]), entryIn('Ongoing'), false, takeFresh))).toBe(kept[bump])
  })

  it.each(presets)("%s: speaks of the same participants, in the cluster's version", (preset) => {
    const rules = rulesOf(preset)
    const decision = fence(rules, entryIn('Ongoing'), true, takeFresh)
    expect(decision).toMatchObject({
      record: {
        partitions: [0, 2],
        transaction: 's1.1',
        transactionVersion: rules.flags.serverVersion,
        previousProducerId: 0,
      },
    })
  })

  it.each(['kafka-4.1', 'kafka-4.4'] as const)(
    "%s: says the cluster's version for old clients too",
    (preset) => {
      const rules = rulesOf(preset, { config: { flags: { clientVersion: 1 } } })
      expect(fence(rules, entryIn('Ongoing'), true, takeFresh)).toMatchObject({
        record: { transactionVersion: 2 },
      })
    },
  )
})

describe('an abort whose write failed before (hasFailedEpochFence)', () => {
  const again = {
    early: 'PrepareAbort(5){0,2} last -1, memory 5 -> wait',
    double: 'PrepareAbort(6){0,2} last 5, memory 5 -> wait',
    single: 'PrepareAbort(6){0,2} last 5, memory 5 -> wait',
  }
  it.each(bumps)('%s: does not raise the epoch in memory again', (bump) => {
    expect(shown(abort(bump, { failedEpochFence: true }))).toBe(again[bump])
  })
})

describe('the abort near the largest epoch, 5 being the current one', () => {
  const rows = [
    { bump: 'early', maxEpoch: 6, decision: 'PrepareAbort(6){0,2} last -1, memory 6 -> wait' },
    { bump: 'early', maxEpoch: 5, decision: 'UNKNOWN_SERVER_ERROR, memory 5' },
    { bump: 'double', maxEpoch: 7, decision: 'PrepareAbort(7){0,2} last 6, memory 6 -> wait' },
    { bump: 'double', maxEpoch: 6, decision: 'UNKNOWN_SERVER_ERROR, memory 6' },
    { bump: 'double', maxEpoch: 5, decision: 'UNKNOWN_SERVER_ERROR, memory 5' },
    { bump: 'single', maxEpoch: 7, decision: 'PrepareAbort(6){0,2} last 5, memory 5 -> wait' },
    { bump: 'single', maxEpoch: 6, decision: 'PrepareAbort(6 then 7){0,2} last 5, memory 5 -> wait' },
    { bump: 'single', maxEpoch: 5, decision: 'PrepareAbort(5 then 7){0,2} last 5, memory 5 -> wait' },
  ] as const
  it.each(rows)('$bump, at most $maxEpoch: $decision', ({ bump, maxEpoch, decision }) => {
    expect(shown(abort(bump, {}, maxEpoch))).toBe(decision)
  })

  it.each(['early', 'double'] as const)(
    '%s: after a failed write at the largest epoch nothing aborts the transaction any more',
    (bump) => {
      const entry = { producerEpoch: 6, failedEpochFence: true }
      expect(shown(abort(bump, entry, 6))).toBe('UNKNOWN_SERVER_ERROR, memory 6')
    },
  )

  it('single: the next producer id takes over with the last word', () => {
    const decision = abort('single', {}, 6)
    const entry = entryIn('PrepareAbort', decision.kind === 'fence' ? decision.record : {})
    expect(written(completion(entry))).toBe('CompleteAbort(7:0){} last 5')
  })

  it('single: takes no producer id without the rise', () => {
    const rules = rulesOf('kafka-4.4', { config: { maxEpoch: 6 } })
    expect(shown(fence(rules, entryIn('Ongoing'), false, takeFresh))).toBe(
      'PrepareAbort(5){0,2} last 5, memory 5 -> wait',
    )
  })

  it('takes a producer id only where the epochs are used up', () => {
    const refuseId = () => {
      throw new Error('a producer id was taken')
    }
    for (const { bump, maxEpoch } of combinations({ bump: bumps, maxEpoch: [6, 7, 8] })) {
      const rules = rulesOf(presetOf[bump], { config: { maxEpoch } })
      const take = () => fence(rules, entryIn('Ongoing', { producerEpoch: current }), true, refuseId)
      if (bump === 'single' && maxEpoch === 6) expect(take).toThrow('a producer id was taken')
      else expect(take).not.toThrow()
    }
  })
})
