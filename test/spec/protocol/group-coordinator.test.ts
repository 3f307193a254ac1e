import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KafkaConfig } from '../../../spec/config.ts'
import {
  afterCommit,
  afterExpiry,
  afterIdleJoin,
  afterJoin,
  afterMarker,
  fetchOffset,
  isMember,
  isReplaced,
  newGroup,
  ownerOf,
  replayed,
} from '../../../spec/protocol/group-coordinator.ts'
import { stateOf } from '../../../spec/protocol/offset-commit.ts'
import { emptyPartition } from '../../../spec/protocol/partition-leader.ts'
import type { LogRecord, PendingOffset, Result } from '../../../spec/state.ts'
import { group, offsetCommit } from './group-notation.ts'
import { combinations, expectOnlyGuardedCasesDiffer, presetsWith, rulesOf } from './rules.ts'

const pending = (producerId: number, offset: number, at: number): PendingOffset => ({
  producerId,
  offset,
  at,
})

describe('an offset commit', () => {
  const known = group({ committed: 3, committedAt: 1, pending: [pending(0, 5, 2)] })

  it('is pending inside a transaction, and replaces an earlier one of the producer', () => {
    expect(afterCommit(known, offsetCommit('TxnOffsetCommit'), 4)).toEqual(
      group({ committed: 3, committedAt: 1, pending: [pending(0, 7, 4)] }),
    )
  })

  it('stands beside those of other producers, in the order of their ids', () => {
    const other = offsetCommit('TxnOffsetCommit', { producerId: 1 })
    expect(afterCommit(known, other, 4).pending).toEqual([pending(0, 5, 2), pending(1, 7, 4)])
    expect(afterCommit(group({ pending: [pending(2, 5, 2)] }), other, 4).pending).toEqual([
      pending(1, 7, 4),
      pending(2, 5, 2),
    ])
  })

  it('takes effect at once outside of a transaction, and leaves what is pending', () => {
    expect(afterCommit(known, offsetCommit('OffsetCommit'), 4)).toEqual(
      group({ committed: 7, committedAt: 4, pending: [pending(0, 5, 2)] }),
    )
  })
})

describe('a marker on the offsets', () => {
  const others = [pending(1, 9, 3)]
  const rows: readonly {
    name: string
    result: Result
    at: number
    committed: number
    committedAt: number
  }[] = [
    { name: 'commit of a later record stands', result: 'commit', at: 2, committed: 7, committedAt: 2 },
    { name: 'commit of an earlier record gives way', result: 'commit', at: 0, committed: 3, committedAt: 1 },
    { name: 'abort of a later record', result: 'abort', at: 2, committed: 3, committedAt: 1 },
    { name: 'abort of an earlier record', result: 'abort', at: 0, committed: 3, committedAt: 1 },
  ]
  it.each(rows)('$name: $committed', ({ result, at, committed, committedAt }) => {
    const before = group({ committed: 3, committedAt: 1, pending: [pending(0, 7, at), ...others] })
    expect(afterMarker(before, 0, result)).toEqual(group({ committed, committedAt, pending: others }))
  })

  it.each(['commit', 'abort'] as const)(
    '%s of a producer without a pending offset does nothing',
    (result) => {
      const before = group({ committed: 3, committedAt: 1, pending: others })
      expect(afterMarker(before, 0, result)).toEqual(before)
    },
  )
})

const ghost = { session: 1, transaction: 's1.1', fenced: false }
const offsetIn = (producerId: number, offset: number, transactional = true): LogRecord => ({
  kind: 'offset',
  producerId,
  producerEpoch: 0,
  offset,
  generation: 1,
  transactional,
  ...ghost,
})
const marker = (producerId: number, result: Result): LogRecord => ({
  kind: 'marker',
  producerId,
  producerEpoch: 0,
  result,
  coordinatorEpoch: 0,
  transaction: 's1.1',
})

describe('a log of offsets, read again', () => {
  const nothing = { committed: 0, committedAt: -1, pending: [] }
  const rows = [
    { name: 'nothing', log: [], says: nothing },
    {
      name: 'a pending offset',
      log: [offsetIn(0, 1)],
      says: { ...nothing, pending: [pending(0, 1, 0)] },
    },
    {
      name: 'a committed one',
      log: [offsetIn(0, 1), marker(0, 'commit')],
      says: { ...nothing, committed: 1, committedAt: 0 },
    },
    { name: 'an aborted one', log: [offsetIn(0, 1), marker(0, 'abort')], says: nothing },
    {
      name: 'a plain commit between a pending offset and its marker: the later record stands, not the later marker',
      log: [offsetIn(0, 1), offsetIn(-1, 2, false), marker(0, 'commit')],
      says: { ...nothing, committed: 2, committedAt: 1 },
    },
    {
      name: 'a plain commit before a pending offset',
      log: [offsetIn(-1, 2, false), offsetIn(0, 1), marker(0, 'commit')],
      says: { ...nothing, committed: 1, committedAt: 1 },
    },
    {
      name: 'two producers, the earlier record with the later marker',
      log: [offsetIn(0, 1), offsetIn(1, 2), marker(1, 'commit'), marker(0, 'commit')],
      says: { ...nothing, committed: 2, committedAt: 1 },
    },
  ]
  it.each(rows)('$name', ({ log, says }) => {
    expect(replayed(log)).toEqual(says)
  })

  it('says what the leader has in memory that wrote it', () => {
    const records = fc.oneof(
      fc.record({ producerId: fc.nat(2), offset: fc.nat(4), kind: fc.constant('TxnOffsetCommit' as const) }),
      fc.record({
        producerId: fc.constant(-1),
        offset: fc.nat(4),
        kind: fc.constant('OffsetCommit' as const),
      }),
      fc.record({ producerId: fc.nat(2), result: fc.constantFrom<Result>('commit', 'abort') }),
    )
    fc.assert(
      fc.property(fc.array(records), (steps) => {
        let known = group()
        const log: LogRecord[] = []
        for (const step of steps) {
          if ('result' in step) {
            known = afterMarker(known, step.producerId, step.result)
            log.push(marker(step.producerId, step.result))
          } else {
            known = afterCommit(known, step, log.length)
            log.push(offsetIn(step.producerId, step.offset, step.kind === 'TxnOffsetCommit'))
          }
        }
        expect({ ...group(), ...replayed(log) }).toEqual(known)
      }),
    )
  })
})

describe('a fetch of the committed offset', () => {
  const log = [offsetIn(0, 1), marker(0, 'commit'), offsetIn(1, 2), marker(1, 'abort'), offsetIn(0, 2)]
  const cases = combinations({ logEnd: [0, 1, 2, 3, 4, 5], replicated: [0, 1, 2, 3, 4, 5] }).filter(
    ({ logEnd, replicated }) => replicated <= logEnd,
  )
  const fetch = (rules: ReturnType<typeof rulesOf>) => (one: (typeof cases)[number]) => {
    const written = log.slice(0, one.logEnd)
    const partition = { ...emptyPartition(), log: written, highWatermark: one.replicated }
    const fetched = fetchOffset(rules, { ...group(), ...replayed(written) }, partition)
    return fetched.kind === 'wait' ? fetched.because : fetched.offset
  }
  const unstable = 'the offset is stable'
  const unreplicated = 'the offset is replicated'

  it.each(presetsWith(({ requireStable }) => requireStable))(
    '%s: waits while a transaction could change it, and until it is replicated',
    (preset) => {
      const shown = [0, 1, 2, 3, 4, 5].map((logEnd) =>
        cases.filter((one) => one.logEnd === logEnd).map(fetch(rulesOf(preset))),
      )
      expect(shown).toEqual([
        [0],
        [unstable, unstable],
        [unreplicated, unreplicated, 1],
        [unstable, unstable, unstable, unstable],
        [unreplicated, unreplicated, 1, unreplicated, 1],
        [unstable, unstable, unstable, unstable, unstable, unstable],
      ])
      expectOnlyGuardedCasesDiffer({
        cases,
        on: fetch(rulesOf(preset)),
        off: fetch(rulesOf(preset, { without: ['require stable offsets'] })),
        guarded: (one) => typeof fetch(rulesOf(preset))(one) === 'string',
      })
    },
  )

  it.each(presetsWith(({ requireStable }) => !requireStable))('%s: gives what is replicated', (preset) => {
    expect(cases.map(fetch(rulesOf(preset)))).toEqual(cases.map(({ replicated }) => (replicated < 2 ? 0 : 1)))
  })
})

describe('a group', () => {
  it('is missing, then stable with its first member, and empty when that is removed', () => {
    const first = afterJoin(group(), -1, [])
    const states = [group(), first, afterExpiry(first, ownerOf(first))].map(stateOf)
    expect(states).toEqual(['missing', 'Stable', 'Empty'])
  })

  const known = group({ generation: 5, members: [1, 3] })
  const rows = [
    { name: 'a newcomer, the others removed', memberId: -1, staying: [], generation: 6, members: [6] },
    {
      name: 'a newcomer, the others staying',
      memberId: -1,
      staying: [1, 3],
      generation: 6,
      members: [1, 3, 6],
    },
    {
      name: 'the former owner, as a new member',
      memberId: 1,
      staying: [1, 3],
      generation: 6,
      members: [3, 6],
    },
    { name: 'a member that was removed', memberId: 2, staying: [3], generation: 6, members: [3, 6] },
    { name: 'the owner: nothing moves', memberId: 3, staying: [], generation: 5, members: [1, 3] },
  ]
  it.each(rows)('is joined by $name', ({ memberId, staying, generation, members }) => {
    expect(afterJoin(known, memberId, staying)).toEqual(group({ generation, members }))
  })

  it('without a member is joined by one that has never been in it', () => {
    expect(afterJoin(group({ generation: 2 }), -1, [])).toEqual(group({ generation: 3, members: [3] }))
  })

  it('begins a new generation when a member is removed or an idle one joins', () => {
    expect(afterExpiry(known, 3)).toEqual(group({ generation: 6, members: [1] }))
    expect(afterIdleJoin(known)).toEqual(group({ generation: 6, members: [1, 3] }))
  })

  it('of static members gives the place of one to the next, under another member id and in the same generation', () => {
    const alone = group({ staticMember: { memberId: -1, newest: 0 } })
    const first = afterJoin(alone, -1, [])
    const second = afterJoin(first, -1, [1])
    expect(second).toEqual(group({ generation: 1, members: [2], staticMember: { memberId: 2, newest: 2 } }))
    expect(afterJoin(second, 2, [])).toEqual(second)
    const others = [alone, first, second].map((known) => [1, 2].filter((id) => isReplaced(known, id)))
    expect(others).toEqual([[], [2], [1]])
  })

  it('gives a member id only once, though its static member timed out in between', () => {
    const second = group({ generation: 1, members: [2], staticMember: { memberId: 2, newest: 2 } })
    const empty = afterExpiry(second, 2)
    expect(empty).toEqual(group({ generation: 2, staticMember: { memberId: -1, newest: 2 } }))
    expect(afterJoin(empty, -1, [])).toEqual(
      group({ generation: 3, members: [3], staticMember: { memberId: 3, newest: 3 } }),
    )
  })

  it('remembers static members of the classic protocol only', () => {
    const fresh = (config: Partial<KafkaConfig>) => newGroup(rulesOf('kafka-4.4', { config })).staticMember
    expect(fresh({ staticMembers: true })).toEqual({ memberId: -1, newest: 0 })
    expect(fresh({ staticMembers: true, groupProtocol: 'consumer' })).toBeUndefined()
    expect(fresh({})).toBeUndefined()
  })

  it('lets only members of the consumer protocol be checked when they fetch', () => {
    const rules = (groupProtocol: 'classic' | 'consumer') =>
      rulesOf('kafka-4.4', { config: { groupProtocol } })
    const may = (groupProtocol: 'classic' | 'consumer') =>
      [1, 2, 3].filter((memberId) => isMember(rules(groupProtocol), known, memberId))
    expect([may('classic'), may('consumer')]).toEqual([
      [1, 2, 3],
      [1, 3],
    ])
  })
})
