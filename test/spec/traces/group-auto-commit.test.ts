/** A consumer that commits its offsets by itself beside the transactions of its producer. */
import { describe, expect, it } from 'vitest'
import { presets } from '../protocol/rules.ts'
import type { NamedStep } from './behaviour.ts'
import { append, committing, fetch } from './group-steps.ts'
import { advance, complete, crash, decide, offsets } from './steps.ts'

const commitPlain: readonly NamedStep[] = [['AutoCommit', { client: 0 }], advance(offsets)]

describe.each(presets)('%s: a plain offset commit in the middle of a transaction', (preset) => {
  const run = () => committing(preset, { autoCommits: 1, crashes: 1, restarts: 1, survivors: 0 })

  it('stands at once, and stays when the transaction does not: its input is lost', () => {
    const lost = run().take(...commitPlain, crash(), ['Start', { client: 0 }], ['JoinGroup', { client: 0 }])
    expect(lost.group).toBe('generation 2, committed 1')
    expect(lost.take(fetch(0)).state.instance[0]!.position).toBe(1)
  })

  it('gives way to the transaction, if its record comes before that of the transaction', () => {
    const { committed, committedAt } = run().take(...commitPlain, ...append(preset), ...decide(), ...complete)
      .state.group
    expect({ committed, committedAt }).toEqual({ committed: 1, committedAt: 1 })
  })

  it('stands against the transaction, if its record comes later, although the marker comes later still', () => {
    const { committed, committedAt } = run().take(...append(preset), ...commitPlain, ...decide(), ...complete)
      .state.group
    expect({ committed, committedAt }).toEqual({ committed: 1, committedAt: 1 })
  })

  it('is refused to a member that was removed', () => {
    const removed = run().take(['ExpireMember', { client: 0 }])
    expect(removed.blockedBy(['AutoCommit', { client: 0 }])).toBe('the group accepts it')
  })
})
