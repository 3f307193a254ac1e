/** What KIP-939 asks of the transaction coordinator: no timeout, and to keep what is prepared. */
import { describe, expect, it } from 'vitest'
import { newEntry } from '../../../spec/protocol/transaction-coordinator/entry.ts'
import { canTimeOut, fence } from '../../../spec/protocol/transaction-coordinator/fence.ts'
import {
  initProducerId,
  refusedAtOnce,
} from '../../../spec/protocol/transaction-coordinator/initialisation.ts'
import { addPartitions } from '../../../spec/protocol/transaction-coordinator/participants.ts'
import type { CoordinatorEntry, InitProducerIdRequest } from '../../../spec/state.ts'
import {
  addRequest,
  current,
  entryIn,
  initRequest,
  last,
  producer,
  shown,
  states,
  takeFresh,
} from './coordinator-notation.ts'
import { combinations, presets, rulesOf } from './rules.ts'

const knowing = presets.filter((preset) => preset.startsWith('kafka-4'))
const unlimited = { neverTimesOut: true } as const

describe('InitProducerId that asks to keep a prepared transaction', () => {
  const rows = combinations({
    enable2Pc: [true, false],
    keepPreparedTxn: [true, false],
    expected: [-1, current],
  })
  it.each(rows)('2PC $enable2Pc, keep $keepPreparedTxn, expected epoch $expected', (row) => {
    const request: InitProducerIdRequest = {
      ...initRequest(row.expected),
      ...(row.enable2Pc ? { enable2Pc: true } : {}),
      ...(row.keepPreparedTxn ? { keepPreparedTxn: true } : {}),
    }
    expect(refusedAtOnce(request)).toBe(row.keepPreparedTxn ? 'UNSUPPORTED_VERSION' : undefined)
  })
})

describe.each(knowing)('%s: InitProducerId with enable2Pc', (preset) => {
  const rules = rulesOf(preset)
  const decide = (entry: CoordinatorEntry, request: InitProducerIdRequest) =>
    initProducerId(rules, entry, request, takeFresh)
  const with2Pc = (expected: number): InitProducerIdRequest => ({ ...initRequest(expected), enable2Pc: true })
  const expectations = [-1, current, last, last - 1, current + 1]

  it.each(states)('%s: decides as without, whatever is expected', (state) => {
    for (const expected of expectations) {
      const entry = entryIn(state)
      expect(shown(decide(entry, with2Pc(expected)))).toBe(shown(decide(entry, initRequest(expected))))
    }
  })

  it('takes the timeout away, and without it gives it back', () => {
    const timeoutOf = (entry: CoordinatorEntry, request: InitProducerIdRequest) => {
      const decision = decide(entry, request)
      return decision.kind === 'write' && decision.record.neverTimesOut === true ? 'none' : 'some'
    }
    for (const expected of [-1, current, last]) {
      for (const before of [{}, unlimited]) {
        const entry = entryIn('CompleteCommit', before)
        expect([with2Pc(expected), initRequest(expected)].map((one) => timeoutOf(entry, one))).toEqual([
          'none',
          'some',
        ])
      }
    }
    expect(timeoutOf(newEntry(producer), with2Pc(-1))).toBe('none')
  })

  it('has the transaction open until somebody ends it: it keeps that it never times out', () => {
    const added = addPartitions(rules, entryIn('Empty', unlimited), {
      ...addRequest(current, [0]),
      transaction: 's1.1',
    })
    expect(added).toMatchObject({ kind: 'write', record: { state: 'Ongoing', ...unlimited } })
    expect(canTimeOut(entryIn('Ongoing'))).toBe(true)
    expect(states.filter((state) => canTimeOut(entryIn(state, unlimited)))).toEqual([])
  })

  it('does not protect it from the next session, which aborts it', () => {
    const open = entryIn('Ongoing', unlimited)
    expect(shown(decide(open, with2Pc(-1)))).toBe(shown(fence(rules, open, true, takeFresh)))
    expect(decide(open, with2Pc(-1))).toMatchObject({ kind: 'fence', record: { state: 'PrepareAbort' } })
  })
})
