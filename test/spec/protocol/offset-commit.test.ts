import { parse } from 'valibot'
import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../spec/config.ts'
import type { PresetName } from '../../../spec/presets.ts'
import {
  type GroupState,
  namesMember,
  stateOf,
  validateCommit,
} from '../../../spec/protocol/offset-commit.ts'
import type { ErrorName, Group, OffsetCommitRequest } from '../../../spec/state.ts'
import { group, offsetCommit } from './group-notation.ts'
import { combinations, expectOnlyGuardedCasesDiffer, presets, presetsWith, rulesOf } from './rules.ts'

/** Generation 5; member 3 is the owner and has been since generation 3; member 1 has nothing. */
const stable = group({ generation: 5, members: [1, 3] })
const unnamed = { memberId: -1, generation: -1 }
const owner = { memberId: 3, generation: 5 }
const stale = { memberId: 3, generation: 4 }
const removed = { memberId: 2, generation: 5 }

interface Row {
  readonly when: string
  readonly state?: GroupState
  readonly known?: Group
  readonly from: Pick<OffsetCommitRequest, 'memberId' | 'generation'>
  readonly transactional: ErrorName
  readonly plain: ErrorName
}

const both = (answer: ErrorName) => ({ transactional: answer, plain: answer })
const missing = group()
const empty = group({ generation: 5 })

const absent: readonly Row[] = [
  { when: 'the group does not exist, no member named', known: missing, from: unnamed, ...both('NONE') },
  { when: 'the group does not exist', known: missing, from: owner, ...both('ILLEGAL_GENERATION') },
]

const classic: readonly Row[] = [
  {
    when: 'the group is dead',
    state: 'Dead',
    from: owner,
    ...both('COORDINATOR_NOT_AVAILABLE'),
  },
  ...absent,
  { when: 'the group is empty, no member named', known: empty, from: unnamed, ...both('NONE') },
  { when: 'the group is empty', known: empty, from: owner, ...both('UNKNOWN_MEMBER_ID') },
  { when: 'from the owner', from: owner, ...both('NONE') },
  { when: 'from a member that was removed', from: removed, ...both('UNKNOWN_MEMBER_ID') },
  {
    when: 'from a removed member of an old generation',
    from: { memberId: 2, generation: 4 },
    ...both('UNKNOWN_MEMBER_ID'),
  },
  { when: 'of an old generation', from: stale, ...both('ILLEGAL_GENERATION') },
  {
    when: 'of a generation to come',
    from: { memberId: 3, generation: 6 },
    ...both('ILLEGAL_GENERATION'),
  },
  {
    when: 'from a member without a partition, which is not checked',
    from: { memberId: 1, generation: 5 },
    ...both('NONE'),
  },
  {
    when: 'the group has members, no member named',
    from: unnamed,
    transactional: 'NONE',
    plain: 'UNKNOWN_MEMBER_ID',
  },
  {
    when: 'a rebalance is being completed',
    state: 'CompletingRebalance',
    from: owner,
    transactional: 'NONE',
    plain: 'REBALANCE_IN_PROGRESS',
  },
]

const consumer: Record<'exact' | 'since assignment', readonly Row[]> = {
  exact: [
    ...absent,
    { when: 'the group is empty, no member named', known: empty, from: unnamed, ...both('NONE') },
    { when: 'the group has members, no member named', from: unnamed, ...both('UNKNOWN_MEMBER_ID') },
    { when: 'from the owner', from: owner, ...both('NONE') },
    { when: 'from a member that was removed', from: removed, ...both('UNKNOWN_MEMBER_ID') },
    { when: 'of an old epoch', from: stale, ...both('ILLEGAL_GENERATION') },
    { when: 'of an epoch to come', from: { memberId: 3, generation: 6 }, ...both('ILLEGAL_GENERATION') },
  ],
  'since assignment': [
    ...absent,
    { when: 'the group is empty, no member named', known: empty, from: unnamed, ...both('NONE') },
    {
      when: 'the group has members, no member named',
      from: unnamed,
      transactional: 'NONE',
      plain: 'UNKNOWN_MEMBER_ID',
    },
    { when: 'from the owner', from: owner, ...both('NONE') },
    { when: 'from a member that was removed', from: removed, ...both('UNKNOWN_MEMBER_ID') },
    { when: 'of an old epoch, the owner since then', from: stale, ...both('NONE') },
    {
      when: 'of the epoch in which the partition was assigned',
      from: { memberId: 3, generation: 3 },
      ...both('NONE'),
    },
    {
      when: 'of an epoch before the assignment',
      from: { memberId: 3, generation: 2 },
      ...both('ILLEGAL_GENERATION'),
    },
    {
      when: 'of an old epoch, from a member without the partition',
      from: { memberId: 1, generation: 4 },
      ...both('ILLEGAL_GENERATION'),
    },
    { when: 'of an epoch to come', from: { memberId: 3, generation: 6 }, ...both('ILLEGAL_GENERATION') },
  ],
}

const fencing = presetsWith(({ groupFencing }) => groupFencing)
const withGroups = (check: string) => presetsWith(({ memberEpochCheck }) => memberEpochCheck === check)
/** Only with version 6 of the request, from clients of transaction.version 2 to brokers that know it. */
const expectedOf = (preset: PresetName, { when, transactional, plain }: Row): ErrorName[] =>
  preset === 'kafka-4.4' && when === 'the group does not exist'
    ? ['GROUP_ID_NOT_FOUND', 'GROUP_ID_NOT_FOUND']
    : [transactional, plain]

describe.each(fencing)('%s: an offset commit to a classic group', (preset) => {
  it.each(classic)('$when: $transactional, outside of a transaction $plain', (row) => {
    const { known = stable, state = stateOf(known), from } = row
    const answers = (['TxnOffsetCommit', 'OffsetCommit'] as const).map((kind) =>
      validateCommit(rulesOf(preset), known, offsetCommit(kind, from), state),
    )
    expect(answers).toEqual(expectedOf(preset, row))
  })
})

describe.each(['exact', 'since assignment'] as const)('an offset commit to a consumer group, %s', (check) => {
  const rows = withGroups(check).flatMap((preset) => consumer[check].map((row) => ({ preset, ...row })))
  it.each(rows)('$preset, $when: $transactional, outside of a transaction $plain', (row) => {
    const rules = rulesOf(row.preset, { config: { groupProtocol: 'consumer' } })
    const answers = (['TxnOffsetCommit', 'OffsetCommit'] as const).map((kind) =>
      validateCommit(rules, row.known ?? stable, offsetCommit(kind, row.from)),
    )
    expect(answers).toEqual(expectedOf(row.preset, row))
  })
})

describe('the check of generations', () => {
  const cases = combinations({ memberId: [-1, 1, 2, 3], generation: [3, 4, 5, 6] })
  const validate = (rules: ReturnType<typeof rulesOf>) => (from: (typeof cases)[number]) =>
    validateCommit(rules, stable, offsetCommit('TxnOffsetCommit', from))

  const guards = [
    {
      without: ['generation check'],
      guarded: ({ memberId, generation }: (typeof cases)[number]) =>
        memberId >= 0 && memberId !== 2 && generation !== 5,
    },
    { without: ['member check'], guarded: ({ memberId }: (typeof cases)[number]) => memberId === 2 },
    {
      without: ['generation check', 'member check'],
      guarded: ({ memberId, generation }: (typeof cases)[number]) =>
        memberId === 2 || (memberId >= 0 && generation !== 5),
    },
  ] as const

  describe.each(guards)('without $without', ({ without, guarded }) => {
    it.each(fencing)('%s: commits of other generations or of removed members are let in', (preset) => {
      expectOnlyGuardedCasesDiffer({
        cases,
        on: validate(rulesOf(preset)),
        off: validate(rulesOf(preset, { without })),
        guarded,
      })
    })
  })

  it('is not in the first version, where only plain commits are checked', () => {
    expect(new Set(cases.map(validate(rulesOf('kafka-1.1'))))).toEqual(new Set(['NONE']))
    expect(validateCommit(rulesOf('kafka-1.1'), stable, offsetCommit('OffsetCommit', stale))).toBe(
      'ILLEGAL_GENERATION',
    )
  })
})

describe('an offset commit names its member', () => {
  const names = (kind: OffsetCommitRequest['kind'], groupMetadata: 'owner' | 'group id only') =>
    presets.filter((preset) => namesMember(rulesOf(preset, { config: { groupMetadata } }), kind))

  it('in a transaction since KIP-447, if the application passes on what the consumer gave it', () => {
    expect(names('TxnOffsetCommit', 'owner')).toEqual(fencing)
    expect(names('TxnOffsetCommit', 'group id only')).toEqual([])
  })

  it('always outside of a transaction', () => {
    expect(names('OffsetCommit', 'owner')).toEqual(presets)
    expect(names('OffsetCommit', 'group id only')).toEqual(presets)
  })
})

describe('the consumer protocol', () => {
  it.each(presets)('%s: is refused where the version has no such groups', (preset) => {
    const hasGroups = !withGroups('none').includes(preset)
    const parses = () => parse(configSchema, { preset, groupProtocol: 'consumer' })
    if (hasGroups) expect(parses()).toMatchObject({ groupProtocol: 'consumer' })
    else expect(parses).toThrow('has no such groups')
  })
})
