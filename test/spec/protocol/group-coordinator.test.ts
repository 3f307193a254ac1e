import { describe, expect, it } from 'vitest'
import {
  afterCommit,
  afterMarker,
  canFetch,
  newGroup,
  validateCommit,
} from '../../../spec/protocol/group-coordinator.ts'
import type { Group, OffsetCommitRequest } from '../../../spec/state.ts'
import { combinations, expectOnlyGuardedCasesDiffer, presets, rulesOf } from './rules.ts'

const request = (generation: number, offset = 7, kind: OffsetCommitRequest['kind'] = 'TxnOffsetCommit') => ({
  kind,
  session: 1,
  transaction: 's1.1',
  executing: false,
  producerEpoch: 0,
  generation,
  offset,
})
const group = (changes: Partial<Group> = {}): Group => ({
  ...newGroup(),
  generation: 2,
  committed: 3,
  ...changes,
})

describe('an offset commit', () => {
  it('is pending inside a transaction, and replaces an earlier one', () => {
    expect(afterCommit(group(), request(2))).toEqual(group({ pending: 7 }))
    expect(afterCommit(group({ pending: 5 }), request(2))).toEqual(group({ pending: 7 }))
  })

  it('takes effect at once outside of a transaction', () => {
    expect(afterCommit(group(), request(2, 7, 'OffsetCommit'))).toEqual(group({ committed: 7 }))
  })

  const cases = combinations({ generation: [1, 2, 3], pending: [-1, 5] })
  const validate = (rules: ReturnType<typeof rulesOf>) => (one: (typeof cases)[number]) =>
    validateCommit(rules, group({ pending: one.pending }), request(one.generation))

  it.each(presets)('%s: is refused of any generation but the current one', (preset) => {
    expect(cases.map(validate(rulesOf(preset)))).toEqual([
      ...['ILLEGAL_GENERATION', 'ILLEGAL_GENERATION'],
      ...['NONE', 'NONE'],
      ...['ILLEGAL_GENERATION', 'ILLEGAL_GENERATION'],
    ])
    expectOnlyGuardedCasesDiffer({
      cases,
      on: validate(rulesOf(preset)),
      off: validate(rulesOf(preset, { without: ['generation check'] })),
      guarded: ({ generation }) => generation !== 2,
    })
  })
})

describe('a marker', () => {
  const rows = [
    { result: 'commit', before: { pending: 7 }, after: { committed: 7 } },
    { result: 'abort', before: { pending: 7 }, after: {} },
    { result: 'commit', before: {}, after: {} },
    { result: 'abort', before: {}, after: {} },
  ] as const
  it.each(rows)('$result of $before', ({ result, before, after }) => {
    expect(afterMarker(group(before), result)).toEqual(group(after))
  })

  it('commits offset 0 too', () => {
    expect(afterMarker(group({ pending: 0 }), 'commit')).toEqual(group({ committed: 0 }))
  })
})

describe.each(presets)('%s: the committed offset', (preset) => {
  const cases = [-1, 0, 7].map((pending) => ({ pending }))
  const fetch = (rules: ReturnType<typeof rulesOf>) => (one: { pending: number }) =>
    canFetch(rules, group(one))

  it('is not given while a transaction could change it', () => {
    expect(cases.map(fetch(rulesOf(preset)))).toEqual([true, false, false])
    expectOnlyGuardedCasesDiffer({
      cases,
      on: fetch(rulesOf(preset)),
      off: fetch(rulesOf(preset, { without: ['require stable offsets'] })),
      guarded: ({ pending }) => pending >= 0,
    })
  })
})
