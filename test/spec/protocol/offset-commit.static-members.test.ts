/** Offset commits of static members, which a group knows by their group.instance.id (KIP-345). */
import { parse } from 'valibot'
import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../spec/config.ts'
import { validateCommit } from '../../../spec/protocol/offset-commit.ts'
import type { ErrorName, Group, OffsetCommitRequest } from '../../../spec/state.ts'
import { group, offsetCommit } from './group-notation.ts'
import { presets, presetsWith, rulesOf } from './rules.ts'

const owner = { memberId: 3, generation: 5 }
const removed = { memberId: 2, generation: 5 }
const fencing = presetsWith(({ groupFencing }) => groupFencing)

/** Member 3 has the group.instance.id that member 2 had; nobody has it after the session of the last one timed out. */
const replaced = group({ generation: 5, members: [3], staticMember: { memberId: 3, newest: 3 } })
const expired = group({ generation: 6, staticMember: { memberId: -1, newest: 3 } })
const groupInstanceId = 'static-member'

describe.each(fencing)('%s: an offset commit of a static member', (preset) => {
  const rows: readonly {
    readonly when: string
    readonly known: Group
    readonly from: Partial<OffsetCommitRequest>
    readonly classic: ErrorName
    readonly consumer: ErrorName
  }[] = [
    {
      when: 'from the one that has the group.instance.id',
      known: replaced,
      from: { ...owner, groupInstanceId },
      classic: 'NONE',
      consumer: 'NONE',
    },
    {
      when: 'from one that was replaced in the same generation',
      known: replaced,
      from: { ...removed, groupInstanceId },
      classic: 'FENCED_INSTANCE_ID',
      consumer: 'UNKNOWN_MEMBER_ID',
    },
    {
      when: 'from one that was replaced, of an old generation: the generation is asked last',
      known: replaced,
      from: { memberId: 2, generation: 4, groupInstanceId },
      classic: 'FENCED_INSTANCE_ID',
      consumer: 'UNKNOWN_MEMBER_ID',
    },
    {
      when: 'from one that was replaced and does not name its group.instance.id',
      known: replaced,
      from: removed,
      classic: 'UNKNOWN_MEMBER_ID',
      consumer: 'UNKNOWN_MEMBER_ID',
    },
    {
      when: 'whose group.instance.id nobody has',
      known: expired,
      from: { memberId: 3, generation: 6, groupInstanceId },
      classic: 'UNKNOWN_MEMBER_ID',
      consumer: 'UNKNOWN_MEMBER_ID',
    },
    {
      when: 'that has its group.instance.id, of an old generation',
      known: { ...replaced, generation: 6, members: [3] },
      from: { memberId: 3, generation: 2, groupInstanceId },
      classic: 'ILLEGAL_GENERATION',
      consumer: 'ILLEGAL_GENERATION',
    },
  ]

  it.each(rows)('$when: $classic, in a consumer group $consumer', ({ known, from, classic, consumer }) => {
    const protocols = presetsWith(({ memberEpochCheck }) => memberEpochCheck !== 'none').includes(preset)
      ? (['classic', 'consumer'] as const)
      : (['classic'] as const)
    const answers = protocols.flatMap((groupProtocol) =>
      (['TxnOffsetCommit', 'OffsetCommit'] as const).map((kind) =>
        validateCommit(rulesOf(preset, { config: { groupProtocol } }), known, offsetCommit(kind, from)),
      ),
    )
    expect(answers).toEqual([classic, classic, consumer, consumer].slice(0, answers.length))
  })
})

describe('static members', () => {
  it.each(fencing)('%s: are fenced by the check of members: they are in no other generation', (preset) => {
    const answer = (...without: ('member check' | 'generation check')[]) => {
      const from = { ...removed, groupInstanceId }
      return validateCommit(rulesOf(preset, { without }), replaced, offsetCommit('TxnOffsetCommit', from))
    }
    expect([answer(), answer('generation check'), answer('member check')]).toEqual([
      'FENCED_INSTANCE_ID',
      'FENCED_INSTANCE_ID',
      'NONE',
    ])
  })

  it.each(presets)('%s: are refused where the version has none', (preset) => {
    const parses = () => parse(configSchema, { preset, staticMembers: true })
    if (preset === 'kafka-1.1') expect(parses).toThrow('has no group.instance.id')
    else expect(parses()).toMatchObject({ staticMembers: true })
  })
})
