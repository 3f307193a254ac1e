/** Static members: a pod takes the place of another that has the same group.instance.id, without a rebalance. */
import { describe, expect, it } from 'vitest'
import { presetsWith } from '../protocol/rules.ts'
import { append, committing, fetch, given, refused, takeOver } from './group-steps.ts'
import { complete, crash, decide, offsets } from './steps.ts'

const named = presetsWith(({ groupFencing }) => groupFencing)

describe.each(named)('%s: a pod with the group.instance.id of another that is at work', (preset) => {
  const beside = (config = {}) => committing(preset, { staticMembers: true, ...config }).take(...takeOver)

  it('takes its place in the same generation; the commit of the other is fenced, and its transaction aborted', () => {
    const run = beside()
    expect([run.group, run.state.group.members, given(run)]).toEqual(['generation 1, committed 0', [2], 0])
    run.take(...refused(preset))
    expect(run.reply({ partition: offsets })).toBe('FENCED_INSTANCE_ID')
    expect(run.state.connection[0]!.coordinator.requests).toMatchObject([{ kind: 'EndTxn', result: 'abort' }])
    expect(run.take(...decide()).client(0)).toBe('closed')
  })

  it('ends the other for good, though rebalances are left: its consumer is fenced too', () => {
    const run = beside({ rebalances: 2 }).take(fetch(1), ...refused(preset), ...decide())
    expect([run.client(0), run.state.budget.rebalances]).toEqual(['closed', 1])
  })

  it('waits for the offset that the other had committed before it came', () => {
    const run = committing(preset, { staticMembers: true }).take(...append(preset), ...takeOver)
    expect(given(run)).toBe('the offset is stable')
    expect(given(run.take(...decide(), ...complete))).toBe(1)
  })

  it('is not protected where the application names only the group', () => {
    const run = beside({ groupMetadata: 'group id only' })
    expect(given(run)).toBe(0)
    run.take(...append(preset), ...decide(), ...complete)
    expect([run.group, run.state.instance[1]!.position]).toEqual(['generation 1, committed 1', 0])
  })

  it('gets the place in the next generation once the session of the other has timed out', () => {
    const run = committing(preset, { staticMembers: true, rebalances: 2 })
    run.take(['ExpireMember', { client: 0 }], ...takeOver)
    expect([run.group, run.state.group.members]).toEqual(['generation 3, committed 0', [2]])
    run.take(fetch(1), ...refused(preset))
    expect(run.reply({ partition: offsets })).toBe('FENCED_INSTANCE_ID')
  })
})

describe.each(named)('%s: a static member', (preset) => {
  const config = { staticMembers: true, crashes: 1, restarts: 1 }

  it('that crashes and starts again has its place again without a rebalance', () => {
    const run = committing(preset, config).take(
      crash(),
      ['Start', { client: 0 }],
      ['JoinGroup', { client: 0 }],
    )
    expect([run.group, run.state.group.members]).toEqual(['generation 1, committed 0', [2]])
  })

  it('whose session timed out is unknown, joins under a new member id and fences who came meanwhile', () => {
    const run = committing(preset, { staticMembers: true, rebalances: 3 })
    run.take(['ExpireMember', { client: 0 }], ...refused(preset))
    expect(run.reply({ partition: offsets })).toBe('UNKNOWN_MEMBER_ID')
    run.take(...takeOver, fetch(1), ...decide(), ...complete, ['JoinGroup', { client: 0 }])
    expect([run.group, run.state.group.members]).toEqual(['generation 3, committed 0', [3]])
    expect(run.state.budget.rebalances).toBe(0)
  })
})

describe.each(presetsWith(({ memberEpochCheck }) => memberEpochCheck !== 'none'))(
  '%s: in a consumer group',
  (preset) => {
    it('a static member has no other way in than any other: the one before it is removed, and unknown', () => {
      const run = committing(preset, { staticMembers: true, groupProtocol: 'consumer' }).take(...takeOver)
      expect([run.group, run.state.group.members]).toEqual(['generation 2, committed 0', [2]])
      run.take(fetch(1), ...refused(preset))
      expect(run.reply({ partition: offsets })).toBe('UNKNOWN_MEMBER_ID')
    })
  },
)
